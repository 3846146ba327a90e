/** Where the preload lies, and the environment that makes every Node process of a command load it. */
import { dirname } from "node:path";
import { ownFile } from "../../../util/own-file.ts";

/** Read by the preload. */
const SOCKET_VARIABLE = "SONDE_NODE_SOCKET";

export function findBootFile(): string {
  return ownFile("adapters/node/boot.entry.cjs");
}

let ours: { file: string; parts: string } | undefined;

/** Whether a script in the program is the preload: nobody debugs that. */
export function isBootFile(path: string): boolean {
  const file = ours?.file ?? findBootFile();
  ours ??= { file, parts: `${dirname(file)}/boot/` };
  return path === ours.file || path.startsWith(ours.parts);
}

/** Opens the inspector of a running process for a moment. */
export function findOpener(): string {
  return ownFile("adapters/node/boot/opener.entry.cjs");
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
