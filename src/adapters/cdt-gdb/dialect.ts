/**
 * cdt-gdb-adapter's DAP put right: an end has its exit code, a stop its reason and its breakpoint, a failed expression is an
 * error with gdb's reason, and gdb's own words are not the program's.
 */

import type { DebugProtocol } from "@vscode/debugprotocol";
import { reasoned } from "../../dap/refused-part.ts";
import type { ProgramStreams } from "../gdb/program-streams.ts";
import type { Dialect, Wire } from "../kit/dialect.ts";
import type { BuiltFrom } from "../native/built-from.ts";
import { correctFrame } from "../native/frames.ts";
import type { Exit } from "../native/signals.ts";
import { Chatter, endIn, hitIn, signalIn } from "./chatter.ts";
import { type Evaluate, Gates, ignoredBy } from "./gates.ts";
import { execute, passed, textOf } from "./mi.ts";
import { Values } from "./values.ts";

/** gdb says no more than that it knows no such file. */
function withReason(
  one: DebugProtocol.Breakpoint,
  built: BuiltFrom,
  path: string | undefined,
): DebugProtocol.Breakpoint {
  if (one.verified || path === undefined || !/No (source file|symbol table)/.test(one.message ?? ""))
    return one;
  const why = built.reason(path);
  return why === undefined ? one : reasoned(one, why);
}

