/** What a program died of, as text: the place, what happened, the frames with their values, the others. Pure. */

import { advice, blank, type Call, call, option, type Told, WHOLE } from "../../advice/advice.ts";
import type { TraceArguments } from "../../advice/commands.generated.ts";
import type { FrameLine as FrameShape } from "../../session/stack/snapshot.ts";
import { cut, oneLine, plural, visible } from "../../util/text.ts";
import { endingText, exceptionText, valueText } from "../answers/snapshot-text.ts";
import { lines, noteLines, shortPath, type TextOptions } from "../answers/text.ts";
import type { CrashFrame, CrashResult, Death, ThreadGroup } from "./crash-shape.ts";
import { fitted, lastOutput } from "./one-run.ts";

/** From the fullest to the barest. */
const DETAILS = [
  { frames: 24, values: 30, chars: 120, source: true, output: 20, groups: 12, groupFrames: 4 },
  { frames: 16, values: 12, chars: 100, source: true, output: 10, groups: 8, groupFrames: 3 },
  { frames: 12, values: 8, chars: 60, source: true, output: 6, groups: 6, groupFrames: 2 },
  { frames: 10, values: 5, chars: 48, source: false, output: 4, groups: 4, groupFrames: 1 },
  { frames: 6, values: 3, chars: 40, source: false, output: 2, groups: 2, groupFrames: 1 },
] as const;
type Detail = (typeof DETAILS)[number];

export function crashText(result: CrashResult, options: TextOptions): string {
  const more = oneLine(options.say(advice`${result.again} stops there`));
  return fitted(DETAILS.length, options.limits.snapshotBytes, more, (level) =>
    render(result, DETAILS[level] ?? DETAILS[0], more, options),
  );
}

function render(result: CrashResult, detail: Detail, more: string, options: TextOptions): string {
  const { death, notes, survived, output } = result;
  return lines(
    headline(result, options),
    death && deathLines(death, detail, more, options),
    survived.length > 0 && `${plural(survived.length, "earlier exception")} did not end it`,
    survived.slice(0, 4).map((one) => `  ${oneLine(one.what)}  ${shortPath(one.at, options.cwd)}`),
    noteLines(notes, options),
    lastOutput(output, detail.output, options),
    !death && result.ended && (options.say(quietAdvice(result)) || false),
    death && result.ranSecs === undefined && (oneLine(options.say(nextLine(result))) || false),
    result.ranSecs !== undefined &&
      options.say(
        advice`next: ${option({ timeout: blank("seconds") })} gives it more time; ${call("hang")} shows where it hangs`,
      ),
  );
}

function headline(result: CrashResult, options: TextOptions): string {
  const { crashed, death, ended, core, ranSecs } = result;
  const end =
    core !== undefined
      ? `core file ${shortPath(core, options.cwd)}`
      : ended
        ? endingText(ended)
        : ranSecs === undefined
          ? "ended by sonde"
          : `still running after ${ranSecs} s: ended by sonde`;
  if (!death) return crashed ? `crashed: ${end}, and no exception before it` : `did not crash: ${end}`;
  const place = death.frame ? placeOf(death.frame, options) : "no frame to show";
  const where = `${place}  · thread ${death.thread.id} ${oneLine(death.thread.name)}`;
  return crashed
    ? `crashed: ${where} · ${end}`
    : `did not crash: ${end}; uncaught exceptions before that: ${where}`;
}

/** `app.py:4 in mean`; of a library without source only its function. */
export function placeOf(frame: FrameShape, { cwd }: TextOptions): string {
  if (frame.path === undefined) return oneLine(frame.function);
  return `${shortPath(frame.path, cwd)}:${frame.line} in ${oneLine(frame.function)}`;
}

function deathLines(death: Death, detail: Detail, more: string, options: TextOptions): string[] {
  const { frames } = death;
  const shown = frames.slice(0, detail.frames);
  return [
    ...exceptionLines(death),
    ...sourceLines(death),
    "frames",
    ...shown.flatMap((frame) =>
      frameLines(
        frame,
        // Of the first its source is shown above.
        { number: `${frame.index} `, source: detail.source && frame.index !== death.frame?.index, detail },
        options,
      ),
    ),
    ...hiddenFrames(death, shown.length, more),
    ...death.causes.flatMap((cause) => [
      `caused by ${oneLine(cause.what)}`,
      ...cause.frames
        .slice(0, detail.frames)
        .flatMap((frame) => frameLines(frame, { number: "", source: detail.source, detail }, options)),
    ]),
    ...otherLines(death, detail, options),
  ];
}

/** The user's own are worth a session; of the runtime's a count is all one wants. */
function hiddenFrames(
  { frames, moreFrames, moreOwnFrames, uncounted }: Death,
  shown: number,
  more: string,
): string[] {
  const cutOff = frames.length - shown;
  if (uncounted) return [`  (more than ${cutOff + moreFrames} more frames: ${more})`];
  if (moreOwnFrames === undefined || !frames.some((frame) => frame.user))
    return cutOff + moreFrames > 0 ? [`  (+${plural(cutOff + moreFrames, "more frame")}: ${more})`] : [];
  const own = cutOff + moreOwnFrames;
  const others = moreFrames - moreOwnFrames;
  const parts = [
    own > 0 && `${own} more of yours`,
    others > 0 && `${own > 0 ? others : plural(others, "frame")} of libraries and the runtime`,
  ].filter(Boolean);
  return parts.length === 0 ? [] : [`  (+${parts.join(", ")}${own > 0 ? `: ${more}` : ""})`];
}

