/** The answer of `test` as text: which test, why, then each of the user's frames with its values, within the budget. Pure. */
import { advice, type Blank, blank, type Call, call, option, WHOLE } from "../../advice/advice.ts";
import { sameWords } from "../../runners/same-failure.ts";
import { SHOWN_STEPS } from "../../trace/origin/origin.ts";
import { statementText } from "../../trace/whole-statement.ts";
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

/** Lines that the failure depends on: all that an answer has room for, fewer where it is long without them. */
const STEPS: StepCuts[] = [
  { steps: SHOWN_STEPS, code: 64, wrote: 56 },
  { steps: SHOWN_STEPS, code: 48, wrote: 32 },
  { steps: 10, code: 48, wrote: 32 },
  { steps: 8, code: 48, wrote: 32 },
  { steps: 6, code: 48, wrote: 32 },
];
const LONG_BYTES = 2048;

/** How many lines, and how much of each. */
interface StepCuts {
  steps: number;
  code: number;
  wrote: number;
}

export function testText(tested: Tested, options: TextOptions): string {
  const budget = options.limits.snapshotBytes;
  if (tested.further && tested.origin !== undefined) return furtherText(tested, options);
  const { cuts: steps } = nearest(tested, options);
  for (const cuts of CUTS) {
    const text = render(tested, options, { ...cuts, ...steps });
    if (Buffer.byteLength(text) <= budget) return text;
  }
  const last = CUTS.at(-1) ?? { output: 0, values: 1, chars: 40, outer: 0, frames: 1, message: 12 };
  return cutBytes(
    render(tested, options, { ...last, ...steps }),
    budget,
    options.say(advice`[cut: ${WHOLE} has the rest]`),
  );
}

/** The lines for which the first answer had no room, as many as fit into one of the same size. */
function furtherText(tested: Tested, options: TextOptions): string {
  const { origin, next } = tested;
  const rest = untold(tested).slice(nearest(tested, options).count);
  for (let count = rest.length; ; count--) {
    const how = { steps: count, code: 56, wrote: 28, incomplete: origin?.incomplete ?? false };
    const left = rest.length - count;
    const text = lines(
      headline(tested, options),
      reasonLines(tested, 3, options).slice(0, 3),
      noteLines(tested.notes, options),
      rest.length === 0
        ? "no further lines that it may depend on"
        : [FURTHER_HEAD, ...stepLines(rest.slice(0, count), options, how)],
      left > 0 && options.say(advice`  (+${plural(left, "more line")}: ${WHOLE} has them)`),
      next !== undefined && nextLine(next, options),
    );
    if (Buffer.byteLength(text) <= LONG_BYTES || count <= 1) return text;
  }
}

/**
 * How many lines the first answer has, and how much of each. By these lines alone: another run, which is asked for the rest, may
 * have another number of failing tests or other output, and must leave out the same lines.
 */
function nearest(tested: Tested, options: TextOptions): { cuts: StepCuts; count: number } {
  const { calls = [], incomplete = false } = tested.origin ?? {};
  const all = untold(tested);
  const sized = STEPS.map((cuts) => {
    const count = Math.min(all.length, Math.max(0, cuts.steps - calls.length));
    const text = stepLines(all.slice(0, count), options, { ...cuts, incomplete }).join("\n");
    return { cuts, count, bytes: Buffer.byteLength(text) };
  });
  const [first] = sized.slice(-1);
  return sized.find(({ bytes }) => bytes <= STEP_BYTES) ?? first ?? { cuts: NO_STEPS, count: 0 };
}

const NO_STEPS: StepCuts = { steps: 0, code: 0, wrote: 0 };
/** What those lines may take. */
const STEP_BYTES = 1000;

const FURTHER_HEAD =
  "may further depend on these lines, which ran: the nearest function first, with what each line wrote";

type Cuts = (typeof CUTS)[number] & StepCuts;

