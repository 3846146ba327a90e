/** hang: where a program that does not go on is, what moves in it, and what waits for what. */
import * as z from "zod";
import { advice, type Call, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { keptOutput } from "../../session/output/whole.ts";
import { awaitStop, resume } from "../../session/running/running.ts";
import type { Outcome } from "../../session/running/stops.ts";
import type { Session } from "../../session/session.ts";
import { ownValues, toGroup } from "../../session/stack/autopsy.ts";
import type { Limits } from "../../session/stack/snapshot.ts";
import { fileLines } from "../../session/stack/source.ts";
import { waitsOf } from "../../session/threads/blocked.ts";
import { type Movement, movement } from "../../session/threads/movement.ts";
import { type Sampling, sample } from "../../session/threads/sampling.ts";
import {
  groupStacks,
  readStacks,
  type Stacks,
  shownFrame,
  type ThreadStack,
} from "../../session/threads/thread-stacks.ts";
import { type WaitingThread, waitCycle } from "../../session/threads/wait-cycle.ts";
import type { Context, RunRequest } from "../context.ts";
import { command } from "../define.ts";
import { parseMap } from "../sessions/start-arguments.ts";
import { type HangGroup, type HangResult, type HangTask, hangResult } from "./hang-shape.ts";
import { hangText } from "./hang-text.ts";
import { begin, plainValues, programRequest, sessionless, startCall } from "./one-run.ts";
import { RUN_SPELLED, RUNS, running, stdinOf } from "./running.ts";

const args = z.object({
  program: z
    .string()
    .optional()
    .describe(
      "a program file to start; a number is taken as a process id; or give a whole command line after --",
    ),
  pid: z.number().int().positive().optional().describe("id of a running process; it is left running"),
  after: z
    .number()
    .nonnegative()
    .default(5)
    .describe("seconds to let the program run before the first sample")
    .meta({ brief: "seconds" }),
  samples: z.number().int().min(1).max(50).default(3).describe("number of samples"),
  interval: z.number().nonnegative().default(0.3).describe("seconds between samples"),
  ...running,
});
type Args = z.infer<typeof args>;

export const hang = command({
  name: "hang",
  summary: "show why a program hangs: sample all stacks and report what runs and what waits for what",
  group: "runs",
  skill: true,
  needs: "nothing",
  effect: "changes",
  args,
  result: hangResult,
  cli: { positionals: ["program"], rest: "args" },
  library: { name: "hang", names: { args: "command" } },
  mcp: {
    tool: "probe",
    action: "hang",
    spelled: RUN_SPELLED,
    takes: ["pid", "after", ...RUNS],
    oneOf: [["command"], ["pid"]],
    goesWith: { after: "command" },
    brief: "command or pid, what waits for what.",
  },
  examples: [
    "sonde hang 4242",
    "sonde hang app.py",
    "sonde hang --after 2 -- ./server",
    "sonde hang --samples 10 -- python3 app.py",
  ],
  run: async (context, given) => {
    const args = withPid(given);
    const stdin = await stdinOf(context, args);
    return context.once(requestOf(context, args), async (launch, signal) => {
      const session = await begin(launch, stdin, signal);
      const early = args.pid === undefined ? await settle(session, args.after * 1000, signal) : undefined;
      const seen = early
        ? { samples: await lastStacks(session, early), ranMs: 0, deaf: false, outcome: early }
        : await sample(session, { count: args.samples, intervalMs: args.interval * 1000, signal });
      checkDebugger(seen, args);
      return describe(context, session, args, seen);
    });
  },
  text: hangText,
});

/** A number is a process, unless it is said to be a program by a path: `./4242`. */
function withPid({ program, ...args }: Args): Args {
  if (program === undefined || !/^\d+$/.test(program))
    return { ...args, ...(program === undefined ? {} : { program }) };
  if (args.pid !== undefined) throw new SondeError("BAD_ARGUMENT", "which process: two are named");
  return { ...args, pid: Number(program) };
}

function requestOf(context: Context, args: Args): RunRequest {
  const { pid, program, adapter } = args;
  if (pid === undefined) return programRequest(context, args, program);
  if (args.args?.length || program !== undefined)
    throw new SondeError("BAD_ARGUMENT", "either a process id or a program, not both");
  const extra = args.adapterArguments ?? {};
  const named = adapter === undefined ? {} : { adapter };
  const plan = { pid, extra, ...named, ...parseMap(args.map, context.cwd) };
  return { request: "attach", plan };
}

/** The time it gets to begin hanging; what stops or ends it before then is the answer. */
async function settle(session: Session, timeoutMs: number, signal: AbortSignal) {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const outcome = await awaitStop(session, { timeoutMs: Math.max(0, until - performance.now()), signal });
    if (outcome.kind === "running") return undefined;
    if (outcome.kind === "ended" || outcome.stop.reason === "exception") return outcome;
    await resume(session); // a `debugger` statement, say
  }
}

/** A debugger that was lost tells nothing of the program: to say that it ended, and so did not hang, would be made up. */
function checkDebugger({ outcome }: Sampling, args: Args): void {
  if (outcome?.kind !== "ended" || outcome.ending.how !== "failed") return;
  throw new SondeError("ADAPTER_FAILED", outcome.ending.why ?? "the debug adapter is gone", {
    hint: advice`look again, or by hand: ${again(args)}`,
  });
}

async function lastStacks(session: Session, outcome: Outcome): Promise<Stacks[]> {
  return outcome.kind === "stopped" ? [await readStacks(session)] : [];
}