function exceptionLines({ exception, reason, causes }: Death): string[] {
  if (!exception) return [`  ${oneLine(reason)}`];
  const further = exception.causes.filter((cause) => !causes.some(({ what }) => what === cause));
  return [
    `  ${oneLine(exceptionText(exception))}`,
    ...further.map((cause) => `  caused by ${oneLine(cause)}`),
  ];
}

function sourceLines({ source, frame }: Death): string[] {
  return source.map(({ line, text }) =>
    `${line === frame?.line ? "->" : "  "}${String(line).padStart(4)} | ${visible(text).replaceAll("\n", "")}`.trimEnd(),
  );
}

interface FrameStyle {
  number: string;
  source: boolean;
  detail: Detail;
}

function frameLines(
  frame: CrashFrame,
  { number, source, detail }: FrameStyle,
  options: TextOptions,
): string[] {
  const values = frame.values.slice(0, detail.values);
  const left = frame.values.length - values.length;
  return [
    `  ${number}${oneLine(frame.function)}  ${shortPath(frame.path ?? "?", options.cwd)}:${frame.line}`,
    ...(source && frame.source !== undefined
      ? [`      ${frame.line} | ${oneLine(cut(frame.source, 100))}`]
      : []),
    ...values.map((value) => `      ${valueText({ ...value, value: cut(value.value, detail.chars) })}`),
    ...(left > 0 ? [options.say(advice`      (+${left} more values: ${WHOLE})`)] : []),
  ];
}

/** Those in the user's code by their places; of the rest a reader hardly ever wants more than the names. */
function otherLines({ others, moreThreads }: Death, detail: Detail, options: TextOptions): string[] {
  if (others.length === 0) return [];
  const own = others.filter((group) => group.frames.some((frame) => frame.user));
  const outside = others.filter((group) => !own.includes(group)).flatMap((group) => group.threads);
  const left = own.slice(detail.groups).reduce((sum, one) => sum + one.threads.length, moreThreads);
  return [
    "other threads",
    ...own.slice(0, detail.groups).map((group) => groupLine(group, detail.groupFrames, options)),
    ...(outside.length > 0 ? [`  outside your code: ${threadNames(outside)}`] : []),
    ...(left > 0 ? [options.say(advice`  (+${plural(left, "more thread")}: ${WHOLE})`)] : []),
  ];
}

/** `threads 2 worker, 3 worker: pool.py:9 in take < pool.py:30 in run` */
function groupLine(group: ThreadGroup, frames: number, options: TextOptions): string {
  const places = group.frames.slice(0, frames).map((frame) => placeOf(frame, options));
  return `  ${threadNames(group.threads)}: ${places.join(" < ")}`;
}

const NAMED = 4;

export function threadNames(threads: ThreadGroup["threads"]): string {
  const named = threads.slice(0, NAMED).map(({ id, name }) => `${id} ${oneLine(name)}`);
  const more = threads.length > NAMED ? ` and ${threads.length - NAMED} more` : "";
  return `thread${threads.length === 1 ? "" : "s"} ${named.join(", ")}${more}`;
}

/** What one that was survived is remembered by. */
export function deathLine({ exception, reason, frame }: Death): { what: string; at: string } {
  return {
    what: exception ? exceptionText(exception) : reason,
    at: frame ? `${frame.path ?? "?"}:${frame.line}` : "?",
  };
}

function nextLine({ crashed, next, again, heap }: CrashResult): Told {
  if (!crashed) return "";
  if (heap) {
    const how = heap.tool === "flags" ? `built with \`${heap.command}\` it` : `\`${heap.command}\``;
    return `next: the heap was damaged earlier, by code that need not be on the stack: ${how} ${HEAP[heap.tool]}`;
  }
  const session = advice`${again} stops there, for ${call("print", { expression: blank("expression") })}`;
  return next === undefined
    ? advice`next: ${session}`
    : advice`next: ${next} ${lineByLine(next)}; ${session}`;
}

const HEAP = {
  valgrind: "names the line that did it",
  sanitizer: "stops at the line that does it",
  flags: "stops at the line that does it",
};

/** What a trace of functions will show. */
export function lineByLine({ args }: Call): string {
  const names = (args as Partial<TraceArguments>).function ?? [];
  const last = names.at(-1) ?? "";
  const listed = names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${last}` : last;
  return `shows ${listed} line by line${args.depth === undefined ? "" : `, with what ${names.length > 1 ? "they call" : "it calls"}`}`;
}

function quietAdvice({ ended, crashed, native }: CrashResult): Told {
  if (crashed)
    return native === undefined
      ? ""
      : advice`next: ${call("crash", { adapter: native, args: blank("command") })} shows native code, if that is where it died`;
  if (ended?.how !== "exited" || ended.exitCode === 0) return "";
  return `it ended with code ${ended.exitCode}, and the debugger saw no exception and no signal; its output may say why`;
}
