/** Where the viewer's entries come from, and how it copies: the same for the full screen and for plain lines. */
import { asSondeError } from "../../errors.ts";
import type { Entry } from "../../util/log/entry.ts";
import { followLog } from "../../util/log/follow.ts";
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

export function firstView(source: Source, filter: LogFilter, most?: number): View {
  const query = { ...filter, ...(most !== undefined && { most }) };
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

/** The same for what is written from now on. */
export async function follow(
  { folder }: Source,
  signal: AbortSignal,
  on: { entries(added: readonly Entry[]): void; failed(message: string): void },
): Promise<void> {
  try {
    for await (const added of followLog(folder, signal).entries()) on.entries(added);
  } catch (thrown) {
    on.failed(`not following: ${asSondeError(thrown).message}`);
  }
}
