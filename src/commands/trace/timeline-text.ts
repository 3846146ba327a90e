/** One timeline over all threads, processes and places of a trace: who was where when. Pure. */
import { nameParts } from "../../trace/function-name.ts";
import type { Hit, TraceRecord } from "../../trace/record.ts";
import { cut, oneLine, plural } from "../../util/text.ts";
import { shortPath, type TextOptions } from "../answers/text.ts";

const WHO = 32;
const WHERE = 40;
const WHAT = 110;
/** Of an expression: the command has it whole. */
const NAME = 30;
/** Of a value, where there are many. */
const LEAST = 16;

export interface TimelineText {
  lines: string[];
  hidden: number;
}

/** By the program's own clock: what several processes tell arrives in another order. */
export function timelineText(
  { hits, plan }: Pick<TraceRecord, "hits" | "plan">,
  {
    whole,
    bytes,
    cwd,
    filtered = false,
  }: TextOptions & { whole: boolean; bytes: number; filtered?: boolean },
): TimelineText {
  const moments = hits.filter(({ kind }) => kind !== "line").sort((a, b) => a.ms - b.ms || a.seq - b.seq);
  if (moments.length === 0) return { lines: ["nothing was recorded"], hidden: 0 };
  const threads = new Set(moments.map(({ thread }) => thread));
  const [only = ""] = threads;
  // Who it was is said in every row only where it was not always the same.
  const who = threads.size === 1 ? ` (${cut(oneLine(only), WHO)})` : "";
  const head = `timeline of ${plural(moments.length, "moment")}, ${plural(threads.size, "thread")}${who}, by the clock`;
  const rows = moments.map((hit) => row(hit, plan, cwd).filter((_, at) => at !== 1 || threads.size > 1));
  const widths = rows[0]?.slice(0, -1).map(() => 0) ?? [];
  for (const cells of rows)
    for (const at of widths.keys()) widths[at] = Math.max(widths[at] ?? 0, cells[at]?.length ?? 0);
  const shown = rows.map((cells) =>
    `  ${cells
      .map((cell, at) => (at === 0 ? cell.padStart(widths[0] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join("  ")}`.trimEnd(),
  );
  const holes = filtered ? [] : holesIn(hits);
  // A hole has a place by number; where the clock has another order, that is no place in this list.
  const isPlaced = holes.length === 0 || moments.every(({ seq }, at) => seq > (moments[at - 1]?.seq ?? 0));
  const lost = holes.reduce((sum, { count }) => sum + count, 0);
  const heads = isPlaced
    ? [head]
    : [head, `${plural(lost, "hit")} ${were(lost)} not kept: missing from this list`];
  const all = withHoles(moments, shown, isPlaced ? holes : []);
  return shortened(heads, all, whole ? Number.POSITIVE_INFINITY : bytes);
}

interface Entry {
  text: string;
  /** Of a hole: hits that came and were not kept. */
  lost?: number;
}

interface Hole {
  after: number;
  count: number;
}

/** Hits are numbered as they come, also those that are not kept. */
function holesIn(hits: readonly Hit[]): Hole[] {
  const numbers = hits.map(({ seq }) => seq).sort((a, b) => a - b);
  return [0, ...numbers].flatMap((after, at) => {
    const count = (numbers[at] ?? after + 1) - after - 1;
    return count > 0 ? [{ after, count }] : [];
  });
}

function withHoles(moments: readonly Hit[], texts: readonly string[], holes: readonly Hole[]): Entry[] {
  const waiting = [...holes];
  return moments.flatMap(({ seq }, at) => {
    const before: Entry[] = [];
    for (let [hole] = waiting; hole !== undefined && seq > hole.after; [hole] = waiting) {
      waiting.shift();
      before.push({ text: `  … ${notKept(hole.count)}`, lost: hole.count });
    }
    return [...before, { text: texts[at] ?? "" }];
  });
}

const were = (count: number) => (count === 1 ? "was" : "were");
const notKept = (count: number) => `${plural(count, "hit")} ${were(count)} not kept here`;

/** As much of the beginning as of the end. */
function shortened(head: string[], all: readonly Entry[], bytes: number): TimelineText {
  const size = (one: string) => Buffer.byteLength(one) + 1;
  let room = bytes - head.reduce((sum, one) => sum + size(one), 0) - 80;
  let [first, last] = [0, 0];
  for (let at = 0; first + last < all.length; at++) {
    const isFirst = at % 2 === 0;
    room -= size(all[isFirst ? first : all.length - 1 - last]?.text ?? "");
    if (room < 0) break;
    if (isFirst) first++;
    else last++;
  }
  const left = all.slice(first, all.length - last);
  const hidden = left.filter(({ lost }) => lost === undefined).length;
  const lost = left.reduce((sum, one) => sum + (one.lost ?? 0), 0);
  const more = [...(hidden > 0 ? [`${hidden} more`] : []), ...(lost > 0 ? [notKept(lost)] : [])];
  const texts = (some: readonly Entry[]) => some.map(({ text }) => text);
  return {
    lines: [
      ...head,
      ...texts(all.slice(0, first)),
      ...(more.length > 0 ? [`  … ${more.join(", and ")}`] : []),
      ...texts(all.slice(all.length - last)),
    ],
    hidden,
  };
}

/** When, who, where, what. */
function row(hit: Hit, plan: TraceRecord["plan"], cwd: string): string[] {
  const when = `${hit.ms.toFixed(3)} ms`;
  const thread = cut(oneLine(hit.thread), WHO);
  if (hit.kind === "point") {
    const point = plan.points[hit.point];
    const room = Math.max(LEAST, Math.floor(WHAT / Math.max(1, hit.values.length)) - LEAST);
    const values = hit.values.map((value, at) => {
      const name = middleCut(point?.expressions[at] ?? "", NAME);
      return `${name} = ${cut(oneLine(value), Math.max(room, WHAT - hit.values.length * (NAME + LEAST)))}`;
    });
    return [when, thread, placeText(point?.key ?? "", hit.frames[0]?.function), values.join("  ")];
  }
  // Of a call that returned some recorders do not know the line.
  const line = hit.line > 0 ? `:${hit.line}` : "";
  const place = placeText(`${shortPath(hit.path, cwd)}${line}`, hit.function);
  const given = hit.changes.map(([name, value]) => `${name}=${value}`).join(", ");
  const what =
    hit.kind === "call"
      ? `called (${given})`
      : `${hit.kind === "return" ? "returned" : "threw"} ${hit.value ?? ""}`;
  return [when, thread, place, cut(oneLine(`${what} #${hit.call}`), WHAT)];
}

/** The file and the line are always there; then as much of the function's name, and of the folder, as fits. */
function placeText(location: string, name: string | undefined): string {
  const place = oneLine(location);
  const file = place.slice(place.lastIndexOf("/") + 1);
  const shown = place.length > WHERE ? `…/${file}` : place;
  const whole = name === undefined ? shown : `${shown} ${oneLine(name)}`;
  if (whole.length <= WHERE || name === undefined) return whole;
  // Its last part is what it can be asked for by.
  const names = [name, nameParts(name).at(-1) ?? name].map((one) => `${file} ${oneLine(one)}`);
  return names.find((one) => one.length <= WHERE) ?? cut(names.at(-1) ?? file, Math.max(WHERE, file.length));
}

function middleCut(text: string, most: number): string {
  const line = oneLine(text);
  const half = (most - 1) >> 1;
  return line.length <= most ? line : `${line.slice(0, half)}…${line.slice(-half)}`;
}
