/**
 * The `sonde` command: forwards its words to the daemon, prints the answer and exits as told. What every command pays for
 * is in this file and in client/; everything rarer is loaded when it is needed.
 */
import { fstatSync } from "node:fs";
import { isatty } from "node:tty";
import { BUILD } from "../client/build.ts";
import { callerCwd, callerEnv } from "../client/environment.ts";
import { Link } from "../client/link.ts";
import type { RawRequest } from "../client/wire.ts";
import { asSondeError, errorText, exitStatus, SondeError } from "../errors.ts";
import { safeJson } from "../util/safe-json.ts";
import { print } from "./print.ts";

const argv = process.argv.slice(2);

/** Words before `--`: what follows belongs to the debugged program. */
function ownWords(): string[] {
  const end = argv.indexOf("--");
  return end === -1 ? argv : argv.slice(0, end);
}

/** Answered without the daemon. */
const LOCAL = /^(help|completion|daemon|dap|mcp|skills|-V|--version)$/;

/** These need the caller's terminal; their declarations say so (`foreground`), and a test holds this list against them. */
const IN_TERMINAL = /^agent (run|attach|fork)$/;
const IN_TERMINAL_WITH = /^agent replay --serve$/;
/** In a terminal these are a conversation (`interactive`). */
const INTERACTIVE: readonly string[] = ["logs", "report", "clear-cache"];
/** Of those, which are one with `--plain` too: lines instead of a screen. */
const PLAIN_TOO: readonly string[] = ["logs"];

function isForeground(own: readonly string[]): boolean {
  const words = [...own];
  while (words[0]?.startsWith("-")) if (/^(-s|--session)$/.test(words.shift() ?? "")) words.shift();
  const name = words.slice(0, 2).join(" ");
  if (IN_TERMINAL.test(name)) return true;
  if (words.some((word) => IN_TERMINAL_WITH.test(`${name} ${word}`))) return true;
  if (!INTERACTIVE.includes(words[0] ?? "") && !INTERACTIVE.includes(name)) return false;
  const answers = PLAIN_TOO.includes(words[0] ?? "") ? /^--(json|yes)$/ : /^--(json|plain|yes)$/;
  return !own.some((word) => answers.test(word)) && isatty(0) && isatty(1);
}

async function main(): Promise<number> {
  const own = ownWords();
  if (argv.length === 0 || LOCAL.test(own[0] ?? "") || own.includes("-h") || own.includes("--help")) {
    return (await import("./local/index.ts")).runLocal(own);
  }
  if (isForeground(own)) {
    const { runForeground } = await (await import("./local/bundle.ts")).bundle("foreground.mjs");
    return Number(await runForeground?.(argv, { cwd: callerCwd(), env: callerEnv() }));
  }
  return forward();
}

async function forward(): Promise<number> {
  const request: RawRequest = { id: 1, build: BUILD, argv, cwd: callerCwd(), env: callerEnv() };
  const columns = terminalWidth();
  if (columns) request.columns = columns;
  const link = new Link();
  let interrupted = false;
  // Once: what there is by then is still an answer, if it comes soon. The second time ends us.
  process.once("SIGINT", () => {
    interrupted = true;
    if (!link.connection) return dieOfInterrupt();
    link.connection.send({ id: request.id, cancel: true });
    setTimeout(dieOfInterrupt, PATIENCE_MS);
  });
  const reply = await link.ask(
    request,
    {
      chunk: (text) => void printChunk(text),
      needStdin: () =>
        void import("./send-stdin.ts").then(
          ({ sendStdin }) => link.connection && sendStdin(link.connection, request.id),
        ),
    },
    `\`sonde ${argv.slice(0, 2).join(" ")}\``,
  );
  await chunks;
  if (!reply || !("exit" in reply)) {
    if (reply && "ok" in reply && !reply.ok)
      throw new SondeError(reply.error.code, reply.error.message, reply.error);
    throw new Error("unexpected reply from the daemon");
  }
  await print(1, reply.text);
  if (reply.stderr) await print(2, reply.stderr);
  if (interrupted) dieOfInterrupt();
  return reply.exit;
}

const PATIENCE_MS = 3000;

/** As a shell expects of what was interrupted: it shows 130, and ends a script. */
function dieOfInterrupt(): void {
  process.removeAllListeners("SIGINT");
  process.kill(process.pid, "SIGINT");
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

async function fail(thrown: unknown): Promise<number> {
  const error = asSondeError(thrown).toJSON();
  if (ownWords().includes("--json")) await print(1, `${safeJson({ ok: false, error })}\n`);
  else await print(2, errorText(error));
  return exitStatus(error.code);
}

// An explicit exit: open handles and the shutdown of unused machinery are not worth waiting for.
main()
  .catch(fail)
  .then((status) => process.exit(status));
