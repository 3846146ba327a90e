/** The answer of `test` as text: which test, why, then each of the user's frames with its values, within the budget. Pure. */
import { advice, type Blank, blank, type Call, call, option, WHOLE } from "../../advice/advice.ts";
import { cut, cutBytes, oneLine, plural, visible } from "../../util/text.ts";
import { outputLines, valueText } from "../answers/snapshot-text.ts";
import { fenced, lines, noteLines, shortPath, type TextOptions } from "../answers/text.ts";
import { lineByLine } from "../runs/crash-text.ts";
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
  return cutBytes(render(tested, options, last), budget, options.say(advice`[cut: ${WHOLE} has the rest]`));
}

type Cuts = (typeof CUTS)[number];

function render(tested: Tested, options: TextOptions, cuts: Cuts): string {
  const { stop, notes, output } = tested;
  return lines(
    headline(tested, options),
    reasonLines(tested, cuts.message, options),
    noteLines(notes, options),
    stop && stopLines(stop, options, cuts),
    tested.origin && originLines(tested.origin, options),
    tested.next !== undefined && nextLine(tested.next, options),
    output.length > 0 && "last output",
    output.slice(-Math.max(5, cuts.output)).map((text) => fenced({ stream: "stdout", text: cut(text, 200) })),
    otherLines(tested, options),
  );
}

/** `failed: test_discount  · pytest: 2 failed, 3 passed · exit code 1` */
function headline(tested: Tested, { say }: TextOptions): string {
  const { state, test, counts, runner, status, command, cutAfter } = tested;
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
      say(
        advice`cut off after ${cutAfter} s, with tests still to run (${option({ timeout: blank("seconds") })} gives it more time)`,
      ),
    status?.signal !== undefined
      ? `killed by ${status.signal}`
      : status?.exitCode !== undefined && `exit code ${status.exitCode}`,
  ];
  return parts.filter(Boolean).join("  · ");
}

/** A message may be a whole diff. Of a cut one the first lines are shown, and how many there are more. */
function reasonLines({ test, stop }: Tested, most: number, { say }: TextOptions): string[] {
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
    ...(left > 0 ? [say(advice`  (+${plural(left, "more line")} of the message: ${WHOLE} has them)`)] : []),
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
    ...noteLines(stop.notes, options),
    ...(cuts.output > 0
      ? outputLines(
          {
            lines: stop.output.lines.slice(-cuts.output),
            moreLines: stop.output.moreLines + Math.max(0, stop.output.lines.length - cuts.output),
          },
          options,
          null,
        )
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

/** `get_balance returned 31  account.py:11 | return self._balance` */
function originLines({ calls, writes }: NonNullable<Tested["origin"]>, { cwd }: TextOptions): string[] {
  const at = ({ path, line, source }: { path: string; line: number; source: string }) =>
    `${shortPath(path, cwd)}:${line}${source === "" ? "" : ` | ${cut(oneLine(source), 100)}`}`;
  const told = [
    ...calls.map((one) => `  ${oneLine(one.function)} returned ${cut(oneLine(one.value), 80)}  ${at(one)}`),
    ...writes.map((one) => {
      const times = one.times > 1 ? ` (${one.times} times)` : "";
      return `  ${oneLine(one.function)} wrote ${oneLine(one.name)}${times}  ${at(one)}`;
    }),
  ];
  return told.length === 0 ? [] : ["came from", ...told];
}

function nextLine(next: Call, { say }: TextOptions): string {
  return oneLine(say(advice`next: ${next} ${lineByLine(next)}`));
}

function otherLines({ others, moreOthers, command }: Tested, { say }: TextOptions): string[] {
  if (others.length === 0) return [];
  const all = others.length + moreOthers;
  return [
    oneLine(
      say(
        advice`${plural(all, "other failing test")}: ${call("test", { name: blank("test"), args: lineOf(command) })}`,
      ),
    ),
    ...others.slice(0, 10).map((name) => `  ${cut(oneLine(name), 160)}`),
    ...(all > 10 ? [`  (+${all - 10} more)`] : []),
  ];
}

/** A longer command line is one that the reader has typed just now. */
const LONG_LINE = 200;

function lineOf(command: string): string[] | Blank {
  return command.length > LONG_LINE ? blank("command") : command.split(" ");
}
