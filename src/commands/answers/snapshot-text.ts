/** A stop snapshot, and the other ways a move can end, as text for a model: place first, one thing a line, within the budget. */
import { advice, call, type Told } from "../../advice/advice.ts";
import { called, type Hit, type NotBound } from "../../session/breakpoints/breakpoint.ts";
import type { WatchChange } from "../../session/breakpoints/watched-values.ts";
import type { OutputTail } from "../../session/output/tail.ts";
import type { Snapshot } from "../../session/stack/snapshot.ts";
import type { ValueLine } from "../../session/values/value-line.ts";
import { cut, cutBytes, oneLine, plural, visible } from "../../util/text.ts";
import { breakpointLine } from "../breakpoints/text.ts";
import type { BreakpointRow, Evaluation, MoveResult } from "./shapes.ts";
import { fenced, lines, noteLines, shortPath, type TextOptions } from "./text.ts";

export function moveText(result: MoveResult, options: TextOptions): string {
  if (result.state === "stopped") {
    return (
      lines(addedLines(result.added, options)) +
      snapshotText(result.snapshot, options) +
      evaluationsText(result.evaluations, options)
    );
  }
  if (result.state === "running") {
    return lines(
      addedLines(result.added, options),
      `running: no stop ${result.waitedSecs > 0 ? `within ${result.waitedSecs} s` : "yet"}  · session ${result.session}`,
      noteLines(result.notes, options),
      outputLines(result.output, options),
      result.unbound.map((one) => notBoundLine(one, options)),
      options.say(advice`next: ${call("pause")} stops it here, ${call("await")} waits for the next stop`),
    );
  }
  return lines(
    `${endingText(result)}  · session ${result.session}`,
    noteLines(result.notes, options),
    outputLines(result.output, options),
    result.neverHit.map((row) =>
      row.state === "not bound"
        ? `never bound: ${called(row)} ${oneLine(row.at)}${row.message ? `: ${oneLine(options.say(row.message))}` : ""}`
        : `never hit: ${called(row)} ${oneLine(row.at)}${row.condition ? ` if ${oneLine(row.condition)}` : ""}`,
    ),
  );
}

export function endingText(end: {
  how: string;
  exitCode?: number | undefined;
  signal?: string | undefined;
  why?: string | undefined;
}): string {
  if (end.how === "detached") return "detached: the program runs on";
  if (end.signal) return `exited: killed by ${end.signal}`;
  if (end.how === "exited") return `exited: code ${end.exitCode ?? "unknown"}`;
  if (end.how === "failed") return `ended: ${visible(end.why ?? "the debug adapter is gone")}`;
  return `ended${end.why ? `: ${oneLine(end.why)}` : ""}`;
}

/** In a few words; nothing if there is nothing to say of it. */
export function shortEnding({ how, exitCode, signal, why }: Parameters<typeof endingText>[0]): string {
  if (how === "detached") return "the program runs on";
  if (signal) return `killed by ${signal}`;
  if (how === "exited") return `exit code ${exitCode ?? "unknown"}`;
  return visible(why ?? (how === "failed" ? "the debug adapter is gone" : ""));
}

const REST: Told = advice`${call("locals")}, ${call("backtrace")}, ${call("output")} show the rest`;

/** Cuts down to the budget from the least needed part: output, then values, then the stack. */
export function snapshotText(snapshot: Snapshot, options: TextOptions): string {
  let current = snapshot;
  for (let round = 0; ; round++) {
    const text = render(current, options);
    if (Buffer.byteLength(text) <= options.limits.snapshotBytes) return text;
    const shrunk = shrink(current, round);
    if (!shrunk)
      return cutBytes(text, options.limits.snapshotBytes, `[cut: ${options.say(options.more ?? REST)}]`);
    current = shrunk;
  }
}

