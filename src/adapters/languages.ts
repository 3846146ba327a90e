/** By what a machine is known to be used for a language: its compilers and interpreters, under the names they have on a PATH. */
import type { Where } from "./adapter.ts";
import { onPath } from "./kit/find.ts";

const TOOLS: Record<string, readonly string[]> = {
  javascript: ["node"],
  typescript: ["node"],
  python: ["python3", "python"],
  c: ["cc", "gcc", "clang"],
  "c++": ["c++", "g++", "clang++"],
  rust: ["rustc", "cargo"],
  swift: ["swiftc"],
  zig: ["zig"],
  go: ["go"],
  java: ["javac"],
  kotlin: ["kotlinc"],
  ruby: ["ruby"],
  php: ["php"],
  csharp: ["dotnet"],
  dotnet: ["dotnet"],
  fsharp: ["dotnet"],
  dart: ["dart"],
  elixir: ["elixir"],
  lua: ["lua", "luajit"],
  perl: ["perl"],
  bash: ["bash"],
};

/** Those that are there. */
export function toolsOf(language: string, where: Pick<Where, "env" | "cwd">): string[] {
  const names = TOOLS[language] ?? [];
  return names.flatMap((name) => onPath(name, where) ?? []);
}

/** Names people type for the same language. */
const ALIASES: Record<string, string> = { cpp: "c++", "c#": "csharp" };

export function languageOf(name: string): string {
  return ALIASES[name] ?? name;
}
