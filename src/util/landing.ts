/** Where a file that is written to a path comes to be: links are followed, also to what is not there yet. */
import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** As many as Linux follows. */
const MOST_LINKS = 40;

export function landing(path: string, links = 0): string {
  try {
    return realpathSync(path);
  } catch (thrown) {
    // Of what is not there, only the way to it can be followed.
    if ((thrown as NodeJS.ErrnoException).code !== "ENOENT" || links > MOST_LINKS) throw thrown;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const here = join(landing(parent, links), basename(path));
  if (!lstatSync(here, { throwIfNoEntry: false })?.isSymbolicLink()) return here;
  return landing(resolve(dirname(here), readlinkSync(here)), links + 1);
}
