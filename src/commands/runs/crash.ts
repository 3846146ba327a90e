/** crash: run until it dies, and show what it died of. */
import * as z from "zod";
import { type Call, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { Output } from "../../session/output/output.ts";
import type { OutputTail } from "../../session/output/tail.ts";
import { keptOutput } from "../../session/output/whole.ts";
import { awaitStop, resume } from "../../session/running/running.ts";
import type { Outcome } from "../../session/running/stops.ts";
import type { Session } from "../../session/session.ts";
import { type Autopsy, autopsy, type FrameValues } from "../../session/stack/autopsy.ts";
import type { Ending } from "../../session/state.ts";
import type { Context, RunRequest } from "../context.ts";
import { command } from "../define.ts";
import { parseMap } from "../sessions/start-arguments.ts";
import { nextOf } from "./crash-next.ts";
import { type CrashResult, crashResult, type Death } from "./crash-shape.ts";
import { crashText, deathLine } from "./crash-text.ts";
import { heapCheck } from "./heap-check.ts";
import { begin, plainValues, programRequest, sessionless, startCall } from "./one-run.ts";
import { RUN_SPELLED, RUNS, running, stdinOf } from "./running.ts";

const args = z.object({
  program: z.string().optional().describe("the program file; or give a whole command line after --"),
  core: z
    .string()
    .optional()
    .describe("read this core file instead; the program is optional")
    .meta({ brief: "file" }),
  timeout: z.number().positive().optional().describe("end the program after this many seconds (default 30)"),
  ...running,
});
type Args = z.infer<typeof args>;

export const crash = command({
  name: "crash",
  summary:
    "run a program until it crashes (or read a core file) and show the cause, every frame with its values, and all threads",
  group: "runs",
  skill: true,
  needs: "nothing",
  effect: "changes",
  args,
  result: crashResult,
  cli: { positionals: ["program"], rest: "args" },
  library: { name: "crash", names: { args: "command" } },
  mcp: {
    tool: "probe",
    action: "crash",
    spelled: RUN_SPELLED,
    takes: ["core", "program", ...RUNS, "timeout"],
    oneOf: [["command"], ["core"]],
    goesWith: { program: "core" },
    brief: "what command (or core) died of.",
  },
  examples: [
    "sonde crash app.py",
    "sonde crash -- ./server --port 8080",
    "sonde crash --stdin bad-input.txt -- ./parse",
    "sonde crash --core core.4242 ./server",
  ],
  run: async (context, args) => {
    const stdin = await stdinOf(context, args);
    return context.once(requestOf(context, args), async (launch, signal) =>
      run(context, await begin(launch, stdin, signal), args, signal),
    );
  },
  text: crashText,
});

function requestOf(context: Context, args: Args): RunRequest {
  const { core, program, args: words = [], adapter } = args;
  const named = adapter === undefined ? {} : { adapter };
  if (core !== undefined) {
    const extra = args.adapterArguments ?? {};
    const [left = program] = words;
    const of = left === undefined ? {} : { program: left };
    const plan = { core, extra, ...of, ...named, ...parseMap(args.map, context.cwd) };
    return { request: "attach", plan };
  }
  return programRequest(context, args, program);
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
  const deaths: { death: Death; cursor: number; heap: boolean }[] = [];
  const { limits } = context;
  let outcome: Outcome;
  do {
    outcome = await awaitStop(session, { timeoutMs: Math.max(0, until - performance.now()), signal });
    if (outcome.kind !== "stopped") break;
    if (outcome.stop.reason === "exception" || session.core !== undefined) {
      const { above, ...found } = await autopsy(session, limits);
      const death = toDeath(found);
      const heap = session.adapter.heapDamage?.(above, death.exception?.message ?? "") ?? false;
      deaths.push({ death, cursor: session.output.read().cursor, heap });
      if (session.core !== undefined) break;
      until = Math.max(until, performance.now() + DYING_MS);
    }
    await resume(session);
  } while (deaths.length < MOST_SURVIVED);
  const last = deaths.at(-1);
  const ending = outcome.kind === "ended" ? outcome.ending : undefined;
  if (session.core !== undefined && !last)
    throw new SondeError("ADAPTER_FAILED", `nothing could be read from ${args.core}`);
  const crashed = isCrash(session, last?.death, ending);
  const { program, core } = args;
  const heap = crashed && core === undefined && last?.heap ? heapCheck(context, args) : undefined;
  const next =
    crashed && last && core === undefined && heap === undefined
      ? await nextOf(last.death, args, { program, cwd: context.cwd })
      : undefined;
  const native = crashed && last === undefined ? await nativeAdapter(context) : undefined;
  return {
    crashed,
    ...(native === undefined ? {} : { native }),
    ...(ending === undefined ? {} : { ended: { ...ending } }),
    ...(outcome.kind === "running" ? { ranSecs: ranMs / 1000 } : {}),
    ...(core === undefined ? {} : { core }),
    ...(last === undefined ? {} : { death: last.death }),
    survived: deaths.slice(0, -1).map(({ death }) => deathLine(death)),
    output: printed(session.output, last),
    notes: sessionless(session.launch.notes.all),
    again: again(args),
    ...(heap === undefined ? {} : { heap }),
    ...(next === undefined ? {} : { next }),
  };
}

/** One that reads machine code, whatever language it came from, and is installed. */
async function nativeAdapter(context: Context): Promise<string | undefined> {
  return (await context.adapters()).find(({ found, languages }) => found && languages.includes("c"))?.name;
}

/** Not the runtime's own report of what is told already: it is long, and full of the debugger's frames. */
function printed(output: Output, last: { death: Death; cursor: number } | undefined): OutputTail {
  const { message = "", type = "" } = last?.death.exception ?? {};
  const told = message.split("\n")[0]?.trim() || type;
  if (last === undefined || told === "") return keptOutput(output);
  const after = output.read(last.cursor, new Set(["stderr"])).events;
  const isReport = after
    .map(({ text }) => text)
    .join("")
    .includes(told);
  return keptOutput(
    output,
    ({ cursor, category }) => !isReport || category !== "stderr" || cursor <= last.cursor,
  );
}

/** A signal may end a program without a word to its debugger: a fault in native code below an interpreter. */
function isCrash(session: Session, death: Death | undefined, ending: Ending | undefined): boolean {
  if (session.core !== undefined || ending?.signal !== undefined) return true;
  return death !== undefined && ending !== undefined && ending.exitCode !== 0;
}

function toDeath({ snapshot, frames, causes, ...rest }: Omit<Autopsy, "above">): Death {
  const { exception, reason, thread, frame, source } = snapshot;
  return {
    reason,
    thread,
    source,
    ...(exception === undefined ? {} : { exception }),
    ...(frame === undefined ? {} : { frame }),
    frames: frames.map(plainFrame),
    causes: causes.map((one) => ({ ...one, frames: one.frames.map(plainFrame) })),
    ...rest,
  };
}

function plainFrame(frame: FrameValues): FrameValues {
  return { ...frame, values: plainValues(frame.values) };
}

/** It stops there by itself. */
function again(args: Args): Call {
  const { core, program, args: words = [] } = args;
  if (core === undefined) return startCall(args, program);
  return call("start", { program: program ?? words[0], core });
}
