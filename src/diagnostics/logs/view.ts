/** What the log viewer shows. Pure: pages and new entries in, another view out. */
import type { Entry } from "../../util/log/entry.ts";
import { type LogFilter, type LogPage, matcher } from "../../util/log/reader.ts";
import { plural } from "../../util/text.ts";

export interface View {
  /** Oldest first, all of them what the filter lets through. */
  entries: readonly Entry[];
  /** Where what is older begins; undefined when there is no more. */
  older: string | undefined;
  /** Entries that had to go so that there are not too many: what is older cannot be put before the rest then. */
  dropped: number;
  /** The entry that the reader is at; undefined: the newest, as they come. */
  mark: number | undefined;
  /** The other end of what is selected. */
  anchor: number | undefined;
  /** Entries that came while the reader was elsewhere. */
  news: number;
  filter: LogFilter;
  /** Of all that was seen, as they were: what the filter by process offers, one after the other. */
  pids: readonly number[];
  typing: { text: string; at: number } | undefined;
  panel: { title: string; text: string; top: number } | undefined;
  /** In the status line. */
  message: string;
  /** How many entries a page has. */
  rows: number;
}

/** More would make the viewer slow and tell nobody anything. */
export const MOST_ENTRIES = 5_000;

export function newView(filter: LogFilter, page: LogPage, following: boolean): View {
  const view: View = {
    entries: page.entries,
    older: page.older,
    dropped: 0,
    mark: following || page.entries.length === 0 ? undefined : page.entries.length - 1,
    anchor: undefined,
    news: 0,
    filter,
    pids: withPids([], page.entries),
    typing: undefined,
    panel: undefined,
    message: "",
    rows: 20,
  };
  return { ...view, message: whatWasRead(view, page) };
}

/** After the filter has changed. */
export function filtered(view: View, filter: LogFilter, page: LogPage): View {
  const fresh = newView(filter, page, true);
  return { ...fresh, rows: view.rows, pids: withPids(view.pids, page.entries) };
}

function whatWasRead({ entries, older }: View, { lines }: LogPage): string {
  if (entries.length > 0) return "";
  if (older !== undefined) return `none of the last ${plural(lines, "line")} matches; o looks further back`;
  return lines > 0 ? "no entry matches" : "the log is empty";
}

export function withOlder(view: View, page: LogPage): View {
  const count = page.entries.length;
  const shift = (at: number | undefined) => (at === undefined ? undefined : at + count);
  const message =
    count > 0
      ? `${plural(count, "older entry", "older entries")}`
      : page.older === undefined
        ? "there is nothing older"
        : `none of ${plural(page.lines, "older line")} matches; o looks further back`;
  return {
    ...view,
    entries: [...page.entries, ...view.entries],
    older: page.older,
    mark: shift(view.mark),
    anchor: shift(view.anchor),
    pids: withPids(view.pids, page.entries),
    message,
  };
}

export function withNew(view: View, added: readonly Entry[]): View {
  const wanted = added.filter(matcher(view.filter));
  const pids = withPids(view.pids, added);
  if (wanted.length === 0) return { ...view, pids };
  const all = [...view.entries, ...wanted];
  const over = Math.max(0, all.length - MOST_ENTRIES);
  const shift = (at: number | undefined) => (at === undefined ? undefined : Math.max(0, at - over));
  return {
    ...view,
    entries: over === 0 ? all : all.slice(over),
    older: over === 0 ? view.older : undefined,
    dropped: view.dropped + over,
    mark: shift(view.mark),
    anchor: shift(view.anchor),
    news: view.mark === undefined ? 0 : view.news + wanted.length,
    pids,
  };
}

const MOST_PIDS = 50;

function withPids(known: readonly number[], entries: readonly Entry[]): number[] {
  const found = entries.flatMap(({ pid }) => pid ?? []).reverse();
  return [...new Set([...known, ...found])].slice(0, MOST_PIDS);
}

/** The first and the last of what is selected, or of what is marked. */
export function selection({ entries, mark, anchor }: View): { first: number; last: number } | undefined {
  if (entries.length === 0) return undefined;
  const at = mark ?? entries.length - 1;
  const other = anchor ?? at;
  return { first: Math.min(at, other), last: Math.max(at, other) };
}
