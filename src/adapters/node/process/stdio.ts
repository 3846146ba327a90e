/**
 * The program's three streams as real pipes. `spawn` would make socket pairs, and a program that opens `/dev/stdin` or a
 * shell script that writes to `/dev/stderr` fails on those, so it would behave differently because it is debugged.
 *
 * Node cannot make a pipe, a shell can, and Linux lets us open one that another process of ours holds.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync } from "node:fs";
import { Socket } from "node:net";

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;

/** Holds three empty pipes as 4, 5 and 6, says its pid, and stays until we have opened them. */
const MAKE_PIPES =
  ": | { exec 4<&0; : | { exec 5<&0; : | { exec 6<&0; sh -c 'echo $PPID'; read -r _ <&3; }; }; }";

export interface Stdio {
  /** For `spawn`: the program's ends. */
  theirs: [number, number, number];
  /** Once the program has its ends: an end of ours left open would keep the pipe from ever ending. */
  closeTheirs(): void;
  stdin: Socket;
  stdout: Socket;
  stderr: Socket;
}

/** `undefined` where this cannot be done; then socket pairs have to do. */
export async function openStdio(): Promise<Stdio | undefined> {
  if (process.platform !== "linux") return undefined;
  const shell = spawn("/bin/sh", ["-c", MAKE_PIPES], { stdio: ["ignore", "pipe", "ignore", "pipe"] });
  shell.on("error", () => {}); // told by the missing pid: out of processes or of file descriptors
  if (shell.pid === undefined) return undefined;
  const keepAlive = shell.stdio[3];
  const said = shell.stdout;
  if (said === null) return undefined;
  const opened: number[] = [];
  try {
    // An exit code instead of a pid names no pipes, and opening them fails.
    const [pid]: unknown[] = await Promise.race([once(said, "data"), once(shell, "exit")]);
    const open = (fd: number, flags: number) => {
      const end = openSync(`/proc/${String(pid).trim()}/fd/${fd}`, flags);
      opened.push(end);
      return end;
    };
    const theirs: Stdio["theirs"] = [open(4, O_RDONLY), open(5, O_WRONLY), open(6, O_WRONLY)];
    // All of them before the first socket: a socket closes its descriptor itself, and twice is once too often.
    const ours = [
      open(4, O_WRONLY | O_NONBLOCK),
      open(5, O_RDONLY | O_NONBLOCK),
      open(6, O_RDONLY | O_NONBLOCK),
    ];
    const [stdin, stdout, stderr] = ours as [number, number, number];
    const reads = { readable: true, writable: false };
    return {
      theirs,
      closeTheirs: () => theirs.forEach(closeSync),
      stdin: new Socket({ fd: stdin, readable: false, writable: true }),
      stdout: new Socket({ fd: stdout, ...reads }),
      stderr: new Socket({ fd: stderr, ...reads }),
    };
  } catch {
    opened.forEach(closeSync);
    return undefined;
  } finally {
    keepAlive?.destroy();
  }
}
