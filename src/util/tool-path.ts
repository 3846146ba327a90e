/** Where tools of our own choosing (debuggers, compilers, helpers) are looked for. */
import { delimiter, isAbsolute } from "node:path";

const USUAL = ["/usr/local/bin", "/usr/bin", "/bin"];
const OF_A_PROJECT = /(^|[/\\])node_modules[/\\]\.bin([/\\]|$)/;

/**
 * The folders of a PATH, without those that a project fills: npm puts `node_modules/.bin` in front of everything for whatever it starts,
 * and a relative folder is a different one wherever we are. A program named `gdb` there is the project's, and asking it for its version runs it.
 * Any other folder is the user's choice, also inside a project: virtual environments and direnv put such folders there on purpose.
 */
export function toolFolders(path: string | undefined): string[] {
  if (path === undefined) return USUAL;
  return path.split(delimiter).filter((folder) => isAbsolute(folder) && !OF_A_PROJECT.test(folder));
}

export function toolPath(path: string | undefined): string {
  const folders = toolFolders(path);
  return (folders.length > 0 ? folders : USUAL).join(delimiter);
}