function render(tested: Tested, options: TextOptions, cuts: Cuts): string {
  const { stop, notes, output } = tested;
  return lines(
    headline(tested, options),
    reasonLines(tested, cuts.message, options),
    noteLines(notes, options),
    stop && stopLines(stop, options, cuts),
    originLines(tested, options, cuts),
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
  // Another exception's type, or its causes, would make one that there never was.
  const isShown =
    exception !== undefined && (test?.message === undefined || sameWords(test.message, exception.message));
  const type =
    (test?.message === undefined ? undefined : test.type) ?? (isShown ? exception.type : undefined);
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
    ...(isShown ? exception.causes : []).map((cause) => `  caused by ${cut(oneLine(cause), 300)}`),
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
  // The test itself says what it was about.
  const test = stop.outermost ?? (shown.length < stop.frames.length ? stop.frames.at(-1) : undefined);
  const left = stop.moreFrames + stop.frames.length - shown.length;
  const more = test === undefined ? left : left - 1;
  const rest = [
    more > 0 && `${plural(more, "more frame")} of yours`,
    stop.folded > 0 && `${plural(stop.folded, "frame")} of the runner and of libraries`,
  ].filter(Boolean);
  return [
    ...shown.flatMap((frame, at) => frameLines(frame, options, { at, cuts })),
    ...(rest.length > 0 ? [`(+${rest.join(", ")})`] : []),
    ...(test === undefined
      ? []
      : frameLines(test, options, { at: shown.length, cuts: { ...cuts, outer: Math.max(3, cuts.outer) } })),
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

type Origin = NonNullable<Tested["origin"]>;

/** `get_balance returned 31  account.py:11 | return self._balance`, then the other lines that the failing one depends on. */
function originLines(tested: Tested, options: TextOptions, cuts: StepCuts): string[] {
  const { origin } = tested;
  if (origin === undefined) return [];
  const { calls, lines: steps, incomplete = false } = origin;
  // What is known of fields by their names alone is in the second list.
  const writes = steps.length === 0 ? origin.writes : [];
  const at = ({ path, line, source }: { path: string; line: number; source: string }) =>
    `${shortPath(path, options.cwd)}:${line}${source === "" ? "" : ` | ${quoted(source, 100)}`}`;
  const told = [
    ...calls.map((one) => `  ${oneLine(one.function)} returned ${cut(oneLine(one.value), 80)}  ${at(one)}`),
    ...writes.map((one) => {
      const times = timesText(one.times, incomplete);
      return `  ${oneLine(one.function)} wrote ${oneLine(one.name)}${times && ` ${times}`}  ${at(one)}`;
    }),
  ];
  const others = untold(tested).slice(0, nearest(tested, options).count);
  return [
    ...(told.length === 0 ? [] : ["came from", ...told]),
    ...unmetLines(origin, options),
    ...(others.length === 0 ? [] : [STEPS_HEAD, ...stepLines(others, options, { ...cuts, incomplete })]),
  ];
}

/** Those that neither the stop nor a call shows, however short the answer. */
function untold({ origin, stop }: Tested): Origin["lines"] {
  const frames = stop?.frames.slice(0, Math.min(...CUTS.map((cuts) => cuts.frames))) ?? [];
  const told = [...(origin?.calls ?? []), ...frames];
  return (origin?.lines ?? []).filter(
    (step) => !told.some(({ path, line }) => path === step.path && line === step.line),
  );
}

const STEPS_HEAD =
  "may depend on these lines, which ran: the nearest function first, with what each line wrote";

/** `403 was expected, and stands in code that did not run`, with the condition above it. */
function unmetLines({ unmet }: Origin, { cwd }: TextOptions): string[] {
  return unmet.flatMap(({ value, path, line, source, decided }) => [
    `${cut(oneLine(value), 60)} was expected, and stands in code that did not run`,
    ...(decided.line === line
      ? []
      : [`  ${shortPath(path, cwd)}:${decided.line} | ${quoted(decided.source, 100)}`]),
    `  ${shortPath(path, cwd)}:${line} | ${quoted(source, 100)}`,
  ]);
}

/** By function; the lines of each in the order of its source. */
function stepLines(
  steps: Origin["lines"],
  { cwd }: TextOptions,
  how: StepCuts & { incomplete: boolean },
): string[] {
  const groups = new Map<string, Origin["lines"]>();
  for (const step of steps) {
    const key = `${step.path}\0${step.function}`;
    groups.set(key, [...(groups.get(key) ?? []), step]);
  }
  return [...groups.values()].flatMap((group) => {
    const [{ path, function: name } = { path: "", function: "" }] = group;
    const inOrder = group.toSorted((one, other) => one.line - other.line);
    const width = String(inOrder.at(-1)?.line ?? 0).length;
    return [
      `  ${shortPath(path, cwd)} in ${oneLine(name)}`,
      ...inOrder.map((step) => stepLine(step, { ...how, width })),
    ];
  });
}

function stepLine(
  { line, source, times, changes, returned }: Origin["lines"][number],
  { width, incomplete, code, wrote: chars }: StepCuts & { width: number; incomplete: boolean },
): string {
  const wrote = changes.map((one) => `${oneLine(one.name)} = ${oneLine(one.value)}`);
  const made = returned === undefined ? wrote : [...wrote, `returned ${oneLine(returned)}`];
  const said = [cut(made.join(", "), chars), timesText(times, incomplete)].filter((one) => one !== "");
  return `    ${[`${String(line).padStart(width)} | ${quoted(source, code)}`, ...said].join("  ")}`;
}

/** A statement of several lines stands on one of the answer's. */
function quoted(source: string, chars: number): string {
  const { text, most } = statementText(source, chars);
  return cut(oneLine(text), most);
}

/** Only what was kept is counted. */
function timesText(times: number, incomplete: boolean): string {
  return times > 1 ? `(${incomplete ? "at least " : ""}${times} times)` : "";
}

function nextLine(next: Call, { say }: TextOptions): string {
  const shows = next.command === "test" ? "lists what else it may depend on" : lineByLine(next);
  return oneLine(say(advice`next: ${next} ${shows}`));
}

function otherLines({ others, moreOthers, words }: Tested, { say }: TextOptions): string[] {
  if (others.length === 0) return [];
  const all = others.length + moreOthers;
  return [
    oneLine(
      say(
        advice`${plural(all, "other failing test")}: ${call("test", { name: blank("test"), args: lineOf(words) })}`,
      ),
    ),
    ...others.slice(0, 10).map((name) => `  ${cut(oneLine(name), 160)}`),
    ...(all > 10 ? [`  (+${all - 10} more)`] : []),
  ];
}

/** A longer command line is one that the reader has typed just now. */
const LONG_LINE = 200;

function lineOf(words: string[]): string[] | Blank {
  return words.join(" ").length > LONG_LINE ? blank("command") : words;
}
