/** The tool `debug`: everything that moves or changes the program. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { CallResult } from "../../client/client.ts";
import { withProgramInput } from "../../client/program-input.ts";
import { SondeError } from "../../errors.ts";
import { splitWords } from "../../util/shell-words.ts";
import type { Arguments } from "../arguments.ts";
import { names, place, type Spoken, type Stands, stands } from "../stands.ts";
import { type Action, type Call, RUNS, SESSION, type Tool, WAITING, waiting } from "../tool.ts";
import { aim, spokenAim } from "./aim.ts";
import { BREAKPOINT_ACTIONS } from "./breakpoints.ts";
import { WRITE_MEMORY } from "./machine.ts";
import { locationOf, placed } from "./place.ts";

const OPENING = ["adapter", "function", "filters"] as const;

/** Of commands that wait for a stop; what `waiting` makes of them, read back. */
const WAITS = { timeout: "timeout", noWait: "no_wait", break: "breakpoints", eval: "expressions" } as const;
const OPENS = {
  ...WAITS,
  adapter: "adapter",
  name: "session",
  catch: "filters",
  functionBreak: names("function"),
} as const;
const STARTS = stands("start", {
  ...OPENS,
  program: "program",
  args: "args",
  cwd: "cwd",
  env: "env",
  build: "build",
  stopOnEntry: "stop_on_entry",
});

/** What to run is its file, or a command line by its first word. */
const LAUNCH: Stands = {
  command: "start",
  as: (args) => {
    const spoken = STARTS.as(args);
    if (spoken?.program !== undefined) return { program: spoken.program, ...spoken };
    if (!Array.isArray(spoken?.args)) return spoken;
    const [program, ...rest]: unknown[] = spoken.args;
    if (!/^(<[^<>]*>|[\w+-]+(\.\d+)*)$/.test(String(program))) return undefined; // a path would be taken for the program's own
    const { args: _, ...others } = spoken;
    return { program, ...others, ...(rest.length > 0 ? { args: rest } : {}) };
  },
};

function listening(value: unknown): Spoken | undefined {
  const [, host, port] = /^(?:\[host:\]|([^:]+):)?(\d+|<.*>|port)$/.exec(String(value)) ?? [];
  if (port === undefined) return undefined;
  const shown = port === "port" ? "<port>" : port;
  return { ...(host === undefined ? {} : { host }), port: /^\d/.test(shown) ? Number(shown) : shown };
}

const STARTING: readonly Action[] = [
  {
    name: "launch",
    stands: [LAUNCH],
    oneOf: [["program"], ["command"]],
    optional: ["args", ...OPENING, "env", "stdin", "build", "stop_on_entry", ...WAITING],
    waits: true,
    run: (call, args) =>
      withProgramInput(args.stdin, (stdin) =>
        call.ask("start", {
          ...whatToRun(call, args),
          ...opening(args),
          ...waiting(call, args),
          stdin,
          env: texts(args.env),
          build: args.build,
          stopOnEntry: args.stop_on_entry,
        }),
      ),
  },
  {
    name: "attach",
    stands: [stands("attach", { ...OPENS, pid: "pid", port: listening, cwd: "cwd" })],
    oneOf: [["pid"], ["port"]],
    optional: ["host", ...OPENING, ...WAITING],
    waits: true,
    run: (call, args) => {
      const { pid, port, host } = args;
      if (host !== undefined && port === undefined)
        throw new SondeError("BAD_ARGUMENT", "`host` goes with `port`");
      const where = port === undefined ? undefined : host === undefined ? `${port}` : `${host}:${port}`;
      // A running program has no reason to stop unless a breakpoint was asked for.
      const asks = args.breakpoints ?? args.timeout;
      const brief = asks === undefined ? { timeout: BRIEF_SECS } : {};
      return call.ask("attach", { pid, port: where, ...opening(args), ...waiting(call, args), ...brief });
    },
  },
];

const BRIEF_SECS = 5;

/** A bare word that is no file here is a command: `npm`, `python3`, `cargo`. */
function whatToRun({ cwd }: Call, { program = "", args, command }: Arguments): Record<string, unknown> {
  if (command !== undefined) {
    if (args === undefined) return { args: splitWords(command) };
    throw new SondeError("BAD_ARGUMENT", "`args` goes with `program`; `command` is the whole command line");
  }
  const isCommand = /^[\w+-]+(\.\d+)*$/.test(program) && !existsSync(resolve(cwd, program));
  return isCommand ? { args: [program, ...(args ?? [])] } : { program, args };
}

