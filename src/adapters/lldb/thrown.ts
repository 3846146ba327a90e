/** What a native program died of, or threw, in its own words. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import { isLibrary } from "../native/frames.ts";
import { command, frames, valueIn } from "./ask.ts";

export interface Thrown {
  type: string;
  message: string;
}

/** `thread 'main' (123) panicked at src/main.rs:7:13:` and what follows; before Rust 1.73 all in one line. */
const PANIC_STARTS = /^thread '[^\n]*?' (?:\(\d+\) )?panicked at /gm;
const PANIC = /^(?:'([\s\S]*?)', [^\n]*|[^\n]*:\n([\s\S]*?))(?=\nnote: |\nstack backtrace:|\n?$)/;

export function panicIn(stderr: string): string | undefined {
  const last = [...stderr.matchAll(PANIC_STARTS)].at(-1);
  const told = last && PANIC.exec(stderr.slice(last.index + last[0].length));
  return told?.[1] ?? told?.[2];
}

/** What libstdc++ and libc++abi say before they abort; what glibc says. */
export function abortIn(stderr: string): Thrown | undefined {
  const cpp =
    /terminate called after throwing an instance of '([^\n]+)'(?:\n\s*what\(\):\s*([\s\S]*?))?\n?$/.exec(
      stderr,
    ) ?? /terminating due to uncaught exception of type ([^\n:]+)(?:: ([^\n]*))?\n?$/.exec(stderr);
  if (cpp) return { type: cpp[1] ?? "exception", message: cpp[2] ?? "" };
  const last = stderr.trimEnd().split("\n").at(-1) ?? "";
  const told = /Assertion .* failed|^(\*\*\*|malloc|free|realloc|double free|corrupted|munmap_chunk)/.test(
    last,
  );
  return told ? { type: "SIGABRT", message: last } : undefined;
}

/** The panic in progress will be caught by the user's own `catch_unwind`, not by the runtime's (main, a thread, a test). */
export function willBeCaught(stack: readonly DebugProtocol.StackFrame[]): boolean {
  const catching = (name: string) => /\bcatch_unwind\b|^std::panicking::try\b|__rust_try/.test(name);
  const first = stack.findIndex(({ name }) => catching(name));
  if (first < 0) return false;
  const catcher = stack.slice(first).find(({ name }) => !catching(name));
  const path = catcher?.source?.sourceReference ? undefined : catcher?.source?.path;
  return path !== undefined && !isLibrary(path);
}

/** Of the exception being thrown, at a stop in `__cxa_throw(object, type, …)`. */
export async function cppThrown(wire: Wire, threadId: number): Promise<Thrown | undefined> {
  const [top] = await frames(wire, threadId, 1);
  if (!top) return undefined;
  const mangled = await valueIn(wire, top.id, "*(const char **)((unsigned long)$arg2 + sizeof(void *))");
  const name = quoted(mangled) ?? "";
  const type = await demangledType(wire, name);
  if (type === undefined) return undefined;
  const plain = PLAIN[name];
  if (plain !== undefined) {
    const value = await valueIn(wire, top.id, `*(${plain} *)$arg1`);
    return { type, message: quoted(value) ?? value ?? "" };
  }
  // std::exception's type_info says whether the object is one (__do_catch); if so, what() is the third virtual function.
  const what = await valueIn(
    wire,
    top.id,
    "void *o = (void *)$arg1; (*(bool (***)(void *, void *, void **, unsigned))&_ZTISt9exception)[4]((void *)&_ZTISt9exception, (void *)$arg2, &o, 1) ? (*(const char *(***)(void *))o)[2](o) : (const char *)0",
  );
  return { type, message: quoted(what) ?? "" };
}

/** Thrown as they are, what they hold is the message; a text begins with the address of its characters. */
const PLAIN: Record<string, string> = {
  i: "int",
  j: "unsigned int",
  l: "long",
  m: "unsigned long",
  PKc: "const char *",
  Pc: "char *",
  Ss: "const char *",
  NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE: "const char *",
};

async function demangledType(wire: Wire, mangled: string): Promise<string | undefined> {
  const name = cppTypeName(mangled);
  if (name === undefined || name !== mangled) return name;
  const said = await command(wire, `language cplusplus demangle _ZTS${mangled}`).catch(() => "");
  return / ---> typeinfo name for (.+)/.exec(said)?.[1] ?? name;
}

function quoted(value: string | undefined): string | undefined {
  return /"((?:[^"\\]|\\.)*)"/.exec(value ?? "")?.[1]?.replace(/\\(["\\'])/g, "$1");
}

const BUILT_IN: Record<string, string> = {
  i: "int",
  j: "unsigned int",
  l: "long",
  m: "unsigned long",
  c: "char",
  b: "bool",
  d: "double",
  f: "float",
  PKc: "const char *",
  Pc: "char *",
  Ss: "std::string",
  NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE: "std::string",
};

/** Of the names that `typeid` gives, the plain ones: `St13runtime_error`, `N3app5ErrorE`; others stay as they are. */
export function cppTypeName(mangled: string): string | undefined {
  if (mangled === "") return undefined;
  const simple = BUILT_IN[mangled];
  if (simple !== undefined) return simple;
  const nested = /^N(.*)E$/.exec(mangled)?.[1] ?? mangled;
  const parts: string[] = [];
  let rest = nested.replace(/^St/, () => {
    parts.push("std");
    return "";
  });
  while (rest !== "") {
    const length = /^\d+/.exec(rest)?.[0];
    if (length === undefined) return mangled;
    const end = length.length + Number(length);
    parts.push(rest.slice(length.length, end));
    rest = rest.slice(end);
  }
  return parts.join("::");
}
