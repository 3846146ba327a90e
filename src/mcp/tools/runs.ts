/** The tools `probe` and `trace`: a question about a whole run, with no session left. */
import { withProgramInput } from "../../client/program-input.ts";
import { SondeError } from "../../errors.ts";
import { splitWords } from "../../util/shell-words.ts";
import type { Arguments } from "../arguments.ts";
import { isData } from "../data.ts";
import { commandText, names, type Spoken, stands } from "../stands.ts";
import { type Action, RUNS, type Tool } from "../tool.ts";
import { texts } from "./debug.ts";

const RUNNING = ["command", "adapter", "cwd", "env", "stdin", "build", "timeout"] as const;

function words(command: string | undefined): string[] | undefined {
  return command === undefined ? undefined : splitWords(command);
}

function running({ command, adapter, env, build }: Arguments): Record<string, unknown> {
  return { args: words(command), adapter, env: texts(env), build };
}

/** What `running` makes of them, read back. Standard input is a text here and a file there. */
const RUNS_BY = {
  args: commandText,
  adapter: "adapter",
  cwd: "cwd",
  env: "env",
  build: "build",
} as const;

const PLACES: Action = {
  name: "place",
  stands: [
    stands("probe", {
      ...RUNS_BY,
      locations: "locations",
      function: names("function"),
      exception: "exception",
      eval: "expressions",
      hits: "hits",
      condition: "condition",
      timeout: "timeout",
    }),
  ],
  oneOf: [["locations"], ["function"], ["exception"]],
  optional: ["expressions", "hits", "condition", ...RUNNING],
  waits: true,
  run: (call, args) =>
    withProgramInput(args.stdin, (stdin) =>
      call.ask("probe", {
        locations: args.locations,
        function: args.function,
        exception: args.exception,
        eval: args.expressions,
        hits: args.hits,
        condition: args.condition,
        timeout: call.seconds,
        stdin,
        ...running(args),
      }),
    ),
};

const CRASHES = stands("crash", { ...RUNS_BY, core: "core", program: "program", timeout: "timeout" });

const CRASH: Action = {
  name: "crash",
  stands: [
    {
      command: "crash",
      as: (args) => {
        const spoken = CRASHES.as(args);
        return spoken?.program !== undefined && spoken.core === undefined ? undefined : spoken;
      },
    },
  ],
  oneOf: [["command"], ["core"]],
  optional: ["program", ...RUNNING.filter((name) => name !== "command")],
  waits: true,
  run: (call, args) => {
    const { core, program } = args;
    if (program !== undefined && core === undefined)
      throw new SondeError("BAD_ARGUMENT", "`program` goes with `core`; what to run is `command`");
    return withProgramInput(args.stdin, (stdin) =>
      call.ask("crash", { core, program, timeout: call.seconds, stdin, ...running(args) }),
    );
  },
};

const HANG: Action = {
  name: "hang",
  stands: [stands("hang", { ...RUNS_BY, pid: "pid", after: "after" })],
  oneOf: [["command"], ["pid"]],
  optional: ["after", ...RUNNING.filter((name) => name !== "command")],
  run: (call, args) => {
    if (args.pid !== undefined && args.after !== undefined)
      throw new SondeError("BAD_ARGUMENT", "`after` goes with `command`; a running process is looked at now");
    return withProgramInput(args.stdin, (stdin) =>
      call.ask("hang", { pid: args.pid, after: args.after, stdin, ...running(args) }),
    );
  },
};

const TEST: Action = {
  name: "test",
  stands: [stands("test", { ...RUNS_BY, name: "name", timeout: "timeout" })],
  required: ["command"],
  optional: ["name", "adapter", "cwd", "env", "timeout"],
  waits: true,
  run: (call, args) => call.ask("test", { name: args.name, timeout: call.asked, ...running(args) }),
};

export const PROBE: Tool = {
  name: "probe",
  by: "mode",
  usual: "place",
  description: [
    "One run, no session. place (default): to locations, function or exception; shows the stop and expressions. Without command the location's file runs.",
    "crash: what command (or core) died of. hang: command or pid, what waits for what. test: a test command's failing test, stopped where it fails.",
  ].join(" "),
  annotations: RUNS,
  actions: [PLACES, CRASH, HANG, TEST],
};

const PLAN = ["at", "expressions", "function", "depth"] as const;

function plan({ at, expressions, function: name, depth }: Arguments): Record<string, unknown> {
  return { at, watch: expressions, function: name, depth };
}

