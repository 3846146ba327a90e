/** What a session has by groups of methods. */
import type { CommandArguments } from "../advice/commands.generated.ts";
import type { CommandResults } from "./commands.generated.ts";
import type { CallOptions, Options } from "./options.ts";

/** Breakpoints of a session; they stay when it is restarted. */
export interface SessionBreakpoints {
  /** `"file:line"`, `"file:line if condition"`; or more in words: `{ function: "main" }`. */
  add(
    where: string | Options<"breakpoint add">,
    options?: Options<"breakpoint add">,
  ): Promise<CommandResults["breakpoint add"]>;
  list(options?: CallOptions): Promise<CommandResults["breakpoint list"]>;
  /** By number or place: `2`, `"all"`, `{ at: "app.js:12" }`. */
  remove(
    which: number | readonly number[] | "all" | Omit<CommandArguments["breakpoint remove"], "ids" | "all">,
    options?: CallOptions,
  ): Promise<CommandResults["breakpoint remove"]>;
  enable(
    which: number | readonly number[] | "all",
    options?: CallOptions,
  ): Promise<CommandResults["breakpoint enable"]>;
  disable(
    which: number | readonly number[] | "all",
    options?: CallOptions,
  ): Promise<CommandResults["breakpoint disable"]>;
}

/** Stops at exceptions. */
export interface SessionCatches {
  /** `"uncaught"`, `"all"`, or a filter of the debugger's own. */
  add(filter: string, options?: Options<"catch", "filter">): Promise<CommandResults["catch"]>;
  list(options?: CallOptions): Promise<CommandResults["catch list"]>;
  remove(id: number, options?: CallOptions): Promise<CommandResults["catch remove"]>;
}

/** Stops when a value changes or is read, where the debugger can. */
export interface SessionWatches {
  add(expression: string, options?: Options<"watch", "expression">): Promise<CommandResults["watch"]>;
  /** Whether it can be watched, and how; sets nothing. */
  info(expression: string, options?: CallOptions): Promise<CommandResults["watch info"]>;
  list(options?: CallOptions): Promise<CommandResults["watch list"]>;
  /** By number or expression: `2`, `"all"`, `{ expression: "total" }`. */
  remove(
    which: number | readonly number[] | "all" | Omit<CommandArguments["watch remove"], "ids" | "all">,
    options?: CallOptions,
  ): Promise<CommandResults["watch remove"]>;
}

/** Bytes of the program, where the debugger can. */
export interface SessionMemory {
  read(address: string, options?: Options<"memory read", "address">): Promise<CommandResults["memory read"]>;
  write(
    address: string,
    bytes: string,
    options?: Options<"memory write", "address" | "bytes">,
  ): Promise<CommandResults["memory write"]>;
}
