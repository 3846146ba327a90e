/** The tool `inspect`: everything that only looks. */
import type { CallResult } from "../../client/client.ts";
import { listIn, textOf } from "../data.ts";
import { stands } from "../stands.ts";
import { type Action, LOOKS, SESSION, type Tool } from "../tool.ts";
import { aim, spokenAim } from "./aim.ts";
import { DISASSEMBLE, READ_MEMORY } from "./machine.ts";
import { REGISTERS } from "./registers.ts";

const PLACE = ["frame_id", "thread_id"] as const;

/** Lines before and after, of which a stop alone shows fewer. */
const AROUND = 20;

/** What `backtrace` shows unless told; to ask for library frames is to count them here. */
const BACKTRACE_LIMIT = 20;

const ACTIONS: readonly Action[] = [
  {
    name: "context",
    stands: [
      stands("context", { context: "lines", ...spokenAim }),
      stands("source", { context: "lines" }, { lines: AROUND }),
      stands("frame", { number: "frame_id" }),
      stands("thread", { number: "thread_id" }),
    ],
    optional: ["lines", ...PLACE, ...SESSION],
    run: (call, args) => call.ask("context", { context: args.lines, ...aim(args) }),
  },
  {
    name: "stack_trace",
    stands: [
      {
        command: "backtrace",
        as: ({ all, limit, thread, ...rest }) =>
          Object.keys(rest).length > 0 || (limit !== undefined && !all)
            ? undefined
            : {
                ...(all ? { levels: limit ?? BACKTRACE_LIMIT } : {}),
                ...(thread === undefined ? {} : { thread_id: thread }),
              },
      },
    ],
    optional: ["levels", "thread_id", ...SESSION],
    // Who counts frames means all of them; otherwise those of the caller's own code are the answer.
    run: (call, { levels, thread_id: thread }) =>
      call.ask("backtrace", levels === undefined ? { thread } : { limit: levels, all: true, thread }),
  },
  look("threads"),
  look("breakpoints", "breakpoint list"),
  {
    name: "scopes",
    stands: [stands("scopes", spokenAim), stands("locals", spokenAim), stands("args", spokenAim)],
    optional: [...PLACE, ...SESSION],
    run: (call, args) => call.ask("scopes", aim(args)),
  },
  {
    name: "variables",
    stands: [stands("variables", { handle: "variable_ref", start: "start", count: "count" })],
    oneOf: [["variable_ref"], ["scope_id"]],
    optional: ["start", "count", ...SESSION],
    run: (call, { variable_ref, scope_id, start, count }) =>
      call.ask("variables", { handle: variable_ref ?? scope_id, start, count }),
  },
  {
    name: "output",
    stands: [stands("output", { tail: "count", since: "since" })],
    optional: ["count", "since", ...SESSION],
    run: async (call, { count, since }) => {
      const { data, text } = await call.ask("output", { tail: count, since });
      return { data, text: withMore(data, text) };
    },
  },
  READ_MEMORY,
  DISASSEMBLE,
  REGISTERS,
  {
    name: "modules",
    stands: [stands("modules")],
    optional: ["start_module", "module_count", ...SESSION],
    run: async (call, { start_module: start, module_count: count }) => {
      const all = await call.ask("modules");
      return start === undefined && count === undefined ? all : page(all, start ?? 0, count);
    },
  },
  look("loaded_sources", "sources"),
  {
    name: "sessions",
    stands: [stands("sessions")],
    optional: ["cwd", "timeout"],
    run: (call) => call.ask("sessions"),
  },
];

function look(name: string, command = name): Action {
  return { name, stands: [stands(command)], optional: SESSION, run: (call) => call.ask(command) };
}

/** Its first line says how to see more, which here is a longer count and nothing else. */
function withMore(data: unknown, text: string): string {
  const shown = listIn(data, "lines").length;
  return text.replace(
    /^(\((\d+) earlier lines?): .*\)$/m,
    (_, start: string, earlier: string) =>
      `${start}: \`inspect {"action":"output","count":${shown + Number(earlier)}}\`)`,
  );
}

function page({ data }: CallResult, start: number, count: number | undefined): CallResult {
  const all = listIn(data, "modules");
  const modules = all.slice(start, count === undefined ? undefined : start + count);
  const lines = modules.map(({ name, version, path }) =>
    [name, version, path].map(textOf).filter(Boolean).join("  "),
  );
  const which = modules.length === 0 ? "none" : `${start} to ${start + modules.length - 1}`;
  lines.push(`(${which} of ${all.length} modules)`);
  return { data: { modules, total: all.length }, text: `${lines.join("\n")}\n` };
}

export const INSPECT: Tool = {
  name: "inspect",
  by: "action",
  description: [
    "Look at a live session. context: the stop again. variables: variable_ref|scope_id (a value's @v handle).",
    "disassemble: this function. read_memory: memory_reference, count. output: what it printed.",
  ].join(" "),
  annotations: LOOKS,
  actions: ACTIONS,
};
