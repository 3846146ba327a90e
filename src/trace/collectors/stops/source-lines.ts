/** Lines of the user's sources at which a debugger is to stop, for recording all of them: by the program itself where it tells, else by their text. */
import { type Dirent, existsSync, readdirSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import type { Opening } from "../../../adapters/adapter.ts";
import { knownProgram } from "../../../adapters/native/runnable.ts";
import type { Launch } from "../../../session/launch.ts";
import { readSmallFile } from "../../../util/small-file.ts";
import { isBareLine } from "../../bare-line.ts";
import { Unfit } from "../../dwarf/unfit.ts";
import { Code } from "../../go/code.ts";

export interface SourceLines {
  path: string;
  lines: number[];
}

/** Each line is a breakpoint. */
const MOST_LINES = 4000;
const MOST_FILES = 200;
const MOST_BYTES = 1 << 20;
const FOREIGN =
  /^(\..*|node_modules|vendor|dist|build|out|target|obj|classes|venv|env|__pycache__|site-packages)$/;

export function sourceLines(launch: Launch, under: readonly string[]): SourceLines[] {
  const found = goLines(launch, under) ?? textLines(launch, under);
  let left = MOST_LINES;
  return found.map(({ path, lines }) => {
    const kept = lines.slice(0, Math.max(0, left));
    left -= kept.length;
    return { path, lines: kept };
  });
}

/** Nothing of other programs, and of one that is not built yet. */
function goLines(launch: Launch, under: readonly string[]): SourceLines[] | undefined {
  const { opening } = launch;
  const program = opening.request === "launch" ? knownProgram(opening, launch.where) : undefined;
  if (program === undefined || !launch.adapter.languages.includes("go")) return undefined;
  try {
    const code = new Code(program);
    const byFile = new Map<string, Set<number>>();
    for (const one of code.packages) {
      const table = code.table(one);
      if (table === undefined || !table.files.some((path) => isBelow(path, under))) continue;
      for (const { end, statement, file, line } of table.rows()) {
        const path = table.files[file];
        if (end || !statement || line === 0 || path === undefined || !isBelow(path, under)) continue;
        const lines = byFile.get(path) ?? new Set();
        byFile.set(path, lines.add(line));
      }
    }
    return [...byFile].map(([path, lines]) => ({ path, lines: [...lines].sort((a, b) => a - b) }));
  } catch (error) {
    if (error instanceof Unfit || error instanceof RangeError) return undefined;
    throw error;
  }
}

function textLines({ adapter, opening }: Launch, under: readonly string[]): SourceLines[] {
  const types = new Set((adapter.describes ?? []).flatMap(({ sources }) => sources));
  const all = [...new Set(under.flatMap((folder) => [...filesIn(folder, types)]))];
  const files = versionsOf(all, pathsOf(opening)).slice(0, MOST_FILES);
  return files.map((path) => {
    const text = readSmallFile(path, MOST_BYTES);
    const count = text.split("\n").length;
    const all = Array.from({ length: count }, (_, at) => at + 1);
    return { path, lines: all.filter((line) => !isBareLine(path, text, line)) };
  });
}

/** Of files of one name (two versions of a program) those that lie nearest to what the command line names. */
function versionsOf(files: readonly string[], named: readonly string[]): string[] {
  const shared = (path: string) => Math.max(0, ...named.map((one) => sharedParts(path, one)));
  const best = new Map<string, number>();
  for (const path of files) best.set(basename(path), Math.max(best.get(basename(path)) ?? 0, shared(path)));
  return files.filter((path) => shared(path) === best.get(basename(path)));
}

function sharedParts(a: string, b: string): number {
  const [x, y] = [a.split("/"), b.split("/")];
  const end = x.findIndex((part, at) => part !== y[at]);
  return end < 0 ? x.length : end;
}

/** Whatever of the command line is there, also in a list of folders. */
function pathsOf({ request, plan }: Opening): string[] {
  if (request !== "launch") return [];
  const words = [plan.program ?? "", ...(plan.command ?? []), ...plan.args].flatMap((word) =>
    word.split(":"),
  );
  return words
    .filter((word) => word !== "" && !word.startsWith("-"))
    .map((word) => resolve(plan.cwd, word))
    .filter((path) => existsSync(path));
}

function* filesIn(folder: string, types: ReadonlySet<string>): Generator<string> {
  for (const one of entriesOf(folder)) {
    const path = join(folder, one.name);
    if (one.isDirectory() && !FOREIGN.test(one.name)) yield* filesIn(path, types);
    else if (one.isFile() && types.has(extname(one.name))) yield path;
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not there, or not ours to read
  }
}

const isBelow = (path: string, under: readonly string[]) =>
  under.some((one) => path === one || path.startsWith(`${one.replace(/\/$/, "")}/`));