function shrink(snapshot: Snapshot, round: number): Snapshot | undefined {
  const { output, values, stack } = snapshot;
  if (round === 0) {
    const kept = output.lines.slice(-8).map((line) => ({ ...line, text: cut(line.text, 200) }));
    return {
      ...snapshot,
      output: { lines: kept, moreLines: output.moreLines + output.lines.length - kept.length },
    };
  }
  if (round === 1)
    return {
      ...snapshot,
      values: values.map((one) => ({
        ...one,
        value: one.value.length > 60 ? `${one.value.slice(0, 59)}…` : one.value,
      })),
    };
  if (round === 2)
    return { ...snapshot, source: snapshot.source.map((one) => ({ ...one, text: one.text.slice(0, 120) })) };
  if (round > 8) return undefined;
  const keep = Math.ceil(values.length / 2);
  const frames = Math.max(3, Math.ceil(stack.length / 2));
  return {
    ...snapshot,
    values: values.slice(0, keep),
    moreValues: snapshot.moreValues + values.length - keep,
    stack: stack.slice(0, frames),
    moreFrames: snapshot.moreFrames + Math.max(0, stack.length - frames),
    ...(snapshot.moreOwnFrames === undefined
      ? {}
      : { moreOwnFrames: snapshot.moreOwnFrames + stack.slice(frames).filter((frame) => frame.user).length }),
  };
}

function render(snapshot: Snapshot, options: TextOptions): string {
  return lines(
    headline(snapshot, options),
    exceptionLines(snapshot),
    noteLines(snapshot.notes, options),
    sourceLines(snapshot),
    snapshot.instruction !== undefined && `instruction ${oneLine(snapshot.instruction)}`,
    snapshot.values.length > 0 && "locals",
    snapshot.values.map((value) => `  ${valueText(value)}`),
    snapshot.moreValues > 0 &&
      `  (+${snapshot.moreValues} more: ${options.say(options.more ?? advice`${call("locals")}`)})`,
    stackLines(snapshot, options),
    outputLines(snapshot.output, options, options.more),
    snapshot.unbound.map((one) => notBoundLine(one, options)),
  );
}

function headline(snapshot: Snapshot, options: TextOptions): string {
  const { frame, thread } = snapshot;
  const place = frame
    ? `  ${shortPath(frame.path ?? "?", options.cwd)}:${frame.line} in ${oneLine(frame.function)}`
    : "";
  const passed = snapshot.above > 0 ? ` (frame ${snapshot.above})` : "";
  const session =
    options.more === undefined
      ? ` · session ${snapshot.session}${snapshot.owner === undefined ? "" : " (taken over by a person)"}`
      : "";
  const by = snapshot.stoppedThread === undefined ? "" : ` in thread ${snapshot.stoppedThread}; here:`;
  return `stopped: ${reasonText(snapshot)}${by}${place}${passed}  · thread ${thread.id} ${oneLine(thread.name)}${session}`;
}

function reasonText(snapshot: Snapshot): string {
  const hits = snapshot.breakpoints.map((one) => hitText(one, snapshot.watches ?? []));
  if (hits.length > 0) return hits.join(", ");
  if (snapshot.reason === "exception")
    return snapshot.exception?.uncaught === undefined
      ? "exception"
      : `${snapshot.exception.uncaught ? "uncaught" : "caught"} exception`;
  return snapshot.reason === "breakpoint" && snapshot.description
    ? oneLine(snapshot.description)
    : oneLine(snapshot.reason);
}

function hitText(hit: Hit, watches: readonly WatchChange[]): string {
  const { id, hit: count, kind } = hit;
  if (kind === "instruction") return `breakpoint ${id} at ${oneLine(hit.at)} (hit ${count})`;
  const change = kind === "data" ? watches.find((one) => one.id === id) : undefined;
  if (change) return `watch ${id} ${oneLine(changeText(change))} (hit ${count})`;
  return `${called({ id, kind: kind ?? "line" })} (hit ${count})`;
}

/** `total changed 3 → 7` */
function changeText(change: WatchChange): string {
  const { expression, old, gone, access } = change;
  if (gone !== undefined || change.new === undefined)
    return `${expression}${old === undefined ? "" : ` (was ${old})`}: ${gone ?? "cannot be read"}`;
  if (old === undefined) return `${expression} = ${change.new}`;
  if (old !== change.new) return `${expression} changed ${old} → ${change.new}`;
  const use = access === "write" ? "written, still" : access === "read" ? "read:" : "read or written:";
  return `${expression} ${use} ${change.new}`;
}

function notBoundLine(one: NotBound, { say }: TextOptions): string {
  const what = called({ id: one.id, kind: one.kind ?? "line" });
  return `not bound: ${what} ${oneLine(one.at)}: ${oneLine(say(one.why))}`;
}

function exceptionLines(snapshot: Snapshot): string[] {
  const { exception } = snapshot;
  if (!exception) return [];
  return [
    `  ${oneLine(exceptionText(exception))}`,
    ...exception.causes.map((cause) => `  caused by ${oneLine(cause)}`),
  ];
}

