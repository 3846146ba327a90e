/** Python, by debugpy. */
import { advice, blank, call } from "../../advice/advice.ts";
import { executableName } from "../../util/process-facts.ts";
import type { Adapter } from "../adapter.ts";
import { pythonConfigurations } from "./configurations.ts";
import { find } from "./find.ts";
import { isPythonName } from "./interpreter.ts";
import { python } from "./language.ts";
import { open } from "./open.ts";
import { packageOf } from "./packages.ts";
import { pythonWaits } from "./python-waits.ts";
import { byHand, recipes } from "./recipes.ts";

const NO_RAW_MEMORY = {
  reason: "debugpy gives Python objects no addresses",
  instead: advice`read values with ${call("print", { expression: blank("expression") })}; bytes and memoryview print their contents`,
};
const NO_MACHINE_CODE = {
  reason: "debugpy works on source lines",
  instead: advice`${call("eval", { expression: "import dis; dis.dis(f)" })} prints a function's bytecode`,
};

export const pythonAdapter: Adapter = {
  name: "debugpy",
  title: "debugpy",
  alsoCalled: ["debugpy.adapter", "py"],
  listens: [
    {
      where: "a Unix socket in a private folder",
      holder: "sonde, as long as the session lives",
      stops: "its folder has mode 0700, so no other user can reach it",
    },
  ],
  languages: ["python"],
  describes: [python],
  configurations: [pythonConfigurations],
  helpers: [
    {
      command: "gdb",
      use: "attach to a running Python",
      needing: advice`${call("attach", { pid: blank("pid") })} to a running Python`,
    },
  ],
  skill: { folder: "debugger-python", title: "On Python", commands: ["catch"] },
  fileTypes: [...python.sources],
  commands: ["python", "pythonw", "pypy", "pytest", "py.test"],
  catches: {
    uncaught: ["uncaught"],
    unhandled: ["uncaught"],
    all: ["raised"],
    throw: ["raised"],
    thrown: ["raised"],
    raise: ["raised"],
    raised: ["raised"],
    userUnhandled: ["userUnhandled"],
  },
  defaultCatches: ["uncaught"],
  waits: pythonWaits,
  // boot/sonde_fields.py: to open an object, pydevd runs its properties.
  fieldExpression: (owner, name) => `__import__('sonde_fields').field(${owner}, '${name}')`,
  unsupported: {
    supportsReadMemoryRequest: NO_RAW_MEMORY,
    supportsWriteMemoryRequest: {
      ...NO_RAW_MEMORY,
      instead: advice`assign with ${call("set", { target: blank("name"), value: blank("value") })}`,
    },
    supportsDisassembleRequest: NO_MACHINE_CODE,
    supportsSteppingGranularity: {
      ...NO_MACHINE_CODE,
      instead: advice`use ${call("step")}, which goes line by line`,
    },
    supportsInstructionBreakpoints: {
      ...NO_MACHINE_CODE,
      instead: advice`use ${call("breakpoint add", { location: blank("file:line") })}`,
    },
    supportsDataBreakpoints: {
      reason: "debugpy cannot stop when a variable changes",
      instead: advice`put ${call("breakpoint add", { location: blank("file:line"), log: "{expr}" })} on the lines that assign it, or a conditional breakpoint`,
    },
    supportsLoadedSourcesRequest: {
      reason: "debugpy cannot list sources",
      instead: advice`use ${call("modules")}, which lists loaded modules with their files`,
    },
    supportsBreakpointLocationsRequest: {
      reason: "debugpy does not report where breakpoints can be set",
      instead: advice`set one with ${call("breakpoint add", { location: blank("file:line") })}; it says where it was bound`,
    },
    supportsRestartFrame: {
      reason: "debugpy cannot enter a function again",
      instead: advice`use ${call("restart")}, which runs the program again with the same breakpoints`,
    },
    supportsStepBack: {
      reason: "Python cannot run backwards",
      instead: advice`use ${call("restart")} with an earlier breakpoint`,
    },
    supportsStepInTargetsRequest: {
      reason: "debugpy supports this from version 1.8",
      instead: advice`set a breakpoint in the function: ${call("breakpoint add", { function: blank("name") })}`,
    },
    supportsTerminateThreadsRequest: {
      reason: "a Python thread cannot be ended from outside",
      instead: advice`use ${call("stop")}`,
    },
  },
  steadyEnv: { PYTHONHASHSEED: "0" },
  packageOf,
  collectors: ["python-source", "python-condition"],
  recordsAll: true,
  sampler: "python",
  custom: ["sonde/arguments"],
  recipes,
  byHand,
  sample: {
    file: "sample.py",
    text: "answer = 6 * 7\nprint(answer)\n",
    line: 2,
    shows: { name: "answer", value: "42" },
  },
  find,
  claims: (pid) => isPythonName(executableName(pid) ?? ""),
  open,
};
