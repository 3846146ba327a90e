/** Where dlv differs from plain DAP, or from what a reader expects. One for each connection. */
import { constants } from "node:os";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Dialect, Wire } from "../kit/dialect.ts";
import { Calls } from "./calls.ts";
import { failedCondition, topFrame, weigh } from "./conditions.ts";
import { assign, evaluate } from "./evaluate.ts";
import { FunctionBreakpoints } from "./function-breakpoints.ts";
import { type Launched, leaveLaunched } from "./leave.ts";
import { LineBreakpoints, type Member } from "./line-breakpoints.ts";
import { readMemory, writeMemory } from "./memory.ts";
import { EVERY_PANIC, FILTERS, panicPlace, panicValue, type Thrown, unquoted } from "./panics.ts";
import { goroutineName, refusalText } from "./plain-texts.ts";
import { readRegisters } from "./registers.ts";
import { SameMoment, type Stopped } from "./same-moment.ts";
import { type Held, leaveAttached } from "./settle.ts";
import { POINTED, Stacks } from "./stacks.ts";

export interface Opened {
  /** Functions to stop at first, if that was asked for. */
  entries: string[];
  /** Called with the way to the client as soon as there is one. */
  connected(wire: Wire): void;
  /** Ends dlv outright, where that is the way to leave the program: see `leave.ts`. */
  kill?: (() => void) | undefined;
  /** The process that it was attached to, and whether that was halted by a signal then. */
  attached?: { pid: number; isHalted: boolean } | undefined;
}

/** What dlv says instead of making a step, as if the program had stopped at an exception. */
const NOT_DONE = "invalid command";
const UNFINISHED =
  "dlv cannot step here: this breakpoint interrupted an earlier step in another goroutine; continue to finish that one first\n";

const ENTRY = "entry";
/** Instead of a goroutine's number: the one that dlv stopped for, or the thread, if that runs none. */
const LAST_STOPPED = -1;
/** What dlv calls an error that ends the runtime. */
const FATAL = "fatal error";
const CHATTER = /^(Type 'dlv help'|Process \d+ has exited|Detaching|Step interrupted|invalid command: )/;
const TROUBLE = /^Unable to (retrieve goroutines|set or clear breakpoints|halt)\b/;
const GONE = /no such process$/;

