/** The action that a call means, or whose name it nearly has. */
import { SondeError } from "../errors.ts";
import { shapeOf } from "../surface/line.ts";
import { closest } from "../util/closest.ts";
import { own } from "../util/own.ts";
import { callText, toolWords } from "./hints.ts";
import type { Action, Tool } from "./tool.ts";

/** What the protocol and other debuggers call it, without case and dashes; names of commands are known as they are. */
const FOREIGN: Record<string, string> = {
  stepover: "step_over",
  ni: "step_over",
  stepin: "step_in",
  stepinto: "step_in",
  si: "step_in",
  stepout: "step_out",
  return: "step_out",
  up: "stack_trace",
  down: "stack_trace",
  cont: "continue",
  resume: "continue",
  go: "continue",
  advance: "until",
  runto: "until",
  interrupt: "pause",
  halt: "pause",
  run: "launch",
  r: "launch",
  quit: "terminate",
  exit: "terminate",
  kill: "terminate",
  disconnect: "terminate",
  detach: "terminate",
  stack: "stack_trace",
  stacktrace: "stack_trace",
  breakpoint: "set_breakpoint",
  addbreakpoint: "set_breakpoint",
  setbreakpoints: "set_breakpoint",
  setfunctionbreakpoints: "set_breakpoint",
  tbreak: "set_breakpoint",
  delete: "remove_breakpoint",
  clear: "remove_breakpoint",
  deletebreakpoint: "remove_breakpoint",
  setdatabreakpoints: "set_data_breakpoint",
  databreakpointinfo: "data_breakpoint_info",
  setinstructionbreakpoints: "set_instruction_breakpoint",
  setexceptionbreakpoints: "set_exception_breakpoints",
  setvariable: "set_variable",
  setexpression: "set_variable",
  readmemory: "read_memory",
  writememory: "write_memory",
  loadedsources: "loaded_sources",
  locals: "scopes",
  info: "scopes",
};

export function chosen(tool: Tool, given: unknown, tools: readonly Tool[]): Action {
  const wanted = given ?? tool.usual;
  const names = tool.actions.map(({ name }) => name);
  const found = tool.actions.find(({ name }) => name === wanted);
  if (found) return found;
  const hint = `one of ${names.join(", ")}`;
  if (wanted === undefined)
    throw new SondeError("BAD_ARGUMENT", `${tool.name} needs \`${tool.by}\``, { hint });
  throw new SondeError("BAD_ARGUMENT", `${tool.name} has no ${tool.by} ${JSON.stringify(wanted)}`, {
    hint: (typeof wanted === "string" ? meantBy(tool, wanted, tools) : undefined) ?? hint,
  });
}

function meantBy(tool: Tool, wanted: string, tools: readonly Tool[]): string | undefined {
  const has = (one: Tool, name: string | undefined) => one.actions.find((action) => action.name === name);
  const elsewhere = tools.find((one) => one.by === tool.by && has(one, wanted));
  if (elsewhere) return `it is one of the tool \`${elsewhere.name}\``;
  const foreign = own(FOREIGN, wanted.toLowerCase().replace(/[\s_-]/g, ""));
  // Its own action first: two tools may have one of that name.
  const owner = [tool, ...tools].find((one) => has(one, foreign));
  const action = owner && has(owner, foreign);
  const shape = shapeOf(wanted);
  const call =
    owner && action
      ? callText({ tool: owner, action, args: {} })
      : shape && toolWords(tools).call({ command: shape.name, args: {} });
  if (call !== undefined) return `here it is \`${call}\``;
  const near = closest(
    wanted,
    tool.actions.map(({ name }) => name),
  );
  return near === undefined ? undefined : `did you mean \`${near}\`?`;
}
