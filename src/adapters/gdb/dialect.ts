/** gdb's own DAP (14 and newer), put right where it says less than it knows or something else. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { deferred, wait } from "../../util/wait.ts";
import type { Dialect, Wire } from "../kit/dialect.ts";
import { correctFrame } from "../native/frames.ts";
import { killedBy } from "../native/signals.ts";
import { HitCounts } from "./hit-counts.ts";
import type { ProgramStreams } from "./program-streams.ts";

/** How long the loader may take to show itself; a program without one never does. */
const START_MS = 2000;

export interface Situation {
  streams?: ProgramStreams;
  /** The first stop is the one at the beginning that was asked for. */
  entry?: boolean;
}

export function gdbDialect({ streams, entry = false }: Situation): Dialect {
  const counts = new HitCounts();
  let signal: { name: string; meaning: string } | undefined;
  let exitCode = 0;
  let atEntry = entry;
  let exists = false;
  const threads = new Set<number>();
  /** Values of this stop that point at others. */
  const pointers = new Set<number>();
  const running = deferred<void>();
  const begun = () => {
    streams?.started();
    running.resolve();
  };

  /** gdb calls a death by signal an exit with code 0. */
  const finish = async (wire: Wire) => {
    begun(); // and has closed whatever it had open
    const [killer] = await Promise.all([number(wire, "$_exitsignal"), streams?.drained()]);
    wire.emit("exited", killer === undefined ? { exitCode } : killedBy(killer));
    wire.emit("terminated", {});
  };

  const stopAtSignal = async (body: DebugProtocol.StoppedEvent["body"], wire: Wire) => {
    signal = await signalNow(wire);
    const named = signal && { reason: "exception", description: signal.name, text: signal.meaning };
    wire.emit("stopped", { ...body, ...named });
  };

  return {
    events: {
      // The program has streams of its own, so this is gdb talking; messages of breakpoints come as `console`.
      output: ({ category = "console", output = "" }) =>
        category === "console" || category === "important"
          ? { category, output: output.endsWith("\n") ? output : `${output}\n` }
          : undefined,
      process: (body) => {
        exists = true;
        return body;
      },
      // The first library is loaded by the program itself, no longer by the shell that opened its streams.
      module: (body) => {
        if (exists) begun();
        return body;
      },
      thread: (body) => {
        if (body.reason === "exited") threads.delete(body.threadId);
        else threads.add(body.threadId);
        return body;
      },
      exited: (body) => {
        exitCode = body.exitCode ?? 0;
        return undefined;
      },
      terminated: (_body, wire) => void finish(wire),
      stopped: (body, wire) => {
        begun();
        streams?.drain();
        pointers.clear();
        signal = undefined;
        if (atEntry) {
          atEntry = false;
          return { ...body, reason: "entry" };
        }
        if (counts.skips(body.hitBreakpointIds ?? [])) {
          void wire.ask("continue", { threadId: body.threadId });
          return undefined;
        }
        if (body.reason !== "signal") return body;
        return void stopAtSignal(body, wire);
      },
    },
    responses: {
      initialize: (can) => ({ ...can, supportsExceptionInfoRequest: true }),
      setBreakpoints: (body, { breakpoints = [] }) => {
        counts.placed(breakpoints, body.breakpoints ?? []);
        return body;
      },
      setFunctionBreakpoints: (body, { breakpoints = [] }) => {
        counts.placed(breakpoints, body.breakpoints ?? []);
        return body;
      },
      stackTrace: (body) => ({ ...body, stackFrames: (body.stackFrames ?? []).map(correctFrame) }),
      scopes: ({ scopes = [] }) => ({ scopes: scopes.map(hinted) }),
    },
    requests: {
      initialize: (_args, wire) => {
        streams?.read((category, output, bytes) =>
          wire.emit("output", { category, output, ...(bytes && { bytes }) }),
        );
        return undefined;
      },
      setBreakpoints: (args) => ({ args: { ...args, breakpoints: counts.sent(args.breakpoints ?? []) } }),
      setFunctionBreakpoints: (args) => ({
        args: { ...args, breakpoints: counts.sent(args.breakpoints ?? []) },
      }),
      configurationDone: (args, wire) => ({ answer: configured(args, wire, running.promise) }),
      threads: (_args, wire) => ({ answer: listed(wire, threads) }),
      // In a frame an expression is meant, also one with effects; a command of gdb's own comes without.
      evaluate: (args) =>
        args.context === "repl" && args.frameId !== undefined
          ? { args: { ...args, context: "watch" } }
          : undefined,
      variables: (args, wire) => ({ answer: opened(args, wire, pointers) }),
      exceptionInfo: () => ({
        answer: Promise.resolve({
          exceptionId: signal?.name ?? "exception",
          description: signal?.meaning ?? "",
          breakMode: signal ? "unhandled" : "always",
        }),
      }),
    },
    closed: () => streams?.close(),
  };
}

