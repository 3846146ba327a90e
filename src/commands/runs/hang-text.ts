/** Where a program hangs, as text: the verdict, who waits for whom, then each group of threads. Pure. */
import { advice, WHOLE } from "../../advice/advice.ts";
import { cut, oneLine, plural } from "../../util/text.ts";
import { endingText, valueText } from "../answers/snapshot-text.ts";
import { lines, noteLines, shortPath, type TextOptions } from "../answers/text.ts";
import { placeOf, threadNames } from "./crash-text.ts";
import type { HangGroup, HangResult, HangTask } from "./hang-shape.ts";
import { fitted, lastOutput } from "./one-run.ts";

/** From the fullest to the barest. */
const DETAILS = [
  { groups: 20, frames: 8, values: 10, chars: 100, output: 10 },
  { groups: 14, frames: 6, values: 5, chars: 60, output: 5 },
  { groups: 10, frames: 4, values: 3, chars: 48, output: 3 },
  { groups: 8, frames: 2, values: 0, chars: 0, output: 2 },
  { groups: 5, frames: 1, values: 0, chars: 0, output: 1 },
] as const;
type Detail = (typeof DETAILS)[number];

export function hangText(result: HangResult, options: TextOptions): string {
  const more = options.say(advice`${WHOLE} has the rest`);
  return fitted(DETAILS.length, options.limits.snapshotBytes, more, (level) =>
    render(result, DETAILS[level] ?? DETAILS[0], options),
  );
}

function render(result: HangResult, detail: Detail, options: TextOptions): string {
  const { output, exception } = result;
  const { told, outside } = parted(result.groups);
  const shown = told.slice(0, detail.groups);
  const left = told.slice(detail.groups).reduce((sum, one) => sum + one.threads.length, result.moreThreads);
  return lines(
    headline(result, options),
    exception && `  ${oneLine(exception.message)}`,
    cycleLines(result),
    result.pending !== undefined && `what may wake it: ${oneLine(result.pending) || "nothing"}`,
    taskLines(result.tasks, detail, options),
    shown.flatMap((group) => groupLines(group, result, detail, options)),
    outside.length > 0 && `outside your code: ${threadNames(outside)}`,
    left > 0 && options.say(advice`(+${plural(left, "more thread")}: ${WHOLE})`),
    noteLines(result.notes, options),
    lastOutput(output, detail.output, options),
    result.left && result.verdict !== "ended" && "the process runs on",
    result.verdict !== "ended" && oneLine(options.say(advice`next: ${result.again} to look around in it`)),
  );
}

/** Threads of the runtime, of which a reader hardly ever wants more than the names; unless there are no others. */
function parted(groups: readonly HangGroup[]): { told: HangGroup[]; outside: HangGroup["threads"] } {
  const own = groups.filter(
    (group) => group.frames.some((frame) => frame.user) || group.refused !== undefined,
  );
  if (own.length === 0) return { told: [...groups], outside: [] };
  return {
    told: own,
    outside: groups.filter((group) => !own.includes(group)).flatMap((group) => group.threads),
  };
}

function headline(result: HangResult, options: TextOptions): string {
  const { verdict, ended, samples, overSecs, processor, pid } = result;
  if (verdict === "ended")
    return `did not hang: ${ended ? endingText(ended) : "ended"}${result.afterSecs === undefined ? "" : `, within ${result.afterSecs} s`}`;
  const use = processor === undefined ? "" : `, ${Math.round(processor * 100)} % of a processor`;
  const over = samples > 1 ? ` over ${overSecs} s` : "";
  const how = `${plural(samples, "sample")}${over}${use}${pid === undefined ? "" : ` · pid ${pid}`}`;
  return `${verdict}: ${verdictText(result, options)}  · ${how}`;
}

function verdictText(result: HangResult, options: TextOptions): string {
  const { verdict, groups, cycle } = result;
  const busy = groups.find((one) => one.moved) ?? groups.find((one) => one.waits.length === 0);
  switch (verdict) {
    case "deadlock":
      return cycle.length > 0
        ? cycle.length === 1
          ? "a thread waits for itself"
          : `${cycle.length} threads wait for each other`
        : "the runtime says so";
    case "waiting":
      return result.tasks.length > 0
        ? `none of its threads is running, ${plural(result.tasks.length, "task")} ${result.tasks.length === 1 ? "is" : "are"} left at an await`
        : "none of its threads is running";
    case "idle":
      return "none of its code is on a stack, it waits for events";
    case "busy":
      return busy?.within
        ? `it runs and never leaves ${oneLine(busy.within.function)}  ${shortPath(busy.within.path ?? "?", options.cwd)}`
        : "it runs";
    default:
      return "an uncaught exception";
  }
}

