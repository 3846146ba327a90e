/** What other debuggers and the protocol call it, in lower case, without blanks and dashes: the first thing a reader who knows them types. */
import { advice, blank, call, joined, shell, type Told } from "../advice/advice.ts";

const START = advice`${call("start", { program: blank("program") })}`;
const STOP = advice`${call("stop")}`;
const REMOVE = advice`${call("breakpoint remove", { at: blank("file:line") })}`;
const BREAK = advice`${call("breakpoint add", { location: blank("file:line") })}`;
const UNTIL = advice`${call("until", { location: blank("file:line") })}`;
const PRINT = advice`${call("print", { expression: blank("expression") })}`;
const STACK = advice`${call("backtrace")}`;
const LOCALS = advice`${call("locals")}`;

export const FOREIGN: Readonly<Record<string, Told>> = {
  protocol: advice`${call("logs", { protocol: true })}`,
  run: START,
  r: START,
  launch: START,
  debug: START,
  quit: STOP,
  exit: STOP,
  kill: STOP,
  disconnect: STOP,
  terminate: STOP,
  delete: REMOVE,
  clear: REMOVE,
  deletebreakpoint: REMOVE,
  removebreakpoint: REMOVE,
  breakpoint: BREAK,
  addbreakpoint: BREAK,
  setbreakpoint: BREAK,
  setbreakpoints: BREAK,
  setfunctionbreakpoints: advice`${call("breakpoint add", { function: blank("function") })}`,
  tbreak: advice`${call("breakpoint add", { location: blank("file:line"), once: true })}`,
  info: joined([call("locals"), call("args"), call("threads"), call("breakpoint list")], " or "),
  infolocals: LOCALS,
  infoargs: advice`${call("args")}`,
  infobreakpoints: advice`${call("breakpoint list")}`,
  infothreads: advice`${call("threads")}`,
  infoframe: advice`${call("frame")}`,
  inspect: PRINT,
  display: PRINT,
  ptype: advice`${call("print", { expression: blank("expression"), type: true })}`,
  evaluate: PRINT,
  x: advice`${call("memory read", { address: blank("address") })}`,
  readmemory: advice`${call("memory read", { address: blank("address") })}`,
  writememory: advice`${call("memory write", { address: blank("address"), bytes: blank("bytes") })}`,
  advance: UNTIL,
  runto: UNTIL,
  stepi: advice`${call("step", { instruction: true })}`,
  nexti: advice`${call("next", { instruction: true })}`,
  stepover: advice`${call("next")}`,
  ni: advice`${call("next")}`,
  stepin: advice`${call("step")}`,
  stepinto: advice`${call("step")}`,
  si: advice`${call("step")}`,
  stepout: advice`${call("finish")}`,
  return: advice`${call("finish")}`,
  cont: advice`${call("continue")}`,
  resume: advice`${call("continue")}`,
  go: advice`${call("continue")}`,
  interrupt: advice`${call("pause")}`,
  halt: advice`${call("pause")}`,
  stack: STACK,
  stacktrace: STACK,
  setvariable: advice`${call("set", { target: blank("target"), value: blank("value") })}`,
  setexpression: advice`${call("set", { target: blank("target"), value: blank("value") })}`,
  setexceptionbreakpoints: advice`${call("catch", { filter: blank("filter") })}`,
  setdatabreakpoints: advice`${call("watch", { expression: blank("expression") })}`,
  databreakpointinfo: advice`${call("watch info", { expression: blank("expression") })}`,
  setinstructionbreakpoints: advice`${call("breakpoint add", { address: blank("address") })}`,
  loadedsources: advice`${call("sources")}`,
  version: advice`${shell("sonde --version")}`,
  logs: advice`${shell("sonde daemon logs")}`,
};

/** What such a word means here. */
export function foreign(words: string): Told | undefined {
  const plain = words.toLowerCase().replace(/[\s_-]/g, "");
  return Object.hasOwn(FOREIGN, plain) ? FOREIGN[plain] : undefined;
}