export function cdtGdb(built: BuiltFrom, streams?: ProgramStreams): Dialect {
  const chatter = new Chatter();
  const gates = new Gates();
  const values = new Values();
  const watches = new Set<number>();
  let signal: { name: string; meaning: string } | undefined;
  let over = false;

  let last: Promise<unknown> = Promise.resolve();

  /** A stack, its scopes and their variables may be asked for in one breath, and each needs the answer before it. */
  const inTurn = (ask: () => Promise<unknown>): Promise<unknown> => {
    const answer = last.then(ask);
    last = answer.catch(() => {}); // told to the one who asked
    return answer;
  };

  const finish = async (end: Partial<Exit>, wire: Wire) => {
    if (over) return;
    over = true;
    await streams?.drained();
    wire.emit("exited", end);
    wire.emit("terminated", {});
  };

  /** At a breakpoint that is more than a place: whether it stops is decided in the frame it was hit in. */
  const decide = async (id: number, stop: DebugProtocol.StoppedEvent["body"], wire: Wire) => {
    const { threadId = 1 } = stop;
    const answer = await wire.ask("stackTrace", { threadId, startFrame: 0, levels: 1 });
    const frameId = answer.body?.stackFrames?.[0]?.id as number | undefined;
    if (frameId !== undefined) values.addFrame(frameId, { threadId, level: 0 });
    const stays = frameId === undefined || (await gates.opens(id, evaluatorIn(frameId, values, wire), wire));
    if (stays) wire.emit("stopped", stop);
    else await wire.ask("continue", { threadId });
  };

  return {
    events: {
      output: ({ category = "console", output = "" }) => {
        if (category === "stdout") chatter.add(output);
        return category === "important" ? { category, output } : undefined;
      },
      continued: (body) => {
        chatter.take();
        values.clear();
        return body;
      },
      // Also sent for breakpoints it makes and deletes while it answers `setBreakpoints`, which tells all of that.
      breakpoint: (body) =>
        body.reason === "changed" && body.breakpoint?.source ? withoutPath(body) : undefined,
      terminated: (_body, wire) => void finish(endIn(chatter.take()) ?? {}, wire),
      stopped: (body, wire) => {
        streams?.drain();
        const said = chatter.take();
        values.clear();
        const end = endIn(said);
        if (end) return void finish(end, wire);
        signal = /^SIG/.test(body.reason) ? signalIn(said) : undefined;
        const hit = hitIn(said);
        if (hit?.kind === "breakpoint" && gates.has(hit.id))
          return void decide(hit.id, { ...body, hitBreakpointIds: [hit.id] }, wire);
        if (hit?.kind === "entry") return { ...body, reason: "entry" };
        if (hit?.kind === "data breakpoint") {
          const told = { ...body, reason: hit.kind, hitBreakpointIds: [hit.id], description: said.trim() };
          return gates.has(hit.id) ? void decide(hit.id, told, wire) : told;
        }
        if (hit) return { ...body, hitBreakpointIds: [hit.id] };
        if (signal && signal.name !== "SIGINT")
          return { ...body, reason: "exception", description: signal.name, text: signal.meaning };
        if (body.reason !== "generic" || watches.size === 0) return body;
        void lostOf(watches, wire).then((ids) =>
          wire.emit(
            "stopped",
            ids.length > 0 ? { ...body, reason: "data breakpoint", hitBreakpointIds: ids } : body,
          ),
        );
        return undefined;
      },
    },
    responses: {
      initialize: (can) => ({
        ...can,
        supportsTerminateRequest: false,
        supportsExceptionInfoRequest: true,
        supportsSetExpression: true,
      }),
      setBreakpoints: (body, { source, breakpoints = [] }) => {
        const answers: DebugProtocol.Breakpoint[] = body.breakpoints ?? [];
        gates.placed(source?.path ?? "", breakpoints, answers, false);
        const told = answers.map((one, index) => explained(one, breakpoints[index]));
        return { breakpoints: told.map((one) => withReason(one, built, source?.path)) };
      },
    },
    requests: {
      initialize: (_args, wire) => {
        streams?.read((category, output, bytes) =>
          wire.emit("output", { category, output, ...(bytes && { bytes }) }),
        );
        return undefined;
      },
      setBreakpoints: (args) => ({
        args: { ...args, breakpoints: gates.sent(args.source?.path ?? "", args.breakpoints ?? []) },
      }),
      setFunctionBreakpoints: (args, wire) => ({ answer: setFunctions(args, gates, wire) }),
      setDataBreakpoints: (args, wire) => ({ answer: setWatches(args, { gates, watches }, wire) }),
      configurationDone: (_args, wire) => ({ answer: run(wire, streams) }),
      exceptionInfo: () => ({
        answer: Promise.resolve({
          exceptionId: signal?.name ?? "signal",
          description: signal?.meaning ?? "",
          breakMode: "unhandled",
        }),
      }),
      stackTrace: (args, wire) => ({ answer: inTurn(() => stack(args, values, wire)) }),
      scopes: (args, wire) => ({ answer: inTurn(() => scopes(args, values, wire)) }),
      evaluate: (args, wire) => ({ answer: values.evaluate(args, wire) }),
      "sonde/arguments": (args, wire) => ({ answer: values.arguments(args, wire) }),
      variables: (args, wire) => ({ answer: inTurn(() => values.variables(args, wire)) }),
      setVariable: (args, wire) => ({ answer: values.setVariable(args, wire) }),
      setExpression: (args, wire) => ({ answer: values.setExpression(args, wire) }),
    },
    closed: () => streams?.close(),
  };
}

async function stack(
  args: DebugProtocol.StackTraceArguments,
  values: Values,
  wire: Wire,
): Promise<DebugProtocol.StackTraceResponse["body"]> {
  const body = await passed("stackTrace", args, wire);
  const { threadId, startFrame = 0 } = args;
  const frames: DebugProtocol.StackFrame[] = body.stackFrames ?? [];
  frames.forEach(({ id }, index) => {
    values.addFrame(id, { threadId, level: startFrame + index });
  });
  return { ...body, stackFrames: frames.map(correctFrame) };
}

async function scopes({ frameId }: DebugProtocol.ScopesArguments, values: Values, wire: Wire) {
  const body = await passed("scopes", { frameId }, wire);
  return { scopes: values.scopes(frameId, body.scopes ?? []) };
}

