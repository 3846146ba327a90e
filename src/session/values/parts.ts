/**
 * The parts of a value, a page at a time. A value that says how many elements it has is asked for pages of them, because asked for
 * all some adapters give the first few and say nothing; all other parts are asked for whole and cut here, since what pages there are
 * of them adapters do not agree on.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Session } from "../session.ts";
import { toLine, type ValueLine } from "./value-line.ts";
import type { Held } from "./values.ts";

export interface ChildrenOptions {
  start?: number | undefined;
  count?: number | undefined;
  limit: number;
  chars: number;
}

export interface Children {
  values: ValueLine[];
  /** How many come after these, and where they begin. */
  more: number;
  next?: number;
  total: number;
}

interface Window {
  parts: DebugProtocol.Variable[];
  total: number;
}

export async function children(session: Session, held: Held, options: ChildrenOptions): Promise<Children> {
  const { start = 0, count = options.limit, chars } = options;
  const read = (held.indexed ?? 0) > 0 ? readElements : readNamed;
  const { parts, total } = await read(session, held, start, count);
  const values = parts.map((part) => toLine(session, held.debuggee, part, chars));
  const next = start + values.length;
  const more = values.length === 0 ? 0 : Math.max(0, total - next);
  return { values, more, ...(more > 0 ? { next } : {}), total };
}

/** Elements, and after the last of them what else it has. */
async function readElements(session: Session, held: Held, start: number, count: number): Promise<Window> {
  const { debuggee, reference, indexed = 0 } = held;
  const parts: DebugProtocol.Variable[] = [];
  const end = Math.min(indexed, start + count);
  while (start + parts.length < end) {
    const page = {
      start: start + parts.length,
      count: end - start - parts.length,
      filter: "indexed" as const,
    };
    const read = await session.reads.variables(debuggee, reference, page);
    if (read.length === 0) break;
    // An adapter that knows no pages gives all.
    parts.push(...(read.length > page.count ? read.slice(page.start, page.start + page.count) : read));
  }
  if (start + count < indexed) return { parts, total: indexed };
  const named = await session.reads.variables(debuggee, reference, {
    start: 0,
    count: MOST_NAMED,
    filter: "named",
  });
  const others = named.filter(({ name, value }) => !ELEMENT.test(name) && !isCount(name, value, indexed));
  const from = Math.max(0, start - indexed);
  const room = count - parts.length;
  return { parts: [...parts, ...others.slice(from, from + room)], total: indexed + others.length };
}

/** What an array has besides its elements is little: its length, what a match has. */
const MOST_NAMED = 200;
/** LLDB takes no notice of the filter. */
const ELEMENT = /^\[?\d+\]?$/;

/** That it has so many elements is known. */
function isCount(name: string, value: string, indexed: number): boolean {
  return /^(length|len\(\)|size)$/.test(name) && value === String(indexed);
}

async function readNamed(
  session: Session,
  { debuggee, reference }: Held,
  start: number,
  count: number,
): Promise<Window> {
  const all = await session.reads.variables(debuggee, reference);
  const unread = unreadIn(all.at(-1));
  if (unread === 0) return { parts: all.slice(start, start + count), total: all.length };
  const read = all.slice(0, -1);
  const total = read.length + unread;
  if (start + count <= read.length) return { parts: read.slice(start, start + count), total };
  const page = await session.reads.variables(debuggee, reference, { start, count });
  return { parts: page.slice(0, count), total };
}

/** An adapter of ours ends a list that it cut with a row that says by how much. */
function unreadIn(last: DebugProtocol.Variable | undefined): number {
  if (last?.name !== "…" || last.presentationHint?.kind !== "virtual") return 0;
  return Number(/^(\d+) more/.exec(last.value)?.[1] ?? 0);
}
