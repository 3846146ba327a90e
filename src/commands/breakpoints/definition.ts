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
const MOST_OTHERS = 3;

export interface Definition {
  path: string;
  line: number;
}

/** The first is the one that is meant, as far as can be told: that of a file which the program is in, if one has it. Then others, a few. */
export function definitionsOf(name: string, cwd: string, near: readonly string[] = []): Definition[] {
  const plain =
    name
      .split(/::|\.|->/)
      .at(-1)
      ?.replace(/[()*]/g, "") ?? name;
  const found: Definition[] = [];
  for (const path of new Set([...near, ...sourcesIn(cwd)])) {
    const line = lineIn(path, plain);
    if (line !== undefined) found.push({ path, line });
    if (found.length > MOST_OTHERS) break;
  }
  if (found.length > 0) return found;
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
