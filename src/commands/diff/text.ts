/** Where two runs part, in one look. Pure. */
import { advice, call, named } from "../../advice/advice.ts";
import { TIMES_RUN } from "../../trace/diff/compare.ts";
import { cut, cutBytes, oneLine, plural } from "../../util/text.ts";
import { lines, noteLines, shortPath, type TextOptions } from "../answers/text.ts";
import { endText } from "../trace/text.ts";
import type { DiffResult } from "./shapes.ts";

const BUDGET = 2048;
const NAMES = 6;

type Divergence = NonNullable<DiffResult["first"]>;
type Side = NonNullable<Divergence["a"]>;

export function diffText(result: DiffResult, options: TextOptions): string {
  const { more, flaky, a, b } = result;
  const head = lines(
    flaky && `${flaky.runs} runs: ${flaky.passed} passed (A is one), ${flaky.failed} failed (B is one)`,
    result.unlike,
    headLines(result, options),
  );
  const tail = lines(
    result.compared !== undefined &&
      options.say(
        advice`more was recorded than is kept: only the first ${plural(result.compared, "moment")} of each run were compared; ${named("maxHits")} keeps more, ${named("at")} or ${named("function")} record less`,
      ),
    ends(result),
    more.length > 0 && "further differences",
    more.slice(0, 6).map((one) => `  ${furtherLine(one, options)}`),
    more.length > 6 && `  … ${more.length - 6} more`,
    noteLines(result.notes.slice(0, 3), options),
    options.say(
      advice`runs: A ${a.id} ${oneLine(cut(a.title, 80))} · B ${b.id} ${oneLine(cut(b.title, 80))}; ${call("trace show", { id: a.id })}`,
    ),
  );
  return cutBytes(head, Math.max(400, BUDGET - Buffer.byteLength(tail)), "[cut]\n") + tail;
}

function headLines(result: DiffResult, options: TextOptions): string[] {
  const { first, split, a, b } = result;
  const empty = [a, b].flatMap((run, at) => (run.seen === 0 ? [["A", "B"][at] ?? ""] : []));
  if (empty.length > 0 && first !== undefined)
    return [`nothing was recorded in run ${empty.join(" and ")}: there is nothing to compare with`];
  if (first === undefined) {
    const recorded = empty.length === 2 ? "nothing was recorded in either run" : undefined;
    return [recorded ?? `no difference in ${plural(result.matching, "recorded moment")}`];
  }
  return [
    ...divergence(result, first, options),
    ...(split === undefined ? [] : [`the paths part later: ${splitText(split, options)}`]),
  ];
}

function divergence(result: DiffResult, first: Divergence, options: TextOptions): string[] {
  const { a, b } = first;
  const side = a ?? b;
  const where = side === undefined ? "" : ` in ${oneLine(side.function)}`;
  const culprit = ranPlace(a, options) ?? ranPlace(b, options);
  const values = first.differing
    .slice(0, NAMES)
    .map((one) => ({ name: one.name, pair: around(one.a ?? "", one.b ?? "") }));
  const named = (at: 0 | 1) =>
    values.map(({ name, pair }) => `      ${oneLine(name)} = ${oneLine(pair[at])}`);
  const same = first.equal.slice(0, NAMES).map(({ name, value }) => `${name} = ${cut(value, 40)}`);
  return [
    `first divergence${culprit === undefined ? "" : `: line ${culprit}`}${where}: ${oneLine(whatText(first))} (after ${plural(result.before, "equal moment")})`,
    ...sideLines("A", a, result.source.a, options),
    ...named(0),
    ...sideLines("B", b, result.source.b, options),
    ...named(1),
    ...(same.length > 0 ? [`  same: ${oneLine(cut(same.join(", "), 300))}`] : []),
  ];
}

function whatText({ kind, differing, extra }: Divergence): string {
  if (kind === "values") {
    const names = differing.slice(0, 4).map(({ name }) => name);
    return `${names.join(", ")} ${differing.length > 1 ? "differ" : "differs"}`;
  }
  if (extra === undefined) return "the runs take different paths";
  return `${extra.side.toUpperCase()} runs ${plural(extra.count, "moment")} longer`;
}

function splitText({ a, b, extra }: Divergence, options: TextOptions): string {
  const place = ranPlace(a, options) ?? ranPlace(b, options) ?? "";
  if (extra !== undefined)
    return `${place}, ${extra.side.toUpperCase()} runs ${plural(extra.count, "moment")} longer`;
  const next = (side: Side | undefined) =>
    side === undefined ? "its end" : side.kind === "line" ? `line ${side.line}` : side.kind;
  return `after ${place} A goes on to ${next(a)}, B to ${next(b)}`;
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
  const moved = side.ran !== undefined && side.line !== ran && side.line !== 0;
  const next = moved ? `, then ${side.kind === "line" ? `line ${side.line}` : side.kind}` : "";
  return [`  ${name}: ${shortPath(side.path, options.cwd)}:${ran} | ${oneLine(cut(text.trim(), 90))}${next}`];
}

function furtherLine({ place, what, count, a, b }: DiffResult["more"][number], { cwd }: TextOptions): string {
  const [, path = place, line = ""] = /^(.*):(\d+)$/.exec(place) ?? [];
  const short = `${shortPath(path, cwd)}${line === "" ? "" : `:${line}`}`;
  if (what === TIMES_RUN) return `${oneLine(short)} ran ${a === "1" ? "once" : `${a} times`} in A, ${b} in B`;
  const [x, y] = around(a ?? "", b ?? "", 50);
  return oneLine(`${short} ${what}: A ${x}, B ${y}${count > 1 ? ` (${count}×)` : ""}`);
}

/** Two texts cut to where they differ: two equal beginnings tell nothing. */
export function around(a: string, b: string, width = 120): [string, string] {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  const start = at > width / 2 ? at - Math.floor(width / 3) : 0;
  const part = (text: string) => `${start > 0 ? "…" : ""}${cut(text.slice(start), width)}`;
  return [part(a), part(b)];
}

function ends({ a, b }: DiffResult): string[] {
  const how = (run: DiffResult["a"]) =>
    run.partial === undefined ? endText(run.end) : `partial: ${run.partial}`;
  const failed = (a.end.exitCode ?? 0) !== 0 || a.end.signal !== undefined;
  const endings = how(a) === how(b) ? (failed ? [`  both: ${how(a)}`] : []) : [`  A ${how(a)}; B ${how(b)}`];
  const all = [...endings, ...outputs(a.output, b.output)];
  return all.length === 0 ? [] : ["in the end", ...all];
}

/** The first line that differs. */
function outputs(a: string, b: string): string[] {
  if (a === b) return [];
  const [x, y] = [a.split("\n"), b.split("\n")];
  let at = 0;
  while (at < x.length && x[at] === y[at]) at++;
  const shown = (text: string | undefined) =>
    text === undefined || text === "" ? "nothing" : JSON.stringify(text);
  const [left, right] = around(shown(x[at]), shown(y[at]), 80);
  return [`  output, line ${at + 1}: A ${left}, B ${right}`];
}
