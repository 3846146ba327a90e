/** The command line that finds who damaged the heap: no debugger can, once it has happened. */
import { existsSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { shellWord } from "../../util/shell-words.ts";
import { toolFolders } from "../../util/tool-path.ts";
import { shortPath } from "../answers/text.ts";
import type { Context } from "../context.ts";
import type { CrashResult } from "./crash-shape.ts";
import type { Running } from "./running.ts";

type Check = NonNullable<CrashResult["heap"]>;

const COMPILERS: Record<string, string> = {
  ".c": "cc",
  ".cc": "c++",
  ".cpp": "c++",
  ".cxx": "c++",
  ".C": "c++",
};

const commandText = (words: readonly string[]) => words.map(shellWord).join(" ");

/** valgrind takes the program as it is; without it, it must be compiled again. */
export function heapCheck(
  { cwd, env }: Pick<Context, "cwd" | "env">,
  { program, args = [], cwd: asked, stdin }: Running & { program?: string | undefined },
): Check | undefined {
  const folder = resolve(cwd, asked ?? "");
  const words = program === undefined ? args : [shortPath(resolve(cwd, program), folder), ...args];
  const [first, ...rest] = words;
  if (first === undefined) return undefined;
  const before = asked === undefined ? "" : `cd ${commandText([asked])} && `;
  const input =
    stdin !== undefined && "file" in stdin && stdin.file !== "-"
      ? ` < ${commandText([shortPath(resolve(cwd, stdin.file), folder)])}`
      : "";
  const compiler = COMPILERS[extname(first)];
  if (compiler === undefined) {
    if (!toolFolders(env.PATH).some((folder) => existsSync(join(folder, "valgrind"))))
      return { tool: "flags", command: "-g -fsanitize=address" };
    const path = first.includes("/") || program === undefined ? first : `./${first}`;
    return { tool: "valgrind", command: `${before}${commandText(["valgrind", path, ...rest])}${input}` };
  }
  const made = `${basename(first, extname(first))}-checked`;
  const build = commandText([compiler, "-g", "-fsanitize=address", "-pthread", first, "-o", made]);
  return {
    tool: "sanitizer",
    command: `${before}${build} && ${commandText([`./${made}`, ...rest])}${input}`,
  };
}
