/** A record as a sequence of moments that can be compared with another run's: where, and every value known there. Pure. */
import type { Hit, LineEvent, TraceRecord } from "../record.ts";

export interface Moment {
  seq: number;
  thread: string;
  kind: Hit["kind"];
  function: string;
  path: string;
  line: number;
  /** Of a point: as the plan writes it. */
  key?: string;
  /** Point: by expression. Line: all locals of the activation. */
  values: ReadonlyMap<string, string>;
  /** The line of the same activation that ran last, and so made these values. */
  ran?: number;
  call?: number;
}

/** What a call comes back with, among its values. */
export const RETURNED = "return value";
export const THROWN = "exception";

export function momentsOf({ plan, hits }: Pick<TraceRecord, "plan" | "hits">): Moment[] {
  const activations = new Map<number, { values: ReadonlyMap<string, string>; line?: number }>();
  return hits.flatMap((hit): Moment[] => {
    if (hit.kind !== "point") return [lineMoment(hit, activations)];
    const point = plan.points[hit.point];
    if (point === undefined) return [];
    const values = new Map(point.expressions.map((one, at) => [one, hit.values[at] ?? ""]));
    const { seq, thread, kind } = hit;
    const name = hit.frames[0]?.function ?? "";
    return [
      { seq, thread, kind, function: name, path: point.path, line: point.line, key: point.key, values },
    ];
  });
}

function lineMoment(
  event: LineEvent,
  activations: Map<number, { values: ReadonlyMap<string, string>; line?: number }>,
): Moment {
  const known = activations.get(event.call);
  const values = new Map(known?.values);
  for (const [name, value] of event.changes) values.set(name, value);
  for (const name of event.gone ?? []) values.delete(name);
  activations.set(event.call, {
    values,
    ...(event.kind === "line" ? { line: event.line } : known?.line === undefined ? {} : { line: known.line }),
  });
  const all = new Map(values);
  if (event.value !== undefined) all.set(event.kind === "throw" ? THROWN : RETURNED, event.value);
  const { seq, thread, kind, function: name, path, line, call } = event;
  return {
    seq,
    thread,
    kind,
    function: name,
    path,
    line: line > 0 ? line : (known?.line ?? 0),
    values: all,
    call,
    ...(known?.line === undefined ? {} : { ran: known.line }),
  };
}
