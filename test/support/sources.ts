/** The hand-written files of src/, and what each imports. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

export const SRC = resolve(import.meta.dirname, "../../src");

export interface SourceFile {
  /** Relative to src/. */
  path: string;
  text: string;
}

export interface Import {
  from: string;
  /** Relative to src/ for our own files, otherwise as written. */
  to: string;
  own: boolean;
  typeOnly: boolean;
}

export function sourceFiles(): SourceFile[] {
  const entries = readdirSync(SRC, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return paths
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path) && !/\.test\.ts$|\.generated\.|\/generated\//.test(path))
    .map((path) => ({ path: relative(SRC, path), text: readFileSync(path, "utf8") }));
}

const STATEMENT = /^\s*(?:import|export)\s+(type\s+)?(?:[\w*\s{},$]+?\s+from\s+)?["']([^"'\n]+)["']/gm;
const CALL = /\b(?:import|require)\(\s*["']([^"'\n]+)["']/g;

export function importsOf({ path, text }: SourceFile): Import[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const statements = [...code.matchAll(STATEMENT)].map(([, type, to = ""]) => ({
    to,
    typeOnly: type !== undefined,
  }));
  const calls = [...code.matchAll(CALL)].map(([, to = ""]) => ({ to, typeOnly: false }));
  return [...statements, ...calls].map(({ to, typeOnly }) => {
    const own = to.startsWith(".");
    return { from: path, to: own ? join(dirname(path), to) : to, own, typeOnly };
  });
}
