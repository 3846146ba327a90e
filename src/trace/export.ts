/** A trace for other tools: JSON, JSON lines, CSV. Pure. */
import { compactBacktrace } from "./backtrace.ts";
import type { Hit, TraceRecord } from "./record.ts";

export const FORMATS = ["json", "jsonl", "csv"] as const;
export type Format = (typeof FORMATS)[number];

export function exported(record: TraceRecord, format: Format): string {
  if (format === "json") return `${JSON.stringify(record)}\n`;
  if (format === "jsonl") {
    const { hits, ...head } = record;
    return [head, ...hits].map((one) => `${JSON.stringify(one)}\n`).join("");
  }
  return csv(record);
}

/** One column for each expression of any place; of line events the changes. */
function csv({ plan, hits }: TraceRecord): string {
  const expressions = [...new Set(plan.points.flatMap((point) => point.expressions))];
  const head = ["seq", "ms", "thread", "kind", "place", "hit", ...expressions, "backtrace"];
  const rows = hits.map((hit) => cells(hit, plan, expressions));
  return [head, ...rows].map((row) => `${row.map(quoted).join(",")}\n`).join("");
}

function cells(hit: Hit, plan: TraceRecord["plan"], expressions: readonly string[]): string[] {
  const common = [String(hit.seq), String(hit.ms), hit.thread, hit.kind];
  if (hit.kind !== "point") {
    const changes = hit.changes.map(([name, value]) => `${name}=${value}`).join("; ");
    return [
      ...common,
      `${hit.path}:${hit.line}`,
      String(hit.call),
      ...expressions.map(() => ""),
      `${hit.function}: ${changes}`,
    ];
  }
  const point = plan.points[hit.point];
  const values = expressions.map((one) => hit.values[point?.expressions.indexOf(one) ?? -1] ?? "");
  return [
    ...common,
    point?.key ?? "",
    String(hit.hit),
    ...values,
    compactBacktrace(hit.frames, point?.key ?? ""),
  ];
}

function quoted(cell: string): string {
  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
