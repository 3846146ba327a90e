/** Generated from the command declarations (`npm run generate`): the methods of a session. */
// biome-ignore-all format: generated
import type { CommandArguments } from "../advice/commands.generated.ts";
import type { CommandResults } from "./commands.generated.ts";
import type { CallOptions, Options } from "./options.ts";
import { chosen, placed } from "./placed.ts";

/** Breakpoints of a session; they stay when it is restarted. */
export interface SessionBreakpoints {
  /** Set a breakpoint: `"file:line"`, `"file:line if condition"`, or with more options: `{ function: "main" }`. */
  add(location: string | Options<"breakpoint add">, options?: Options<"breakpoint add", "location">): Promise<CommandResults["breakpoint add"]>;
  /** List breakpoints with their locations, states and hits. */
  list(options?: CallOptions): Promise<CommandResults["breakpoint list"]>;
  /** Remove breakpoints by number or location: `2`, `"all"`, `{ at: "app.js:12" }`. */
  remove(ids: number | readonly number[] | "all" | Options<"breakpoint remove", "ids" | "all">, options?: Options<"breakpoint remove", "ids" | "all">): Promise<CommandResults["breakpoint remove"]>;
  /** Enable breakpoints that were disabled. */
  enable(ids: number | readonly number[] | "all", options?: CallOptions): Promise<CommandResults["breakpoint enable"]>;
  /** Keep breakpoints but do not stop at them. */
  disable(ids: number | readonly number[] | "all", options?: CallOptions): Promise<CommandResults["breakpoint disable"]>;
}

/** Stops at exceptions. */
export interface SessionCatches {
  /** Stop on exceptions: uncaught (on by default), all, or one of the adapter's own filters. */
  add(filter: string, options?: Options<"catch", "filter">): Promise<CommandResults["catch"]>;
  /** List which exceptions stop the program, and the available filters. */
  list(options?: CallOptions): Promise<CommandResults["catch list"]>;
  /** Remove an exception breakpoint, by its number. */
  remove(id: number, options?: CallOptions): Promise<CommandResults["catch remove"]>;
}

/** Stops when a value changes or is read, where the debugger can. */
export interface SessionWatches {
  /** Stop when a variable or other memory location is written (or read). */
  add(expression: string, options?: Options<"watch", "expression">): Promise<CommandResults["watch"]>;
  /** Show whether a variable can be watched, and for which kinds of access, without setting a watch. */
  info(expression: string, options?: Options<"watch info", "expression">): Promise<CommandResults["watch info"]>;
  /** List watches with their values, states and hits. */
  list(options?: CallOptions): Promise<CommandResults["watch list"]>;
  /** Remove watches by number or expression: `2`, `"all"`, `{ expression: "total" }`. */
  remove(ids: number | readonly number[] | "all" | Options<"watch remove", "ids" | "all">, options?: Options<"watch remove", "ids" | "all">): Promise<CommandResults["watch remove"]>;
}

/** Bytes of the program, where the debugger can. */
export interface SessionMemory {
  /** Show the bytes at an address or of a variable. */
  read(address: string, options?: Options<"memory read", "address">): Promise<CommandResults["memory read"]>;
  /** Write bytes to an address or a variable, and show the result. */
  write(address: string, bytes: string, options?: Options<"memory write", "address" | "bytes">): Promise<CommandResults["memory write"]>;
}

type Ask = <C extends keyof CommandArguments>(command: C, args: Record<string, unknown> & CallOptions) => Promise<CommandResults[C]>;

export abstract class SessionMethods {
  readonly breakpoints: SessionBreakpoints;
  readonly catches: SessionCatches;
  readonly watches: SessionWatches;
  readonly memory: SessionMemory;
  readonly #ask: Ask;

  protected constructor(ask: Ask) {
    this.#ask = ask;
    this.breakpoints = {
      add: (location, options) => ask("breakpoint add", { ...placed("location", location), ...options }),
      list: (options) => ask("breakpoint list", { ...options }),
      remove: (ids, options) => ask("breakpoint remove", { ...chosen(ids), ...options }),
      enable: (ids, options) => ask("breakpoint enable", { ...chosen(ids), ...options }),
      disable: (ids, options) => ask("breakpoint disable", { ...chosen(ids), ...options }),
    };
    this.catches = {
      add: (filter, options) => ask("catch", { filter, ...options }),
      list: (options) => ask("catch list", { ...options }),
      remove: (id, options) => ask("catch remove", { id, ...options }),
    };
    this.watches = {
      add: (expression, options) => ask("watch", { expression, ...options }),
      info: (expression, options) => ask("watch info", { expression, ...options }),
      list: (options) => ask("watch list", { ...options }),
      remove: (ids, options) => ask("watch remove", { ...chosen(ids), ...options }),
    };
    this.memory = {
      read: (address, options) => ask("memory read", { address, ...options }),
      write: (address, bytes, options) => ask("memory write", { address, bytes, ...options }),
    };
  }

  /** End the session and leave the program running. */
  detach(options?: CallOptions): Promise<CommandResults["detach"]> {
    return this.#ask("detach", { ...options });
  }

  /** End the session and everything started for it; an attached program keeps running. */
  stop(options?: CallOptions): Promise<CommandResults["stop"]> {
    return this.#ask("stop", { ...options });
  }

  /** Run the program again from the start, same arguments and breakpoints. */
  restart(options?: Options<"restart">): Promise<CommandResults["restart"]> {
    return this.#ask("restart", { ...options });
  }

  /** Wait for the next stop, or for the program to end. */
  wait(options?: Options<"await">): Promise<CommandResults["await"]> {
    return this.#ask("await", { ...options });
  }

