/** Traces as text: a table for each place, calls as an indented report. Pure. */
import { condense, type PointTable } from "../trace/condense.ts";
import type { TraceRecord } from "../trace/record.ts";
import { cutBytes, oneLine, plural } from "../util/text.ts";
import { outputLines } from "./snapshot-text.ts";
import { lines, shortPath, type TextOptions } from "./text.ts";
import { callsText } from "./trace-calls-text.ts";
import type { TraceResult } from "./trace-shapes.ts";

/** Rows of a place in a first look. */
const ROWS = 12;

export function traceText(result: TraceResult, options: TextOptions): string {
  if (result.written)
    return `wrote ${result.written.format} of trace ${result.trace.id}: ${result.written.file} (${result.written.bytes} bytes)\n`;
  if (result.feedback) return `${JSON.stringify(result.feedback)}\n`;
  const { trace, hits, output, file } = result;
  const record = { ...trace, hits } as TraceRecord;
  const rows = result.all ? Number.POSITIVE_INFINITY : ROWS;
  const whole = result.all ? 60_000 : options.limits.snapshotBytes;
  const body =
    trace.plan.lines === undefined
      ? condense(record, { rows }).flatMap((table) => ["", ...tableLines(table)])
      : ["", ...callsText(record, { ...options, whole: result.all ?? false })];
  const foot = lines(
    output && output.lines.length > 0 && outputLines({ ...output, lines: output.lines.slice(-8) }),
    trace.notes.map((note) => `note: ${oneLine(note)}`),
    moreLine(record, file, options),
  );
  const head = lines(headLine(trace, options), body);
  return (
    cutBytes(head, Math.max(600, whole - Buffer.byteLength(foot)), "[cut: see the full record]\n") + foot
  );
}

/** `trace t3: 5 hits · exited: code 0 · 0.04 s by node-source` */
export function headLine(trace: TraceResult["trace"], { cwd }: TextOptions): string {
  const events = trace.plan.lines === undefined ? "hit" : "event";
  const kept = trace.dropped > 0 ? ` (${trace.seen - trace.dropped} kept)` : "";
  const place = trace.cwd === cwd ? "" : ` in ${shortPath(trace.cwd, cwd)}`;
  return [
    `trace ${trace.id}: ${plural(trace.seen, events)}${kept}`,
    trace.partial === undefined ? endText(trace.end) : `PARTIAL: ${oneLine(trace.partial)}`,
    `${trace.seconds.toFixed(2)} s by ${trace.collector}`,
    `${oneLine(trace.title)}${place}`,
  ].join(" · ");
}

export function endText({ how, exitCode, signal, why }: TraceResult["trace"]["end"]): string {
  const reason = why === undefined ? "" : ` (${oneLine(why)})`;
  if (signal !== undefined) return `killed by ${signal}${reason}`;
  if (how === "left") return "left running";
  if (how === "stopped") return "ended by sonde";
  if (how === "failed") return `failed${reason}`;
  return `exit code ${exitCode ?? "unknown"}${reason}`;
}

function tableLines(table: PointTable): string[] {
  const [from] = table.from;
  const others =
    table.from.length > 1 ? ` (${from?.count}×; ${plural(table.from.length - 1, "other path")})` : "";
  const via = from === undefined ? "" : `  in ${oneLine(from.stack.replace(/ @ .*$/, ""))}${others}`;
  const threads = table.threads > 1 ? `, ${table.threads} threads` : "";
  const moved =
    table.binding.state === "bound" &&
    !table.key.endsWith(`:${table.binding.line}`) &&
    !/:\d+:\d+$/.test(table.key)
      ? ` (code on line ${table.binding.line})`
      : "";
  const head = `${oneLine(table.key)}${moved}  ${plural(table.count, "hit")}${threads}${via}`;
  if (table.count === 0)
    return [`${head}: ${table.binding.state === "unknown" ? "never loaded" : "never reached"}`];
  if (table.columns.length === 0) return [head];
  return [head, ...grid(table), ...summary(table)];
}

function grid({ columns, rows, after, threads }: PointTable): string[] {
  const named = threads > 1 ? ["thread"] : [];
  const head = ["hit", ...named, ...columns.map(({ expression }) => oneLine(expression))];
  const cells = rows.map((row) => [
    String(row.hit),
    ...(threads > 1 ? [oneLine(row.thread)] : []),
    ...row.values.map(oneLine),
  ]);
  const widths = head.map((title, at) =>
    Math.min(40, Math.max(title.length, ...cells.map((row) => row[at]?.length ?? 0))),
  );
  const line = (row: readonly string[]) =>
    `  ${row.map((cell, at) => (at === 0 ? cell.padStart(widths[0] ?? 0) : cell.padEnd(widths[at] ?? 0))).join("  ")}`.trimEnd();
  const shown = rows.flatMap((row, at) => {
    const gap = row.skipped > 0 ? [`  … ${row.skipped} more`] : [];
    return [...gap, line(cells[at] ?? [])];
  });
  return [line(head), ...shown, ...(after > 0 ? [`  … ${after} more`] : [])];
}

/** Only what the rows do not show already. */
function summary({ columns, rows, count }: PointTable): string[] {
  if (rows.length >= count) return [];
  const parts = columns.flatMap(({ expression, min, max, distinct, changes, unavailable }) => {
    const missing = unavailable > 0 ? `, unavailable ${unavailable}×` : "";
    if (changes === 0)
      return missing === "" ? [`${expression} constant`] : [`${expression}${missing.slice(1)}`];
    if (min && max)
      return [
        `${expression} ${min.value} … ${max.value} (min at hit ${min.hit}, max at ${max.hit})${missing}`,
      ];
    return [`${expression}: ${plural(distinct, "value")}, ${plural(changes, "change")}${missing}`];
  });
  return parts.map((part) => `  ${oneLine(part)}`);
}

function moreLine({ id, plan, hits }: TraceRecord, file: string, { cwd }: TextOptions): string {
  const [first] = plan.points.flatMap(({ expressions }) => expressions);
  const example = first === undefined ? "" : ` --where '${oneLine(first)} == …'`;
  const ask =
    plan.lines === undefined
      ? `\`sonde trace show ${id}${example}\` filters`
      : `\`sonde trace show ${id} --all\` shows all`;
  return hits.length === 0
    ? `full record: ${shortPath(file, cwd)}`
    : `next: ${ask}; full record: ${shortPath(file, cwd)}`;
}