const PLANNED = { at: places, watch: "expressions", function: names("function"), depth: "depth" } as const;

/** A place with its own expressions and condition is one text here. */
function places(value: unknown): Spoken | undefined {
  const written = (one: unknown) => {
    if (typeof one === "string" || !isData(one)) return String(one);
    const watch = Array.isArray(one.watch) ? `=${one.watch.join(",")}` : "";
    return `${String(one.location)}${watch}${one.condition === undefined ? "" : ` if ${String(one.condition)}`}`;
  };
  return Array.isArray(value) ? { at: value.map(written) } : undefined;
}

const RECORD: Action = {
  name: "record",
  stands: [stands("trace", { ...RUNS_BY, ...PLANNED, pid: "pid", maxSeconds: "timeout" })],
  oneOf: [["at"], ["function"]],
  optional: ["expressions", "depth", "pid", ...RUNNING],
  waits: true,
  run: (call, args) =>
    withProgramInput(args.stdin, (stdin) =>
      call.ask("trace", {
        ...plan(args),
        pid: args.pid,
        maxSeconds: call.seconds,
        follow: call.watched,
        stdin,
        ...running(args),
      }),
    ),
};

const DIFF: Action = {
  name: "diff",
  stands: [
    stands("diff", {
      ...RUNS_BY,
      ...PLANNED,
      traces: "traces",
      flaky: "runs",
      a: commandText,
      b: (value) => renamed(commandText(value)),
      maxSeconds: "timeout",
    }),
  ],
  oneOf: [["command"], ["traces"]],
  optional: ["command_b", "stdin_b", "runs", ...PLAN, ...RUNNING.filter((name) => name !== "command")],
  waits: true,
  run: (call, args) => {
    const { command, command_b, runs, traces } = args;
    const stray = Object.keys(args).find((name) => !["traces", "cwd", "timeout"].includes(name));
    if (traces !== undefined && stray !== undefined)
      throw new SondeError("BAD_ARGUMENT", `\`${stray}\` is for runs to come; \`traces\` are kept ones`);
    if (runs !== undefined && (command_b ?? args.stdin_b) !== undefined)
      throw new SondeError("BAD_ARGUMENT", "`runs` repeats one command: no `command_b`, no `stdin_b`");
    const bounds = { maxSeconds: call.seconds, ...plan(args) };
    if (traces !== undefined) return call.ask("diff", { traces });
    return withProgramInput(args.stdin, (stdin) =>
      withProgramInput(args.stdin_b, (stdinB) => {
        if (runs !== undefined) return call.ask("diff", { flaky: runs, stdin, ...bounds, ...running(args) });
        const [a, b] = [words(command), words(command_b ?? command)];
        const sides = { a, b, stdinA: stdin, stdinB: stdinB ?? stdin, args: undefined };
        return call.ask("diff", { ...bounds, ...running(args), ...sides });
      }),
    );
  },
};

function renamed(spoken: Spoken | undefined): Spoken | undefined {
  return spoken && { command_b: spoken.command };
}

const SHOW: Action = {
  name: "show",
  stands: [
    stands("trace show", {
      id: (value) => ({ traces: [value] }),
      at: "at",
      watch: "expressions",
      where: "where",
      hits: "range",
      changes: "changes",
      first: "first",
      last: "last",
      all: "all",
    }),
  ],
  optional: [
    "traces",
    "at",
    "expressions",
    "where",
    "range",
    "changes",
    "first",
    "last",
    "all",
    "cwd",
    "timeout",
  ],
  run: (call, { traces = [], expressions, range, at, where, changes, first, last, all }) => {
    if (traces.length > 1) throw new SondeError("BAD_ARGUMENT", "show takes one of `traces`; diff takes two");
    const part = { at, where, changes, first, last, all };
    return call.ask("trace show", { id: traces[0], watch: expressions, hits: range, ...part });
  },
};

const LIST: Action = {
  name: "list",
  stands: [stands("trace list")],
  optional: ["cwd", "timeout"],
  run: (call) => call.ask("trace list"),
};

export const TRACE: Tool = {
  name: "trace",
  by: "mode",
  usual: "record",
  description: [
    "Whole run recorded without stops. record (default): expressions at every hit of `at`, or each line of function's calls.",
    "diff: where two runs part: command/command_b, stdin/stdin_b, two traces, or runs of a flaky one. show: part of a kept trace. list: those kept.",
  ].join(" "),
  annotations: RUNS,
  several: ["function"],
  actions: [RECORD, DIFF, SHOW, LIST],
};