/** `  thread 2 transfer waits for a lock: journal, which thread 3 audit has` */
function cycleLines({ cycle, groups }: HangResult): string[] {
  const all = new Map(groups.flatMap((group) => group.waits).map((one) => [one.number, one]));
  return cycle.flatMap((number, index) => {
    const one = all.get(number);
    const next = all.get(cycle[(index + 1) % cycle.length] ?? number);
    if (!one || !next) return [];
    const on = one.on === undefined ? "" : `: ${oneLine(one.on)}`;
    const who = next === one ? "it has itself" : heldText(one, `${next.number} ${oneLine(next.name)}`);
    return [`  thread ${number} ${oneLine(one.name)} waits ${one.what}${on}, which ${who}`];
  });
}

/** What is waited for may be the other thread itself. */
function heldText({ what }: { what?: string }, thread: string): string {
  return what === "for a thread to end" ? `is thread ${thread}` : `thread ${thread} has`;
}

/** `task consumer: feed.py:9 in consumer, in Queue.get`; those at one place together. */
function taskLines(tasks: readonly HangTask[], detail: Detail, options: TextOptions): string[] {
  const places = new Map<string, HangTask[]>();
  for (const task of tasks) {
    const key = JSON.stringify([task.frames, task.awaits]);
    places.set(key, [...(places.get(key) ?? []), task]);
  }
  const all = [...places.values()];
  const left = all.slice(detail.groups).reduce((sum, same) => sum + same.length, 0);
  return [
    ...all.slice(0, detail.groups).flatMap((same) => sameTaskLines(same, detail, options)),
    ...(left > 0 ? [options.say(advice`(+${plural(left, "more task")}: ${WHOLE})`)] : []),
  ];
}

function sameTaskLines(same: readonly HangTask[], detail: Detail, options: TextOptions): string[] {
  const [task] = same;
  if (!task) return [];
  const names = same.slice(0, 4).map(({ name }) => oneLine(name));
  const more = same.length > names.length ? ` and ${same.length - names.length} more` : "";
  const awaits = task.awaits === undefined ? "" : `, awaits ${oneLine(task.awaits)}`;
  const [top, ...outer] = task.frames.map((frame) => placeOf({ ...frame, index: 0, user: true }, options));
  return [
    `task${same.length === 1 ? "" : "s"} ${names.join(", ")}${more}: ${top ?? "none of your code"}${awaits}`,
    ...(task.source === undefined
      ? []
      : [`  ${String(task.frames[0]?.line).padStart(4)} | ${oneLine(cut(task.source, 100))}`]),
    ...outer.slice(0, Math.max(0, detail.frames - 1)).map((place) => `  called from ${place}`),
  ];
}

function groupLines(group: HangGroup, result: HangResult, detail: Detail, options: TextOptions): string[] {
  const { frames, moved, places, refused } = group;
  const [top] = frames;
  const who = threadNames(group.threads);
  if (!top)
    return refused === undefined ? [`no frames: ${who}`] : [`cannot be read: ${who}: ${oneLine(refused)}`];
  const values = group.values.slice(0, detail.values);
  const shown = frames.slice(1, detail.frames);
  const seen = moved && places.length > 1 ? places.slice(0, 5) : [];
  return [
    `${stateOf(group, result)}: ${placeOf(top, options)}  · ${who}`,
    ...(group.source === undefined
      ? []
      : [`  ${String(top.line).padStart(4)} | ${oneLine(cut(group.source, 100))}`]),
    ...seen.map(
      (one) =>
        `  seen ${one.times} × at ${shortPath(one.path ?? "?", options.cwd)}:${one.line} in ${oneLine(one.function)}`,
    ),
    ...waitLines(group),
    ...shown.map((frame) => `  called from ${placeOf(frame, options)}`),
    ...values.map((value) => `  ${valueText({ ...value, value: cut(value.value, detail.chars) })}`),
  ];
}

function stateOf({ moved, waits, threads }: HangGroup, { samples, verdict }: HangResult): string {
  if (waits.length === threads.length) return moved ? "waits now and then" : "waits";
  if (samples < 2) return "stands";
  if (moved) return verdict === "waiting" ? "wakes now and then" : "moves";
  // On one line all the time, and the processor is busy: a loop on that line.
  return verdict === "busy" ? "runs on one line" : "stands still";
}

function waitLines({ waits, threads }: HangGroup): string[] {
  const said = waits.map((one) => {
    const on = one.on === undefined ? "" : `: ${oneLine(one.on)}`;
    const itself = one.heldBy.length === 1 && one.heldBy[0] === one.number;
    const who = itself ? "it has itself" : heldText(one, one.heldBy.join(", "));
    const held = one.heldBy.length === 0 ? "" : `, which ${who}`;
    return `  waits ${one.what}${on}${held}`;
  });
  const distinct = [...new Set(said)];
  return distinct.length === 1 || threads.length === 1 ? distinct : distinct.slice(0, 4);
}
