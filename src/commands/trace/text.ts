/** Traces as text: a table for each place, calls as an indented report. Pure. */
import { advice, blank, type Call, call, optionOf, type Told } from "../../advice/advice.ts";
import type { TraceArguments } from "../../advice/commands.generated.ts";
import { type Column, type CondenseOptions, condense, type PointTable } from "../../trace/condense.ts";
import { type Point, UNAVAILABLE } from "../../trace/plan.ts";
import type { TraceRecord } from "../../trace/record.ts";
import { safeJson } from "../../util/safe-json.ts";
import { cut, cutBytes, oneLine, plural } from "../../util/text.ts";
import { lines, noteLines, shortPath, type TextOptions } from "../answers/text.ts";
import { runAgain } from "../runs/running.ts";
import { ranLines } from "../runs/trigger.ts";
import { callsText } from "./calls-text.ts";
import { countsText } from "./counts-text.ts";
import { printedLines } from "./output.ts";
import type { TraceResult } from "./shapes.ts";
import { timelineText } from "./timeline-text.ts";

/** Rows of a place in a first look; with less where there is no room. */
const FIRST_LOOK: CondenseOptions = { whole: 24, rows: 12, gap: 2 };
const SHORTER: CondenseOptions[] = [
  { whole: 12, rows: 12, gap: 2 },
  { whole: 12, rows: 12, gap: 0 },
];
const EVERY_ROW: CondenseOptions = { whole: Number.POSITIVE_INFINITY, rows: 0, gap: 0 };
/** Characters of a cell. */
const CELL = 48;
/** Why a faster way was not taken matters to those who had to wait. */
const SLOW_SECONDS = 3;

export function traceText(result: TraceResult, options: TextOptions): string {
  if (result.written)
    return `wrote ${result.written.format} of trace ${result.trace.id}: ${result.written.file} (${result.written.bytes} bytes)\n`;
  if (result.feedback) return `${safeJson(result.feedback)}\n`;
  const { trace, hits } = result;
  const record = { ...trace, hits } as TraceRecord;
  const whole = result.all ? 60_000 : options.limits.snapshotBytes;
  const tail = lines(
    printedLines(result, options),
    result.triggered && ranLines(result.triggered),
    noteLines(notes(result), options),
  );
  const first = headLine(trace, options);
  const parts = (body: Body): Parts => ({
    head: lines(first, body.lines),
    foot: tail + lines(lastLines(result, body.more, options)),
  });
  const size = ({ head, foot }: Parts) => Buffer.byteLength(head + foot);
  // Of calls with the longest of the last lines: what they say depends on what fits.
  const room = () => whole - size(parts({ lines: [""], more: moreCalls(trace.id) }));
  const { head, foot } = parts(
    trace.calls !== undefined
      ? counted(result, options, room())
      : result.timeline
        ? timed(result, record, options, room())
        : trace.plan.lines === undefined
          ? fullest(result, record, options, (body) => size(parts(body)) <= whole)
          : calls(result, record, options, room()),
  );
  return cutBytes(head, Math.max(600, whole - Buffer.byteLength(foot)), `${options.say(CUT)}\n`) + foot;
}

interface Parts {
  head: string;
  foot: string;
}

const CUT = advice`[cut: ${call("trace show")} with ${optionOf("trace show", { hits: undefined })}, ${optionOf("trace show", { first: undefined })} or ${optionOf("trace show", { last: undefined })} shows parts]`;

interface Body {
  lines: string[];
  /** The command that shows what was left out, and in words what it shows. */
  more?: Told | undefined;
}

function fullest(
  result: TraceResult,
  record: TraceRecord,
  options: TextOptions,
  fits: (body: Body) => boolean,
): Body {
  const look = (how: CondenseOptions) => tables(result, record, how, options);
  if (result.all) return look(EVERY_ROW);
  let body = look(FIRST_LOOK);
  for (const shorter of SHORTER) {
    if (fits(body)) break;
    body = look(shorter);
  }
  return body;
}

