/** Node.js, by the adapter built into sonde. */
import { advice, blank, call } from "../../advice/advice.ts";
import { executableName } from "../../util/process-facts.ts";
import type { Adapter } from "../adapter.ts";
import { nodeConfigurations } from "./configurations.ts";
import { javascript, typescript } from "./language.ts";
import { nodeWaits } from "./node-waits.ts";
import { packageOf } from "./packages.ts";

const NO_RAW_MEMORY = {
  reason: "JavaScript has no addresses or raw memory",
  instead: advice`read values with ${call("print", { expression: blank("expression") })}; a Buffer or typed array prints its bytes`,
};
const NO_MACHINE_CODE = {
  reason: "V8 does not show machine code or registers to a debugger",
  instead: advice`use ${call("source")} and ${call("step")}, which work on source lines`,
};

export const nodeAdapter: Adapter = {
  name: "node",
  title: "Node.js",
  alsoCalled: ["js", "nodejs", "node-inspector"],
  listens: [
    {
      where: "a Unix socket in a private folder",
      holder: "sonde's worker in each process of the program",
      stops: "its folder has mode 0700, so no other user can reach it",
    },
    {
      where: "127.0.0.1, the inspector's port, when a running process is attached to by its pid",
      holder: "the process, until a thread of sonde's is in it: some tens of milliseconds",
      stops:
        "nothing, so it is refused while other people (not services of the system) have processes on this machine, unless `[adapters.node] open_port = true` allows it",
    },
  ],
  languages: ["javascript", "typescript"],
  attachesWithoutPtrace: true,
  describes: [javascript, typescript],
  configurations: [nodeConfigurations],
  skill: {
    folder: "debugger-nodejs",
    title: "On Node",
    commands: ["catch", "restart-frame", "reload", "sources"],
  },
  fileTypes: [...javascript.sources],
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
  waits: nodeWaits,
  unsupported: {
    supportsReadMemoryRequest: NO_RAW_MEMORY,
    supportsWriteMemoryRequest: {
      ...NO_RAW_MEMORY,
      instead: advice`assign with ${call("set", { target: blank("name"), value: blank("value") })}, or run a statement with ${call("eval", { expression: blank("expression") })}`,
    },
    supportsDisassembleRequest: NO_MACHINE_CODE,
    supportsInstructionBreakpoints: {
      ...NO_MACHINE_CODE,
      instead: advice`use ${call("breakpoint add", { location: blank("file:line:column") })}; a column selects one statement on a line`,
    },
    supportsSteppingGranularity: NO_MACHINE_CODE,
    supportsDataBreakpoints: {
      reason: "V8 cannot stop when a variable changes",
      instead: advice`put ${call("breakpoint add", { location: blank("file:line"), log: "{expr}" })} on the lines that assign it, or a conditional breakpoint`,
    },
    supportsModulesRequest: {
      reason: "Node has scripts, not modules in the debugger's sense",
      instead: advice`use ${call("sources")}, which lists every loaded script`,
    },
    supportsStepBack: {
      reason: "V8 cannot run backwards",
      instead: advice`use ${call("restart-frame")} to enter the function again, or start again with an earlier breakpoint`,
    },
    supportsGotoTargetsRequest: {
      reason: "V8 cannot move the point of execution",
      instead: advice`use ${call("restart-frame")} to run the function from its beginning`,
    },
    supportsTerminateThreadsRequest: {
      reason: "a JavaScript thread ends with its process or worker",
      instead: advice`use ${call("stop")}`,
    },
  },

  packageOf,
  collectors: ["node-source", "node-condition"],
  recordsAll: true,
  sampler: "v8",

  runsNothing: { paths: "all", completions: true },
  custom: ["sonde/stdin", "sonde/setSource", "sonde/profile"],

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

  // Loaded when a program is started: it is most of what the daemon would otherwise hold for nothing.
  open: async (task, host) => (await import("./open.ts")).open(task, host),
};