async function describe(context: Context, session: Session, args: Args, seen: Sampling): Promise<HangResult> {
  const { limits } = context;
  // Before it is asked anything: a debugger may let the program print the answers.
  const output = keptOutput(session.output);
  const last = seen.outcome?.kind === "ended" ? undefined : seen.samples.at(-1);
  const waits = last ? await waitsOf(session, last.stacks) : [];
  const cycle = waitCycle(waits) ?? [];
  const groups = last ? await grouped(session, seen, waits, limits) : [];
  const exception = seen.outcome?.kind === "stopped" ? thrown(seen.outcome.stop) : undefined;
  const { used, ranMs } = seen;
  const processor = used === undefined || ranMs === 0 ? undefined : used.ranMs / ranMs;
  const pending = groups.every((one) => one.frames.length === 0) ? await pendingIn(session) : undefined;
  return {
    verdict: verdictOf({ seen, cycle, groups, exception }),
    cycle: cycle.map(({ number }) => number),
    ...(exception === undefined ? {} : { exception }),
    ...(seen.outcome?.kind === "ended" ? { ended: { ...seen.outcome.ending } } : {}),
    samples: seen.samples.length,
    overSecs: Math.round(seen.ranMs / 100) / 10,
    ...(processor === undefined ? {} : { processor: Math.round(processor * 100) / 100 }),
    ...(args.pid === undefined ? { afterSecs: args.after } : {}),
    ...(session.main?.pid === undefined ? {} : { pid: session.main.pid }),
    left: args.pid !== undefined,
    groups,
    moreThreads: last?.more ?? 0,
    tasks: waits.flatMap(tasksOf),
    ...(pending === undefined ? {} : { pending }),
    output,
    notes: sessionless(session.launch.notes.all),
    again: again(args),
  };
}

function tasksOf({ number, tasks = [] }: WaitingThread): HangTask[] {
  return tasks.map((one) => {
    const [top] = one.frames;
    const source = top && fileLines(top.path)?.[top.line - 1]?.trim();
    return { ...one, thread: number, ...(source ? { source } : {}) };
  });
}

function thrown(stop: { text?: string; description?: string; reason: string }) {
  const message = stop.text ?? stop.description ?? stop.reason;
  return { message, ...(stop.description && stop.description !== message ? { type: stop.description } : {}) };
}

/** By the last sample; threads that did otherwise before it are apart. */
async function grouped(
  session: Session,
  { samples }: Sampling,
  waits: readonly WaitingThread[],
  limits: Limits,
): Promise<HangGroup[]> {
  const moves = new Map<ThreadStack, Movement>();
  const last = samples.at(-1)?.stacks ?? [];
  for (const one of last) moves.set(one, movement(samples.map((all) => framesOf(all, one))));
  const groups: HangGroup[] = [];
  const sorted = groupStacks(
    last,
    (one) => `${moves.get(one)?.moved} ${JSON.stringify(moves.get(one)?.places)}`,
  );
  for (const members of sorted) {
    const [first] = members;
    const move = first && moves.get(first);
    if (!first || !move) continue;
    const numbers = new Set(members.map(({ thread }) => thread.number));
    groups.push({
      ...toGroup(members),
      ...move,
      values: await topValues(session, first, limits),
      waits: waits
        .filter((one) => numbers.has(one.number) && one.what !== undefined)
        .map(({ tasks: _, ...one }) => one),
      ...(first.refused === undefined ? {} : { refused: first.refused }),
    });
  }
  // Those that wait for each other are what it is about.
  const involved = (group: HangGroup) => (group.waits.some((one) => one.heldBy.length > 0) ? 0 : 1);
  return groups.sort((a, b) => involved(a) - involved(b));
}

function framesOf({ stacks }: Stacks, { thread }: ThreadStack) {
  const same = ({ thread: other }: ThreadStack) =>
    other.debuggee === thread.debuggee && other.threadId === thread.threadId;
  return stacks.find(same)?.frames;
}

async function topValues(session: Session, { thread, frames }: ThreadStack, limits: Limits) {
  const top = shownFrame(frames);
  if (!top?.user || !thread.debuggee.stop) return [];
  return plainValues(await ownValues(session, thread.debuggee, top, limits));
}

/** One that wants to run for more than this share of the time works. */
const WORKS = 0.2;

function verdictOf(all: {
  seen: Sampling;
  cycle: readonly WaitingThread[];
  groups: readonly HangGroup[];
  exception: { message: string } | undefined;
}): HangResult["verdict"] {
  const { seen, cycle, groups, exception } = all;
  if (seen.outcome?.kind === "ended") return "ended";
  if (cycle.length > 0 || /\bdeadlock\b/i.test(exception?.message ?? "")) return "deadlock";
  if (exception) return "stopped";
  if (groups.length > 0 && groups.every((one) => one.frames.length === 0 && one.refused === undefined))
    return "idle";
  const { used, ranMs } = seen;
  if (used && ranMs > 0) return (used.ranMs + used.queuedMs) / ranMs > WORKS ? "busy" : "waiting";
  return groups.some((one) => one.moved) ? "busy" : "waiting";
}

async function pendingIn(session: Session): Promise<string | undefined> {
  const expression = session.adapter.waits?.pending;
  const debuggee = session.main;
  if (expression === undefined || !debuggee || debuggee.ended) return undefined;
  // Told where it can be; not knowing it is no reason to fail.
  const body = await debuggee.client
    .request("evaluate", { expression, context: "repl" })
    .catch(() => undefined);
  return body?.result.replace(/^(['"])(.*)\1$/s, "$2");
}

function again(args: Args): Call {
  const begin =
    args.pid === undefined
      ? startCall(args, args.program, { noWait: true })
      : call("attach", { pid: args.pid });
  return { ...begin, following: call("pause") };
}