function tables(result: TraceResult, record: TraceRecord, look: CondenseOptions, options: TextOptions): Body {
  if (result.outOf !== undefined && result.hits.length === 0)
    return { lines: ["", `none of the ${result.outOf} kept hits matches`] };
  const all = condense(record, look);
  const shown = result.outOf === undefined ? all : all.filter(({ rows }) => rows.length > 0);
  const matching =
    result.outOf === undefined ? [] : ["", `${plural(result.hits.length, "hit")} of ${result.outOf} kept`];
  return {
    lines: [
      ...matching,
      ...shown.flatMap((table) => {
        const point = record.plan.points.find(({ key }) => key === table.key);
        const { ran, partial } = record;
        const style = { ran, point, filtered: result.outOf !== undefined, wide: result.all ?? false };
        return ["", ...tableLines(table, { ...style, cut: partial !== undefined }, options)];
      }),
    ],
    more: moreHits(result.trace, shown),
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
      cut: options.say(CUT),
    });
    return { lines: ["", ...text.lines], more: text.more ? moreCalls(trace.id) : undefined };
  }
  if (outOf !== undefined && outOf > 0)
    return {
      lines: ["", `no such call: there ${outOf === 1 ? "is call 1" : `are calls 1..${outOf}`}`],
    };
  const names = (trace.plan.lines?.functions ?? []).map((name) => `${name}()`).join(", ");
  const under = (trace.plan.lines?.under ?? [])
    .map((folder) => shortPath(folder, options.cwd) || ".")
    .join(", ");
  return {
    lines: [
      "",
      `no call of ${oneLine(names)} in code below ${under} was recorded`,
      "name a function by itself or with its class or package: total, Cart.total, main.(*Cart).Total",
    ],
  };
}

function timed(
  { all, trace, outOf }: TraceResult,
  record: TraceRecord,
  options: TextOptions,
  bytes: number,
): Body {
  const filtered = outOf !== undefined;
  const how = { ...options, whole: all ?? false, bytes: Math.max(600, bytes), filtered };
  const { lines: rows, hidden } = timelineText(record, how);
  const whole = call("trace show", { id: trace.id, timeline: true, all: true });
  return { lines: ["", ...rows], more: hidden === 0 ? undefined : advice`${whole}` };
}

function counted({ all, trace }: TraceResult, options: TextOptions, bytes: number): Body {
  const how = { ...options, whole: all ?? false, bytes: Math.max(600, bytes), ran: trace.ran };
  const { lines: table, hidden } = countsText(trace.calls ?? [], how);
  const more = hidden === 0 ? undefined : advice`${call("trace show", { id: trace.id, all: true })}`;
  return { lines: ["", ...table], more };
}

/** `trace t3: 5 hits · exit code 0 · 0.04 s by node-source · node app.js` */
export function headLine(trace: TraceResult["trace"], { cwd }: TextOptions): string {
  const events = trace.calls !== undefined ? "call" : trace.plan.lines === undefined ? "hit" : "event";
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
  /** What was run. */
  ran: TraceRecord["ran"];
  point: Point | undefined;
  /** The rows are an answer to a question, not a choice of ours. */
  filtered: boolean;
  wide: boolean;
  /** The run was ended before its end: what was not reached may have come later. */
  cut: boolean;
}

function tableLines(table: PointTable, style: TableStyle, options: TextOptions): string[] {
  const via = table.from.length === 0 ? "" : `  in ${pathsText(table.from)}`;
  const threads = table.threads > 1 ? `, ${table.threads} threads` : "";
  const when = style.point?.condition === undefined ? "" : ` where ${oneLine(style.point.condition)}`;
  const head = `${oneLine(table.key)}${movedText(table)}  ${plural(table.count, "hit")}${when}${threads}${via}`;
  if (table.count === 0) return [`${head}: ${neverText(table, when, style.cut)}`];
  if (table.columns.length === 0)
    return [head, options.say(advice`  no value was asked for: ${valuesAt(table)} records values`)];
  return [
    head,
    ...grid(table, style),
    ...(style.filtered ? [] : summary(table)),
    ...unavailable(table, style.ran, options),
  ];
}

function valuesAt({ key }: PointTable) {
  return optionOf("trace", { at: [`${oneLine(key)}=expr,expr`] });
}

/** So many ways to a place are named, if they are short together. */
const PATHS = 3;
const PATHS_LENGTH = 160;

/** `add() -> main() (24×) or add() -> retry() (2×)` */
function pathsText(from: PointTable["from"]): string {
  const [first = { path: "", count: 0 }, ...others] = from.map(({ stack, count }) => ({
    path: oneLine(stack.replace(/ @ .*$/, "")),
    count,
  }));
  if (others.length === 0) return first.path;
  const all = [first, ...others].map(({ path, count }) => `${path} (${count}×)`).join(" or ");
  if (from.length <= PATHS && all.length <= PATHS_LENGTH) return all;
  return `${first.path} (${first.count}×; ${plural(others.length, "other path")})`;
}

function movedText({ key, binding }: PointTable): string {
  const elsewhere = binding.state === "bound" && !key.endsWith(`:${binding.line}`) && !/:\d+:\d+$/.test(key);
  return elsewhere ? ` (no code there: line ${binding.line})` : "";
}

