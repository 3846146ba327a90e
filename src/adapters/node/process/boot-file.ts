/** Where the preload lies, and the environment that makes every Node process of a command load it. */
import { existsSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** Read by boot.cjs. */
const SOCKET_VARIABLE = "SONDE_NODE_SOCKET";

/** Beside the bundle in the built product, beside the adapter's sources otherwise. */
export function findBootFile(): string {
  return find("./node-boot.cjs", "../boot.cjs");
}

let ours: { file: string; parts: string } | undefined;

/** Whether a script in the program is the preload: nobody debugs that. */
export function isBootFile(path: string): boolean {
  const file = ours?.file ?? realpathSync(findBootFile());
  ours ??= { file, parts: `${dirname(file)}/boot/` };
  return path === ours.file || path.startsWith(ours.parts);
}

/** Opens the inspector of a running process for a moment. */
export function findOpener(): string {
  return find("./node-opener.cjs", "../boot/opener.cjs");
}

function find(...names: string[]): string {
  const places = names.map((name) => fileURLToPath(new URL(name, import.meta.url)));
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`sonde's own file is missing: ${places[0]}; install sonde again`);
  return found;
}

export function bootEnvironment(
  env: Record<string, string>,
  bootFile: string,
  socket: string,
): Record<string, string> {
  const ours = `--require ${quoteOption(bootFile)}`;
  const theirs = env.NODE_OPTIONS?.trim();
  return {
    ...env,
    NODE_OPTIONS: theirs ? `${ours} ${theirs}` : ours,
    [SOCKET_VARIABLE]: socket,
  };
}

/** NODE_OPTIONS splits at blanks; double quotes hold a word together, a backslash escapes inside them. */
function quoteOption(word: string): string {
  return /[\s"\\]/.test(word) ? `"${word.replace(/["\\]/g, "\\$&")}"` : word;
}
