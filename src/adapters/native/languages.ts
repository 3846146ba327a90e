/** The languages that are compiled to machine code, and how Cargo's packages are run. */
import { extname, join, relative, resolve } from "node:path";
import type { ConfigurationKind } from "../configuration.ts";
import type { Language, ProjectFile } from "../language.ts";

const family = {
  sources: [".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh"],
  // Its type before it, its body after its parameters, which may be on lines of their own.
  defined: (name, text) =>
    new RegExp(`^[^\\s#/][^;{}()=\\n]*[\\s*&:]${name}\\s*\\([^;{}]*\\)[\\s\\w]*\\{`, "m").test(text)
      ? name
      : undefined,
} satisfies Partial<Language>;

const c: Language = {
  ...family,
  name: "c",
  title: "C",
  tools: ["cc", "gcc", "clang"],
  projects: [
    {
      file: "CMakeLists.txt",
      shared: true,
      build: "cmake -S . -B build -DCMAKE_BUILD_TYPE=Debug && cmake --build build",
    },
    ...["Makefile", "makefile", "GNUmakefile"].map(
      (file): ProjectFile => ({ file, shared: true, build: "make" }),
    ),
  ],
};
const cpp: Language = {
  ...family,
  name: "c++",
  title: "C++",
  alsoCalled: ["cpp"],
  tools: ["c++", "g++", "clang++"],
};

const rust: Language = {
  name: "rust",
  title: "Rust",
  tools: ["rustc", "cargo"],
  sources: [".rs"],
  defined: (name, text) => (new RegExp(`\\bfn ${name}\\s*[<(]`).test(text) ? name : undefined),
  projects: [{ file: "Cargo.toml", build: "cargo build", run: cargoRun }],
};

const swift: Language = { name: "swift", title: "Swift", tools: ["swiftc"], sources: [".swift"] };
const zig: Language = { name: "zig", title: "Zig", tools: ["zig"], sources: [".zig"] };

export const nativeLanguages: readonly Language[] = [c, cpp, rust, swift, zig];

/** `cargo run`, with the caller's folder kept; of a source file, for the target that it is in. */
function cargoRun(
  { folder, from, source }: { folder: string; from: string; source?: string },
  args: readonly string[],
): string[] | undefined {
  if (source !== undefined && extname(source) !== ".rs") return undefined;
  const inside = source === undefined ? "" : relative(folder, source);
  const bin = /^src\/bin\/([^/]+?)(?:\/main)?\.rs$/.exec(inside)?.[1];
  const example = /^examples\/([^/]+?)(?:\/main)?\.rs$/.exec(inside)?.[1];
  const which = bin !== undefined ? ["--bin", bin] : example !== undefined ? ["--example", example] : [];
  const manifest = resolve(from) === folder ? [] : ["--manifest-path", join(folder, "Cargo.toml")];
  return ["cargo", "run", ...manifest, ...which, ...(args.length > 0 ? ["--", ...args] : [])];
}

/** Configurations of editors' native debuggers. C, Rust and Go executables are all started by them. */
export const nativeConfigurations: ConfigurationKind = {
  types: [
    ...["lldb", "lldb-dap", "lldb-vscode", "codelldb", "cppdbg", "cppvsdbg", "gdb", "gdb-dap"],
    ...["rust", "swift", "swift-lldb"],
  ],
  byProgram: true,
  runs(keys, { args }) {
    const cargo = keys.record("cargo");
    return cargo === undefined ? undefined : { command: cargoCommand(cargo, args), args: [] };
  },
};

/** `{args: ["build", "--bin=x"]}` builds and then runs; `cargo run --bin=x` says the same to an adapter that knows cargo. */
function cargoCommand(cargo: Record<string, unknown>, args: string[]): string[] {
  const [verb = "build", ...rest] = (Array.isArray(cargo.args) ? cargo.args : []).map(String);
  const options = rest.filter((word) => word !== "--no-run");
  return ["cargo", verb === "build" ? "run" : verb, ...options, ...(args.length > 0 ? ["--", ...args] : [])];
}
