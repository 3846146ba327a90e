/** Where the preload lies, and the environment that makes every Node process of a command load it. */
import { dirname } from "node:path";
import { ownFile } from "../../../util/own-file.ts";
import { quotedIfBlank } from "../../../util/shell-words.ts";

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
  return { ...preloading(env, bootFile), [SOCKET_VARIABLE]: socket };
}

/** Every Node process with this environment loads the file first. NODE_OPTIONS splits at blanks that are not between quotes. */
export function preloading(env: Record<string, string>, file: string): Record<string, string> {
  const ours = `--require ${quotedIfBlank(file)}`;
  const theirs = env.NODE_OPTIONS?.trim();
  return { ...env, NODE_OPTIONS: theirs ? `${ours} ${theirs}` : ours };
}
