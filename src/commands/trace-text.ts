/** Traces as text: a table for each place, calls as an indented report. Pure. */
import { type Column, condense, type PointTable } from "../trace/condense.ts";
import { numberIn } from "../trace/numbers.ts";
import type { Point } from "../trace/plan.ts";
import type { TraceRecord } from "../trace/record.ts";
import { cut, cutBytes, oneLine, plural } from "../util/text.ts";
import { lines, shortPath, type TextOptions } from "./text.ts";
import { callsText } from "./trace-calls-text.ts";
import { printedLines } from "./trace-output.ts";
import type { TraceResult } from "./trace-shapes.ts";

/** Rows of a place in a first look. */
const ROWS = 12;
/** Characters of a cell. */
const CELL = 48;
/** Why a faster way was not taken matters to those who had to wait. */
const SLOW_SECONDS = 3;

export function traceText(result: TraceResult, options: TextOptions): string {
  if (result.written)
    return `wrote ${result.written.format} of trace ${result.trace.id}: ${result.written.file} (${result.written.bytes} bytes)\n`;
  if (result.feedback) return `${JSON.stringify(result.feedback)}\n`;
  const { trace, hits } = result;
  const record = { ...trace, hits } as TraceRecord;
  const whole = result.all ? 60_000 : options.limits.snapshotBytes;
  const tail = lines(
    printedLines(result, options),
    notes(result).map((note) => `note: ${oneLine(note)}`),
  );
  const first = headLine(trace, options);
  // With the longest of the last lines: what they say depends on what fits.
  const room = whole - Buffer.byteLength(lines(first, "", tail, lastLines(result, true, options)));
  const body = trace.plan.lines === undefined ? tables(result, record) : calls(result, record, options, room);
  const foot = tail + lines(lastLines(result, body.more, options));
  const head = lines(first, body.lines);
  return cutBytes(head, Math.max(600, whole - Buffer.byteLength(foot)), `${CUT}\n`) + foot;
}

const CUT = "[cut: `sonde trace show` with --hits, --first or --last shows parts]";

interface Body {
  lines: string[];
  /** Something was left out that `trace show` can show. */
  more: boolean;
}

function tables(result: TraceResult, record: TraceRecord): Body {
  if (result.outOf !== undefined && result.hits.length === 0)
    return { lines: ["", `no hit matches, of ${result.outOf} that were kept`], more: false };
  const all = condense(record, { rows: result.all ? Number.POSITIVE_INFINITY : ROWS });
  const shown = result.outOf === undefined ? all : all.filter(({ rows }) => rows.length > 0);
  const matching =
    result.outOf === undefined ? [] : ["", `${plural(result.hits.length, "hit")} of ${result.outOf} kept`];
  return {
    lines: [
      ...matching,
      ...shown.flatMap((table) => {
        const point = record.plan.points.find(({ key }) => key === table.key);
        return [
          "",
          ...tableLines(table, { point, filtered: result.outOf !== undefined, wide: result.all ?? false }),
        ];
      }),
    ],
    more: shown.some(({ rows, count }) => rows.length < count),
  };
}

function calls(
  { all, trace, outOf }: TraceResult,
  record: TraceRecord,
  options: TextOptions,
  bytes: number,
): Body {
  if (record.hits.length > 0) {
    const text = callsText(record, {
      ...options,
      whole: all ?? false,
      bytes: Math.max(600, bytes),
      cut: CUT,
    });
    return { lines: ["", ...text.lines], more: text.more };
  }
  if (outOf !== undefined && outOf > 0)
    return {
      lines: ["", `no such call: there ${outOf === 1 ? "is call 1" : `are calls 1..${outOf}`}`],
      more: false,
    };
  const names = (trace.plan.lines?.functions ?? []).map((name) => `${name}()`).join(", ");
  const under = (trace.plan.lines?.under ?? [])
    .map((folder) => shortPath(folder, options.cwd) || ".")
    .join(", ");
  return {
    lines: [
      "",
      `no call of ${oneLine(names)} was recorded, of code below ${under}`,
      "a function is named by its last part, or with what holds it: total, Cart.total, main.(*Cart).Total",
    ],
    more: false,
  };
}

/** `trace t3: 5 hits · exit code 0 · 0.04 s by node-source · node app.js` */
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

interface TableStyle {
  point: Point | undefined;
  /** The rows are an answer to a question, not a choice of ours. */
  filtered: boolean;
  wide: boolean;
}

function tableLines(table: PointTable, style: TableStyle): string[] {
  const [from] = table.from;
  const others =
    table.from.length > 1 ? ` (${from?.count}×; ${plural(table.from.length - 1, "other path")})` : "";
  const via = from === undefined ? "" : `  in ${oneLine(from.stack.replace(/ @ .*$/, ""))}${others}`;
  const threads = table.threads > 1 ? `, ${table.threads} threads` : "";
  const when = style.point?.condition === undefined ? "" : ` where ${oneLine(style.point.condition)}`;
  const head = `${oneLine(table.key)}${movedText(table)}  ${plural(table.count, "hit")}${when}${threads}${via}`;
  if (table.count === 0) return [`${head}: ${neverText(table, when)}`];
  if (table.columns.length === 0)
    return [head, `  no value was asked for: --at ${oneLine(table.key)}=expr,expr records values`];
  return [head, ...grid(table, style), ...(style.filtered ? [] : summary(table)), ...unavailable(table)];
}

