/** The socket's file: only the user can reach it, from the moment it is there, and it is removed only while it is ours. */
import { chmodSync, lstatSync, mkdirSync, renameSync, unlinkSync } from "node:fs";
import type { Server } from "node:net";
import { dirname } from "node:path";
import { SondeError } from "../../errors.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../store/layout.ts";
import { nameAside } from "../store/whole-file.ts";

/** The least that systems permit, without its last zero. */
const LONGEST_PATH = 103;

/** Removes the file when called, if nobody else has put theirs in its place. */
export type Withdraw = () => void;

export async function listenAt(server: Server, path: string): Promise<Withdraw> {
  if (isPipe(path)) {
    await listening(server, path);
    return () => {};
  }
  makePrivate(dirname(path));
  // Bound under another name: nobody can connect before the mode is set, and what a killed process left is replaced.
  const aside = nameAside(path);
  if (Buffer.byteLength(aside) > LONGEST_PATH)
    throw new SondeError("BAD_ARGUMENT", `the path of a socket is too long for the system: ${path}`, {
      hint: "set XDG_RUNTIME_DIR to a folder with a shorter path",
    });
  await listening(server, aside);
  chmodSync(aside, PRIVATE_FILE);
  renameSync(aside, path);
  const own = inode(path);
  return () => {
    if (own !== undefined && inode(path) === own) unlinkSync(path);
  };
}

export function isPipe(path: string): boolean {
  return path.startsWith("\\\\.\\pipe\\");
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((done, fail) => {
    server.once("error", fail);
    server.listen(path, () => {
      server.off("error", fail);
      done();
    });
  });
}

function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const { uid, mode } = lstatSync(folder);
  const isMine = process.getuid === undefined || uid === process.getuid();
  if (isMine && (mode & 0o077) === 0) return;
  const rule = isMine
    ? `other users have access to it (mode ${(mode & 0o777).toString(8)})`
    : `it belongs to uid ${uid}`;
  throw new SondeError("PERMISSION", `the folder for the agent's socket is refused: ${folder}: ${rule}`, {
    hint: isMine ? "chmod 700 that folder" : "set XDG_RUNTIME_DIR to a folder of your own",
  });
}

function inode(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}
