/** The answer of `test` as text: which test, why, then each of the user's frames with its values, within the budget. Pure. */
import { cut, cutBytes, oneLine, plural, visible } from "../../util/text.ts";
import { outputLines, valueText } from "../answers/snapshot-text.ts";
import { fenced, lines, shortPath, type TextOptions } from "../answers/text.ts";
import type { Framed, Shot, Tested } from "./shape.ts";

/** The least needed goes first: what was printed, then values of the outer frames, then those frames. */
const CUTS: {
  output: number;
  values: number;
  chars: number;
  outer: number;
  frames: number;
  message: number;
}[] = [
  { output: 20, values: 30, chars: 120, outer: 30, frames: 8, message: 60 },
  { output: 5, values: 30, chars: 120, outer: 10, frames: 8, message: 60 },
  { output: 3, values: 20, chars: 80, outer: 6, frames: 6, message: 40 },
  { output: 0, values: 12, chars: 60, outer: 3, frames: 4, message: 30 },
  { output: 0, values: 8, chars: 40, outer: 0, frames: 3, message: 12 },
];

export function testText(tested: Tested, options: TextOptions): string {
  const budget = options.limits.snapshotBytes;
  for (const cuts of CUTS) {
    const text = render(tested, options, cuts);
    if (Buffer.byteLength(text) <= budget) return text;
  }
  const last = CUTS.at(-1) ?? { output: 0, values: 1, chars: 40, outer: 0, frames: 1, message: 12 };
  return cutBytes(render(tested, options, last), budget, "[cut: --json has the rest]");
}

type Cuts = (typeof CUTS)[number];

function render(tested: Tested, options: TextOptions, cuts: Cuts): string {
  const { stop, notes, output } = tested;
  return lines(
    headline(tested),
    reasonLines(tested, cuts.message),
    notes.map((note) => `note: ${oneLine(note)}`),
    stop && stopLines(stop, options, cuts),
    tested.next !== undefined && nextLine(tested.next),
    output.length > 0 && "last output",
    output.slice(-Math.max(5, cuts.output)).map((text) => fenced({ stream: "stdout", text: cut(text, 200) })),
    otherLines(tested),
  );
}

/** `failed: test_discount  · pytest: 2 failed, 3 passed · exit code 1` */
function headline({ state, test, counts, runner, status, command, cutAfter }: Tested): string {
  const tally = counts && [
    counts.failed > 0 && `${counts.failed} failed`,
    `${counts.passed} passed`,
    counts.skipped > 0 && `${counts.skipped} skipped`,
  ];
  // Any program may be run so; that it ended well says nothing of tests.
  const unknown = runner === undefined && test === undefined && "no test runner recognised";
  const parts = [
    unknown && state === "passed" ? unknown : `${state}: ${oneLine(test?.name ?? cut(command, 200))}`,
    unknown && (state === "passed" ? oneLine(cut(command, 200)) : unknown),
    runner !== undefined && `${runner}${tally ? `: ${tally.filter(Boolean).join(", ")}` : ""}`,
    cutAfter !== undefined &&
      `cut off after ${cutAfter} s, with tests still to run (--timeout <seconds> gives it longer)`,
    status?.signal !== undefined
      ? `killed by ${status.signal}`
      : status?.exitCode !== undefined && `exit code ${status.exitCode}`,
  ];
  return parts.filter(Boolean).join("  · ");
}

/** A message may be a whole diff. Of a cut one the first lines are shown, and how many there are more. */
function reasonLines({ test, stop }: Tested, most: number): string[] {
  const exception = stop?.exception;
  const message = test?.message ?? exception?.message;
  if (message === undefined) return [];
  const type = exception?.type ?? test?.type;
  const all = visible(message)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const [first = "", ...rest] = all.slice(0, most);
  const left = all.length - 1 - rest.length;
  const said =
    type === undefined || first.startsWith(type) ? first : first === "" ? type : `${type}: ${first}`;
  return [
    `  ${cut(said, 400)}`,
    ...rest.map((line) => `  ${cut(line, 200)}`),
    ...(left > 0 ? [`  (+${plural(left, "more line")} of the message: --json has them)`] : []),
    ...(exception?.causes ?? []).map((cause) => `  caused by ${cut(oneLine(cause), 300)}`),
    ...comparison(test),
  ];
}

function comparison(test: Tested["test"]): string[] {
  const compared = test?.compared ?? [];
  // Some runners say it in the message itself.
  const said = (test?.message ?? "").toLowerCase();
  if (compared.length === 0 || compared.every(({ label }) => said.includes(label))) return [];
  return [`  ${compared.map(({ label, value }) => `${label} ${cut(oneLine(value), 200)}`).join(", ")}`];
}

function stopLines(stop: Shot, options: TextOptions, cuts: Cuts): string[] {
  const shown = stop.frames.slice(0, cuts.frames);
  const more = stop.moreFrames + stop.frames.length - shown.length;
  const rest = [
    more > 0 && `${plural(more, "more frame")} of yours`,
    stop.folded > 0 && `${plural(stop.folded, "frame")} of the runner and of libraries`,
  ].filter(Boolean);
  return [
    ...shown.flatMap((frame, at) => frameLines(frame, options, { at, cuts })),
    ...(rest.length > 0 ? [`(+${rest.join(", ")})`] : []),
    ...stop.notes.map((note) => `note: ${oneLine(note)}`),
    ...(cuts.output > 0
      ? outputLines({
          lines: stop.output.lines.slice(-cuts.output),
          moreLines: stop.output.moreLines + Math.max(0, stop.output.lines.length - cuts.output),
        }).map((line) => line.replace(": `sonde output`", ""))
      : []),
  ];
}

function frameLines(frame: Framed, options: TextOptions, { at, cuts }: { at: number; cuts: Cuts }): string[] {
  const { path, line, source, values } = frame;
  const width = Math.max(4, String(source.at(-1)?.line ?? 0).length);
  const most = at === 0 ? cuts.values : cuts.outer;
  const shown = values.slice(0, most).map((value) => ({ ...value, value: cut(value.value, cuts.chars) }));
  const more = values.length - shown.length;
  return [
    `${at === 0 ? "at" : "called from"} ${path === undefined ? "?" : shortPath(path, options.cwd)}:${line} in ${oneLine(frame.function)}`,
    ...source.map(
      (one) =>
        `${one.line === line ? "->" : "  "}${String(one.line).padStart(width)} | ${visible(cut(one.text, 200)).replaceAll("\n", "")}`,
    ),
    ...shown.map((value) => `  ${valueText(value)}`),
    ...(more > 0 ? [`  (+${plural(more, "more value")})`] : []),
  ];
}

function nextLine(next: string): string {
  const [, name, deep] = /--function (\S+) (--depth)?/.exec(next) ?? [];
  const with_ = deep === undefined ? "; --function can be repeated" : ", with what it calls";
  return `next: \`${oneLine(next)}\` shows ${name} line by line${with_}`;
}

function otherLines({ others, moreOthers, command }: Tested): string[] {
  if (others.length === 0) return [];
  const all = others.length + moreOthers;
  return [
    `${plural(all, "other failing test")}: \`sonde test --name '<test>' -- ${cut(oneLine(command), 200)}\``,
    ...others.slice(0, 10).map((name) => `  ${cut(oneLine(name), 160)}`),
    ...(all > 10 ? [`  (+${all - 10} more)`] : []),
  ];
}
