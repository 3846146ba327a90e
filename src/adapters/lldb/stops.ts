/** Stops, told as what they are to a reader: the program's entry, a panic, a signal, an exception with its message. */
import { basename } from "node:path";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import type { BuiltFrom } from "../native/built-from.ts";
import { isHalt } from "../native/signals.ts";
import { frames, passed } from "./ask.ts";
import { OwnBreakpoint } from "./own-breakpoints.ts";
import { abortIn, cppThrown, panicIn, type Thrown, willBeCaught } from "./thrown.ts";

type Stopped = DebugProtocol.StoppedEvent["body"];
type Info = DebugProtocol.ExceptionInfoResponse["body"];

/** Filters of ours, beside lldb-dap's. */
export const PANIC_FILTERS = [
  { filter: "panic", label: "Rust panics that nothing catches" },
  { filter: "panic_all", label: "all Rust panics" },
];

const STDERR_KEPT = 8192;
/** Of a throw, where a handler of the library's would be. */
const ABOVE_THROW = 4;
/** Deep enough to find who catches a panic. */
const DEEP = 500;

export class Stops {
  readonly #rust: boolean;
  readonly #core: boolean;
  readonly #wantsEntry: boolean;
  readonly #entry = new OwnBreakpoint("main");
  readonly #panic = new OwnBreakpoint("rust_panic");
  #firstInstruction: string | undefined;
  #allPanics = false;
  /** Of what is thrown, those to stop at; none: all. */
  #types: string[] = [];
  /** The end of what the program wrote to its standard error. */
  #stderr = "";
  #info: ((wire: Wire) => Promise<Info>) | undefined;
  /** The signal at which it stopped last, until it is resumed by anything but a continue. */
  lastSignal: string | undefined;

  readonly #tell: (body: Stopped, wire: Wire) => void;

  /** @param tell Of a stop at the start of a function. */
  constructor(
    situation: {
      rust: boolean;
      core: boolean;
      stopOnEntry: boolean;
      program: string | undefined;
      built: BuiltFrom;
    },
    tell: (body: Stopped, wire: Wire) => void,
  ) {
    this.#tell = tell;
    const { program, built } = situation;
    if (program !== undefined && built.elf)
      this.#firstInstruction = `--shlib "${basename(program)}" --address ${built.elf.entry}`;
    this.#rust = situation.rust;
    this.#core = situation.core;
    this.#wantsEntry = situation.stopOnEntry;
  }

  heard(stderr: string): void {
    this.#stderr = (this.#stderr + stderr).slice(-STDERR_KEPT);
  }

