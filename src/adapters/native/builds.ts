/** How a single source file of a native language becomes an executable with debug information. */
import type { Build } from "../adapter.ts";

function compiler(...words: string[]): Build {
  const [command = "", ...flags] = words;
  return { command: (program, output) => [command, ...flags, "-o", output, program] };
}

const c = compiler("cc", "-g", "-O0", "-pthread");
const cpp = compiler("c++", "-g", "-O0", "-pthread");

export const nativeBuilds: Record<string, Build> = {
  ".c": c,
  ".cc": cpp,
  ".cpp": cpp,
  ".cxx": cpp,
  ".rs": compiler("rustc", "-g", "--edition", "2021"),
};
