/** The tool `debug`: everything that moves or changes the program. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { CallResult } from "../../client/client.ts";
import { asSondeError, SondeError } from "../../errors.ts";
import type { Arguments } from "../arguments.ts";
import { type Action, type Call, RUNS, SESSION, type Tool, WAITING, waiting } from "../tool.ts";
import { BREAKPOINT_ACTIONS } from "./breakpoints.ts";
import { focused } from "./focus.ts";
import { withInputs } from "./input.ts";
import { WRITE_MEMORY } from "./machine.ts";

const OPENING = ["adapter", "function", "filters"] as const;

const STARTING: readonly Action[] = [
  {
    name: "launch",
    required: ["program"],
    optional: ["args", ...OPENING, "env", "stdin", "build", "stop_on_entry", ...WAITING],
    waits: true,
    run: (call, args) =>
      withInputs([args.stdin], ([stdin]) =>
        call.ask("start", {
          ...whatToRun(call, args),
          ...opening(args),
          ...waiting(call, args),
          stdin,
          env: pairs(args.env),
          build: args.build,
          stopOnEntry: args.stop_on_entry,
        }),
      ),
  },
  {
    name: "attach",
    oneOf: [["pid"], ["port"]],
    optional: ["host", ...OPENING, ...WAITING],
    waits: true,
    run: (call, args) => {
      const { pid, port, host } = args;
      if (host !== undefined && port === undefined)
        throw new SondeError("BAD_ARGUMENT", "`host` goes with `port`");
      const where = port === undefined ? undefined : host === undefined ? `${port}` : `${host}:${port}`;
      return call.ask("attach", { pid, port: where, ...opening(args), ...waiting(call, args) });
    },
  },
];

/** A bare word that is no file here is a command: `npm`, `python3`, `cargo`. */
function whatToRun({ cwd }: Call, { program = "", args }: Arguments): Record<string, unknown> {
  const isCommand = /^[\w+-]+(\.\d+)*$/.test(program) && !existsSync(resolve(cwd, program));
  return isCommand ? { args: [program, ...(args ?? [])] } : { program, args };
}

function opening({ adapter, function: name, filters, session }: Arguments): Record<string, unknown> {
  return { adapter, name: session, catch: filters, functionBreak: name === undefined ? undefined : [name] };
}

export function pairs(env: Arguments["env"]): string[] | undefined {
  return env && Object.entries(env).map(([key, value]) => `${key}=${String(value)}`);
}

const MOVING: readonly Action[] = [
  {
    name: "continue",
    optional: WAITING,
    waits: true,
    run: async (call, args) => {
      try {
        return await call.ask("continue", waiting(call, args));
      } catch (thrown) {
        if (asSondeError(thrown).code !== "NOT_STOPPED") throw thrown;
        return alreadyRunning(call, args);
      }
    },
  },
  move("step_over", "next"),
  move("step_in", "step"),
  move("step_out", "finish"),
  {
    name: "until",
    required: ["line"],
    optional: ["file", ...WAITING],
    waits: true,
    run: (call, args) => {
      const location = args.file === undefined ? `${args.line}` : `${args.file}:${args.line}`;
      return call.ask("until", { location, ...waiting(call, args) });
    },
  },
  {
    name: "pause",
    optional: ["thread_id", "expressions", ...SESSION],
    waits: true,
    run: (call, { thread_id, expressions }) =>
      call.ask("pause", { thread: thread_id, timeout: call.seconds, eval: expressions }),
  },
  move("restart", "restart"),
];

function move(name: string, command: string): Action {
  return {
    name,
    optional: WAITING,
    waits: true,
    run: (call, args) => call.ask(command, waiting(call, args)),
  };
}

/** Then there is nothing to continue, and what is left of it is the wait. */
async function alreadyRunning(call: Call, args: Arguments): Promise<CallResult> {
  for (const location of args.breakpoints ?? []) await call.ask("breakpoint add", { location });
  const timeout = args.no_wait ? 0 : call.seconds;
  return call.ask("await", { timeout, eval: args.expressions });
}

const CHANGING: readonly Action[] = [
  {
    name: "evaluate",
    required: ["expression"],
    optional: ["context", "frame_id", "thread_id", ...SESSION],
    run: (call, args) => {
      const { expression, context = "repl" } = args;
      if (context === "raw") return call.ask("raw", { command: expression });
      // What is only looked at must have no effects; `print` has none where the adapter can promise that.
      return focused(call, args, () => call.ask(context === "repl" ? "eval" : "print", { expression }));
    },
  },
  {
    name: "set_variable",
    required: ["name", "value"],
    optional: ["frame_id", "thread_id", ...SESSION],
    run: (call, args) => focused(call, args, () => call.ask("set", { target: args.name, value: args.value })),
  },
  WRITE_MEMORY,
  {
    name: "custom_request",
    required: ["command"],
    optional: ["arguments", ...SESSION],
    run: (call, { command, arguments: body }) =>
      call.ask("request", { command, arguments: body && JSON.stringify(body) }),
  },
  {
    name: "terminate",
    optional: SESSION,
    run: (call) => call.ask("stop"),
  },
];

export const DEBUG: Tool = {
  name: "debug",
  by: "action",
  description: [
    "Live session. Moves wait for the next stop and return place, source, values, stack, output.",
    "launch: program, breakpoints. attach: pid|port. …_breakpoint: file+line|function. …_instruction_breakpoint: instruction_reference.",
    "data_breakpoint_info: name → data_id for …_data_breakpoint. continue: also waits if running. until: line. evaluate: expression.",
    "set_variable: name, value. set_exception_breakpoints: filters. write_memory: memory_reference, data. custom_request: command (DAP).",
  ].join(" "),
  annotations: RUNS,
  actions: [...STARTING, ...BREAKPOINT_ACTIONS, ...MOVING, ...CHANGING],
};
