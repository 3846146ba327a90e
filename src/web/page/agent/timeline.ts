/** What programs did while the agent ran (`agent timeline`), as lanes on the run's clock. Pure. */
import type { RunColumns } from "../../../agent/explain/columns.ts";
import { lowerBound } from "./lower-bound.ts";
import type { Lane, Span } from "./spans.ts";

interface Made {
  id: string;
  title: string;
  /** The event of the command that made it. */
  seq?: number;
  from: number;
  to: number;
}

export interface Timeline {
  traces: (Made & { hits: number; counts: number[] })[];
  profiles: (Made & { kind: string; samples?: number; busy?: number[] })[];
  empty: string[];
  gone: string[];
  left: number;
}

/** None where there is nothing. */
export function timelineLanes({ traces, profiles }: Timeline, columns: RunColumns): Lane[] {
  const most = Math.max(1, ...traces.flatMap(({ counts }) => counts));
  const hits = traces.flatMap((one) =>
    spansOf(
      one,
      one.counts.map((count) => count / most),
      "hits",
      columns,
    ),
  );
  const busy = profiles.flatMap((one) => spansOf(one, one.busy ?? [1], "busy", columns));
  const lanes: Lane[] = [
    { id: "hits", title: "trace hits", spans: hits },
    { id: "busy", title: "CPU", spans: busy },
  ];
  return lanes.filter(({ spans }) => spans.length > 0);
}

/** One for each part in which there is something. */
function spansOf(
  { seq, from, to }: Made,
  levels: readonly number[],
  kind: Span["kind"],
  columns: RunColumns,
): Span[] {
  const row = seq === undefined ? -1 : lowerBound(columns.seq, seq);
  const long = (to - from) / levels.length;
  return levels.flatMap((level, part) =>
    level <= 0
      ? []
      : [{ row, from: from + part * long, to: from + (part + 1) * long, kind, failed: false, level }],
  );
}