function movedText({ key, binding }: PointTable): string {
  const elsewhere = binding.state === "bound" && !key.endsWith(`:${binding.line}`) && !/:\d+:\d+$/.test(key);
  return elsewhere ? ` (no code there: line ${binding.line})` : "";
}

function neverText({ binding }: PointTable, when: string): string {
  if (binding.state === "unknown") return "its file was never loaded";
  return when === "" ? "never reached" : "never reached with that, or it has no value there";
}

function grid({ columns, rows, after, threads }: PointTable, { filtered, wide }: TableStyle): string[] {
  const width = wide ? 200 : CELL;
  const cell = (text: string) => cut(oneLine(text), width);
  const head = [
    "hit",
    ...(threads > 1 ? ["thread"] : []),
    ...columns.map(({ expression }) => cell(expression)),
  ];
  const cells = rows.map((row) => [
    String(row.hit),
    ...(threads > 1 ? [cell(row.thread)] : []),
    ...row.values.map(cell),
  ]);
  const widths = head.map((title, at) => Math.max(title.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `  ${row.map((one, at) => (at === 0 ? one.padStart(widths[0] ?? 0) : one.padEnd(widths[at] ?? 0))).join("  ")}`.trimEnd();
  const shown = rows.flatMap((row, at) => {
    const lost = row.lost > 0 ? ` (${row.lost} not kept)` : "";
    const gap = row.skipped > 0 && !filtered ? [`  … ${row.skipped} more${lost}`] : [];
    return [...gap, line(cells[at] ?? [])];
  });
  return [line(head), ...shown, ...(after > 0 && !filtered ? [`  … ${after} more`] : [])];
}

/** Only what the rows do not show already. */
function summary({ columns, rows, count, kept }: PointTable): string[] {
  if (rows.length >= count) return [];
  return columns.flatMap((column) => {
    const text = columnText(column, kept < count);
    return text === undefined ? [] : [`  ${oneLine(`${column.expression} ${text}`)}`];
  });
}

function columnText(
  { min, max, distinct, changes, unavailable: missing }: Column,
  hole: boolean,
): string | undefined {
  const without = missing > 0 ? `, unavailable ${missing}×` : "";
  if (changes === 0) return missing > 0 ? undefined : "is the same at all hits";
  if (min && max) return `${min.value} … ${max.value} (min at hit ${min.hit}, max at ${max.hit})${without}`;
  return `has ${plural(distinct, "value")}${hole ? " among those kept" : ""}, ${plural(changes, "change")}${without}`;
}

/** A column of nothing is a name that is not known there: another command says why. */
function unavailable({ key, columns, kept }: PointTable): string[] {
  const empty = columns.filter((column) => column.unavailable === kept && kept > 0);
  return empty.map(
    ({ expression }) =>
      `  ${oneLine(expression)} has no value here: \`sonde probe ${key} --eval '${oneLine(expression)}' -- …\` says why`,
  );
}

function notes({ trace }: TraceResult): string[] {
  const waited = trace.seconds > SLOW_SECONDS || trace.collector === "stops";
  return trace.notes.filter((note) => waited || !/ was not used: /.test(note));
}

/** Of a line that leads on; a longer command line is one that the reader has typed just now. */
const NEXT_BYTES = 400;

function lastLines(result: TraceResult, more: boolean, options: TextOptions): string[] {
  const rest = moreLine(result, more, options);
  if (result.next === undefined) return [rest];
  const long = Buffer.byteLength(result.next) > NEXT_BYTES;
  const next = oneLine(long ? result.next.replace(/ -- .*$/s, " -- …") : result.next);
  const names = [...result.next.matchAll(/ --function ('[^']*'|\S+)/g)].map(([, name = ""]) =>
    oneLine(name.replaceAll("'", "")),
  );
  const shows = result.trace.plan.lines === undefined ? `${names.join(", ")} line by line` : "what it calls";
  return [rest, `next: \`${next}\` shows ${shows}`];
}

function moreLine(result: TraceResult, more: boolean, { cwd }: TextOptions): string {
  const { trace, file } = result;
  const record = `full record: ${shortPath(file, cwd)}`;
  if (!more || result.all) return record;
  if (trace.plan.lines !== undefined)
    return `more: \`sonde trace show ${trace.id} --all\` shows more, \`--hits <from>..<to>\` only those calls; ${record}`;
  return `more: \`sonde trace show ${trace.id} ${example(result)}\`; ${record}`;
}

/** A filter that works on this trace. */
function example({ trace, hits }: TraceResult): string {
  const last = hits.at(-1);
  const expressions = trace.plan.points[last?.kind === "point" ? last.point : 0]?.expressions ?? [];
  const [name] = expressions;
  const value = last?.kind === "point" ? last.values[0] : undefined;
  return name !== undefined && value !== undefined && numberIn(value) !== undefined && !/'/.test(name)
    ? `--where '${oneLine(name)} >= ${value}'`
    : "--changes";
}
