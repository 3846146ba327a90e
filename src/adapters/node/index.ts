/** Node.js, by the adapter built into sonde. */
import { inProcess } from "../../dap/in-process.ts";
import type { Adapter, Connection, Task } from "../adapter.ts";
import { executableName } from "../kit/pid.ts";
import { NodeAdapter } from "./adapter.ts";

const NO_RAW_MEMORY = {
  reason: "JavaScript has no addresses or raw memory",
  instead: "read values with `sonde print <expression>`; a Buffer or typed array prints its bytes",
};
const NO_MACHINE_CODE = {
  reason: "V8 does not show machine code or registers to a debugger",
  instead: "use `sonde source` and `sonde step`, which work on source lines",
};

export const nodeAdapter: Adapter = {
  name: "node",
  title: "Node.js",
  languages: ["javascript", "typescript"],
  fileTypes: [".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"],
  commands: [
    ...["node", "nodejs", "npm", "npx", "yarn", "yarnpkg", "pnpm", "pnpx", "corepack"],
    ...["tsx", "ts-node", "ts-node-esm", "nodemon", "cross-env", "concurrently"],
    ...["vitest", "jest", "mocha", "ava", "tap", "jasmine", "playwright", "cypress"],
    ...["next", "nuxt", "vite", "astro", "remix", "nest", "ng", "webpack", "rollup", "gulp", "eslint", "tsc"],
  ],
  catches: {
    uncaught: ["uncaught"],
    unhandled: ["uncaught"],
    all: ["all"],
    throw: ["all"],
    thrown: ["all"],
    caught: ["caught"],
  },
  defaultCatches: ["uncaught"],
  unsupported: {
    supportsReadMemoryRequest: NO_RAW_MEMORY,
    supportsWriteMemoryRequest: {
      ...NO_RAW_MEMORY,
      instead: "assign with `sonde set <name> <value>`, or run a statement with `sonde eval '<expression>'`",
    },
    supportsDisassembleRequest: NO_MACHINE_CODE,
    supportsInstructionBreakpoints: {
      ...NO_MACHINE_CODE,
      instead: "use `sonde break <file>:<line>:<column>`; a column tells statements on one line apart",
    },
    supportsSteppingGranularity: NO_MACHINE_CODE,
    supportsDataBreakpoints: {
      reason: "V8 cannot stop when a variable changes",
      instead:
        "put `sonde break <file>:<line> --log '{expr}'` on the lines that assign it, or a conditional breakpoint",
    },
    supportsModulesRequest: {
      reason: "Node has scripts, not modules in the debugger's sense",
      instead: "use `sonde sources`, which lists every loaded script",
    },
    supportsStepBack: {
      reason: "V8 cannot run backwards",
      instead:
        "use `sonde restart-frame` to enter the function again, or start anew with an earlier breakpoint",
    },
    supportsGotoTargetsRequest: {
      reason: "V8 cannot move the point of execution",
      instead: "use `sonde restart-frame` to run the function from its beginning",
    },
    supportsTerminateThreadsRequest: {
      reason: "a JavaScript thread ends with its process or worker",
      instead: "use `sonde stop`",
    },
  },

  custom: ["sonde/stdin", "sonde/setSource"],

  recipes: [],
  byHand: "nothing to install: it is built in",
  sample: {
    file: "sample.js",
    text: "const answer = 6 * 7;\nconsole.log(answer);\n",
    line: 2,
    shows: { name: "answer", value: "42" },
  },

  async find() {
    return { ok: true, version: process.version, path: process.execPath };
  },

  claims: (pid) => /^node(js)?$/.test(executableName(pid) ?? ""),

  async open(task, { processes }) {
    const transport = inProcess((end) => {
      const adapter = new NodeAdapter((message) => end.send(message), {
        registry: processes,
        sharesProcess: true,
      });
      end.start(
        (message) => adapter.receive(message),
        () => void adapter.dispose(),
      );
    });
    return {
      transport,
      ...argumentsFor(task),
      stdin: (request) => ({
        async write(bytes) {
          await request("sonde/stdin", { data: bytes.toString("base64") });
        },
        async end() {
          await request("sonde/stdin", { eof: true });
        },
      }),
    };
  },
};

function argumentsFor(task: Task): Pick<Connection, "request" | "args"> {
  if (task.request === "child") return { request: task.start, args: task.configuration };
  const { extra } = task.plan;
  if (task.request === "attach") {
    const { pid, host, port } = task.plan;
    return { request: "attach", args: { type: "node", ...defined({ pid, host, port }), ...extra } };
  }
  const { program, command, args, cwd, env, stopOnEntry } = task.plan;
  const what = command === undefined ? { program, args } : { command };
  return {
    request: "launch",
    args: { type: "node", ...what, cwd, env, replaceEnv: true, stopOnEntry, ...extra },
  };
}

function defined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
