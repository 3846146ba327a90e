/** What a folder is a project of, by the file that says so. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isMachineCode } from "./kit/files.ts";
import { isExecutable, list } from "./kit/find.ts";

export interface Project {
  folder: string;
  /** `Cargo.toml` */
  file: string;
  language: string;
  /** Its sources run as they are. */
  interpreted: boolean;
  /** The command line that builds it, for people and models to type. */
  build?: string;
}

const KINDS: readonly Omit<Project, "folder">[] = [
  { file: "Cargo.toml", language: "rust", interpreted: false, build: "cargo build" },
  { file: "go.mod", language: "go", interpreted: false, build: "go build -gcflags='all=-N -l' ." },
  { file: "package.json", language: "javascript", interpreted: true },
  { file: "pyproject.toml", language: "python", interpreted: true },
  { file: "setup.py", language: "python", interpreted: true },
  {
    file: "CMakeLists.txt",
    language: "c",
    interpreted: false,
    build: "cmake -S . -B build -DCMAKE_BUILD_TYPE=Debug && cmake --build build",
  },
  { file: "Makefile", language: "c", interpreted: false, build: "make" },
  { file: "makefile", language: "c", interpreted: false, build: "make" },
  { file: "GNUmakefile", language: "c", interpreted: false, build: "make" },
];

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

export function hasFile(folder: string, pattern: RegExp): boolean {
  return readdirSync(folder).some((name) => pattern.test(name));
}
