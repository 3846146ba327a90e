/** What the system says of files, in words: a full disk or a folder in the way is no defect of ours. */

import { statSync } from "node:fs";
import { resolve, sep } from "node:path";
import { advice, shell, type Told } from "../advice/advice.ts";
import { type ErrorCode, SondeError } from "../errors.ts";

interface Said {
  code: ErrorCode;
  what(path: string): string;
  hint: Told;
}

const MAY_NOT: Said = {
  code: "PERMISSION",
  what: (path) => `${path}: the system does not permit it`,
  hint: "`ls -ld` shows who may read and write it; or choose another place",
};
const FULL: Said = {
  code: "REQUEST_FAILED",
  what: (path) => `${path} cannot be written: no space is left there`,
  hint: "make room, then try again",
};

const SAID: Record<string, Said> = {
  EACCES: MAY_NOT,
  EPERM: MAY_NOT,
  EROFS: {
    code: "PERMISSION",
    what: (path) => `${path} is on a file system that is read-only`,
    hint: "choose a place that can be written to",
  },
  ENOSPC: FULL,
  EDQUOT: FULL,
  EFBIG: {
    code: "REQUEST_FAILED",
    what: (path) => `${path} cannot be written: the file would be larger than the system permits`,
    hint: advice`${shell("ulimit -f")} shows the limit of the shell that started the daemon; ${shell("sonde daemon stop")} in one without it, then try again`,
  },
  EISDIR: {
    code: "BAD_ARGUMENT",
    what: (path) => `${path} is a folder, and a file belongs there`,
    hint: "move the folder away, or choose another place",
  },
  ENOTDIR: {
    code: "BAD_ARGUMENT",
    what: (path) => `${inTheWay(path)} is no folder`,
    hint: "move the file away, or choose another place",
  },
  EEXIST: {
    code: "BAD_ARGUMENT",
    what: (path) => `${inTheWay(path)} is in the way`,
    hint: "move it away, or choose another place",
  },
  ELOOP: {
    code: "BAD_ARGUMENT",
    what: (path) => `the symbolic links of ${path} lead in a circle`,
    hint: "`ls -l` shows where they lead",
  },
  ENAMETOOLONG: {
    code: "BAD_ARGUMENT",
    what: (path) => `${path}: the name is too long`,
    hint: "choose another place",
  },
};

/** Undefined for anything else. `path`: for errors that do not name it, and those that name one the user does not know. */
export function fileError(thrown: unknown, path?: string): SondeError | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { code = "", syscall, path: from, dest } = thrown as NodeJS.ErrnoException & { dest?: string };
  const said = OTHERS.test(syscall ?? "") ? undefined : SAID[code];
  if (syscall === undefined || said === undefined) return undefined;
  return new SondeError(said.code, said.what(path ?? dest ?? from ?? "a file"), {
    hint: said.hint,
    cause: thrown,
  });
}

const NO_ROOM = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** The same for what can happen wherever something is written. */
export function noRoomError(thrown: unknown): SondeError | undefined {
  return NO_ROOM.has((thrown as NodeJS.ErrnoException | undefined)?.code ?? "")
    ? fileError(thrown)
    : undefined;
}

/** They fail with some of the same words, and not because of a file's place. */
const OTHERS = /^(connect|bind|listen|accept|spawn|kill)/;

/** Does it, and tells of errors by this path. */
export function naming<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (thrown) {
    throw fileError(thrown, path) ?? thrown;
  }
}

/** The part of a path that should be a folder and is none; from the top, since nothing can be asked of what is below it. */
function inTheWay(path: string): string {
  const whole = resolve(path);
  for (let end = whole.indexOf(sep); end !== -1; end = whole.indexOf(sep, end + 1)) {
    const part = whole.slice(0, end) || sep;
    if (!isFolder(part)) return part;
  }
  return path;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // a link to nothing, or not ours to look at
  }
}
