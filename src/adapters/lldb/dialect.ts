/** lldb-dap (and lldb-vscode) in plain DAP. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { hasEnded } from "../../util/process-facts.ts";
import type { Host } from "../adapter.ts";
import type { Dialect, Wire } from "../kit/dialect.ts";
import type { BuiltFrom } from "../native/built-from.ts";
import { correctFrame } from "../native/frames.ts";
import { untraced } from "../native/ptrace.ts";
import { handlesSignals, isHandled } from "../native/signals.ts";
import type { Traps } from "../native/traps.ts";
import { Alone } from "./alone.ts";
import { Arrivals } from "./arrivals.ts";
import { command, passed } from "./ask.ts";
import { Chatter } from "./chatter.ts";
import { howItEnded } from "./endings.ts";
import type { Fifos } from "./fifos.ts";
import { FunctionBreakpoints } from "./function-breakpoints.ts";
import { Handlers } from "./handlers.ts";
import { HitCounts } from "./hit-counts.ts";
import { Lines } from "./lines.ts";
import { Passing } from "./passing.ts";
import { Prologues } from "./prologues.ts";
import { Rules, toldIn } from "./rules.ts";
import { Scopes } from "./scopes.ts";
import type { Server } from "./server.ts";
import { Standstill } from "./standstill.ts";
import { type Step, Steps } from "./steps.ts";
import { hitIds, PANIC_FILTERS, Stops, signalIn } from "./stops.ts";
import type { Copy } from "./template-packs.ts";
import { Together } from "./together.ts";
import { Twins } from "./twins.ts";
import { Unseen } from "./unseen.ts";
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
  /** Scripts can send events of their own. */
  tells: boolean;
  pid: number | undefined;
  host: Host;
  /** Kills lldb-dap. */
  end(): void;
  /** Of a program that runs on this machine. */
  server: Server | undefined;
  /** What is debugged, where that is a file. */
  program: string | undefined;
  /** What it is read from. */
  copy: Copy | undefined;
  built: BuiltFrom;
  /** Of a process that was attached to. */
  traps: Traps | undefined;
}

type Stopped = DebugProtocol.StoppedEvent["body"];

/** How long LLDB may take to tell that it has left the program, and that the program has ended, once its server has gone. */
const LEFT_MS = 50;
const ENDED_MS = 3000;
/** The same for why it could not begin. A server that was killed before that leaves it waiting for half a minute. */
const REFUSED_MS = 750;
const DYING_MS = 100;

