/** Lines of fixtures by name: a comment `@marker name` marks the line it stands on, in any language. */
import { readFileSync } from "node:fs";

export function markers(file: string): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [index, line] of readFileSync(file, "utf8").split("\n").entries()) {
    for (const [, name] of line.matchAll(/@marker ([\w-]+)/g)) {
      if (name === undefined) continue;
      if (found[name] !== undefined) throw new Error(`${file} has two markers "${name}"`);
      found[name] = index + 1;
    }
  }
  return found;
}

export function marker(file: string, name: string): number {
  const all = markers(file);
  const line = all[name];
  if (line === undefined)
    throw new Error(`${file} has no marker "${name}", only ${Object.keys(all).join(", ") || "none"}`);
  return line;
}
