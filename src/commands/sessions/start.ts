/** start, attach, configs. */
import { existsSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import * as z from "zod";
import { advice, blank, call, named, option } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { awaitStop } from "../../session/running/running.ts";
import type { Outcome } from "../../session/running/stops.ts";
import type { Session } from "../../session/session.ts";
import { oneLine } from "../../util/text.ts";
import { type MoveResult, moveResult } from "../answers/shapes.ts";
import { moveText } from "../answers/snapshot-text.ts";
import { lines, shortPath } from "../answers/text.ts";
import { adapterArguments, bytesOf, environment, programInput } from "../argument-types.ts";
import type { AttachRequest, Context, OpenRequest, RunRequest } from "../context.ts";
import { command } from "../define.ts";
import { inputAs, PORT, PROGRAM } from "../mcp/spellings.ts";
import { report, WAITS, type Waiting, waited, waitMs } from "../running/moving.ts";
import { MAP } from "../runs/running.ts";
import { ranText, runTrigger, trigger } from "../runs/trigger.ts";
import { startWaiting } from "./sessions.ts";
import { declared, feed, parseMap, parsePort } from "./start-arguments.ts";

const opening = {
  map: z.array(z.string()).optional().describe(MAP),
  adapter: z
    .string()
    .optional()
    .describe("the debug adapter to use, by name or language (default: chosen for the program)")
    .meta({ brief: "debugger or language" }),
  name: z
    .string()
    .optional()
    .describe("name of the session (default: the program's name)")
    .meta({ mcp: "session", brief: "default: last used" }),
  functionBreak: z
    .array(z.string())
    .optional()
    .describe("stop when this function is called")
    .meta({ mcp: "function", list: "one" }),
  catch: z
    .array(z.string())
    .optional()
    .describe("stop on these exceptions: uncaught (default), all or none")
    .meta({ mcp: "filters", brief: "uncaught, all, none…" }),
  adapterArguments: adapterArguments.describe(
    "extra arguments for the adapter's launch or attach request, as JSON",
  ),
};

/** Of them, what a tool call can give. */
const OPENS = ["adapter", "functionBreak", "catch", "name"] as const;

const startArgs = z.object({
  program: z
    .string()
    .optional()
    .describe("the program file or project folder; or give a whole command line after --"),
  args: z
    .array(z.string())
    .optional()
    .describe("with a program: its arguments; without: the whole command line, -- npm run dev"),
  ...startWaiting,
  break: startWaiting.break.describe("set a breakpoint before the program runs: file:line[ if expr]"),
  ...opening,
  cwd: z.string().optional().describe("folder to run in (default: the current one)"),
  env: environment,
  stdin: programInput.describe(
    "use this file as the program's standard input; - uses that of this command (default: kept open; `input` writes to it)",
  ),
  stopOnEntry: z.boolean().optional().describe("stop on the first line"),
  build: z
    .boolean()
    .optional()
    .describe("if the program is a source file (main.c), compile it first, into a temporary folder")
    .meta({ brief: "compile first" }),
  core: z.string().optional().describe("open this core file instead of running; the program is optional"),
  config: z
    .string()
    .optional()
    .describe("start this configuration of .vscode/launch.json (`sonde configs` lists them)"),
  file: z.string().optional().describe("with --config: the value of ${file}"),
  runTasks: z.boolean().optional().describe("with --config: run its preLaunchTask first"),
});
type StartArgs = z.infer<typeof startArgs>;

export const start = command({
  name: "start",
  summary: "start a program, set the given breakpoints and run to the first stop",
  group: "session",
  skill: true,
  needs: "nothing",
  effect: "changes",
  args: startArgs,
  result: moveResult,
  cli: { positionals: ["program"], rest: "args", short: { break: "b", env: "e" } },
  library: { name: "launch", names: { args: "command", break: "breakpoints" }, also: ["args"] },
  mcp: {
    tool: "debug",
    action: "launch",
    spelled: [PROGRAM, inputAs("stdin", "stdin")],
    takes: [...OPENS, "env", "build", "stopOnEntry", ...WAITS],
    oneOf: [["program"], ["command"]],
    brief: "program, breakpoints.",
  },
  examples: [
    "sonde start app.js --break app.js:12",
    "sonde start app.ts --break 'src/cart.ts:40 if total < 0' -- --verbose",
    "sonde start --break lib/util.js:7 -- npm run dev",
    "sonde start main.c --build --break main.c:9",
    "sonde start --config 'Launch server' --break server.py:30",
    "sonde start ./server --core core.4242",
  ],
  run: async (context, args) => {
    const what = await asked(context, args);
    const stdin = args.stdin === undefined ? undefined : await bytesOf(context, args.stdin);
    const sessions: Session[] = [];
    for (const one of what) {
      const session = await context.open(one, (launch) => declared(context, launch, args));
      if (stdin !== undefined && sessions.length === 0) feed(session, stdin);
      sessions.push(session);
    }
    const [only] = sessions;
    return sessions.length === 1 && only
      ? waited(context, only, args, only.breakpoints.list())
      : firstOf(context, sessions, args);
  },
  text: moveText,
});

/** What the arguments ask for, in the one of three ways they can. */
async function asked(context: Context, args: StartArgs): Promise<RunRequest[]> {
  const rest = args.args ?? [];
  const { program, core, config, name } = args;
  const { cwd } = context;
  if (config !== undefined) {
    const misplaced = program ?? core;
    if (misplaced !== undefined)
      throw new SondeError(
        "BAD_ARGUMENT",
        advice`either ${named("config")} or ${misplaced}: the configuration names the program`,
      );
    const { file, runTasks } = args;
    const options = {
      ...(file === undefined ? {} : { file }),
      ...(runTasks === undefined ? {} : { runTasks }),
    };
    const all = await context.configured(config, options);
    return all.map((one) => changed(one, args, { name: all.length === 1 ? args.name : undefined, cwd }));
  }
  const stray = args.file !== undefined ? "file" : args.runTasks ? "runTasks" : undefined;
  if (stray !== undefined)
    throw new SondeError("BAD_ARGUMENT", advice`${named(stray)} belongs to ${named("config")}`, {
      hint: advice`${call("configs")} lists them`,
    });
  if (core !== undefined) {
    const plan = { core, extra: {}, ...(program === undefined ? {} : { program }) };
    return [changed({ request: "attach", plan }, args, { name, cwd })];
  }
  if (program === undefined && rest.length === 0)
    throw new SondeError("BAD_ARGUMENT", "start what?", {
      hint: advice`${call("start", { program: blank("program"), args: blank("arguments") })}, or ${call("start", { args: blank("command") })}`,
    });
  const what =
    program === undefined
      ? { command: rest, args: [] }
      : isCommand(program, context)
        ? { command: [program, ...rest], args: [] }
        : { program, args: rest };
  const plan: OpenRequest = { ...what, env: {}, stopOnEntry: false, extra: {} };
  return [changed({ request: "launch", plan }, args, { name, cwd })];
}

/** `npm`, `python3.12`: a bare word that is no file here, and a program on the path. */
function isCommand(word: string, { cwd, env }: Context): boolean {
  if (!/^[\w+-]+(\.\d+)*$/.test(word) || existsSync(resolve(cwd, word))) return false;
  return (env.PATH ?? "").split(delimiter).some((folder) => folder !== "" && existsSync(join(folder, word)));
}

/** What is typed goes over what is configured. */
function changed(
  one: RunRequest,
  args: StartArgs,
  { name, cwd }: { name: string | undefined; cwd: string },
): RunRequest {
  const extra = { ...one.plan.extra, ...args.adapterArguments };
  const moved = [...(parseMap(args.map, cwd).pathMap ?? []), ...(one.plan.pathMap ?? [])];
  const common = {
    extra,
    ...(moved.length === 0 ? {} : { pathMap: moved }),
    ...(args.adapter === undefined ? {} : { adapter: args.adapter }),
    ...(name === undefined ? {} : { name }),
  };
  if (one.request === "attach") {
    refuseForAttach(args);
    return { request: "attach", plan: { ...one.plan, ...common } };
  }
  const { plan } = one;
  if (args.config !== undefined && args.args !== undefined && plan.command)
    throw new SondeError("BAD_ARGUMENT", `${plan.name}: its arguments are part of a command line`, {
      hint: advice`type it with other arguments: ${call("start", { args: plan.command })}`,
    });
  const words = args.config === undefined || args.args === undefined ? {} : { args: args.args };
  return {
    request: "launch",
    plan: {
      ...plan,
      ...common,
      ...words,
      ...(args.cwd === undefined ? {} : { cwd: args.cwd }),
      ...(args.build === undefined ? {} : { build: args.build }),
      env: { ...plan.env, ...args.env },
      stopOnEntry: args.stopOnEntry ?? plan.stopOnEntry,
    },
  };
}

/** What is said about a program to be started means nothing for one that runs, or is dead. */
function refuseForAttach(args: StartArgs): void {
  const { cwd, env, stdin, build, stopOnEntry } = args;
  const launching = { cwd, env, stdin, build, stopOnEntry, args: args.args };
  const [stray] = Object.entries(launching).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  if (stray !== undefined)
    throw new SondeError("BAD_ARGUMENT", advice`${named(stray)} applies only when sonde starts the program`);
}

/** Of several started together: the first that stops. What the others come to is kept for whoever asks for them. */
async function firstOf(context: Context, sessions: readonly Session[], args: Waiting): Promise<MoveResult> {
  const timeoutMs = waitMs(context, args);
  const over = new AbortController();
  const signal = AbortSignal.any([context.signal, over.signal]);
  const outcomes = new Map<Session, Outcome>();
  const waits = sessions.map(async (session) => {
    const outcome = await awaitStop(session, { timeoutMs, signal });
    outcomes.set(session, outcome);
    if (outcome.kind === "ended") throw new Error("not a stop");
    return session;
  });
  const first = await Promise.any(waits).catch(() => sessions.find((one) => outcomes.has(one)));
  over.abort();
  await Promise.allSettled(waits);
  const outcome = first && outcomes.get(first);
  if (!outcome || !first) throw new SondeError("CANCELLED", "cancelled while waiting for a stop");
  for (const [session, other] of outcomes)
    if (session !== first && other.kind === "stopped") session.stops.arrived(other.debuggee, other.stop);
  context.use(first.launch);
  const result = await report(context, first, outcome, {
    ...args,
    fresh: first.breakpoints.list(),
    timeoutMs,
  });
  const others = sessions.filter((one) => one !== first).map((one) => `${one.name} (${one.stateName})`);
  const note = advice`also started: ${others.join(", ")}; ${option({ session: blank("name") })} reaches them`;
  if (result.state === "stopped") result.snapshot.notes.push(note);
  else result.notes.push(note);
  return result;
}

/** For a stop at the place where a process is found. */
const BRIEF_SECS = 5;

export const attach = command({
  name: "attach",
  summary: "attach to a running process, or to a debug server that listens on a port",
  group: "session",
  skill: true,
  needs: "nothing",
  effect: "changes",
  args: z.object({
    pid: z.number().int().positive().optional().describe("process id"),
    port: z.string().optional().describe("[host:]port of a listening debug server"),
    run: trigger.describe(
      "run this command once the breakpoints are set, and wait until the program stops or the command ends",
    ),
    ...startWaiting,
    ...opening,
  }),
  result: moveResult,
  cli: { positionals: ["pid"], short: { break: "b" } },
  library: { name: "attach", names: { break: "breakpoints" }, also: ["cwd"] },
  mcp: {
    tool: "debug",
    action: "attach",
    spelled: [PORT],
    takes: ["pid", "run", ...OPENS, ...WAITS],
    oneOf: [["pid"], ["port"]],
    // Somebody who waits for the answer can wait for a stop that comes at once.
    usual: (args) => (args.break === undefined ? { timeout: BRIEF_SECS } : {}),
    brief: "pid|port.",
  },
  examples: [
    "sonde attach 4242 --break server.js:88",
    "sonde attach 4242 --break server.js:88 --run 'curl -s localhost:3000/cart'",
    "sonde attach --port 9229",
    "sonde attach --port 5678 --adapter python",
  ],
  run: async (context, args) => {
    if (args.pid === undefined && args.port === undefined)
      throw new SondeError("BAD_ARGUMENT", "attach to what?", {
        hint: advice`${call("attach", { pid: blank("pid") })}, or ${call("attach", { port: blank("[host:]port") })}`,
      });
    const plan: AttachRequest = {
      ...(args.pid === undefined ? {} : { pid: args.pid }),
      ...(args.port === undefined ? {} : parsePort(args.port)),
      ...(args.adapter === undefined ? {} : { adapter: args.adapter }),
      ...(args.name === undefined ? {} : { name: args.name }),
      extra: args.adapterArguments ?? {},
      ...parseMap(args.map, context.cwd),
    };
    const session = await context.open({ request: "attach", plan }, (launch) =>
      declared(context, launch, args),
    );
    // A running program has no reason to stop unless a breakpoint was asked for.
    if (args.run !== undefined) return triggered(context, session, { ...args, run: args.run });
    const wait = args.break || args.functionBreak || args.timeout !== undefined;
    // One that a signal had halted stops once more by that signal, as soon as the debugger lets it go.
    const brief = session.launch.asFound.halted === undefined ? { noWait: true } : { timeout: BRIEF_SECS };
    return waited(context, session, wait ? args : { ...args, ...brief }, session.breakpoints.list());
  },
  text: moveText,
});

/** Until something stops, or the command has ended and nothing did. One that waits for a program that is stopped goes on. */
async function triggered(
  context: Context,
  session: Session,
  args: Waiting & { run: string },
): Promise<MoveResult> {
  const timeoutMs = waitMs(context, args);
  const over = new AbortController();
  const ran = runTrigger(context, args.run, timeoutMs / 1000).finally(() => over.abort());
  const signal = AbortSignal.any([context.signal, over.signal]);
  const outcome = await awaitStop(session, { timeoutMs, signal }).catch((error: unknown) => {
    if (!over.signal.aborted || context.signal.aborted) throw error;
    return { kind: "running" as const };
  });
  if (!over.signal.aborted) ran.catch(() => {}); // it is told of by what stopped
  const fresh = session.breakpoints.list();
  const result = await report(context, session, outcome, { ...args, fresh, timeoutMs });
  if (over.signal.aborted && result.state === "running")
    result.notes.push(`${ranText(await ran)}, and nothing stopped`);
  return result;
}

export const configs = command({
  name: "configs",
  summary: "list the configurations in .vscode/launch.json, for `start --config`",
  group: "session",
  needs: "nothing",
  effect: "reads",
  args: z.object({}),
  result: z.object({
    file: z.string(),
    rows: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        request: z.enum(["launch", "attach", "compound"]),
        what: z.string().exactOptional(),
        preLaunchTask: z.string().exactOptional(),
        problem: z.string().exactOptional(),
      }),
    ),
  }),
  run: async (context) => context.configurations(),
  text: ({ file, rows }, { cwd, say }) =>
    lines(
      `${rows.length === 0 ? "no configurations in " : ""}${shortPath(file, cwd)}`,
      rows.map((row) => {
        const kind = row.request === "compound" ? "compound" : `${row.type} ${row.request}`;
        const task = row.preLaunchTask === undefined ? "" : `  (preLaunchTask ${row.preLaunchTask})`;
        const problem = row.problem === undefined ? "" : `  (${row.problem})`;
        return oneLine(
          `  ${row.name}: ${kind}${row.what === undefined ? "" : `  ${row.what}`}${task}${problem}`,
        );
      }),
      rows.length > 0 && say(advice`next: ${call("start", { config: blank("name") })}`),
    ),
});
