/** Records for tests of the pure parts. */
import type { LineEvent, PointHit, TraceRecord } from "../../../src/trace/record.ts";

/** One point, its hits by their values. */
export function pointRecord(expressions: string[], rows: string[][], key = "app.py:3"): TraceRecord {
  const hits = rows.map(
    (values, at): PointHit => ({
      kind: "point",
      point: 0,
      hit: at + 1,
      seq: at + 1,
      ms: at,
      thread: "main",
      values,
      frames: [
        { function: "work", path: "/p/app.py", line: 3 },
        { function: "main", path: "/p/app.py", line: 9 },
        { function: "start", line: 0 },
      ],
    }),
  );
  return {
    ...head(),
    plan: {
      points: [
        { key, path: `/p/${key.replace(/:.*/, "")}`, line: Number(/\d+$/.exec(key)?.[0] ?? 0), expressions },
      ],
      frames: 3,
      valueChars: 120,
      maxHits: 1000,
    },
    bindings: [{ state: "bound", line: 3 }],
    counts: [hits.length],
    seen: hits.length,
    hits,
  };
}

export type Row = [
  kind: LineEvent["kind"],
  line: number,
  changes?: Record<string, string>,
  more?: Partial<LineEvent>,
];

/** Events of one activation unless they say otherwise. */
export function lineRecord(rows: Row[], path = "/p/app.py"): TraceRecord {
  const hits = rows.map(
    ([kind, line, changes = {}, more = {}], at): LineEvent => ({
      kind,
      line,
      changes: Object.entries(changes),
      call: 1,
      function: "work",
      path,
      thread: "main",
      seq: at + 1,
      ms: at,
      ...more,
    }),
  );
  return { ...head(), seen: hits.length, hits };
}

function head(): TraceRecord {
  return {
    version: 1,
    id: "t1",
    title: "python app.py",
    cwd: "/p",
    began: "2026-01-01T00:00:00.000Z",
    seconds: 1,
    plan: {
      points: [],
      lines: { functions: ["work"], under: ["/p"], depth: 0 },
      frames: 3,
      valueChars: 120,
      maxHits: 1000,
    },
    adapter: "python",
    collector: "stops",
    bindings: [],
    counts: [],
    seen: 0,
    dropped: 0,
    end: { how: "exited", exitCode: 0 },
    notes: [],
    hits: [],
  };
}
