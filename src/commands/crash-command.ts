/** crash: run until it dies, and show what it died of. */
import * as z from "zod";
import { SondeError } from "../errors.ts";
import { type Autopsy, autopsy } from "../session/autopsy.ts";
import type { OutputTail } from "../session/output-tail.ts";
import { awaitStop, resume } from "../session/running.ts";
import type { Session } from "../session/session.ts";
import type { Ending } from "../session/state.ts";
import type { Outcome } from "../session/stops.ts";
import { warnings, wholeTail } from "../session/whole-output.ts";
import type { Context } from "./context.ts";
import { type CrashResult, crashResult, type Death } from "./crash-shape.ts";
import { crashText, deathLine } from "./crash-text.ts";
import { command } from "./define.ts";
import { begin, plainValues, sessionless, typed } from "./one-run.ts";
import { prepareRun, running, stdinOf } from "./one-shot.ts";
import { parseEnv, parseJson } from "./start-arguments.ts";

const args = z.object({
  program: z.string().optional().describe("the program file; or give a whole command line after --"),
  core: z.string().optional().describe("look at this core file instead; the program may be left out"),
  timeout: z.number().positive().optional().describe("seconds the program may run (default 30)"),
  ...running,
});
type Args = z.infer<typeof args>;

export const crash = command({
  name: "crash",
  summary:
    "run a program until it dies (or read its core file): what of, every frame with its values, all threads",
  group: "runs",
  needs: "nothing",
  effect: "changes",
  args,
  result: crashResult,
  cli: { positionals: ["program"], rest: "args" },
  examples: [
    "sonde crash app.py",
    "sonde crash -- ./server --port 8080",
    "sonde crash --stdin bad-input.txt -- ./parse",
    "sonde crash --core core.4242 ./server",
  ],
  run: async (context, args) => {
    const stdin = await stdinOf(context, args);
    const session = await prepare(context, args);
    return context.once(session, async (signal) => {
      await begin(session, stdin, signal);
      return run(context, session, args, signal);
    });
  },
  text: crashText,
});

function prepare(context: Context, args: Args): Promise<Session> {
  const { core, program, args: words = [], adapter } = args;
  const named = adapter === undefined ? {} : { adapter };
  const extra = parseJson(args.argJson);
  if (core !== undefined) {
    const [left = program] = words;
    const of = left === undefined ? {} : { program: left };
    return context.prepareAttach({ core, extra, ...of, ...named });
  }
  if (program === undefined || words.length === 0) return prepareRun(context, args, program);
  return context.prepareLaunch({
    program,
    args: words,
    env: parseEnv(args.env ?? []),
    stopOnEntry: false,
    extra,
    ...named,
    ...(args.cwd === undefined ? {} : { cwd: args.cwd }),
    ...(args.build === undefined ? {} : { build: args.build }),
  });
}

/** What is thrown and not caught does not always end a program: it may have handlers of its own, or other threads. */
const MOST_SURVIVED = 20;
/** How long a program gets to die of it, whatever is left of its time. */
const DYING_MS = 5000;

async function run(
  context: Context,
  session: Session,
  args: Args,
  signal: AbortSignal,
): Promise<CrashResult> {
  const ranMs = args.timeout === undefined ? context.waits.stopMs : args.timeout * 1000;
  let until = performance.now() + ranMs;
  const deaths: { death: Death; output: OutputTail }[] = [];
  const { limits } = context;
  let outcome: Outcome;
  do {
    outcome = await awaitStop(session, { timeoutMs: Math.max(0, until - performance.now()), signal });
    if (outcome.kind !== "stopped") break;
    if (outcome.stop.reason === "exception" || session.core !== undefined) {
      const death = toDeath(await autopsy(session, limits));
      deaths.push({ death, output: wholeTail(session.output, limits.outputLines) });
      if (session.core !== undefined) break;
      until = Math.max(until, performance.now() + DYING_MS);
    }
    await resume(session);
  } while (deaths.length < MOST_SURVIVED);
  const last = deaths.at(-1);
  const ending = outcome.kind === "ended" ? outcome.ending : undefined;
  const printed =
    last && last.output.lines.length > 0 ? last.output : wholeTail(session.output, limits.outputLines);
  if (session.core !== undefined && !last)
    throw new SondeError("ADAPTER_FAILED", `nothing could be read from ${args.core}`);
  return {
    crashed: isCrash(session, last?.death, ending),
    ...(ending === undefined ? {} : { ended: { ...ending } }),
    ...(outcome.kind === "running" ? { ranSecs: ranMs / 1000 } : {}),
    ...(args.core === undefined ? {} : { core: args.core }),
    ...(last === undefined ? {} : { death: last.death }),
    survived: deaths.slice(0, -1).map(({ death }) => deathLine(death)),
    output: printed,
    notes: warnings(session.output).map(sessionless),
    again: again(args),
  };
}

/** A signal may end a program without a word to its debugger: a fault in native code below an interpreter. */
function isCrash(session: Session, death: Death | undefined, ending: Ending | undefined): boolean {
  if (session.core !== undefined || ending?.signal !== undefined) return true;
  return death !== undefined && ending !== undefined && ending.exitCode !== 0;
}

function toDeath({ snapshot, frames, ...rest }: Autopsy): Death {
  const { exception, reason, thread, frame, source } = snapshot;
  return {
    reason,
    thread,
    source,
    ...(exception === undefined
      ? {}
      : { exception: { ...exception, message: sessionless(exception.message) } }),
    ...(frame === undefined ? {} : { frame }),
    frames: frames.map((one) => ({ ...one, values: plainValues(one.values) })),
    ...rest,
  };
}

/** It stops there by itself. */
function again({ core, program, args = [], build }: Args): string {
  const words = args.length > 0 ? ["--", ...args] : [];
  const of = program === undefined ? [] : [program];
  if (core !== undefined) return typed(["sonde", "start", ...(of.length > 0 ? of : args), "--core", core]);
  return typed(["sonde", "start", ...of, ...(build ? ["--build"] : []), ...words]);
}
