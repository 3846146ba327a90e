/** The first word of a command, found as a shell would find it, or a message that says why not. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";

export function findExecutable(word: string, cwd: string, env: Record<string, string>): string {
  if (word.includes("/")) {
    const file = resolve(cwd, word);
    const problem = whyNotExecutable(file);
    if (problem !== undefined) throw new Error(`cannot run ${file}: ${problem}`);
    return file;
  }
  const folders = (env.PATH ?? "/usr/local/bin:/usr/bin:/bin").split(delimiter);
  const files = folders.map((folder) => resolve(cwd, join(folder, word)));
  const found = files.find((file) => whyNotExecutable(file) === undefined);
  if (found !== undefined) return found;
  const why = env.PATH === undefined ? "there is no PATH in" : "not in the PATH of";
  throw new Error(`command not found: ${word} (${why} the program's environment)${wayTo(word, cwd)}`);
}

function whyNotExecutable(file: string): string | undefined {
  try {
    if (!statSync(file).isFile()) return "it is not a file";
    accessSync(file, constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "EACCES" ? "it is not executable" : code === "ENOENT" ? "no such file" : String(code);
  }
}

function wayTo(word: string, cwd: string): string {
  if (isOfProject(word, cwd)) return `; the project has it: \`npx ${word} …\` runs it`;
  if (!/^(?:tsx|ts-node)$/.test(word)) return "";
  return `; install it with \`npm i -D ${word}\`, then \`npx ${word} …\` runs it`;
}

/** Whether npm has installed it for the project around a folder. */
function isOfProject(word: string, cwd: string): boolean {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (whyNotExecutable(join(folder, "node_modules", ".bin", word)) === undefined) return true;
    if (folder === dirname(folder)) return false;
  }
}
