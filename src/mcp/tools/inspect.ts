/** The tool `inspect`: everything that only looks. */
import { listIn } from "../data.ts";
import { stands } from "../stands.ts";
import { type Action, LOOKS, SESSION, type Tool } from "../tool.ts";
import { aim, spokenAim } from "./aim.ts";
import { DISASSEMBLE, READ_MEMORY } from "./machine.ts";

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
  {
    name: "registers",
    stands: [stands("registers", { names: "names", ...spokenAim })],
    optional: ["names", ...PLACE, ...SESSION],
    run: (call, args) => call.ask("registers", { names: args.names, ...aim(args) }),
  },
  {
    name: "modules",
    stands: [stands("modules", { start: "start_module", count: "module_count" })],
    optional: ["start_module", "module_count", ...SESSION],
    run: (call, { start_module: start, module_count: count }) => call.ask("modules", { start, count }),
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