/** It answers before there is a program, and what is asked next is about that. */
async function configured(args: unknown, wire: Wire, running: Promise<void>): Promise<unknown> {
  const answer = await wire.ask("configurationDone", args);
  if (!answer.success) throw new Error(answer.message);
  await wait(running, { timeoutMs: START_MS });
  return answer.body;
}

/** gdb lists threads of a stopped program only; of a running one those it has announced are known. */
async function listed(wire: Wire, known: ReadonlySet<number>): Promise<unknown> {
  const answer = await wire.ask("threads");
  if (answer.success) return answer.body;
  return { threads: [...known].map((id) => ({ id, name: `thread ${id}` })) };
}

/** A pointer's one part is what it points at: that is opened with it. */
async function opened(
  args: DebugProtocol.VariablesArguments,
  wire: Wire,
  pointers: Set<number>,
): Promise<unknown> {
  const answer = await wire.ask("variables", args);
  if (!answer.success) throw new Error(answer.message);
  const variables: DebugProtocol.Variable[] = answer.body?.variables ?? [];
  const [target] = variables;
  if (variables.length === 1 && pointers.has(args.variablesReference) && target?.variablesReference)
    return opened({ variablesReference: target.variablesReference }, wire, pointers);
  for (const { type = "", variablesReference } of variables)
    if (/\*\s*(const)?$|\(\*/.test(type)) pointers.add(variablesReference);
  return { variables: variables.map(withoutPadding) };
}

/** Text up to its end, not to that of its array: `"5", '\\000' <repeats 62 times>`. */
function withoutPadding(variable: DebugProtocol.Variable): DebugProtocol.Variable {
  if (!/char \[\d+\]$/.test(variable.type ?? "")) return variable;
  const value = variable.value.replace(/, '\\000' <repeats \d+ times>$/, "").replace(/(\\000)+"$/, '"');
  return { ...variable, value };
}

async function number(wire: Wire, expression: string): Promise<number | undefined> {
  const { success, body } = await wire.ask("evaluate", { expression, context: "watch" });
  const value = Number(body?.result);
  return success && Number.isInteger(value) ? value : undefined;
}

/** By the kernel's words; what it means by gdb's: `SIGSEGV  Yes  Yes  Yes  Segmentation fault`. */
async function signalNow(wire: Wire): Promise<{ name: string; meaning: string } | undefined> {
  const found = await number(wire, "$_siginfo.si_signo");
  const name = found === undefined ? undefined : killedBy(found).signal;
  if (name === undefined) return undefined;
  const { body } = await wire.ask("evaluate", { expression: `info signals ${name}`, context: "repl" });
  const meaning = new RegExp(`^${name}(?:\\s+(?:Yes|No)){3}\\s+(.+)$`, "m").exec(String(body?.result))?.[1];
  return { name, meaning: meaning ?? "" };
}

function hinted(scope: DebugProtocol.Scope): DebugProtocol.Scope {
  const hint = { Arguments: "arguments", Locals: "locals", Registers: "registers" }[scope.name];
  return hint === undefined ? scope : { ...scope, presentationHint: hint };
}