  /** Before the program runs. */
  async configured(wire: Wire): Promise<void> {
    if (!this.#wantsEntry || (await this.#entry.set(wire, this.#firstInstruction))) return;
    const output = "the program has no symbol named main: stopped at its first instruction\n";
    wire.emit("output", { category: "important", output });
  }

  /** Takes our filters out of what is asked of lldb-dap. */
  async setFilters(args: DebugProtocol.SetExceptionBreakpointsArguments, wire: Wire): Promise<unknown> {
    const ours = (name: string) => PANIC_FILTERS.some(({ filter }) => filter === name);
    const options = args.filterOptions ?? [];
    if (this.#rust && options.some(({ filterId, condition }) => ours(filterId) && condition))
      throw new Error("panics cannot have a condition");
    const typed = options.filter(({ filterId, condition }) => filterId === "cpp_throw" && condition);
    this.#types = typed.map(({ condition = "" }) => condition.trim());
    const asked = [...args.filters, ...options.map(({ filterId }) => filterId)].filter(ours);
    this.#allPanics = asked.includes("panic_all");
    if (asked.length > 0 && this.#rust) await this.#panic.set(wire);
    else await this.#panic.remove(wire);
    return passed(wire, "setExceptionBreakpoints", {
      ...args,
      filters: args.filters.filter((name) => !ours(name)),
      ...(args.filterOptions
        ? {
            filterOptions: options
              .filter(({ filterId }) => !ours(filterId))
              .map((one) => (typed.includes(one) ? { filterId: one.filterId } : one)),
          }
        : {}),
    });
  }

  /** The body to tell; nothing if it is told later, or never. */
  stopped(body: Stopped, wire: Wire): Stopped | undefined {
    const ids = hitIds(body);
    const signal = signalIn(body);
    this.#info = undefined;
    this.lastSignal = signal?.[1];
    const { threadId = 0 } = body;
    if (this.#entry.in(ids).hit) void this.#atEntry(body, ids, wire);
    else if (this.#panic.in(ids).hit) void this.#atPanic(body, ids, wire);
    else if (signal?.[1] !== undefined && isHalt(signal[1]))
      return { ...body, reason: `${signal[1]} from outside` };
    else if (signal?.[1] !== undefined) {
      const thrown = this.#signalled(signal[1], signal[2] ?? "");
      this.#info = async () => information(thrown, true);
      return { ...body, reason: "exception" };
    } else if (this.#core) return { ...body, reason: "exception" };
    else {
      if (body.reason === "exception") this.#info = (one) => thrownInfo(one, threadId);
      if (body.reason === "exception") {
        void this.#ifWanted({ ...body, hitBreakpointIds: ids }, wire);
        return undefined;
      }
      return { ...body, hitBreakpointIds: ids };
    }
    return undefined;
  }

  /** A library that has given up throws again to say of what type it was; the signal that follows tells it all. */
  async #ifWanted(body: Stopped, wire: Wire): Promise<void> {
    const { threadId = 0 } = body;
    const above = await frames(wire, threadId, ABOVE_THROW);
    const isOver = above.some(({ name }) =>
      /__verbose_terminate_handler|\b(std|__cxxabiv1)::_*terminate\b/.test(name),
    );
    const thrown = isOver || this.#types.length === 0 ? undefined : await cppThrown(wire, threadId);
    const named = (type: string) => thrown?.type === type || thrown?.type.endsWith(`::${type}`);
    if (!isOver && (thrown === undefined || this.#types.some(named))) wire.emit("stopped", body);
    else await wire.ask("continue", { threadId });
  }

  async exceptionInfo(args: DebugProtocol.ExceptionInfoArguments, wire: Wire): Promise<unknown> {
    if (this.#info) return this.#info(wire);
    const info = (await passed(wire, "exceptionInfo", args)) as Info;
    const signal = /^(?:signal )?(SIG\w+)(?:: (.*))?/.exec(info.description ?? "");
    return signal?.[1] === undefined
      ? info
      : information({ type: signal[1], message: signal[2] ?? "" }, true);
  }

  /** C's `main` comes before Rust's, which has a crate's name in front. */
  async #atEntry(body: Stopped, ids: number[], wire: Wire): Promise<void> {
    const { others } = this.#entry.in(ids);
    const [top] = await frames(wire, body.threadId ?? 0, 1);
    if (this.#rust && top?.name === "main" && others.length === 0) {
      await wire.ask("continue", { threadId: body.threadId });
      return;
    }
    await this.#entry.remove(wire).catch(() => {});
    const reason = others.length > 0 ? body.reason : "entry";
    const { description: _place, text: _text, ...rest } = body;
    this.#tell({ ...rest, reason, hitBreakpointIds: others }, wire);
  }

  async #atPanic(body: Stopped, ids: number[], wire: Wire): Promise<void> {
    const { others } = this.#panic.in(ids);
    const message = panicIn(this.#stderr) ?? "panic";
    this.#stderr = "";
    const caught = willBeCaught(await frames(wire, body.threadId ?? 0, DEEP));
    if (caught && !this.#allPanics && others.length === 0) {
      await wire.ask("continue", { threadId: body.threadId });
      return;
    }
    this.#info = async () => information({ type: "panic", message }, !caught);
    const { description: _place, ...rest } = body;
    wire.emit("stopped", { ...rest, reason: "exception", text: message, hitBreakpointIds: others });
  }

  #signalled(signal: string, about: string): Thrown {
    const aborted = signal === "SIGABRT" ? abortIn(this.#stderr) : undefined;
    return aborted ?? { type: signal, message: about };
  }
}

/** The signal that it stopped at, and what is said of it. */
export function signalIn({ description, text }: Stopped): RegExpExecArray | null {
  return /^(?:signal )?(SIG\w+)(?:: (.*))?/.exec(description ?? text ?? "");
}

/** Old versions name the breakpoints in words only: `breakpoint 3.1 4.1`. */
export function hitIds({ hitBreakpointIds, description }: Stopped): number[] {
  if (hitBreakpointIds) return hitBreakpointIds;
  const [named = ""] = /\bbreakpoint( ?\d+\.\d+)+/.exec(description ?? "") ?? [];
  return [...named.matchAll(/(\d+)\.\d+/g)].map(([, id]) => Number(id));
}

async function thrownInfo(wire: Wire, threadId: number): Promise<Info> {
  const thrown = await cppThrown(wire, threadId);
  return thrown
    ? { ...information(thrown, false), breakMode: "never" }
    : ((await passed(wire, "exceptionInfo", { threadId })) as Info);
}

function information({ type, message }: Thrown, uncaught: boolean): Info {
  return {
    exceptionId: type,
    description: message,
    breakMode: uncaught ? "unhandled" : "always",
    details: { typeName: type, message },
  };
}
