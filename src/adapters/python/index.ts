/** Python, by debugpy. */
import type { Adapter } from "../adapter.ts";
import { executableName } from "../kit/pid.ts";
import { find } from "./find.ts";
import { isPythonName } from "./interpreter.ts";
import { open } from "./open.ts";
import { byHand, recipes } from "./recipes.ts";
import { pythonWaits } from "./waits.ts";

const NO_RAW_MEMORY = {
  reason: "Python objects have no addresses for debugpy",
  instead: "read values with `sonde print <expression>`; bytes and memoryview print what they hold",
};
const NO_MACHINE_CODE = {
  reason: "debugpy works on source lines",
  instead: "`sonde eval 'import dis; dis.dis(f)'` prints a function's bytecode",
};

export const pythonAdapter: Adapter = {
  name: "debugpy",
  title: "debugpy",
  alsoCalled: ["debugpy.adapter", "py"],
  listens: [
    {
      where: "a Unix socket in a private folder",
      holder: "sonde, as long as the session lives",
      stops: "its folder is of mode 0700: no other user can reach it",
    },
  ],
  languages: ["python"],
  fileTypes: [".py", ".pyw"],
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
  unsupported: {
    supportsReadMemoryRequest: NO_RAW_MEMORY,
    supportsWriteMemoryRequest: { ...NO_RAW_MEMORY, instead: "assign with `sonde set <name> <value>`" },
    supportsDisassembleRequest: NO_MACHINE_CODE,
    supportsSteppingGranularity: { ...NO_MACHINE_CODE, instead: "use `sonde step`, which goes line by line" },
    supportsInstructionBreakpoints: { ...NO_MACHINE_CODE, instead: "use `sonde break <file>:<line>`" },
    supportsDataBreakpoints: {
      reason: "debugpy cannot stop when a variable changes",
      instead:
        "put `sonde break <file>:<line> --log '{expr}'` on the lines that assign it, or a conditional breakpoint",
    },
    supportsLoadedSourcesRequest: {
      reason: "debugpy has no list of sources",
      instead: "use `sonde modules`, which lists loaded modules with their files",
    },
    supportsBreakpointLocationsRequest: {
      reason: "debugpy does not say where breakpoints can be",
      instead: "set one with `sonde break <file>:<line>`; it says where it was bound",
    },
    supportsRestartFrame: {
      reason: "debugpy cannot enter a function again",
      instead: "use `sonde restart`, which runs the program again with the same breakpoints",
    },
    supportsStepBack: {
      reason: "Python cannot run backwards",
      instead: "use `sonde restart` with an earlier breakpoint",
    },
    supportsStepInTargetsRequest: {
      reason: "debugpy has this from version 1.8",
      instead: "set a breakpoint in the function: `sonde break -f <name>`",
    },
    supportsTerminateThreadsRequest: {
      reason: "a Python thread cannot be ended from outside",
      instead: "use `sonde stop`",
    },
  },
  collectors: ["python-source", "python-condition"],
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
