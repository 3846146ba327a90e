/** Reports that a runner writes below its folder, where no option puts them elsewhere. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ReportFile } from "../../runners/runner.ts";
import { readSmallFile } from "../../util/small-file.ts";

const MOST_FOLDERS = 5_000;
const MOST_FILES = 5_000;
const MOST_BYTES = 16 << 20;
/** File systems keep times less exactly than clocks do. */
const SLACK_MS = 1_000;
const SKIPPED = /^(?:node_modules|\..+|src|classes|test-classes)$/;

/** Those written since then: older ones are of other runs. */
export function reportFiles(root: string, wanted: RegExp, since: number): ReportFile[] {
  const folders = [""];
  const found: ReportFile[] = [];
  // The list grows as it is walked.
  for (const folder of folders) {
    if (found.length >= MOST_FILES) break;
    for (const entry of entriesOf(join(root, folder))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED.test(entry.name) && folders.length < MOST_FOLDERS)
        folders.push(path);
      else if (entry.isFile() && wanted.test(path)) found.push(...readSince(root, path, since));
    }
  }
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not ours to read
  }
}

function readSince(root: string, path: string, since: number): ReportFile[] {
  const file = join(root, path);
  try {
    if (statSync(file).mtimeMs < since - SLACK_MS) return [];
    return [{ path, text: readSmallFile(file, MOST_BYTES) }];
  } catch {
    return []; // gone meanwhile, or too large to be a report
  }
}
