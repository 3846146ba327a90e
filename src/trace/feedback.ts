/** The plain contract of a trace: values and backtraces by place, in the caller's own words. */
import { compactBacktrace } from "./backtrace.ts";
import { UNAVAILABLE } from "./plan.ts";
import type { TraceRecord } from "./record.ts";

export interface RuntimeFeedback {
  /** By place: each value of each hit, in order. */
  watchpoints: Record<string, { var: string; value: string }[]>;
  /** By place: one backtrace for each hit. */
  breakpoints: Record<string, string[]>;
}

export function toFeedback({ plan, hits }: Pick<TraceRecord, "plan" | "hits">): RuntimeFeedback {
  const watchpoints: RuntimeFeedback["watchpoints"] = {};
  const breakpoints: RuntimeFeedback["breakpoints"] = {};
  for (const { key, expressions } of plan.points) {
    breakpoints[key] ??= [];
    if (expressions.length > 0) watchpoints[key] ??= [];
  }
  for (const hit of hits) {
    if (hit.kind !== "point") continue;
    const point = plan.points[hit.point];
    if (point === undefined) continue;
    breakpoints[point.key]?.push(compactBacktrace(hit.frames, point.key));
    for (const [at, expression] of point.expressions.entries())
      watchpoints[point.key]?.push({ var: expression, value: hit.values[at] ?? UNAVAILABLE });
  }
  return { watchpoints, breakpoints };
}
