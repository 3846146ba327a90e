/** Waiting for a run that somebody is about to start. */
import { existsSync, type FSWatcher, mkdirSync, watch } from "node:fs";
import { dirname } from "node:path";
import { PRIVATE_FOLDER, sessionsFolder } from "../../agent/store/layout.ts";
import { rowsOf } from "../../agent/store/listing.ts";
import type { SessionRow } from "../../agent/store/sessions.ts";
import { type WaitOptions, wait } from "../../util/wait.ts";

/** Whether one is alive in this folder, now or within the time. `own`: the folder is Sonde's; somebody else's is left as it is. */
export async function runAppears(root: string, own: boolean, options: WaitOptions): Promise<boolean> {
  const folder = sessionsFolder(root);
  if (own) mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  return seenIn(folder, () => rowsOf(root).some(({ alive }) => alive), options);
}

/** One that has just begun is listed a moment before it takes commands. One that has ended meanwhile never will. */
export async function untilItListens(
  { socket, folder, id }: SessionRow,
  options: WaitOptions,
): Promise<void> {
  if (socket === undefined) return;
  const isOver = () => rowsOf(folder.root).every((row) => row.id !== id || !row.alive);
  await seenIn(dirname(socket), () => existsSync(socket) || isOver(), options);
}

/** Looks again when something in the folder changes. */
async function seenIn(folder: string, isThere: () => boolean, options: WaitOptions): Promise<boolean> {
  let watcher: FSWatcher | undefined;
  try {
    const seen = new Promise<true>((resolve) => {
      const look = () => {
        if (isThere()) resolve(true);
      };
      watcher = watch(folder, { persistent: false }, look);
      // The folder is taken away: nothing will appear in it.
      watcher.on("error", () => {});
      look();
    });
    return (await wait(seen, options)).done;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return isThere();
    throw thrown;
  } finally {
    watcher?.close();
  }
}
