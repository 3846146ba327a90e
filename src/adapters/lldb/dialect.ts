/** lldb-dap (and lldb-vscode) in plain DAP. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Host } from "../adapter.ts";
import type { Dialect, Wire } from "../kit/dialect.ts";
import { untraced } from "../native/ptrace.ts";
import { command, passed } from "./ask.ts";
import { Chatter } from "./chatter.ts";
import { howItEnded } from "./endings.ts";
import type { Fifos } from "./fifos.ts";
import { correctFrame } from "./frames.ts";
import { HitCounts } from "./hit-counts.ts";
import { setBreakpoints } from "./one-liners.ts";
import { Steps } from "./steps.ts";
import { hitIds, PANIC_FILTERS, Stops } from "./stops.ts";
import { Values } from "./values.ts";

export interface Situation {
  request: "launch" | "attach";
  rust: boolean;
  core: boolean;
  stopOnEntry: boolean;
  /** Of a program we launched. */
  fifos: Fifos | undefined;
  /** The last packets are kept, see endings.ts. */
  packets: boolean;
  pid: number | undefined;
  host: Host;
  /** Kills lldb-dap. */
  end(): void;
  /** Called when the program is there, or will never be. */
  started?: (() => void) | undefined;
}

export function lldbDialect(situation: Situation): Dialect {
  const { fifos, host, request } = situation;
  const stops = new Stops(situation);
  const chatter = new Chatter();
  const hitCounts = new HitCounts();
  const values = new Values();
  const steps = new Steps();
  let { pid } = situation;
  let threads: DebugProtocol.Thread[] | undefined;
  let leaving = false;
  let ended = Promise.resolve();

  const listen = (wire: Wire) =>
    fifos?.listen((output) => {
      stops.heard(output);
      wire.emit("output", { category: "stderr", output });
    });

  async function exited(exitCode: number, wire: Wire): Promise<void> {
    const runsOn = request === "attach" && pid !== undefined && isAlive(pid);
    if (runsOn || exitCode < 0) {
      // The debugger's server died. A program that stood at a breakpoint dies of that, any other runs on.
      const fate = runsOn ? "which runs on without it" : "which has ended";
      wire.emit("output", { category: "important", output: `sonde: LLDB lost process ${pid}, ${fate}\n` });
    } else {
      const { packets } = situation;
      wire.emit("exited", await howItEnded(wire, exitCode, { packets, lastSignal: stops.lastSignal }));
    }
    if (pid !== undefined && request === "launch") host.processes.release(pid);
  }

  /** The first answer after a launch is one that was kept from before the program ran; while it runs there may be none. */
  async function readThreads(wire: Wire): Promise<unknown> {
    if (threads === undefined) await wire.ask("threads");
    const answer = await wire.ask("threads");
    if (answer.success) threads = (answer.body as { threads: DebugProtocol.Thread[] }).threads.map(plainName);
    return { threads: threads ?? (pid === undefined ? [] : [{ id: pid, name: "main" }]) };
  }

  const move = (isStep: boolean) => (args: { threadId: number }, wire: Wire) => {
    steps.moving(wire, args.threadId, isStep);
    return undefined;
  };

  return {
    events: {
      process: (body, wire) => {
        pid = realPid(body.systemProcessId) ?? pid;
        chatter.started();
        situation.started?.();
        listen(wire);
        fifos?.opened();
        if (pid !== undefined && request === "launch") host.processes.own(pid, "the program", "program");
        // The process that left a core file is dead, and its number may be another's by now.
        return { ...body, systemProcessId: situation.core ? undefined : pid };
      },
      output: (body) => chatter.correct(body),
      stopped: (body, wire) => {
        fifos?.drain();
        hitCounts.hit(hitIds(body), wire);
        return stops.stopped(steps.stopped(body), wire);
      },
      exited: (body, wire) => {
        fifos?.drain();
        ended = exited(body.exitCode ?? 0, wire);
        return undefined;
      },
      terminated: (_body, wire) => {
        void ended.then(() => {
          fifos?.close({ left: leaving });
          if (!leaving) wire.emit("terminated", {});
        });
        return undefined;
      },
    },
    responses: {
      initialize: ({ $__lldb_version: _version, ...body }) => ({
        ...body,
        supportsSetExpression: true,
        supportsExceptionInfoRequest: true,
        exceptionBreakpointFilters: [...(body.exceptionBreakpointFilters ?? []), ...PANIC_FILTERS],
      }),
      stackTrace: (body: DebugProtocol.StackTraceResponse["body"]) => ({
        ...body,
        stackFrames: body.stackFrames.map(correctFrame),
      }),
      variables: (body, args) => values.variables(body, args),
      scopes: (body, args) => values.scopes(body, args),
      setFunctionBreakpoints: (body, args) => hitCounts.answered(body, args),
    },
    requests: {
      configurationDone: (args, wire) => ({
        answer: stops.configured(wire).then(() => passed(wire, "configurationDone", args)),
      }),
      setExceptionBreakpoints: (args, wire) => ({ answer: stops.setFilters(args, wire) }),
      exceptionInfo: (args, wire) => ({ answer: stops.exceptionInfo(args, wire) }),
      threads: (_args, wire) => ({ answer: readThreads(wire) }),
      evaluate: (args, wire) => ({ answer: values.evaluate(args, wire) }),
      setVariable: (args, wire) => ({ answer: values.setVariable(args, wire) }),
      setExpression: (args, wire) => ({ answer: values.setExpression(args, wire) }),
      setBreakpoints: (args, wire) => ({
        answer: setBreakpoints(args, wire).then((body) => hitCounts.answered(body, args)),
      }),
      pause: () => {
        steps.pausing();
        return undefined;
      },
      continue: move(false),
      next: move(true),
      stepIn: move(true),
      stepOut: move(true),
      disconnect: (args, wire) => {
        leaving = args.terminateDebuggee === false;
        return leaving && request === "launch" ? { answer: leave(wire, pid, situation.end) } : undefined;
      },
    },
    closed: () => {
      situation.started?.();
      fifos?.close({ left: leaving });
    },
  };
}

function plainName(thread: DebugProtocol.Thread): DebugProtocol.Thread {
  return { ...thread, name: thread.name.replace(/^Thread #\d+ ?/, "") || thread.name };
}

/**
 * It leaves a program that it launched at once, and then holds on to the program's terminal for five seconds. When nobody
 * traces the program any more there is nothing left for it to do.
 */
async function leave(wire: Wire, pid: number | undefined, end: () => void): Promise<unknown> {
  const told = command(wire, "process detach").catch(() => "");
  await Promise.race([told, pid === undefined ? told : untraced(pid)]);
  end();
  return {};
}

/** A launch that failed is announced as process 0. */
function realPid(pid: unknown): number | undefined {
  return typeof pid === "number" && Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