  /** Run to the next stop or the end; if the program is already running, only wait. */
  continue(options?: Options<"continue">): Promise<CommandResults["continue"]> {
    return this.#ask("continue", { ...options });
  }

  /** Run to the next line, stepping over calls. */
  next(options?: Options<"next">): Promise<CommandResults["next"]> {
    return this.#ask("next", { ...options });
  }

  /** Run to the next line, stepping into calls. */
  step(options?: Options<"step">): Promise<CommandResults["step"]> {
    return this.#ask("step", { ...options });
  }

  /** Run until the current function returns. */
  finish(options?: Options<"finish">): Promise<CommandResults["finish"]> {
    return this.#ask("finish", { ...options });
  }

  /** Run to a location; other breakpoints still stop the program. */
  until(location: string, options?: Options<"until", "location">): Promise<CommandResults["until"]> {
    return this.#ask("until", { location, ...options });
  }

  /** Stop the running program where it is, with its workers and child processes. */
  pause(options?: Options<"pause">): Promise<CommandResults["pause"]> {
    return this.#ask("pause", { ...options });
  }

  /** Go back to the start of a function on the stack and stop there. */
  restartFrame(options?: Options<"restart-frame">): Promise<CommandResults["restart-frame"]> {
    return this.#ask("restart-frame", { ...options });
  }

  /** Show the stop again: location, source, values, stack. */
  context(options?: Options<"context">): Promise<CommandResults["context"]> {
    return this.#ask("context", { ...options });
  }

  /** Show the source around a location (default: where the program is stopped). */
  source(options?: Options<"source">): Promise<CommandResults["source"]> {
    return this.#ask("source", { ...options });
  }

  /** Show the stack: your frames; `all` adds library frames, `locals` adds values. */
  backtrace(options?: Options<"backtrace">): Promise<CommandResults["backtrace"]> {
    return this.#ask("backtrace", { ...options });
  }

  /** Select the frame that print, locals and eval use; without a number, show it. */
  frame(number?: number, options?: CallOptions): Promise<CommandResults["frame"]> {
    return this.#ask("frame", { number, ...options });
  }

  /** Go to the caller's frame. */
  up(options?: CallOptions): Promise<CommandResults["up"]> {
    return this.#ask("up", { ...options });
  }

  /** Go to the called frame. */
  down(options?: CallOptions): Promise<CommandResults["down"]> {
    return this.#ask("down", { ...options });
  }

  /** Show all variables of the current frame, by scope. */
  locals(options?: Options<"locals">): Promise<CommandResults["locals"]> {
    return this.#ask("locals", { ...options });
  }

  /** Show the arguments of the current function. */
  args(options?: Options<"args">): Promise<CommandResults["args"]> {
    return this.#ask("args", { ...options });
  }

  /** List the scopes of the current frame, with handles. */
  scopes(options?: Options<"scopes">): Promise<CommandResults["scopes"]> {
    return this.#ask("scopes", { ...options });
  }

  /** Show the parts of a value, by its handle (`@v7`). */
  variables(handle: string, options?: Options<"variables", "handle">): Promise<CommandResults["variables"]> {
    return this.#ask("variables", { handle, ...options });
  }

  /** Show the value of an expression; assignments are refused, function calls are run (JavaScript: only those without side effects; Go: never). */
  print(expression: string, options?: Options<"print", "expression">): Promise<CommandResults["print"]> {
    return this.#ask("print", { expression, ...options });
  }

  /** Run an expression in the program, with its side effects; works on a running program if the adapter supports it. */
  evaluate(expression: string, options?: Options<"eval", "expression">): Promise<CommandResults["eval"]> {
    return this.#ask("eval", { expression, ...options });
  }

  /** Change a variable, property or element. */
  set(target: string, value?: string, options?: Options<"set", "target" | "value">): Promise<CommandResults["set"]> {
    return this.#ask("set", { target, value, ...options });
  }

  /** List threads, workers and child processes, and where they are. */
  threads(options?: CallOptions): Promise<CommandResults["threads"]> {
    return this.#ask("threads", { ...options });
  }

  /** Select the thread that other commands use; without a number, show it. */
  thread(number?: number, options?: CallOptions): Promise<CommandResults["thread"]> {
    return this.#ask("thread", { number, ...options });
  }

  /** Show the processor's general-purpose registers, or those you name. */
  registers(options?: Options<"registers">): Promise<CommandResults["registers"]> {
    return this.#ask("registers", { ...options });
  }

  /** Show the machine instructions of the current function, or from an address on. */
  disassemble(options?: Options<"disassemble">): Promise<CommandResults["disassemble"]> {
    return this.#ask("disassemble", { ...options });
  }

  /** Show what the program printed; the order is exact within stdout and within stderr, approximate between them. */
  output(options?: Options<"output">): Promise<CommandResults["output"]> {
    return this.#ask("output", { ...options });
  }

  /** Write a line to the program's standard input, or close it: `{ eof: true }`. */
  input(text: string | Options<"input">, options?: Options<"input", "text">): Promise<CommandResults["input"]> {
    return this.#ask("input", { ...placed("text", text), ...options });
  }

  /** Send any Debug Adapter Protocol request, unchanged. */
  request(command: string, args?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<CommandResults["request"]> {
    return this.#ask("request", { command, arguments: args, ...options });
  }

  /** List what the adapter says it can do. */
  capabilities(options?: CallOptions): Promise<CommandResults["capabilities"]> {
    return this.#ask("capabilities", { ...options });
  }
}
