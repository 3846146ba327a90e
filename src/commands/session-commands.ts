/** start, attach, detach, stop, restart, await. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { SondeError } from "../errors.ts";
import type { Session } from "../session/session.ts";
import type { Context } from "./context.ts";
import { command } from "./define.ts";
import { breakSpec, waited, waiting } from "./moving.ts";
import { moveResult } from "./shapes.ts";
import { moveText } from "./snapshot-text.ts";

const env = z.array(z.string()).optional().describe("KEY=VALUE for the program");
const opening = {
  adapter: z.string().optional().describe("which debugger (default: by the program)"),
  name: z.string().optional().describe("name of the session (default: the program's name)"),
  functionBreak: z.array(z.string()).optional().describe("stop when this function is called"),
  catch: z
    .array(z.string())
    .optional()
    .describe("also stop on these exceptions: uncaught (default), all, none"),
  argJson: z
    .string()
    .optional()
    .describe("extra arguments for the adapter's launch or attach request, as JSON"),
};
const { removeBreak: _, ...startWaiting } = waiting;

export const start = command({
  name: "start",
  summary: "start a program and run to the first stop, with the breakpoints in place",
  group: "session",
  needs: "nothing",
  effect: "changes",
  args: z.object({
    program: z.string().optional().describe("the program file; or give a whole command line after --"),
    args: z
      .array(z.string())
      .optional()
      .describe("the program's arguments, or a command line: -- npm run dev"),
    ...startWaiting,
    ...opening,
    cwd: z.string().optional().describe("folder to run in (default: yours)"),
    env,
    stdin: z
      .string()
      .optional()
      .describe("file for the program's standard input, - for yours (default: open, see `input`)"),
    stopOnEntry: z.boolean().optional().describe("stop on the first line"),
  }),
  result: moveResult,
  cli: { positionals: ["program"], rest: "args", short: { break: "b", env: "e" } },
  examples: [
    "sonde start app.js --break app.js:12",
    "sonde start app.ts --break 'src/cart.ts:40 if total < 0' -- --verbose",
    "sonde start --break lib/util.js:7 -- npm run dev",
  ],
  run: async (context, args) => {
    const rest = args.args ?? [];
    if (args.program === undefined && rest.length === 0)
      throw new SondeError("BAD_ARGUMENT", "start what?", {
        hint: "sonde start <program> [-- args], or sonde start -- <command line>",
      });
    const stdin = args.stdin === undefined ? undefined : await readStdin(context, args.stdin);
    const session = await context.prepareLaunch({
      ...(args.program === undefined ? { command: rest, args: [] } : { program: args.program, args: rest }),
      ...(args.adapter === undefined ? {} : { adapter: args.adapter }),
      ...(args.name === undefined ? {} : { name: args.name }),
      ...(args.cwd === undefined ? {} : { cwd: args.cwd }),
      env: parseEnv(args.env ?? []),
      stopOnEntry: args.stopOnEntry ?? false,
      extra: parseJson(args.argJson),
    });
    declare(context, session, args);
    await context.open(session);
    if (stdin !== undefined) feed(session, stdin);
    return waited(context, session, args, session.breakpoints.list());
  },
  text: moveText,
});

export const attach = command({
  name: "attach",
  summary: "attach to a running process, or to a debug server that listens on a port",
  group: "session",
  needs: "nothing",
  effect: "changes",
  args: z.object({
    pid: z.number().int().positive().optional().describe("process id"),
    port: z.string().optional().describe("[host:]port of a listening debug server"),
    ...startWaiting,
    ...opening,
  }),
  result: moveResult,
  cli: { positionals: ["pid"], short: { break: "b" } },
  examples: ["sonde attach 4242 --break server.js:88", "sonde attach --port 9229"],
  run: async (context, args) => {
    if (args.pid === undefined && args.port === undefined)
      throw new SondeError("BAD_ARGUMENT", "attach to what?", {
        hint: "sonde attach <pid>, or sonde attach --port [host:]port",
      });
    const address = args.port === undefined ? {} : parsePort(args.port);
    const session = await context.prepareAttach({
      ...(args.pid === undefined ? {} : { pid: args.pid }),
      ...address,
      ...(args.adapter === undefined ? {} : { adapter: args.adapter }),
      ...(args.name === undefined ? {} : { name: args.name }),
      extra: parseJson(args.argJson),
    });
    declare(context, session, args);
    await context.open(session);
    // A running program has no reason to stop unless a breakpoint was asked for.
    const wait = args.break || args.functionBreak || args.timeout !== undefined;
    return waited(context, session, wait ? args : { ...args, noWait: true }, session.breakpoints.list());
  },
  text: moveText,
});

export const restart = command({
  name: "restart",
  summary: "run the program again from the start, same arguments and breakpoints",
  group: "session",
  needs: "session",
  effect: "changes",
  args: z.object(startWaiting),
  result: moveResult,
  run: async (context, args) => {
    const { session } = context;
    if (session.opening.request === "attach")
      throw new SondeError(
        "UNSUPPORTED",
        "an attached program was not started by sonde, so it cannot be restarted",
      );
    for (const text of args.break ?? []) session.breakpoints.declare(breakSpec(text, context.cwd));
    await session.restart(context.signal);
    return waited(context, session, args);
  },
  text: moveText,
});

export const awaitCommand = command({
  name: "await",
  summary: "wait for the next stop, or for the program to end",
  group: "session",
  needs: "session",
  effect: "reads",
  args: z.object({ timeout: waiting.timeout, eval: waiting.eval }),
  result: moveResult,
  run: (context, args) => {
    const { session } = context;
    const stopped = session.focus.debuggee.stop && !session.stops.isUnseen(session.focus.debuggee);
    if (stopped)
      throw new SondeError("NOT_RUNNING", `${session.name} is stopped already`, {
        hint: "`sonde context` shows where; `sonde continue` runs on",
      });
    return waited(context, session, { ...args, timeout: args.timeout ?? context.waits.awaitMs / 1000 });
  },
  text: moveText,
});

export const detach = command({
  name: "detach",
  summary: "end the session and leave the program running",
  group: "session",
  needs: "live",
  effect: "changes",
  args: z.object({}),
  result: z.object({ session: z.string(), pid: z.number().optional() }),
  run: async (context) => {
    const { session } = context;
    const pid = session.main?.pid;
    await context.end(session, { detach: true });
    return { session: session.name, pid };
  },
  text: ({ session, pid }) => `detached: ${session}${pid === undefined ? "" : ` (pid ${pid})`} runs on\n`,
});

export const stop = command({
  name: "stop",
  summary: "end the session and everything started for it; an attached program lives on",
  group: "session",
  needs: "nothing",
  effect: "changes",
  args: z.object({ all: z.boolean().optional().describe("every session") }),
  result: z.object({ ended: z.array(z.object({ session: z.string(), attached: z.boolean() })) }),
  run: async (context, args) => {
    const which = args.all ? [...context.sessions] : [context.session];
    await Promise.all(which.map((session) => context.end(session)));
    return {
      ended: which.map((session) => ({
        session: session.name,
        attached: session.opening.request === "attach",
      })),
    };
  },
  text: ({ ended }) =>
    ended.length === 0
      ? "no session to stop\n"
      : ended
          .map(
            (one) =>
              `stopped: session ${one.session}${one.attached ? " (detached, the process runs on)" : ""}\n`,
          )
          .join(""),
});

function declare(
  context: Context,
  session: Session,
  args: { break?: string[] | undefined; functionBreak?: string[] | undefined; catch?: string[] | undefined },
): void {
  for (const text of args.break ?? []) session.breakpoints.declare(breakSpec(text, context.cwd));
  for (const name of args.functionBreak ?? [])
    session.breakpoints.declare({ kind: "function", name, asked: name });
  if (!args.catch) return;
  session.breakpoints.clearCatches();
  for (const name of args.catch.filter((one) => one !== "none"))
    session.breakpoints.declareCatch(name, filtersFor(session, name));
}

/** A common name (`uncaught`) or one of the adapter's own. */
export function filtersFor(session: Session, name: string): string[] {
  const common = session.adapter.catches[name];
  if (common) return common;
  const own = session.main?.capabilities.exceptionBreakpointFilters?.map((filter) => filter.filter) ?? [];
  if (own.includes(name)) return [name];
  const known = new Set([...Object.keys(session.adapter.catches), ...own]);
  throw new SondeError("BAD_ARGUMENT", `no exception filter ${name}`, {
    hint: `there are: ${[...known].join(", ")}`,
  });
}

