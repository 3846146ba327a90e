/** Where to go from a failed test: the command that shows the code under test at work. */
import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Call } from "../../advice/advice.ts";
import type { Single } from "../../runners/runner.ts";
import { calledFor, callsUnnamed, isSource, type Language } from "../../trace/callees.ts";
import { nameParts } from "../../trace/function-name.ts";
import { readSmallFile } from "../../util/small-file.ts";
import { traceCall } from "../runs/one-run.ts";
import type { Running } from "../runs/running.ts";
import type { Shot } from "./shape.ts";

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
  /** Starts tools that only the project has. */
  starter: readonly string[];
}

/** `sonde trace --function total -- pytest test_cart.py::test_total`: how a value of the failing line came about. */
export async function nextStep(shot: Shot, language: Language, tried: Tried): Promise<Call | undefined> {
  // Rather one of the code under test than one of the test's file.
  const callee = await calleeOf(shot.frames, language, { cwd: tried.cwd, own: "last" });
  if (callee === undefined) return undefined;
  const { single, running, starter } = tried;
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
    calleeArgs(callee),
  );
}

/** A function that is worth a trace. */
export interface Callee {
  /** As `--function` takes it. */
  name: string;
  /** It calls what no name in it tells: only its calls, recorded, lead on. */
  indirect: boolean;
}

export function calleeArgs({ name, indirect }: Callee): { function: string[]; depth?: number } {
  return { function: [name], ...(indirect ? { depth: 1 } : {}) };
}

interface Standing {
  function: string;
  path?: string;
  line: number;
}

/** A function of the project that gave a value to the line of the innermost frame it can be told of: it has run, and returned. */
export async function calleeOf(
  frames: readonly Standing[],
  language: Language,
  { cwd, own }: { cwd: string; own: "first" | "last" },
): Promise<Callee | undefined> {
  // Who failed is on the stack, and so are helpers that only report it.
  const onStack = new Set(frames.map((frame) => nameParts(frame.function).at(-1)));
  let all: string[] | undefined;
  for (const { path, line } of frames) {
    const text = path === undefined ? undefined : textOf(path);
    if (path === undefined || text === undefined) continue;
    const names = calledFor(text.split("\n"), line).filter((name) => !onStack.has(name));
    if (names.length === 0) continue;
    all ??= await sourceFiles(cwd, language);
    const others = all.filter((file) => file !== path);
    for (const files of own === "last" ? [others, [path]] : [[path, ...others]]) {
      const defined = await definedIn(names, files, language);
      const nearest = names.find((name) => defined.has(name));
      const name = nearest === undefined ? undefined : defined.get(nearest);
      if (name !== undefined) return { name, indirect: await isIndirect(name, files, language) };
    }
  }
  return undefined;
}

/** By the first of these files that defines it. */
export async function isIndirect(
  name: string,
  files: readonly string[],
  language: Language,
): Promise<boolean> {
  const own = nameParts(name).at(-1) ?? name;
  for (const file of files) {
    await turn();
    const text = textOf(file) ?? "";
    if (text.includes(own) && language.defined(own, text) !== undefined)
      return callsUnnamed(own, text, language);
  }
  return false;
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
