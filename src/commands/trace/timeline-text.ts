/** One timeline over all threads, processes and places of a trace: who was where when. Pure. */
import type { Hit, TraceRecord } from "../../trace/record.ts";
import { cut, oneLine, plural } from "../../util/text.ts";
import { shortPath, type TextOptions } from "../answers/text.ts";

const WHO = 32;
const WHERE = 40;
const WHAT = 100;

export interface TimelineText {
  lines: string[];
  hidden: number;
}

/** By the program's own clock: what several processes tell arrives in another order. */
export function timelineText(
  { hits, plan }: Pick<TraceRecord, "hits" | "plan">,
  { whole, bytes, cwd }: TextOptions & { whole: boolean; bytes: number },
): TimelineText {
  const moments = hits.filter(({ kind }) => kind !== "line").sort((a, b) => a.ms - b.ms || a.seq - b.seq);
  if (moments.length === 0) return { lines: ["nothing was recorded"], hidden: 0 };
  const who = new Set(moments.map(({ thread }) => thread)).size;
  const head = `timeline of ${plural(moments.length, "moment")}, ${plural(who, "thread")}, by the clock`;
  const rows = moments.map((hit) => row(hit, plan, cwd));
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((cells) => cells[at]?.length ?? 0)));
  const all = rows.map((cells) =>
    `  ${cells
      .map((cell, at) => (at === 0 ? cell.padStart(widths[0] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join("  ")}`.trimEnd(),
  );
  return shortened([head], all, whole ? Number.POSITIVE_INFINITY : bytes);
}

/** As much of the beginning as of the end. */
function shortened(head: string[], all: readonly string[], bytes: number): TimelineText {
  const size = (one: string) => Buffer.byteLength(one) + 1;
  let room = bytes - head.reduce((sum, one) => sum + size(one), 0) - 40;
  const first: string[] = [];
  const last: string[] = [];
  for (let at = 0; first.length + last.length < all.length; at++) {
    const isFirst = at % 2 === 0;
    const one = (isFirst ? all[first.length] : all[all.length - 1 - last.length]) ?? "";
    room -= size(one);
    if (room < 0) break;
    if (isFirst) first.push(one);
    else last.unshift(one);
  }
  const hidden = all.length - first.length - last.length;
  return { lines: [...head, ...first, ...(hidden > 0 ? [`  … ${hidden} more`] : []), ...last], hidden };
}

function row(hit: Hit, plan: TraceRecord["plan"], cwd: string): string[] {
  const when = `${hit.ms.toFixed(3)} ms`;
  const thread = cut(oneLine(hit.thread), WHO);
  if (hit.kind === "point") {
    const point = plan.points[hit.point];
    const values = hit.values.map((value, at) => `${point?.expressions[at] ?? ""} = ${value}`).join("  ");
    const place = point?.key ?? "";
    const name = hit.frames[0]?.function;
    return [when, thread, ended(name === undefined ? place : `${place} ${name}`), cut(oneLine(values), WHAT)];
  }
  const place = ended(`${shortPath(hit.path, cwd)}:${hit.line} ${hit.function}`);
  const given = hit.changes.map(([name, value]) => `${name}=${value}`).join(", ");
  const what =
    hit.kind === "call"
      ? `called (${given})`
      : `${hit.kind === "return" ? "returned" : "threw"} ${hit.value ?? ""}`;
  return [when, thread, place, cut(oneLine(`${what} #${hit.call}`), WHAT)];
}

function ended(place: string): string {
  const text = oneLine(place);
  return text.length > WHERE ? `…${text.slice(1 - WHERE)}` : text;
}