export function lldbDialect(situation: Situation): Dialect {
  const { fifos, host, request } = situation;
  const chatter = new Chatter();
  const hitCounts = new HitCounts();
  const scopes = new Scopes();
  const values = new Values(scopes, situation);
  const rules = new Rules(situation);
  const steps = new Steps();
  const alone = new Alone();
  const functions = new FunctionBreakpoints();
  const prologues = new Prologues();
  const lines = new Lines(situation.built);
  const unseen = new Unseen(situation.built);
  const standstill = new Standstill();
  const passing = new Passing((threadId, from, wire) => steps.resume(threadId, from, wire));
  const arrivals = new Arrivals();
  const twins = new Twins(situation);
  const together = new Together();
  const handlers = new Handlers();
  const stops = new Stops(situation, (body, wire) => void prologues.tell(body, wire));
  let { pid } = situation;
  let threads: DebugProtocol.Thread[] | undefined;
  let leaving = false;
  let steppedIn = false;
  let over = false;
  let begun = false;
  let gone = false;
  let lost: string | undefined;
  let ended = Promise.resolve();

  const listen = (wire: Wire) =>
    fifos?.listen((category, output, bytes) => {
      if (category === "stderr") stops.heard(bytes?.toString("utf8") ?? output);
      wire.emit("output", { category, output, ...(bytes && { bytes }) });
    });

  const say = (wire: Wire, text: string | undefined) => {
    if (text !== undefined) wire.emit("output", { category: "important", output: `${text}\n` });
  };

  async function exited(exitCode: number, wire: Wire): Promise<void> {
    say(wire, unseen.inChildren());
    if (exitCode < 0 || (request === "attach" && pid !== undefined && !hasEnded(pid))) return serverDied();
    const { packets } = situation;
    wire.emit("exited", await howItEnded(wire, exitCode, { packets, lastSignal: stops.lastSignal }));
    if (pid !== undefined && request === "launch") host.processes.release(pid);
  }

  /** It may be about to tell of an end in good order; if not, that was none. */
  function serverGone(): void {
    gone = true;
    // The relay has done so, unless it was the one that was killed.
    if (!leaving) situation.traps?.takeOut();
    const unlessTold = () => over || leaving || serverDied();
    const ms = !begun ? REFUSED_MS : pid !== undefined && !hasEnded(pid) ? LEFT_MS : ENDED_MS;
    setTimeout(unlessTold, ms).unref();
  }

  /** Nothing can be had from lldb-dap any more, and what it would say of the program is wrong. */
  function serverDied(): void {
    lost = loss();
    if (request !== "attach" || pid === undefined || hasEnded(pid)) {
      situation.end();
      return;
    }
    // It may have met a breakpoint before those were out, and takes a moment to die of it.
    situation.traps?.takeOut();
    setTimeout(() => {
      lost = loss();
      situation.end();
    }, DYING_MS).unref();
  }

  function loss(): string {
    if (pid === undefined) return "LLDB lost its server before the program ran";
    const alive = pid !== undefined && !hasEnded(pid);
    const fate = !alive ? "has ended" : request === "attach" ? "keeps running without it" : "has ended too";
    return `LLDB lost ${gone ? "its server and " : ""}process ${pid}, which ${fate}`;
  }

  /** The first answer after a launch is one that was kept from before the program ran; while it runs there may be none. */
  async function readThreads(wire: Wire): Promise<unknown> {
    if (threads === undefined) await wire.ask("threads");
    const answer = await wire.ask("threads");
    if (answer.success) threads = (answer.body as { threads: DebugProtocol.Thread[] }).threads.map(plainName);
    return { threads: threads ?? (pid === undefined ? [] : [{ id: pid, name: "main" }]) };
  }

  function asked<T extends { breakpoints: object[] }>(group: string, args: T): T {
    arrivals.asked(group, args);
    return hitCounts.asked(group, args);
  }

  async function ruled<T extends object, A extends { breakpoints: DebugProtocol.Breakpoint[] }>(
    args: T,
    wire: Wire,
    set: (sent: T, wire: Wire) => Promise<A>,
  ): Promise<A> {
    const sent = rules.sent(args);
    const body = await rules.put(args, await set(sent, wire), wire, (id) => functions.all(id));
    await together.set(sent, wire);
    return body;
  }

  /** The copy is nobody's business. */
  const ofProgram = (one: DebugProtocol.Module): DebugProtocol.Module =>
    situation.program !== undefined && situation.copy !== undefined && one.path === situation.copy.path
      ? { ...one, path: situation.program }
      : one;

  function arrived(body: Stopped, wire: Wire): void {
    const ids = functions.known(body.hitBreakpointIds ?? []);
    const seen = standstill.looked({ ...body, hitBreakpointIds: ids }, situation.core ? undefined : pid);
    if (seen === undefined) return;
    const watched = standstill.watched(wire);
    const tell = (one: Stopped) => {
      const told = stopped(one, watched);
      if (told) watched.emit("stopped", told);
    };
    if (!standstill.keeps(seen, tell)) tell(seen);
  }

  /** What is to be told of it at once; nothing if it is told later, or never. */
  function stopped(body: Stopped, wire: Wire): Stopped | undefined {
    const ids = body.hitBreakpointIds ?? [];
    const signal = signalIn(body)?.[1];
    if (signal !== undefined && pid !== undefined && !situation.core && isHandled(pid, signal))
      return void wire.ask("continue", { threadId: body.threadId });
    alone.stopped(wire);
    scopes.moved();
    unseen.hit(ids);
    const arrived = prologues.arrived(ids);
    if (arrived) return arrived;
    const seen = steps.stopped(body);
    if (!arrivals.mayBeAt(seen, wire) || ids.length > 0) return reached(seen, wire);
    void arrivals
      .told(seen, wire, (hit) => functions.known(hit))
      .then((one) => {
        unseen.hit(one.hitBreakpointIds ?? []);
        const told = reached(one, wire);
        if (told) wire.emit("stopped", told);
      });
    return undefined;
  }

  function reached(body: Stopped, wire: Wire): Stopped | undefined {
    const ids = body.hitBreakpointIds ?? [];
    hitCounts.hit(ids, body.reason, wire);
    const told = stops.stopped(body, wire);
    const conditional = told ? rules.conditional(ids) : [];
    if (conditional.length > 0) {
      void rules.failure(conditional, wire).then((why) => {
        const output = `stopped, because the condition could not be evaluated: ${why}\n`;
        if (why !== undefined)
          wire.emit("output", { category: "important", output, about: "failed-condition" });
        wire.emit("stopped", told);
      });
      return undefined;
    }
    // A step over or out ends in the middle of a function.
    if (told?.reason !== "step" || !steppedIn) return told;
    void prologues.tell(told, wire);
    return undefined;
  }

  const move = (command: Step["command"]) => (args: Step["args"], wire: Wire) => {
    steppedIn = command === "stepIn";
    values.moving();
    steps.moving(wire, { command, args });
    const mayBeInterrupted = steppedIn && pid !== undefined && handlesSignals(pid);
    handlers.moving(mayBeInterrupted ? args.threadId : undefined, wire);
    standstill.moving();
    return undefined;
  };

  situation.server?.watch(serverGone);
  return {
    events: {
      process: (body, wire) => {
        pid = realPid(body.systemProcessId) ?? pid;
        chatter.started();
        begun = true;
        situation.server?.begun();
        listen(wire);
        fifos?.opened();
        if (!situation.core) say(wire, unseen.optimised(situation.program));
        if (pid !== undefined && request === "launch") host.processes.own(pid, "the program", "program");
        // The process that left a core file is dead, and its number may be another's by now.
        return { ...body, systemProcessId: situation.core ? undefined : pid };
      },
      output: (body) => chatter.correct(body),
      sonde: (body, wire) => {
        const told = toldIn(body);
        if (told === undefined) return undefined;
        if ("log" in told) wire.emit("output", { category: "console", output: `${told.log}\n` });
        else if ("unsure" in told) say(wire, told.unsure);
        else passing.stuck(told.pass);
        return undefined;
      },
      stopped: (body, wire) => {
        fifos?.drain();
        if (steps.repeats(body, wire)) return undefined;
        const hit = passing.stopped(body, hitIds(body), wire);
        if (hit === undefined) return undefined;
        handlers.stopped(body, hit, wire, (told) => {
          together.hit(told, told === body ? hit : hitIds(told), wire, (one) => arrived(one, wire));
        });
        return undefined;
      },
      exited: (body, wire) => {
        over = true;
        fifos?.drain();
        ended = exited(body.exitCode ?? 0, wire);
        return undefined;
      },
      terminated: (_body, wire) => {
        over = true;
        void ended.then(() => {
          if (lost !== undefined) return;
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
        supportsSingleThreadExecutionRequests: true,
        supportsExceptionInfoRequest: true,
        exceptionBreakpointFilters: [...(body.exceptionBreakpointFilters ?? []), ...PANIC_FILTERS],
      }),
      stackTrace: (body: DebugProtocol.StackTraceResponse["body"]) => {
        values.placed(body.stackFrames);
        return { ...body, stackFrames: body.stackFrames.map(correctFrame) };
      },
      modules: (body: DebugProtocol.ModulesResponse["body"]) => ({
        ...body,
        modules: body.modules.map(ofProgram),
      }),
      scopes: (body, args) => scopes.answered(body, args),
      setDataBreakpoints: (body, args) => hitCounts.answered("watchpoint", "setDataBreakpoints", body, args),
    },
    requests: {
      configurationDone: (args, wire) => ({
        answer: stops.configured(wire).then(() => passed(wire, "configurationDone", args)),
      }),
      setExceptionBreakpoints: (args, wire) => ({ answer: stops.setFilters(args, wire) }),
      exceptionInfo: (args, wire) => ({ answer: stops.exceptionInfo(args, wire) }),
      threads: (_args, wire) => ({ answer: readThreads(wire) }),
      variables: (args, wire) => ({ answer: values.variables(args, wire) }),
      evaluate: (args, wire) => ({ answer: values.evaluate(args, wire) }),
      "sonde/arguments": (args, wire) => ({ answer: values.arguments(args, wire) }),
      setVariable: (args, wire) => ({ answer: values.setVariable(args, wire) }),
      setExpression: (args, wire) => ({ answer: values.setExpression(args, wire) }),
      setBreakpoints: (args, wire) => ({
        answer: ruled(asked("lines", args), wire, (sent) =>
          twins.set(sent, wire, (firsts) => lines.set(firsts, wire)),
        ).then((body) =>
          unseen.placed(args.source?.path ?? "", hitCounts.answered("breakpoint", "lines", body, args)),
        ),
      }),
      setFunctionBreakpoints: (args, wire) => ({
        answer: ruled(asked("setFunctionBreakpoints", args), wire, (sent) => functions.set(sent, wire)).then(
          (body) => hitCounts.answered("breakpoint", "setFunctionBreakpoints", body, args),
        ),
      }),
      setInstructionBreakpoints: (args, wire) => ({
        answer: ruled(asked("setInstructionBreakpoints", args), wire, (sent) =>
          passed(wire, "setInstructionBreakpoints", sent),
        ).then((body) => hitCounts.answered("breakpoint", "setInstructionBreakpoints", body, args)),
      }),
      setDataBreakpoints: (args) => ({ args: hitCounts.asked("setDataBreakpoints", args) }),
      pause: () => {
        steps.pausing();
        return undefined;
      },
      continue: (args, wire) => {
        values.moving();
        steps.moving(wire, undefined);
        handlers.moving(undefined, wire);
        standstill.moving();
        return args.singleThread ? { answer: alone.run(args, wire) } : undefined;
      },
      next: move("next"),
      stepIn: move("stepIn"),
      stepOut: move("stepOut"),
      disconnect: (args, wire) => {
        leaving = args.terminateDebuggee === false;
        return leaving && request === "launch" ? { answer: leave(wire, pid, situation.end) } : undefined;
      },
    },
    closed: () => {
      over = true;
      situation.server?.close();
      situation.copy?.remove();
      fifos?.close({ left: leaving });
    },
    // It dies of asking a server that is no more.
    explain: (reason) =>
      lost !== undefined || (gone && reason.why.includes("SIGPIPE")) ? { why: lost ?? loss() } : reason,
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
