/** Where a function is defined, by the text of the sources: a guess that needs no debugger. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { SondeError } from "../../errors.ts";
import { fileLines } from "../../session/stack/source.ts";
import { isSource } from "../../trace/callees.ts";

const SKIPPED = new Set([
  "node_modules",
  ".git",
  "dist",
  "target",
  "build",
  "__pycache__",
  ".venv",
  "vendor",
]);
const MOST_FILES = 1000;
const MOST_BYTES = 1024 * 1024;
const LONGEST_LINE = 500;

export interface Definition {
  path: string;
  line: number;
}

/** The file in focus first. Several: the first is taken if it is the only one of its file. */
export function definitionOf(name: string, cwd: string, here?: string): Definition {
  const plain =
    name
      .split(/::|\.|->/)
      .at(-1)
      ?.replace(/[()*]/g, "") ?? name;
  for (const path of [...(here === undefined ? [] : [here]), ...sourcesIn(cwd)]) {
    const line = lineIn(path, plain);
    if (line !== undefined) return { path, line };
  }
  throw new SondeError("BAD_LOCATION", `no function ${name} in the sources below ${cwd}`, {
    hint: "a place is file:line, e.g. src/app.js:42",
  });
}

function lineIn(path: string, name: string): number | undefined {
  const word = name.replace(/[$#~]/g, "\\$&");
  const keyword = new RegExp(
    `\\b(?:def|func|fn|fun|function|sub|class)\\b[^=;]*?(?<![\\w$.])${word}(?![\\w$])`,
  );
  const member = new RegExp(`^\\s*(?:[\\w:<>,~\\[\\]]+[\\s*&]+)*(?:[\\w:]+::)?${word}\\s*\\([^;]*$`);
  const assigned = new RegExp(`(?<![\\w$.])${word}\\s*[:=]\\s*(?:async\\s*)?(?:function\\b|\\(|\\w+\\s*=>)`);
  const lines = fileLines(path) ?? [];
  const at = lines.findIndex(
    (text) =>
      text.length <= LONGEST_LINE &&
      text.includes(name) &&
      (keyword.test(text) ||
        assigned.test(text) ||
        (member.test(text) && !/^\s*(return|if|while|else)\b/.test(text) && opens(lines, text))),
  );
  return at < 0 ? undefined : at + 1;
}

/** A definition, not a call: a body begins on it or on the line below. */
function opens(lines: readonly string[], text: string): boolean {
  if (text.includes("{")) return true;
  return /^\s*\{/.test(lines[lines.indexOf(text) + 1] ?? "");
}

function* sourcesIn(folder: string, counter = { files: 0 }, depth = 0): Generator<string> {
  if (depth > 6) return;
  let entries: import("node:fs").Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return; // not ours to read
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isFile() && isSource(entry.name) && statSync(path).size <= MOST_BYTES) {
      if (++counter.files > MOST_FILES) return;
      yield path;
    }
  }
  for (const entry of entries)
    if (entry.isDirectory() && !SKIPPED.has(entry.name))
      yield* sourcesIn(join(folder, entry.name), counter, depth + 1);
}