function neverText({ binding }: PointTable, when: string, cut: boolean): string {
  if (cut) return "not reached before the run was ended";
  if (binding.state === "unknown") return "its file was never loaded";
  return when === ""
    ? "never reached"
    : "never reached with that condition true, or the condition could not be evaluated there";
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
  if (rows.length >= count || kept === 0) return [];
  return columns.flatMap((column, at) => {
    const text = columnText(
      column,
      rows.map(({ values }) => values[at] ?? UNAVAILABLE),
      kept < count,
    );
    return text === undefined ? [] : [`  ${oneLine(`${column.expression} ${text}`)}`];
  });
}

/** That a column has more values than this says no more than that it changes. */
const FEW_VALUES = 12;

function columnText(column: Column, shown: readonly string[], hole: boolean): string | undefined {
  const { min, max, distinct, changes, unavailable: missing } = column;
  if (changes === 0) return missing > 0 ? undefined : "is the same at all hits";
  const seen = new Set(shown);
  const without = missing > shown.filter((value) => value === UNAVAILABLE).length;
  const told = [
    ...(min && max && !(seen.has(min.value) && seen.has(max.value))
      ? [`${min.value} … ${max.value} (min at hit ${min.hit}, max at ${max.hit})`]
      : seen.size < distinct && distinct <= FEW_VALUES
        ? [`has ${plural(distinct, "value")}${hole ? " among those kept" : ""}, ${plural(changes, "change")}`]
        : []),
    ...(without ? [`unavailable ${missing}×`] : []),
  ];
  return told.length === 0 ? undefined : told.join(", ");
}

/** A column of nothing is a name that is not known there: another command says why. */
function unavailable(
  { key, columns, kept }: PointTable,
  ran: TraceRecord["ran"],
  { say }: TextOptions,
): string[] {
  const empty = columns.filter((column) => column.unavailable === kept && kept > 0);
  const [first] = empty;
  if (first === undefined) return [];
  const { pid, ...run } = runAgain(ran);
  // One of them is enough to see why. A probe starts a program of its own.
  const why = call("probe", { locations: [key], eval: [first.expression], ...run });
  const advised = pid === undefined ? advice`: ${why} says why` : "";
  const names = empty.map(({ expression }) => expression).join(", ");
  return [oneLine(say(advice`  ${names} ${empty.length === 1 ? "has" : "have"} no value here${advised}`))];
}

function notes({ trace }: TraceResult): string[] {
  const waited = trace.seconds > SLOW_SECONDS || trace.collector === "stops";
  return [...(waited ? (trace.passedOver ?? []) : []), ...trace.notes];
}

/** Of a line that leads on; a longer command line is one that the reader has typed just now. */
const NEXT_BYTES = 400;

function lastLines(result: TraceResult, more: Told | undefined, { cwd, say }: TextOptions): string[] {
  const record = `full record: ${shortPath(result.file, cwd)}`;
  const rest = more === undefined || result.all ? record : `more: ${say(more)}; ${record}`;
  if (result.next === undefined) return [rest];
  const isLong = Buffer.byteLength(say(advice`${result.next}`)) > NEXT_BYTES;
  const next = isLong ? withoutLine(result.next) : result.next;
  const { function: names = [] } = result.next.args as Partial<TraceArguments>;
  const shows = result.trace.plan.lines === undefined ? `${names.join(", ")} line by line` : "what it calls";
  return [rest, oneLine(say(advice`next: ${next} shows ${shows}`))];
}

function withoutLine(next: Call): Call {
  return { ...next, args: { ...next.args, args: blank("command") } };
}

function moreCalls(id: string): Told {
  const hits = optionOf("trace show", { hits: blank("range") });
  return advice`${call("trace show", { id, all: true })} shows more, ${hits} only those calls`;
}

/** Of more hits than this the first ones are proposed: those who read them all ask a question instead. */
const NEXT_HITS = 100;

/** What is hidden, and little else. */
function moreHits({ id, plan }: TraceResult["trace"], tables: readonly PointTable[]): Told | undefined {
  const [one, ...others] = tables.flatMap(({ key, hidden }) => (hidden ? [{ key, ...hidden }] : []));
  if (one === undefined) return undefined;
  if (others.length > 0) return advice`${call("trace show", { id, all: true })}`;
  const place = plan.points.length > 1 ? { at: [oneLine(one.key)] } : {};
  const last = Math.min(one.last, one.first + NEXT_HITS - 1);
  const show = call("trace show", { id, ...place, hits: `${one.first}..${last}` });
  const where = optionOf("trace show", { where: blank("condition") });
  return last < one.last
    ? advice`${show} shows ${NEXT_HITS} of them, ${where} those that match`
    : advice`${show}`;
}
