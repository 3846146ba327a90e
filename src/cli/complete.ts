/** What a plain command (plain.ts) does not need, in a bundle of its own: every other command, and every failure of a plain one. */
import { fstatSync } from "node:fs";
import { isatty } from "node:tty";
import { BUILD } from "../client/build.ts";
import { callerCwd, callerEnv } from "../client/environment.ts";
import { endedMeanwhile, Link, silent } from "../client/link.ts";
import { places } from "../client/paths.ts";
import type { RawRequest } from "../client/wire.ts";
import { asSondeError, errorText, exitStatus, SondeError } from "../errors.ts";
import { safeJson } from "../util/safe-json.ts";
import { dieOfInterrupt, onInterrupt } from "./interrupt.ts";
import { bundle } from "./local/bundle.ts";
import { runLocal } from "./local/index.ts";
import { print } from "./print.ts";
import { sendStdin } from "./send-stdin.ts";
import { isForeground, isLocal, ownWords } from "./words.ts";

export { sendStdin };

/** Never throws. */
export function runCompletely(argv: string[]): Promise<number> {
  return run(argv).catch((thrown: unknown) => fail(thrown, argv));
}

/** The daemon took the command, and then the connection ended. */
export function failLost(argv: string[]): Promise<number> {
  return fail(endedMeanwhile(named(argv)), argv);
}

/** The daemon did not take it in time. Not sent again: whether it was begun is not known. */
export async function failSilent(argv: string[]): Promise<number> {
  return fail(await silent(undefined, places()), argv);
}

async function run(argv: string[]): Promise<number> {
  const own = ownWords(argv);
  if (isLocal(own)) return runLocal([...own]);
  if (isForeground(own, () => isatty(0) && isatty(1))) {
    const { runForeground } = await bundle("foreground.mjs");
    return Number(await runForeground?.(argv, { cwd: callerCwd(), env: callerEnv() }));
  }
  return forward(argv);
}

function named(argv: readonly string[]): string {
  return `\`sonde ${argv.slice(0, 2).join(" ")}\``;
}

async function forward(argv: string[]): Promise<number> {
  const request: RawRequest = { id: 1, build: BUILD, argv, cwd: callerCwd(), env: callerEnv() };
  const columns = terminalWidth();
  if (columns) request.columns = columns;
  const link = new Link();
  const interrupt = new AbortController();
  onInterrupt(() => {
    interrupt.abort();
    if (!link.connection || link.connection.closed) return false;
    link.connection.send({ id: request.id, cancel: true });
    return true;
  });
  const listen = {
    chunk: (text: string) => void printChunk(text),
    needStdin: () => void (link.connection && sendStdin(link.connection, request.id)),
  };
  const reply = await link.ask(request, listen, named(argv), interrupt.signal).catch((thrown: unknown) => {
    if (thrown === interrupt.signal.reason) dieOfInterrupt(); // nothing was begun
    throw thrown;
  });
  await chunks;
  if (!reply || !("exit" in reply)) {
    if (reply && "ok" in reply && !reply.ok)
      throw new SondeError(reply.error.code, reply.error.message, reply.error);
    throw new Error("unexpected reply from the daemon");
  }
  await print(1, reply.text);
  if (reply.stderr) await print(2, reply.stderr);
  if (interrupt.signal.aborted) dieOfInterrupt();
  return reply.exit;
}

/** Undefined when output goes elsewhere. Asking process.stdout first would set up a stream that is not needed then. */
function terminalWidth(): number | undefined {
  try {
    return fstatSync(1).isCharacterDevice() ? process.stdout.columns : undefined;
  } catch {
    return undefined; // closed
  }
}

/** Chunks keep their order even when one has to wait for its reader. */
let chunks: Promise<void> = Promise.resolve();

function printChunk(text: string): void {
  chunks = chunks.then(async () => {
    if ((await print(1, text)) === "closed") process.exit(0); // which ends the request too
  });
}

async function fail(thrown: unknown, argv: readonly string[]): Promise<number> {
  const error = asSondeError(thrown).toJSON();
  if (ownWords(argv).includes("--json")) await print(1, `${safeJson({ ok: false, error })}\n`);
  else await print(2, errorText(error));
  return exitStatus(error.code);
}
