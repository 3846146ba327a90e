/** Where two runs part, in one look. Pure. */
import { cut, cutBytes, oneLine, plural } from "../util/text.ts";
import type { DiffResult } from "./diff-shapes.ts";
import { lines, shortPath, type TextOptions } from "./text.ts";
import { endText } from "./trace-text.ts";

const BUDGET = 2048;
const NAMES = 8;

type Side = NonNullable<NonNullable<DiffResult["first"]>["a"]>;

export function diffText(result: DiffResult, options: TextOptions): string {
  const { first, more, flaky } = result;
  const head = lines(
    flaky && `${flaky.runs} runs: ${flaky.passed} passed (A is one), ${flaky.failed} failed (B is one)`,
    first === undefined
      ? `no difference in ${plural(result.matching, "recorded moment")}`
      : divergence(result, first, options),
  );
  const tail = lines(
    ...ends(result),
    more.length > 0 && "further differences",
    more.slice(0, 6).map((one) => `  ${furtherLine(one, options)}`),
    more.length > 6 && `  … ${more.length - 6} more`,
    result.notes.slice(0, 3).map((note) => `note: ${oneLine(note)}`),
    `runs: A ${result.a.id} ${oneLine(cut(result.a.title, 80))} · B ${result.b.id} ${oneLine(cut(result.b.title, 80))}; \`sonde trace show ${result.a.id}\``,
  );
  return cutBytes(head, Math.max(400, BUDGET - Buffer.byteLength(tail)), "[cut]\n") + tail;
}

function divergence(
  result: DiffResult,
  first: NonNullable<DiffResult["first"]>,
  options: TextOptions,
): string[] {
  const { a, b } = first;
  const side = a ?? b;
  const where = side === undefined ? "" : ` in ${oneLine(side.function)}`;
  const culprit = ranPlace(a, options) ?? ranPlace(b, options);
  const what =
    first.kind === "values"
      ? `${first.differing
          .map(({ name }) => name)
          .slice(0, 4)
          .join(", ")} ${first.differing.length > 1 ? "differ" : "differs"}`
      : "the runs take different ways";
  return [
    `first divergence${culprit === undefined ? "" : `: line ${culprit}`}${where}: ${oneLine(what)} (after ${plural(result.before, "equal moment")})`,
    ...sideLines("A", a, result.source.a, options),
    ...first.differing
      .slice(0, NAMES)
      .map(({ name, a: value }) => `      ${oneLine(name)} = ${oneLine(cut(value ?? "", 120))}`),
    ...sideLines("B", b, result.source.b, options),
    ...first.differing
      .slice(0, NAMES)
      .map(({ name, b: value }) => `      ${oneLine(name)} = ${oneLine(cut(value ?? "", 120))}`),
    ...(first.equal.length > 0
      ? [
          `  same: ${oneLine(
            cut(
              first.equal
                .slice(0, NAMES)
                .map(({ name, value }) => `${name} = ${cut(value, 40)}`)
                .join(", "),
              300,
            ),
          )}`,
        ]
      : []),
  ];
}

/** The line whose running made the difference. */
function ranPlace(side: Side | undefined, { cwd }: TextOptions): string | undefined {
  return side === undefined ? undefined : `${shortPath(side.path, cwd)}:${side.ran ?? side.line}`;
}

function sideLines(
  name: string,
  side: Side | undefined,
  source: DiffResult["source"]["a"],
  options: TextOptions,
): string[] {
  if (side === undefined) return [`  ${name}: has ended by then`];
  const ran = side.ran ?? side.line;
  const text = source.find(({ number }) => number === ran)?.text ?? "";
  const next =
    side.ran === undefined || side.line === ran || side.line === 0
      ? ""
      : `, then ${side.kind === "line" ? `line ${side.line}` : side.kind}`;
  return [`  ${name}: ${shortPath(side.path, options.cwd)}:${ran} | ${oneLine(cut(text.trim(), 90))}${next}`];
}

function furtherLine({ place, what, count, a, b }: DiffResult["more"][number], { cwd }: TextOptions): string {
  const times = count > 1 ? ` (${count}×)` : "";
  const [, path = place, line = ""] = /^(.*):(\d+)$/.exec(place) ?? [];
  const short = `${shortPath(path, cwd)}${line === "" ? "" : `:${line}`}`;
  return a === undefined
    ? oneLine(`${short} ran ${what}${times}`)
    : oneLine(`${short} ${what}: A ${cut(a, 50)}, B ${cut(b ?? "", 50)}${times}`);
}

function ends({ a, b }: DiffResult): string[] {
  const [x, y] = [
    a.partial === undefined ? endText(a.end) : `partial: ${a.partial}`,
    b.partial === undefined ? endText(b.end) : `partial: ${b.partial}`,
  ];
  const output =
    a.output === b.output
      ? []
      : [
          `  output: A ${JSON.stringify(cut(a.output.trim(), 80))}, B ${JSON.stringify(cut(b.output.trim(), 80))}`,
        ];
  return x === y && output.length === 0
    ? []
    : ["in the end", ...(x === y ? [] : [`  A ${x}; B ${y}`]), ...output];
}