function parseEnv(pairs: string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw new SondeError("BAD_ARGUMENT", `--env: \`${pair}\` is not KEY=VALUE`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

function parseJson(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // falls through to the one message for everything that is not an object
  }
  throw new SondeError("BAD_ARGUMENT", "--arg-json must be a JSON object");
}

function parsePort(text: string): { host?: string; port: number } {
  const match = /^(?:(.+):)?(\d+)$/.exec(text);
  const port = Number(match?.[2]);
  if (!match || port < 1 || port > 65535)
    throw new SondeError("BAD_ARGUMENT", `--port: \`${text}\` is not [host:]port`);
  return { port, ...(match[1] === undefined ? {} : { host: match[1] }) };
}

async function readStdin(context: Context, from: string): Promise<Buffer> {
  if (from === "-") return context.stdin();
  try {
    return readFileSync(resolve(context.cwd, from));
  } catch (error) {
    throw new SondeError("BAD_ARGUMENT", `--stdin: ${(error as Error).message}`);
  }
}

/** Not awaited: a program that reads nothing must not hold up the answer. */
function feed(session: Session, bytes: Buffer): void {
  const route = session.main?.stdin;
  if (!route)
    throw new SondeError(
      "UNSUPPORTED",
      `the ${session.adapter.name} adapter has no way to feed standard input`,
    );
  void route
    .write(bytes)
    .then(() => route.end())
    .catch(() => {});
}
