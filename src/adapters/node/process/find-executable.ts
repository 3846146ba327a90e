/** The first word of a command, found as a shell would find it, or a message that says why not. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

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
  throw new Error(
    env.PATH === undefined
      ? `command not found: ${word} (there is no PATH in the program's environment)`
      : `command not found: ${word} (not in the PATH of the program's environment)`,
  );
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
