/** What a folder is a project of, by the file that says so. */
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isMachineCode } from "./kit/files.ts";
import { isExecutable, list } from "./kit/find.ts";
import type { ProjectFile } from "./language.ts";
import { LANGUAGES } from "./languages.ts";

export interface Project extends ProjectFile {
  folder: string;
  language: string;
}

/** Those that others have too come last. */
const KINDS = LANGUAGES.flatMap(({ name, projects = [] }) =>
  projects.map((one) => ({ ...one, language: name })),
).sort((a, b) => Number(a.shared ?? false) - Number(b.shared ?? false));

export function projectAt(folder: string): Project | undefined {
  const kind = KINDS.find(({ file }) => existsSync(join(folder, file)));
  return kind ? { ...kind, folder } : undefined;
}

/** The nearest one upward. */
export function projectAbove(folder: string): Project | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = projectAt(at);
    if (found || dirname(at) === at) return found;
  }
}

/** Where builds leave what they make. */
const OUTPUTS = [".", "build", "bin", "out", "target/debug", "cmake-build-debug", "build/bin", "build/Debug"];
const MOST = 3;

/** Executables that a build has left in the project, newest first. */
export function builtIn(folder: string): string[] {
  return OUTPUTS.flatMap((output) => list(join(folder, output)).map((name) => join(folder, output, name)))
    .filter((path) => isExecutable(path) && !/\.(so|dylib|dll|o|a)(\.|$)/.test(path) && isMachineCode(path))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
    .slice(0, MOST);
}
