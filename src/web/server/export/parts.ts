/** What a view asks when it is opened: the calls whose answers an exported page carries. */
import { SondeError } from "../../../errors.ts";
import { type Row, rowsIn } from "../asking.ts";
import type { Answered } from "../daemon.ts";

export interface Call {
  command: string;
  args: Row;
  session?: string;
}

export type Kept = Call & { answer: Answered };

/** Asks, and keeps the answer for the page; undefined if it is an error, which is kept where the view would show it. */
export type Keep = (
  command: string,
  args: Row,
  session?: string,
  options?: { errors: true },
) => Promise<Row | undefined>;

export interface Exported {
  /** The address of the view. */
  path: string;
  title: string;
}

/** As the views have them (src/web/page). */
const BUCKETS = 1600;
const MOST_LINES = 200_000;
const TRACE_PART = 200;
const WORDS_PAGE = 200;

/** Beyond these a page would be slow to open: the first of them are there. */
const MOST_ROWS = 20_000;
const MOST_WORDS = 40_000;
const MOST_WHOLE = 400;

export async function traceParts(id: string, keep: Keep): Promise<Exported> {
  const first = await keep("trace columns", { id, buckets: BUCKETS });
  if (first === undefined) throw missing(`trace ${id}`);
  const head = first.head as { plan?: Row };
  const kept = (first.kept ?? []) as number[];
  const points = rowsIn(head.plan, "points");
  const read: (Row | undefined)[] = [];
  for (const [index, place] of points.entries()) {
    const at = String(place.key ?? "");
    await keep("trace columns", { id, at, buckets: BUCKETS });
    const rows = Math.min(kept[index] ?? 0, MOST_ROWS);
    for (let from = 0; from < rows; from += TRACE_PART)
      read.push(await keep("trace columns", { id, at, from, rows: TRACE_PART }));
  }
  if (points.length === 0) read.push(await keep("trace show", { id, all: true }));
  await sources([head, read], keep);
  return { path: `/t/${id}`, title: `trace ${id}` };
}

export async function diffParts(a: string, b: string, keep: Keep): Promise<Exported> {
  const compared = await keep("diff", { traces: [a, b] });
  if (compared === undefined) throw missing(`traces ${a} and ${b}`);
  await sources(compared, keep);
  return { path: `/d/${a}/${b}`, title: `${a} and ${b}` };
}

export async function profileParts(id: string, keep: Keep): Promise<Exported> {
  const shown = await keep("profile show", { id });
  if (shown === undefined) throw missing(`profile ${id}`);
  await keep("profile stacks", { id, time: true });
  return { path: `/p/${id}`, title: `profile ${id}` };
}

export async function runParts(run: string, keep: Keep): Promise<Exported> {
  const all = await keep("agent events", { source: run });
  if (all === undefined) throw missing(`run ${run}`);
  await keep("agent status", {}, run);
  await keep("agent explain", { source: run });
  await keep("agent timeline", { source: run });
  const { seq = [], req = [] } = all.columns as { seq?: number[]; req?: number[] };
  for (let at = 0; at < Math.min(seq.length, MOST_WORDS); at += WORDS_PAGE) {
    const [from, to] = [seq[at], seq[Math.min(seq.length, at + WORDS_PAGE) - 1]];
    await keep("agent events", { source: run, from, to, words: true });
  }
  // What the tabs of an event ask for; one that has no answer says so there, too.
  for (const one of seq.slice(0, MOST_WHOLE))
    await keep("agent event", { seq: one, source: run }, run, { errors: true });
  for (const call of [...new Set(req)].filter((one) => one > 0).slice(0, MOST_WHOLE / 4)) {
    const tab = (command: string, args: Row) => keep(command, args, run, { errors: true });
    await tab("agent inspect", { what: "messages", call, last: 200, whole: true });
    for (const what of ["request", "diff", "all"]) await tab("agent inspect", { what, call });
    await tab("agent sse", { req: call, tail: 1000 });
  }
  return { path: `/a/${run}`, title: `agent run ${run}` };
}

/** The files that it names. */
async function sources(data: unknown, keep: Keep): Promise<void> {
  const paths = new Set<string>();
  collect(data, paths);
  for (const path of paths) await keep("source", { location: `${path}:1`, context: MOST_LINES });
}

function collect(value: unknown, paths: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, one] of Object.entries(value)) {
    if ((key === "path" || key === "file") && typeof one === "string" && one.startsWith("/")) paths.add(one);
    else collect(one, paths);
  }
}

function missing(what: string): SondeError {
  return new SondeError("BAD_ARGUMENT", `there is no ${what}`, {
    hint: "`sonde trace list`, `sonde profile list` and `sonde agent sessions --all` list what there is",
  });
}
