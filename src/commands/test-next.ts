/** Where to go from a failed test: the command that shows the code under test at work. */
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { calledFor, type Language } from "../runners/callees.ts";
import type { Single } from "../runners/runner.ts";
import { readSmallFile } from "../util/small-file.ts";
import { typed } from "./one-run.ts";
import type { Running } from "./one-shot.ts";
import type { Shot } from "./test-shape.ts";

/** Enough for a project's own code; what is larger is not looked through for a hint. */
const MOST_FILES = 500;
const MOST_BYTES = 256 << 10;
/** Other people's code, and what was made from one's own. */
const SKIPPED = /^(\..*|node_modules|dist|build|target|vendor|venv|env|__pycache__|site-packages)$/;

export interface Tried {
  single: Single;
  /** What the caller gave for all runs. */
  running: Running;
  cwd: string;
  /** Starts tools that only the project has. */
  starter: readonly string[];
}

/** `sonde trace --function total -- pytest test_cart.py::test_total`: how a value of the failing line came about. */
export function nextStep(shot: Shot, language: Language, tried: Tried): string | undefined {
  const function_ = calleeOf(shot, language, tried.cwd);
  if (function_ === undefined) return undefined;
  const { single, running, starter } = tried;
  const option = (name: string, value: string | undefined) => (value === undefined ? [] : [name, value]);
  const env = [...(running.env ?? []), ...Object.entries(single.env ?? {}).map((pair) => pair.join("="))];
  return typed([
    "sonde",
    "trace",
    ...["--function", function_],
    ...option("--adapter", running.adapter),
    ...option("--cwd", single.cwd ?? running.cwd),
    ...env.flatMap((one) => ["--env", one]),
    ...option("--arg-json", running.argJson),
    ...["--", ...starter, ...single.command],
  ]);
}

/** A function of the project that gave the failing line its value: rather one of the code under test than one of the test's file. */
function calleeOf({ frames }: Shot, language: Language, cwd: string): string | undefined {
  // Who failed is on the stack, and so are helpers that only report it.
  const onStack = new Set(frames.map((frame) => frame.function.replace(/^.*[.:]/, "")));
  for (const { path, line } of frames) {
    const text = path === undefined ? undefined : textOf(path);
    if (path === undefined || text === undefined) continue;
    const names = calledFor(text.split("\n"), line).filter((name) => !onStack.has(name));
    if (names.length === 0) continue;
    const others = sourceFiles(cwd, language).filter((file) => file !== path);
    const found = firstDefined(names, others, language) ?? firstDefined(names, [path], language);
    if (found !== undefined) return found;
  }
  return undefined;
}

function firstDefined(
  names: readonly string[],
  files: readonly string[],
  language: Language,
): string | undefined {
  const found = new Map<string, string>();
  for (const file of files) {
    const text = textOf(file) ?? "";
    for (const name of names.filter((one) => !found.has(one) && text.includes(one))) {
      const defined = language.defined(name, text);
      if (defined !== undefined) found.set(name, defined);
    }
  }
  const nearest = names.find((name) => found.has(name));
  return nearest === undefined ? undefined : found.get(nearest);
}

function sourceFiles(root: string, language: Language): string[] {
  const folders = [resolve(root)];
  const files: string[] = [];
  for (
    let folder = folders.shift();
    folder !== undefined && files.length < MOST_FILES;
    folder = folders.shift()
  )
    for (const entry of entriesOf(folder)) {
      if (SKIPPED.test(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && language.files.test(entry.name)) files.push(path);
    }
  return files.slice(0, MOST_FILES);
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not ours to read
  }
}

function textOf(path: string): string | undefined {
  try {
    return readSmallFile(path, MOST_BYTES);
  } catch {
    return undefined; // gone, or no source
  }
}