/** `ValueError: too low`; without words of its own: `ValueError` */
export function exceptionText({ type, message }: NonNullable<Snapshot["exception"]>): string {
  return type && !message.startsWith(type) ? [type, message].filter(Boolean).join(": ") : message;
}

function sourceLines(snapshot: Snapshot): string[] {
  const { source, frame } = snapshot;
  const width = Math.max(4, String(source.at(-1)?.line ?? 0).length);
  const shown = source.map(({ line, text }) => {
    const arrow = line === frame?.line ? "->" : "  ";
    return `${arrow}${String(line).padStart(width)} | ${visible(text).replaceAll("\n", "")}`.trimEnd();
  });
  if (frame && source.length === 0 && frame.line > 0) return ["  (no source text to show)"];
  return shown;
}

/** Whether a value says that there is more of it: `…`, or `...` as debuggers write it, at its end or for a part. */
export function isCut(value: string): boolean {
  return /…|[{[(]\.\.\.[}\])]|[ ,"']\.\.\.[}\])]*$/.test(value);
}

/** `total = 3  (number)  was 1` */
export function valueText(value: ValueLine): string {
  const type = value.type && value.type !== value.value ? `  (${oneLine(value.type)})` : "";
  const change =
    value.change === "new" ? "  new" : value.change === "changed" ? `  was ${oneLine(value.was ?? "")}` : "";
  const scope = value.scope ? `  [${oneLine(value.scope)}]` : "";
  const handle = value.handle && isCut(value.value) ? `  ${value.handle}` : "";
  if (value.value === "" && type === "") return `${oneLine(value.name)}  done`;
  return `${oneLine(value.name)} = ${oneLine(value.value)}${type}${scope}${change}${handle}`;
}

function stackLines(snapshot: Snapshot, options: TextOptions): string[] {
  const { stack, moreFrames } = snapshot;
  if (stack.length === 0) return [];
  return [
    "stack",
    ...stack.map((frame) =>
      frame.label
        ? `  - ${oneLine(frame.function)}`
        : `  ${frame.index} ${oneLine(frame.function)}  ${shortPath(frame.path ?? "?", options.cwd)}:${frame.line}`,
    ),
    ...(snapshot.uncounted
      ? [
          `  (more than ${plural(moreFrames, "frame")} more: ${options.say(options.more ?? advice`${call("backtrace", { limit: 500 })}`)})`,
        ]
      : moreFramesLine(moreFrames, snapshot.moreOwnFrames, options)),
  ];
}

function moreFramesLine(all: number, own: number | undefined, options: TextOptions): string[] {
  if (all === 0) return [];
  const more = options.say(options.more ?? advice`${call("backtrace", { all: true })}`);
  if (own === undefined) return [`  (+${plural(all, "more frame")}: ${more})`];
  const parts = [own > 0 && `${own} of yours`, all > own && plural(all - own, "library frame")].filter(
    Boolean,
  );
  return [`  (+${parts.join(", ")}: ${more})`];
}

/** `how` one sees the lines before them; null if nobody can. */
export function outputLines(
  output: OutputTail,
  { say }: TextOptions,
  how: Told | null = advice`${call("output")}`,
): string[] {
  if (output.lines.length === 0) return [];
  const earlier = plural(output.moreLines, "earlier line");
  const more = output.moreLines > 0 && (how === null ? earlier : `${earlier}: ${say(how)}`);
  // The streams come by two ways, so what was written to one while the other was read is told after it.
  const both = new Set(output.lines.map(({ stream }) => stream)).size > 1 && "each stream in its own order";
  const told = [both, more].filter(Boolean).join("; ");
  return [`program output${told === "" ? "" : ` (${told})`}`, ...output.lines.map(fenced)];
}

export function evaluationsText(evaluations: readonly Evaluation[], { say }: TextOptions): string {
  return lines(
    evaluations.map((one) =>
      one.value
        ? valueText({ ...one.value, name: one.expression })
        : `${oneLine(one.expression)}: ${oneLine(say(one.error ?? ""))}`,
    ),
  );
}

function addedLines(added: readonly BreakpointRow[], options: TextOptions): string[] {
  // One that went where it was asked to needs no words; one that did not bind is named further down.
  return added
    .filter((row) => row.state === "bound" && row.boundLine !== undefined)
    .map((row) => breakpointLine({ ...row, hits: 0 }, options));
}
