/**
 * The folder that holds the socket. Whoever can write there can read what we send and answer in our name, so it is
 * used only when it is a real folder, ours, and closed to everyone else.
 */
import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { SondeError } from "../errors.ts";
import { hash, SOCKET_NAME } from "./paths.ts";

export interface RuntimeDir {
  /** Its name, for people and for fs.watch. */
  path: string;
  /** The folder itself, for files: on Linux through a held descriptor, so that a swap after the check changes nothing. */
  held: string;
}

/** Undefined when it does not exist. */
export function openRuntimeDir(path: string): RuntimeDir | undefined {
  if (process.platform === "win32") return { path, held: path };
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code;
    if (code === "ENOENT") return undefined;
    throw refusal(path, code);
  }
  const broken = ruleBroken(fstatSync(fd));
  if (broken) {
    closeSync(fd);
    throw refused(path, broken.rule, broken.hint);
  }
  if (process.platform === "linux") return { path, held: `/proc/self/fd/${fd}` };
  closeSync(fd);
  return { path, held: path };
}

export function makeRuntimeDir(path: string): RuntimeDir {
  const there = openRuntimeDir(path);
  if (there) return there;
  const parent = dirname(path);
  try {
    // A hashed fallback lies in /tmp/sonde-<uid>, which has to be as private as the folder itself.
    if (/^\/tmp\/sonde-\d+$/.test(parent)) makeRuntimeDir(parent);
    else mkdirSync(parent, { recursive: true, mode: 0o700 });
    mkdirSync(path, { mode: 0o700 });
  } catch (thrown) {
    const failure = thrown as NodeJS.ErrnoException;
    if (failure instanceof SondeError) throw failure;
    // EEXIST: twenty first commands at once; one of them made it.
    if (failure.code !== "EEXIST") {
      throw new SondeError("PERMISSION", `cannot create the runtime folder ${path}: ${failure.message}`, {
        hint: "set XDG_RUNTIME_DIR or SONDE_HOME to a folder you can write to",
      });
    }
  }
  const made = openRuntimeDir(path);
  if (!made) throw refused(path, "it vanished while it was being created");
  return made;
}

/** What to connect to. */
export function socketAddress(dir: RuntimeDir): string {
  if (process.platform === "win32") return `\\\\.\\pipe\\sonde-${hash(dir.path)}`;
  return join(dir.held, SOCKET_NAME);
}

function ruleBroken(stats: Stats): { rule: string; hint: string } | undefined {
  const uid = process.getuid?.();
  if (uid !== undefined && stats.uid !== uid) {
    return {
      rule: `it belongs to uid ${stats.uid}, not to you (uid ${uid})`,
      hint: "remove it, or set SONDE_HOME to another folder",
    };
  }
  if ((stats.mode & 0o077) !== 0) {
    const mode = (stats.mode & 0o777).toString(8).padStart(4, "0");
    return { rule: `other users can access it (mode ${mode}, must be 0700)`, hint: "chmod 700 that folder" };
  }
  return undefined;
}

function refusal(path: string, code: string | undefined): SondeError {
  if (code === "ELOOP" || code === "ENOTDIR") {
    let link = false;
    try {
      link = lstatSync(path).isSymbolicLink();
    } catch {
      return refused(path, "part of its path is not a folder");
    }
    return refused(path, link ? "it is a symbolic link" : "it is not a folder");
  }
  return refused(path, `it cannot be opened (${code})`);
}

function refused(
  path: string,
  rule: string,
  hint = "remove it, or set SONDE_HOME to another folder",
): SondeError {
  return new SondeError("PERMISSION", `the runtime folder ${path} is not safe to use: ${rule}`, { hint });
}
