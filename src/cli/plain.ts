/**
 * A command to a daemon that is there, as fast.pl does it, for machines without Perl. It knows the plain frames (daemon/plain-frame.ts), and
 * no error: for as long as the daemon has not said "accepted" whatever is odd is left to complete.ts (see client/wire.ts). Callbacks and few
 * functions, because all that is called here is compiled anew by every command.
 */
import { constants, fstatSync, openSync } from "node:fs";
import { connect } from "node:net";
import { BUILD } from "../client/build.ts";
import { callerCwd, callerEnv } from "../client/environment.ts";
import { runtimeFolder, SOCKET_NAME } from "../client/paths.ts";
import { ACCEPT_DEADLINE_MS, type ClientMessage } from "../client/wire.ts";
import { dieOfInterrupt, onInterrupt } from "./interrupt.ts";
import { print } from "./print.ts";

const ID = 1;
const HELLO = '{"hello":{"product":"sonde"';
const NEWLINE = 10;

const complete = () => import("./complete.ts");

/** `done` gets the exit status; undefined when nothing was begun. */
export function runPlainly(argv: string[], done: (status: number | undefined) => void): void {
  const folder = privateFolder(runtimeFolder(process.env));
  if (folder === undefined) {
    done(undefined);
    return;
  }
  const socket = connect(`${folder}/${SOCKET_NAME}`);
  const send = (message: ClientMessage) => void socket.write(`${JSON.stringify(message)}\n`);
  send({ id: ID, build: BUILD, plain: true, argv, cwd: callerCwd(), env: callerEnv() });
  let state: "greeting" | "asked" | "accepted" | "over" = "greeting";
  let interrupted = false;
  let deadline: NodeJS.Timeout | undefined;
  /** What has come and is not taken yet, and how much of it the next frame is. */
  let parts: Buffer[] = [];
  let length = 0;
  let needed = 0;
  /** Chunks keep their order even when one has to wait for its reader. */
  let printed = Promise.resolve();

  const end = (status: number | undefined) => {
    if (state === "over") return;
    state = "over";
    clearTimeout(deadline);
    socket.destroy();
    if (interrupted) return dieOfInterrupt(); // what was not begun by now must never be
    process.removeAllListeners("SIGINT");
    done(status);
  };
  const giveUp = () => {
    state = "over";
    socket.destroy();
    void complete().then(({ failSilent }) => failSilent(argv).then(done));
  };
  const cancel = () => {
    interrupted = true;
    send({ id: ID, cancel: true });
    return true;
  };
  const output = (fd: 1 | 2, bytes: Buffer, closed: () => void) => {
    if (bytes.length > 0)
      printed = printed.then(async () => void ((await print(fd, bytes)) === "closed" && closed()));
  };

  /** One frame from the start of what there is: its length, or 0 when there is more to come. */
  const take = (all: Buffer): number => {
    const head = all.indexOf(NEWLINE) + 1;
    if (head === 0) return 0;
    const line = all.toString("latin1", 0, head - 1);
    if (state === "greeting") {
      state = "asked";
      if (!line.startsWith(HELLO)) end(undefined);
      return head;
    }
    if (state === "asked") {
      if (line !== "accepted")
        end(undefined); // a refusal, as JSON
      else {
        state = "accepted";
        clearTimeout(deadline);
      }
      return head;
    }
    const [kind, first = 0, out = 0, errors = 0] = line
      .split(" ")
      .map((word, at) => (at ? Number(word) : word));
    const body = head + (kind === "chunk" ? Number(first) : Number(out) + Number(errors));
    needed = body;
    if (all.length < body) return 0;
    if (kind === "chunk")
      output(1, all.subarray(head, body), () => process.exit(0)); // which ends the request too
    else if (kind === "stdin") void complete().then(({ sendStdin }) => sendStdin({ send }, ID));
    else if (kind === "exit") {
      state = "over";
      output(1, all.subarray(head, head + Number(out)), () => {});
      output(2, all.subarray(head + Number(out), body), () => {});
      void printed.then(() => {
        if (interrupted) dieOfInterrupt();
        done(Number(first));
      });
    } else socket.destroy();
    return body;
  };

  // The request has gone out: what is set up only now costs nothing but the time that the daemon takes.
  socket.on("connect", () => {
    deadline = setTimeout(giveUp, ACCEPT_DEADLINE_MS);
    onInterrupt(cancel);
  });
  socket.on("data", (part: Buffer) => {
    parts.push(part);
    length += part.length;
    if (length < needed) return;
    let all = parts.length === 1 ? part : Buffer.concat(parts);
    needed = 0;
    for (let taken = 1; taken > 0 && all.length > 0 && state !== "over"; all = all.subarray(taken))
      taken = take(all);
    parts = [all];
    length = all.length;
  });
  socket.on("error", () => {}); // "close" follows
  socket.on("close", () => {
    if (state !== "accepted") return end(undefined);
    state = "over";
    void printed.then(complete).then(({ failLost }) => failLost(argv).then(done));
  });
}

/** As client/runtime-dir.ts has it, which says what is wrong otherwise: what was checked is held, and used even if another has its name by now. */
function privateFolder(path: string): string | undefined {
  try {
    const folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    const { uid, mode } = fstatSync(folder);
    if (uid !== process.getuid?.() || (mode & 0o077) !== 0) return undefined;
    return process.platform === "linux" ? `/proc/self/fd/${folder}` : path;
  } catch {
    return undefined;
  }
}
