/** Panics and fatal errors in a reader's words; and stopping at panics that the program recovers from, which dlv has no filter for. */

import { readFileSync } from "node:fs";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { advice, call, inSession, type Told } from "../../advice/advice.ts";
import type { Wire } from "../kit/dialect.ts";

export const EVERY_PANIC = "panic";

export const FILTERS: DebugProtocol.ExceptionBreakpointsFilter[] = [
  { filter: "unrecovered-panic", label: "Unrecovered panics", default: true },
  { filter: "runtime-fatal-throw", label: "Fatal errors of the runtime, such as a deadlock", default: true },
  { filter: EVERY_PANIC, label: "Every panic, where it is raised" },
];

export interface Thrown {
  id: string;
  message: string;
  unhandled: boolean;
}

const GOPANIC = "runtime.gopanic";

/**
 * Where every panic passes. At its first line the value is still in registers, where dlv cannot read an interface from; so the
 * line that follows its assignment is looked up in the runtime's own source.
 */
export function panicPlace(bound: DebugProtocol.Breakpoint | undefined): string {
  const { path } = bound?.source ?? {};
  if (path === undefined || bound?.line === undefined) return GOPANIC;
  try {
    const lines = readFileSync(path, "utf8").split("\n").slice(bound.line);
    const stored = lines.findIndex((line) => /^\tp\.arg = e$/.test(line));
    const used = lines.findIndex((line, index) => index > stored && /^\tp\.start\(/.test(line));
    const end = lines.indexOf("}");
    return stored >= 0 && used > stored && used < end ? `${GOPANIC}:${used + 1}` : GOPANIC;
  } catch {
    return GOPANIC; // no source of the runtime here
  }
}

/** The value given to `panic`, read in the frame on top. */
export async function panicValue(wire: Wire, threadId: number): Promise<string> {
  const stack = await wire.ask("stackTrace", { threadId, startFrame: 0, levels: 1 });
  const frameId = stack.body?.stackFrames?.[0]?.id;
  for (const expression of ["p.arg", "e"]) {
    const { success, body } = await wire.ask("evaluate", { expression, context: "repl", frameId });
    if (success && !/^\(unreadable/.test(body.result)) return panicMessage(body.result);
  }
  return "its value cannot be read here";
}

/** `interface {}(*errors.errorString) *{s: "no"}` → `no`, as the program itself would print it where that is known. */
export function panicMessage(value: string): string {
  const [, type = "", rest = value] = /^(?:interface \{\}|error)\(([^)]*)\) ([\s\S]*)$/.exec(value) ?? [];
  const text = unquoted(rest);
  if (type === "runtime.errorString" || type === "runtime.plainError") return `runtime error: ${text}`;
  if (text !== rest) return text;
  const bounds = /^\{x: (-?\d+), y: (\d+), signed: \w+, code: BoundsIndex/.exec(rest);
  if (bounds) return `runtime error: index out of range [${bounds[1]}] with length ${bounds[2]}`;
  const words = /^\*?\{(?:s|msg): ("(?:[^"\\]|\\.)*")/.exec(rest)?.[1];
  if (words !== undefined) return unquoted(words);
  return type === "" ? value : `${type} ${rest}`;
}

/** Of a deadlock the stop shows one goroutine, and the others are what it is about. */
export function adviseOn(message: string): Told | undefined {
  if (!/^all goroutines are asleep/.test(message)) return undefined;
  return inSession("", advice`${call("threads")} shows where each goroutine waits`);
}

/** A Go string literal, near enough to JSON's. */
export function unquoted(text: string): string {
  if (!/^".*"$/s.test(text)) return text;
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.slice(1, -1);
  }
}
