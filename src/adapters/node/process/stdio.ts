/**
 * The program's three streams as real pipes. `spawn` would make socket pairs, and a program that opens `/dev/stdin` or a
 * shell script that writes to `/dev/stderr` fails on those, so it would behave differently because it is debugged.
 */
import { execFile } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;

export interface Stdio {
  /** For `spawn`: the program's ends. */
  theirs: [number, number, number];
  /** Once the program has its ends: an end of ours left open would keep the pipe from ever ending. */
  closeTheirs(): void;
  stdin: Socket;
  stdout: Socket;
  stderr: Socket;
}

/** `undefined` where there are no named pipes. */
export async function openStdio(): Promise<Stdio | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "sonde-stdio-"));
  const opened: number[] = [];
  const open = (file: string, flags: number) => {
    const fd = openSync(file, flags);
    opened.push(fd);
    return fd;
  };
  try {
    const names = ["in", "out", "err"].map((name) => join(folder, name));
    await promisify(execFile)("mkfifo", ["-m", "600", ...names]);
    const [input = "", ...outputs] = names;
    // Opening one end waits for the other, except for a reader that does not block.
    const opener = openSync(input, O_RDONLY | O_NONBLOCK);
    const ourInput = open(input, O_WRONLY | O_NONBLOCK);
    const theirInput = open(input, O_RDONLY);
    closeSync(opener);
    const [ourOut = -1, ourErr = -1] = outputs.map((file) => open(file, O_RDONLY | O_NONBLOCK));
    const [theirOut = -1, theirErr = -1] = outputs.map((file) => open(file, O_WRONLY));
    return {
      theirs: [theirInput, theirOut, theirErr],
      closeTheirs: () => [theirInput, theirOut, theirErr].forEach(closeSync),
      stdin: new Socket({ fd: ourInput, readable: false, writable: true }),
      stdout: new Socket({ fd: ourOut, readable: true, writable: false }),
      stderr: new Socket({ fd: ourErr, readable: true, writable: false }),
    };
  } catch {
    opened.forEach(closeSync);
    return undefined;
  } finally {
    // The pipes live on in whoever holds an end.
    rmSync(folder, { recursive: true, force: true });
  }
}