function evaluatorIn(frameId: number, values: Values, wire: Wire): Evaluate {
  return async (expression) => {
    try {
      const body = await values.evaluate({ expression, frameId, context: "watch" }, wire);
      return { value: (body as { result: string }).result };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  };
}

/** Where the call that a watch belongs to ends, gdb deletes the watch, stops, and the adapter does not say why. */
async function lostOf(watches: ReadonlySet<number>, wire: Wire): Promise<number[]> {
  const answer = await execute(wire, "-break-list");
  const there: { number: string }[] | undefined = answer.body?.result?.BreakpointTable?.body;
  if (!Array.isArray(there)) return [];
  return [...watches].filter((id) => !there.some((one) => Number(one.number) === id));
}

/** The adapter passes no conditions of functions on. One that gdb cannot read is tried at every hit, where it says why. */
async function setFunctions(
  args: DebugProtocol.SetFunctionBreakpointsArguments,
  gates: Gates,
  wire: Wire,
): Promise<unknown> {
  const body = await passed("setFunctionBreakpoints", args, wire);
  const placed: DebugProtocol.Breakpoint[] = body.breakpoints ?? [];
  const asked = args.breakpoints.map(async (one, index) => {
    const { id, verified } = placed[index] ?? {};
    if (id === undefined || !verified) return one;
    const { success } = await execute(wire, `-break-condition ${id} ${one.condition ?? ""}`.trimEnd());
    const { condition: _gdbs, ...rest } = one;
    return success ? rest : one;
  });
  gates.placed("functions", await Promise.all(asked), placed, true);
  return body;
}

/** The adapter passes neither a watch's condition on nor its count. */
async function setWatches(
  args: DebugProtocol.SetDataBreakpointsArguments,
  { gates, watches }: { gates: Gates; watches: Set<number> },
  wire: Wire,
): Promise<unknown> {
  const body = await passed("setDataBreakpoints", args, wire);
  const placed: DebugProtocol.Breakpoint[] = body.breakpoints ?? [];
  watches.clear();
  const told = args.breakpoints.map(async (one, index) => {
    const answer = placed[index] ?? { verified: false };
    const { id, verified } = answer;
    if (id === undefined || !verified) return answer;
    watches.add(id);
    if (gates.hadBefore("watches", one, id)) return answer;
    const ignored = ignoredBy(one.hitCondition);
    if (ignored > 0) await execute(wire, `-break-after ${id} ${ignored}`);
    if (one.condition === undefined) return answer;
    const said = await execute(wire, `-break-condition ${id} ${one.condition}`);
    if (said.success) return answer;
    return { ...answer, verified: false, message: invalidCondition(textOf(said)) };
  });
  const breakpoints = await Promise.all(told);
  gates.placed("watches", args.breakpoints, placed, false);
  return { ...body, breakpoints };
}

/** The program has its streams as soon as gdb says that it runs. */
async function run(wire: Wire, streams: ProgramStreams | undefined): Promise<unknown> {
  const body = await passed("configurationDone", {}, wire);
  streams?.started();
  const groups = await execute(wire, "-list-thread-groups");
  const pid = Number(groups.body?.result?.groups?.[0]?.pid);
  if (Number.isInteger(pid) && pid > 0) wire.emit("process", { name: "program", systemProcessId: pid });
  return body;
}

/** gdb makes a breakpoint in spite of a condition it cannot read, and the adapter does not say so. */
function explained(answer: DebugProtocol.Breakpoint, asked?: DebugProtocol.SourceBreakpoint) {
  const { verified, message = "" } = answer;
  if (verified || asked?.condition === undefined || /^No (source file|line|symbol table)/.test(message))
    return answer;
  return { ...answer, message: invalidCondition(message) };
}

function invalidCondition(why: string): string {
  return `its condition is invalid, so it stops every time: ${why}`;
}

/** Its path is as the compiler was given it. */
function withoutPath(body: DebugProtocol.BreakpointEvent["body"]): unknown {
  const { id, line, verified } = body.breakpoint;
  return { reason: body.reason, breakpoint: { id, line, verified } };
}
