/** Where the viewer's entries come from, and how it copies: the same for the full screen and for plain lines. */
import { asSondeError } from "../../errors.ts";
import type { Entry } from "../../util/log/entry.ts";
import { type Follow, followLog } from "../../util/log/follow.ts";
import { type LogFilter, readLog } from "../../util/log/reader.ts";
import { copy } from "../../util/terminal/clipboard.ts";
import type { Copying, Reading } from "./keys.ts";
import { filtered, newView, type View, withOlder } from "./view.ts";

export interface Source {
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
  /** What the user configured to copy with. */
  copyCommand: string | undefined;
  /** To the terminal, for what it is asked to do. */
  write(text: string): void;
}

/** Begun before the first view is read: what is written after that is in one of the two, and never in both. */
export type Following = { log: Follow } | { failed: string };

export function startFollowing({ folder }: Source, signal: AbortSignal): Following {
  try {
    return { log: followLog(folder, signal) };
  } catch (thrown) {
    return { failed: notFollowing(thrown) };
  }
}

export function firstView(source: Source, filter: LogFilter, most?: number, following?: Following): View {
  const ends = following !== undefined && "log" in following ? following.log.ends : undefined;
  const query = { ...filter, ends, ...(most !== undefined && { most }) };
  return newView(filter, readLog(source.folder, query), true);
}

/** More entries. Never throws: what goes wrong is said in the view. */
export function read(view: View, wish: Reading, { folder }: Source): View {
  try {
    if (wish.do === "older") return withOlder(view, readLog(folder, { ...view.filter, before: view.older }));
    return filtered(view, wish.filter, readLog(folder, wish.filter));
  } catch (thrown) {
    return { ...view, message: `failed: ${asSondeError(thrown).message}` };
  }
}

/** What became of it, for the status line. */
export async function copied({ text, what }: Copying, source: Source): Promise<string> {
  const { env, copyCommand: command, write } = source;
  try {
    const { ok, how } = await copy(text, { env, command, write });
    return ok ? `copied ${what} by ${how}` : `not copied: ${how}`;
  } catch (thrown) {
    return `not copied: ${asSondeError(thrown).message}`;
  }
}

/** The same for what is written from then on. */
export async function follow(
  following: Following,
  on: { entries(added: readonly Entry[]): void; failed(message: string): void },
): Promise<void> {
  if ("failed" in following) return on.failed(following.failed);
  try {
    for await (const added of following.log.entries()) on.entries(added);
  } catch (thrown) {
    on.failed(notFollowing(thrown));
  }
}

function notFollowing(thrown: unknown): string {
  return `not following: ${asSondeError(thrown).message}`;
}
