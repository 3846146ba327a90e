/** C, C++, Rust, Swift and Zig by LLDB's own adapter: lldb-dap, called lldb-vscode before LLVM 18. */
import { advice, call } from "../../advice/advice.ts";
import type { Adapter, AttachPlan, Connection, Host, LaunchPlan } from "../adapter.ts";
import { speaking } from "../kit/dialect.ts";
import { isNativeCode } from "../kit/go-code.ts";
import { overStdio } from "../kit/process.ts";
import { nativeBuilds } from "../native/builds.ts";
import { BuiltFrom } from "../native/built-from.ts";
import { hasSource } from "../native/has-source.ts";
import { heapDamage } from "../native/heap.ts";
import { nativeConfigurations, nativeLanguages } from "../native/languages.ts";
import { nativeWaits } from "../native/native-waits.ts";
import { nativePid } from "../native/process.ts";
import { checkTraceable } from "../native/ptrace.ts";
import { Traps } from "../native/traps.ts";
import { lldbDialect } from "./dialect.ts";
import { Fifos } from "./fifos.ts";
import { findLldb, majorOf, runEnvironment, startArguments } from "./find.ts";
import { attachArguments, EVENTS_SINCE, launchArguments, PACKETS_SINCE } from "./launch.ts";
import { recipes } from "./recipes.ts";
import { type Server, serverOf } from "./server.ts";
import type { Copy } from "./template-packs.ts";

export const lldbAdapter: Adapter = {
  name: "lldb",
  title: "LLDB",
  alsoCalled: ["lldb-dap", "lldb-vscode"],
  listens: [],
  languages: ["c", "c++", "cpp", "rust", "swift", "zig"],
  describes: nativeLanguages,
  configurations: [nativeConfigurations],
  skill: {
    folder: "debugger-native",
    title: "On native code",
    commands: ["watch", "memory read", "registers", "disassemble", "modules", "raw"],
  },
  fileTypes: [],
  commands: ["cargo"],
  executables: isNativeCode,
  builds: nativeBuilds,
  catches: {
    uncaught: ["panic"],
    panic: ["panic"],
    all: ["cpp_throw", "panic_all"],
    throw: ["cpp_throw", "panic_all"],
  },
  defaultCatches: ["panic"],
  waits: nativeWaits,
  heapDamage,
  unsupported: {
    supportsLoadedSourcesRequest: {
      reason: "lldb-dap does not list sources",
      instead: advice`${call("raw", { command: "image dump line-table <file>" })}, or ${call("modules")}`,
    },
    supportsStepBack: {
      reason: "LLDB does not record",
      instead: advice`${call("restart")} with an earlier breakpoint`,
    },
    supportsRestartFrame: { reason: "LLDB cannot restart a frame", instead: advice`${call("restart")}` },
    supportsGotoTargetsRequest: {
      reason: "lldb-dap has no goto",
      instead: advice`${call("raw", { command: "thread jump --line <n>" })}`,
    },
  },
  collectors: ["perf", "gdb", "lldb"],
  recordsDeep: true,
  sampler: "native",
  consoleWords: [
    "frame",
    "register",
    "memory",
    "thread",
    "image",
    "target",
    "expr",
    "expression",
    "p",
    "po",
    "v",
    "print",
    "bt",
    "x",
    "disassemble",
    "breakpoint",
    "watchpoint",
    "type",
    "process",
    "settings",
    "info",
  ],
  runsNothing: { paths: "by-type", completions: true },
  custom: ["sonde/arguments"],
  recipes,
  byHand: "install LLVM's lldb from https://releases.llvm.org or your system's packages: it brings lldb-dap",
  sample: {
    file: "sample.c",
    text: '#include <stdio.h>\nint main(void) {\n  int answer = 6 * 7;\n  printf("%d\\n", answer);\n  return 0;\n}\n',
    line: 4,
    shows: { name: "answer", value: "42" },
  },
  mapsPaths: true,
  hasSource,
  find: findLldb,
  claims: nativePid,
  open(task, host) {
    if (task.request === "child")
      return Promise.reject(new Error("lldb-dap does not report child processes"));
    return task.request === "launch" ? launch(task.plan, host) : attach(task.plan, host);
  },
};

async function launch(plan: LaunchPlan, host: Host): Promise<Connection> {
  const major = majorOf(host.found.version);
  const [fifos, server] = await Promise.all([Fifos.create(), serverOf(host.found.path, { relayed: false })]);
  let copy: Copy | undefined;
  try {
    const prepared = await launchArguments(plan, fifos, host, major);
    const { args, rust, program } = prepared;
    copy = prepared.copy;
    const { transport, process } = await start(plan.env, host, server);
    const dialect = lldbDialect({
      request: "launch",
      rust,
      core: false,
      stopOnEntry: plan.stopOnEntry,
      fifos,
      packets: major >= PACKETS_SINCE,
      tells: major >= EVENTS_SINCE,
      pid: undefined,
      host,
      end: () => process.child.kill("SIGKILL"),
      server,
      program,
      copy,
      built: new BuiltFrom(program, plan.pathMap),
      traps: undefined,
    });
    return {
      transport: speaking(transport, dialect),
      request: "launch",
      args,
      stdin: () => fifos.route(),
      gather: (pid) => fifos.gather(pid),
    };
  } catch (error) {
    fifos.close();
    server.close();
    copy?.remove();
    throw error;
  }
}

async function attach(plan: AttachPlan, host: Host): Promise<Connection> {
  if (plan.pid !== undefined) checkTraceable(plan.pid);
  const traps = plan.pid === undefined ? undefined : Traps.of(plan.pid);
  const major = majorOf(host.found.version);
  const { args, rust, program, copy } = await attachArguments(plan, host, major);
  const server = plan.pid === undefined ? undefined : await serverOf(host.found.path, { relayed: true });
  try {
    const { transport, process } = await start(plan.env, host, server);
    const dialect = lldbDialect({
      request: "attach",
      rust,
      core: plan.core !== undefined,
      stopOnEntry: false,
      fifos: undefined,
      packets: major >= PACKETS_SINCE,
      tells: major >= EVENTS_SINCE,
      pid: plan.pid,
      host,
      end: () => process.child.kill("SIGKILL"),
      server,
      program,
      copy,
      built: new BuiltFrom(program, plan.pathMap),
      traps,
    });
    return { transport: speaking(transport, dialect), request: "attach", args };
  } catch (error) {
    server?.close();
    copy?.remove();
    throw error;
  }
}

/** Its Python leaves nothing beside the scripts it is given. */
const NO_CACHES = { PYTHONDONTWRITEBYTECODE: "1" };

/** By its absolute path, which it needs to find itself; not in the project, whose files are none of its business. */
async function start(env: Record<string, string>, host: Host, server?: Server) {
  const { path } = host.found;
  const args = [...(await startArguments(path)), ...(host.where.settings?.args ?? [])];
  return overStdio(
    host,
    { command: path, args, cwd: "/", env: { ...runEnvironment(path, env), ...NO_CACHES, ...server?.env } },
    "lldb-dap",
  );
}