export function delveDialect({ entries, connected, kill, attached }: Opened): Dialect {
  const functions = new FunctionBreakpoints();
  const lines = new LineBreakpoints();
  const stacks = new Stacks();
  const calls = new Calls();
  const sameMoment = new SameMoment(() => gone);
  const counted = () => [...lines.counted(), ...functions.counted()];
  let client: Wire | undefined;
  let thrown: Thrown | undefined;
  /** What the runtime died of, once that was told. */
  let fatal: string | undefined;
  let exit: unknown;
  let over = false;
  let gone = false;
  /** The program, and then its children, which are debugged with it. */
  const pids: number[] = [];
  /** It stands still, as dlv last said; and who waits for that. */
  let still = true;
  const whenStill: (() => void)[] = [];
  /** The last move was a step. */
  let isStepped = false;
  /** The client has let it go on, perhaps before what it asked at the stop was answered. */
  let running = false;

  /** All is told when the output has been read; that is when dlv has gone, which only `disconnect` makes it do. */
  function ended(wire: Wire): undefined {
    if (!over) void wire.ask("disconnect", {});
    over = true;
    return undefined;
  }

  /** It died while it was stopped, which only this signal can do to it; dlv finds nobody there. */
  function vanished(wire: Wire): undefined {
    exit ??= { exitCode: -constants.signals.SIGKILL, signal: "SIGKILL" };
    return ended(wire);
  }

  function standsStill(): boolean {
    still = true;
    const left = whenStill.length > 0;
    for (const tell of whenStill.splice(0)) tell();
    return left;
  }

  function moves(bySteps = false): undefined {
    still = false;
    isStepped = bySteps;
    return undefined;
  }

  function steps(_: unknown, wire: Wire): undefined {
    sameMoment.passed(wire);
    return moves(true);
  }

  /** To the next goroutine that stands at a breakpoint too, which is shown after the answer, as a stop is. */
  function nextHeld(wire: Wire): { answer: Promise<unknown> } | undefined {
    const held = sameMoment.next(counted());
    if (held === undefined) return undefined;
    setImmediate(() => {
      running = false;
      stacks.moved();
      thrown = undefined;
      wire.emit("stopped", held);
    });
    return { answer: Promise.resolve({ allThreadsContinued: true }) };
  }

  /** Resolves when this has made it stand still; such a stop is not shown. */
  function haltBy(wire: Wire, command: string, args: object): Promise<void> {
    still = false;
    return new Promise((resolve) => {
      whenStill.push(resolve);
      void wire.ask(command, args);
    });
  }

  function held(wire: Wire, pids: readonly number[]): Held {
    return {
      pids,
      standstill: async () => (still ? undefined : haltBy(wire, "pause", { threadId: 1 })),
      step: () => haltBy(wire, "stepIn", { threadId: LAST_STOPPED, granularity: "instruction" }),
    };
  }

  function launched(wire: Wire, kill: () => void): Launched {
    return {
      ...held(wire, pids),
      isStepped,
      clearBreakpoints: async () => {
        await lines.clear(wire);
        await wire.ask("setFunctionBreakpoints", { breakpoints: [] });
        await wire.ask("setInstructionBreakpoints", { breakpoints: [] });
      },
      run: async () => {
        still = false;
        await wire.ask("continue", { threadId: 1 });
      },
      kill,
    };
  }

  function stopped(said: Stopped, wire: Wire): unknown {
    if (standsStill()) return undefined; // it is about to be left
    if (calls.takes(said)) return undefined;
    const places = counted();
    if (places.length === 0) return shown(said, wire);
    void sameMoment.look(wire, said, places).then((stop) => {
      const body = gone ? undefined : shown(stop, wire);
      if (body !== undefined) wire.emit("stopped", body);
    });
    return undefined;
  }

  function shown(said: Stopped, wire: Wire): unknown {
    // The runtime's own threads run no goroutine: a reader wants to see the main one.
    const body = { ...said, threadId: said.threadId || 1 };
    running = false;
    stacks.moved();
    thrown = undefined;
    const ids = body.hitBreakpointIds ?? [];
    const purposes = ids.map((id) => functions.whose(id));
    const hitBreakpointIds = ids.filter((id, index) => id > 0 && purposes[index] === undefined);
    if (purposes.includes(ENTRY)) {
      void functions.setOurs(wire, ENTRY, []).catch(() => {});
      return { ...body, reason: "entry", hitBreakpointIds };
    }
    if (purposes.includes(EVERY_PANIC)) {
      void panicValue(wire, body.threadId).then((message) => {
        thrown = { id: "panic", message, unhandled: false };
        wire.emit("stopped", {
          ...body,
          reason: "exception",
          description: "panic",
          text: message,
          hitBreakpointIds,
        });
      });
      return undefined;
    }
    if (body.description === "runtime error" && GONE.test(body.text ?? "")) return vanished(wire);
    if (body.description === "runtime error") {
      const at = (path: string | undefined, line: number) => [
        ...lines.at(path, line),
        ...functions.at(path, line),
      ];
      void failedCondition(wire, body, at).then((failed) => {
        if (!gone) wire.emit("stopped", failed ?? raised(body));
      });
      return undefined;
    }
    if (body.description === NOT_DONE) {
      const { description: _what, text: _why, ...rest } = body;
      wire.emit("output", { category: "important", output: UNFINISHED });
      return { ...rest, reason: "step not taken", hitBreakpointIds };
    }
    if (body.reason === "exception" && isFoundAgain(said)) return goOn(wire, body.threadId);
    if (body.reason === "exception") return { ...raised(body), hitBreakpointIds };
    const members = lines.members(hitBreakpointIds[0]);
    if (members.length < 2) return { ...body, hitBreakpointIds };
    void holding(wire, body, members).then((held) => {
      if (!gone) wire.emit("stopped", { ...body, hitBreakpointIds: held, framesTaken: true });
    });
    return undefined;
  }

  /**
   * That all goroutines sleep is found by whichever of the runtime's threads falls asleep last, and it lets go of the scheduler
   * before it says so: a second one may find the same before the program is ended. No goroutine runs on these.
   */
  function isFoundAgain({ description, text = "", threadId }: Stopped): boolean {
    if (description !== FATAL || threadId) return false;
    const again = fatal === text;
    fatal = text;
    return again;
  }

  /** Past a stop that the client is not told of. */
  function goOn(wire: Wire, threadId: number): undefined {
    running = true;
    still = false;
    void wire.ask("continue", { threadId });
    return undefined;
  }

  function raised(body: Stopped): Stopped {
    const message = unquoted(body.text ?? "");
    thrown = { id: body.description ?? "exception", message, unhandled: true };
    return { ...body, text: message };
  }

  async function setFilters(
    wire: Wire,
    args: DebugProtocol.SetExceptionBreakpointsArguments,
  ): Promise<unknown> {
    const filters = args.filters.filter((one) => one !== EVERY_PANIC);
    if (filters.length === args.filters.length) await functions.setOurs(wire, EVERY_PANIC, []);
    else {
      const [bound] = await functions.setOurs(wire, EVERY_PANIC, ["runtime.gopanic"]);
      await functions.setOurs(wire, EVERY_PANIC, [panicPlace(bound)]);
    }
    const answer = await wire.ask("setExceptionBreakpoints", { filters });
    if (!answer.success) throw new Error(refusalText(answer));
    return {}; // what it says of its own, in an order of its own, has no bearing on the filters
  }

  return {
    events: {
      stopped,
      breakpoint: (body, wire) => lines.changed(body, wire),
      continued: (body) => {
        stacks.moved();
        return body;
      },
      process: (body: DebugProtocol.ProcessEvent["body"]) => {
        if (body.systemProcessId !== undefined) pids.push(body.systemProcessId);
        return pids.length <= 1 ? body : undefined;
      },
      exited: (body) => {
        exit = body.exitCode < 0 ? { ...body, signal: signalName(-body.exitCode) } : body;
        return undefined;
      },
      terminated: (_, wire) => {
        standsStill();
        return ended(wire);
      },
      output: (body) => {
        const status = /^Process \d+ has exited with status (-?\d+)/.exec(body.output)?.[1];
        if (status !== undefined) exit ??= { exitCode: Number(status) };
        // What dlv says in its console is about itself; a stop says what there is to say of the program.
        if (CHATTER.test(body.output) && body.category === "console") return undefined;
        // dlv's own trouble, under the program's stream.
        if (TROUBLE.test(body.output) && body.category === "stderr")
          return GONE.test(body.output.trimEnd()) ? undefined : { ...body, category: "console" };
        // A log message, with the goroutine that came by.
        const message = body.output.replace(/^> \[Go \d+\]: /, "");
        return message === body.output ? body : { ...body, output: message, category: "console" };
      },
    },
    responses: {
      initialize: (body) => ({ ...body, exceptionBreakpointFilters: FILTERS, supportsSetExpression: true }),
      threads: (body: DebugProtocol.ThreadsResponse["body"]) => ({
        // While the program runs there is a stand-in, with a number that no goroutine has.
        threads: body.threads.map((one) => {
          const real = /\[Go \d+/.test(one.name) ? one : { id: 1, name: "" };
          return { ...real, name: goroutineName(real) };
        }),
      }),
      stackTrace: (body) => stacks.dim(body),
      scopes: (body, args) => stacks.scopes(body, args.frameId, client),
      variables: (body, args) => stacks.variables(body, args.variablesReference),
    },
    requests: {
      initialize: (args, wire) => {
        client = wire;
        connected(wire);
        return { args };
      },
      setBreakpoints: (args, wire) => ({ answer: lines.set(wire, args) }),
      setFunctionBreakpoints: (args, wire) => ({ answer: functions.setClient(wire, args.breakpoints) }),
      setExceptionBreakpoints: (args, wire) => ({ answer: setFilters(wire, args) }),
      configurationDone: (args, wire) =>
        entries.length === 0
          ? moves()
          : {
              answer: functions.setOurs(wire, ENTRY, entries).then(async () => {
                moves();
                const done = await wire.ask("configurationDone", args);
                if (!done.success) throw new Error(refusalText(done));
              }),
            },
      exceptionInfo: () => ({
        answer: thrown
          ? Promise.resolve({
              exceptionId: thrown.id,
              description: thrown.message,
              breakMode: thrown.unhandled ? "unhandled" : "always",
            })
          : Promise.reject(new Error("the program did not stop because of an exception")),
      }),
      evaluate: (args, wire) => ({
        answer: evaluate(wire, { ...args, unset: stacks.unset(args.frameId) }, () => running, calls)
          .catch((error: Error) => {
            if (GONE.test(error.message)) vanished(wire);
            throw error;
          })
          .finally(() => (calls.ranProgram() ? sameMoment.forget(wire, counted()) : undefined)),
      }),
      setExpression: (args, wire) => ({
        answer: assign(wire, { target: args.expression, value: args.value }, args.frameId).then((body) => ({
          ...(body as object),
          value: (body as { result: string }).result,
        })),
      }),
      variables: (args, wire) => {
        const registers = readRegisters(wire, args);
        return registers && { answer: registers };
      },
      setVariable: (args, wire) => ({ answer: setVariable(wire, stacks, args) }),
      readMemory: (args, wire) => ({ answer: readMemory(wire, args) }),
      writeMemory: (args, wire) => ({ answer: writeMemory(wire, args) }),
      dataBreakpointInfo: (args) => ({ args: stacks.byName(args) }),
      continue: (_, wire) => {
        running = true;
        return nextHeld(wire) ?? moves();
      },
      next: steps,
      stepIn: steps,
      stepOut: steps,
      disconnect: (args: DebugProtocol.DisconnectArguments, wire) => {
        over = true;
        if (args.terminateDebuggee !== false) return undefined;
        if (attached !== undefined) {
          const leaves = () => wire.ask("disconnect", args).then(({ body }) => body ?? {});
          return { answer: leaveAttached(held(wire, [attached.pid]), leaves, attached.isHalted) };
        }
        if (kill === undefined || pids.length === 0) return undefined;
        return { answer: leaveLaunched(launched(wire, kill)) };
      },
    },
    closed() {
      gone = true;
      if (exit !== undefined) client?.emit("exited", exit);
      if (over) client?.emit("terminated", {});
    },
  };
}

/** Those of one line whose condition holds where it stopped. */
async function holding(wire: Wire, { threadId }: Stopped, members: Member[]): Promise<number[]> {
  const frame = await topFrame(wire, threadId || 1);
  const { holding } = await weigh(wire, members, frame?.id);
  return holding.length > 0 ? holding : members.map(({ id }) => id);
}

/** It answers with the words of the request; the value is what a reader wants. */
async function setVariable(
  wire: Wire,
  stacks: Stacks,
  args: DebugProtocol.SetVariableArguments,
): Promise<unknown> {
  const set = await wire.ask("setVariable", args.name === POINTED ? { ...args, name: "" } : args);
  if (!set.success) throw new Error(refusalText(set));
  const frameId = stacks.frameOf(args.variablesReference);
  if (frameId === undefined) return set.body;
  const now = await wire.ask("evaluate", { expression: args.name, context: "watch", frameId });
  return now.success ? { ...now.body, value: now.body.result } : set.body;
}

function signalName(number: number): string {
  const found = Object.entries(constants.signals).find(([, value]) => value === number);
  return found?.[0] ?? `signal ${number}`;
}