function opening({ adapter, function: name, filters, session }: Arguments): Record<string, unknown> {
  return { adapter, name: session, catch: filters, functionBreak: name };
}

/** Models give numbers too. */
export function texts(env: Arguments["env"]): Record<string, string> | undefined {
  return env && Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)]));
}

const MOVING: readonly Action[] = [
  {
    name: "continue",
    stands: [stands("continue", WAITS), stands("await", { timeout: "timeout", eval: "expressions" })],
    optional: WAITING,
    waits: true,
    run: (call, args) => call.ask("continue", waiting(call, args)),
  },
  move("step_over", "next"),
  move("step_in", "step"),
  move("step_out", "finish"),
  {
    name: "until",
    stands: [stands("until", { ...WAITS, location: untilLine })],
    required: ["line"],
    optional: ["file", "column", ...WAITING],
    understood: placed,
    waits: true,
    run: (call, args) => call.ask("until", { location: locationOf(args), ...waiting(call, args) }),
  },
  {
    name: "pause",
    stands: [stands("pause", { thread: "thread_id", timeout: "timeout", eval: "expressions" })],
    optional: ["thread_id", "expressions", ...SESSION],
    waits: true,
    run: (call, { thread_id, expressions }) =>
      call.ask("pause", { thread: thread_id, timeout: call.seconds, eval: expressions }),
  },
  move("restart", "restart"),
];

function untilLine(value: unknown): Spoken | undefined {
  return /^\d+$/.test(String(value)) ? { line: Number(value) } : place(value);
}

function move(name: string, command: string): Action {
  return {
    name,
    stands: [stands(command, WAITS)],
    optional: WAITING,
    waits: true,
    run: (call, args) => call.ask(command, waiting(call, args)),
  };
}

/** The debugger's own console knows its own place. */
async function raw(call: Call, { expression, frame_id, thread_id }: Arguments): Promise<CallResult> {
  if (frame_id !== undefined || thread_id !== undefined)
    throw new SondeError("BAD_ARGUMENT", 'evaluate: with context "raw" there is no frame_id or thread_id', {
      hint: "the debugger's own commands choose a thread and a frame",
    });
  return call.ask("raw", { command: expression });
}

const CHANGING: readonly Action[] = [
  {
    name: "evaluate",
    stands: [
      stands("eval", { expression: "expression", ...spokenAim }),
      stands("print", { expression: "expression", ...spokenAim }, { context: "watch" }),
      stands("raw", { command: "expression" }, { context: "raw" }),
    ],
    required: ["expression"],
    optional: ["context", "frame_id", "thread_id", ...SESSION],
    run: (call, args) => {
      const { expression, context = "repl" } = args;
      if (context === "raw") return raw(call, args);
      // What is only looked at must have no effects; `print` has none where the adapter can promise that.
      return call.ask(context === "repl" ? "eval" : "print", { expression, ...aim(args) });
    },
  },
  {
    name: "set_variable",
    stands: [stands("set", { target: "name", value: "value", ...spokenAim })],
    required: ["name", "value"],
    optional: ["frame_id", "thread_id", ...SESSION],
    run: (call, args) => call.ask("set", { target: args.name, value: args.value, ...aim(args) }),
  },
  WRITE_MEMORY,
  {
    name: "custom_request",
    stands: [stands("request", { command: "command", arguments: "arguments" })],
    required: ["command"],
    optional: ["arguments", ...SESSION],
    run: (call, { command, arguments: body }) => call.ask("request", { command, arguments: body }),
  },
  {
    name: "terminate",
    stands: [stands("stop")],
    optional: SESSION,
    run: (call) => call.ask("stop"),
  },
];

export const DEBUG: Tool = {
  name: "debug",
  by: "action",
  description: [
    "Live session. step_* and continue wait for a stop and return place, source, values, stack, output.",
    "launch: program, breakpoints. attach: pid|port. …_breakpoint: file+line|function. …_instruction_breakpoint: instruction_reference.",
    "data_breakpoint_info: name → data_id for …_data_breakpoint. continue: also waits if running. until: line. evaluate: expression.",
    "set_variable: name, value. set_exception_breakpoints: filters. write_memory: memory_reference, data. custom_request: command (DAP).",
  ].join(" "),
  annotations: RUNS,
  actions: [...STARTING, ...BREAKPOINT_ACTIONS, ...MOVING, ...CHANGING],
};
