/** Where to go from a failed test: the command that shows the code under test at work. */
import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Call, call } from "../../advice/advice.ts";
import type { Single } from "../../runners/runner.ts";
import { isSource, type Language } from "../../trace/callees.ts";
import type { Origin } from "../../trace/origin/origin.ts";
import { readSmallFile } from "../../util/small-file.ts";
import { traceCall } from "../runs/one-run.ts";
import type { Running } from "../runs/running.ts";

/** Enough for a project's own code; what is larger is not looked through for a hint. */
const MOST_FILES = 500;
const MOST_FOLDERS = 1000;
const MOST_ENTRIES = 20_000;
const MOST_BYTES = 256 << 10;
/** Other people's code, and what was made from one's own. */
const SKIPPED =
  /^(\..*|node_modules|bower_components|dist|build|out|target|obj|coverage|vendor|venv|env|__pycache__|site-packages)$/;

export interface Tried {
  single: Single;
  /** What the caller gave for all runs. */
  running: Running;
  cwd: string;
  /** Of the runs, beside their own. */
  env: Record<string, string>;
  /** Starts tools that only the project has. */
  starter: readonly string[];
  /** The command line as it was given, and whether it asked for more lines. */
  typed: readonly string[];
  further: boolean;
  /** Seconds, where the caller gave them. */
  timeout: number | undefined;
  /** What it took to get to the failure with a debugger. */
  tookMs: number;
  /** The test goes on after its failure. */
  goesOn?: boolean;
}

/** The same test, with the lines for which its answer had no room. */
export function furtherCall({ running, typed, timeout }: Tried, name: string | undefined): Call {
  const { adapter, adapterArguments, map, cwd, env } = running;
  return call("test", {
    further: true,
    ...(name === undefined ? {} : { name }),
    ...(timeout === undefined ? {} : { timeout }),
    ...{ adapter, adapterArguments, map, cwd, env },
    args: [...typed],
  });
}

/** `sonde trace --function total -- pytest test_cart.py::test_total`: what made the value, line by line. */
export function traceOf({ functions, depth }: Origin, { single, running, starter }: Tried): Call | undefined {
  if (functions.length === 0) return undefined;
  const { adapter, adapterArguments, map } = running;
  const env = { ...running.env, ...single.env };
  return traceCall(
    {
      adapter,
      adapterArguments,
      map,
      cwd: single.cwd ?? running.cwd,
      env,
      args: [...starter, ...single.command],
    },
    { function: functions, ...(depth === 0 ? {} : { depth }) },
  );
}

/** Those that these files define, each with the name by which it is found in a program. */
export async function definedIn(
  names: readonly string[],
  files: readonly string[],
  language: Language,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const file of files) {
    await turn();
    const text = textOf(file) ?? "";
    for (const name of names.filter((one) => !found.has(one) && text.includes(one))) {
      const defined = language.defined(name, text);
      if (defined !== undefined) found.set(name, defined);
    }
  }
  return found;
}

/** The nearest first. What is beyond the limits, or not ours to read, is not looked at. */
export async function sourceFiles(root: string, language: Pick<Language, "sources">): Promise<string[]> {
  const folders = [resolve(root)];
  const files: string[] = [];
  let left = MOST_ENTRIES;
  // The list grows as it is walked.
  for (const folder of folders) {
    if (left === 0 || files.length >= MOST_FILES) break;
    const entries = await entriesOf(folder, left);
    left -= entries.length;
    for (const entry of entries.filter(({ name }) => !SKIPPED.test(name))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && folders.length < MOST_FOLDERS) folders.push(path);
      else if (entry.isFile() && isSource(entry.name, language)) files.push(path);
    }
  }
  return files.slice(0, MOST_FILES);
}

/** By name. Read one after the other: a folder may hold more than all that is looked at. */
async function entriesOf(folder: string, most: number): Promise<Dirent[]> {
  const entries: Dirent[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      entries.push(entry);
      if (entries.length === most) break;
    }
  } catch {
    // not ours to read
  }
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Others get theirs: many files are a long time in one go. */
function turn(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}

function textOf(path: string): string | undefined {
  try {
    return readSmallFile(path, MOST_BYTES);
  } catch {
    return undefined; // gone, or no source
  }
}
