/** C, C++ and Rust by gdb itself, which speaks DAP since version 14. */
import { advice, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { doubleQuoted } from "../../util/shell-words.ts";
import type { Adapter, AttachPlan, Connection, Found, Host, LaunchPlan, Where } from "../adapter.ts";
import { speaking } from "../kit/dialect.ts";
import { isMachineCode } from "../kit/files.ts";
import { toolOnPath } from "../kit/find.ts";
import { overStdio } from "../kit/process.ts";
import { nativeBuilds } from "../native/builds.ts";
import { hasSource } from "../native/has-source.ts";
import { heapDamage } from "../native/heap.ts";
import { nativeWaits } from "../native/native-waits.ts";
import { nativePid } from "../native/process.ts";
import { checkTraceable } from "../native/ptrace.ts";
import { NATIVE_SAMPLE } from "../native/runnable.ts";
import { debianPackages } from "../recipe.ts";
import { gdbDialect } from "./dialect.ts";
import { GDB_WORDS, gdbVersion, programOf } from "./gdb-words.ts";
import { ProgramStreams, underGdb } from "./program-streams.ts";

const FIRST_WITH_DAP = 14;
/** No start-up files, a project's included, and nothing fetched from elsewhere. */
const OPTIONS = ["-q", "-nx", "-i=dap", "-iex", "set debuginfod enabled off"];

export const gdbAdapter: Adapter = {
  name: "gdb",
  title: "gdb",
  alsoCalled: ["gdb-dap"],
  listens: [],
  languages: ["c", "c++", "cpp", "rust"],
  fileTypes: [],
  commands: ["cargo"],
  executables: isMachineCode,
  builds: nativeBuilds,
  catches: { throw: ["throw"], all: ["throw"], caught: ["catch"] },
  defaultCatches: [],
  waits: nativeWaits,
  heapDamage,
  unsupported: {
    supportsDataBreakpoints: {
      reason: "gdb's DAP has no data breakpoints",
      instead: advice`${call("raw", { command: "watch <expression>" })}`,
    },
    supportsCompletionsRequest: {
      reason: "gdb's DAP has no completion",
      instead: advice`${call("raw", { command: "complete <text>" })}`,
    },
  },
  consoleWords: GDB_WORDS,
  runsNothing: { paths: "by-type" },
  custom: [],
  sampler: "native",

  recipes: [debianPackages("the system's package", "gdb")],
  byHand: "install gdb 14 or newer",
  sample: NATIVE_SAMPLE,
  mapsPaths: true,
  hasSource,
  find,
  claims: nativePid,
  async open(task, host) {
    if (task.request === "child") throw new SondeError("UNSUPPORTED", "gdb has no child sessions");
    return task.request === "launch" ? launch(task.plan, host) : attach(task.plan, host);
  },
};

async function launch(plan: LaunchPlan, host: Host): Promise<Connection> {
  const { program, args, cwd, env } = await programOf(plan, host);
  const streams = await ProgramStreams.open({ args, env });
  try {
    const wrapped = ["-iex", `set exec-wrapper ${streams.wrapper}`, ...substitutes(plan)];
    const transport = await startGdb({ cwd, env }, host, wrapped);
    const { stopOnEntry } = plan;
    return {
      transport: speaking(transport, gdbDialect({ streams, entry: stopOnEntry })),
      request: "launch",
      args: { program, cwd, stopAtBeginningOfMainSubprogram: stopOnEntry, ...plan.extra },
      stdin: () => streams.stdin,
      gather: (pid) => streams.gather(pid),
    };
  } catch (error) {
    streams.close();
    throw error;
  }
}

async function attach(plan: AttachPlan, host: Host): Promise<Connection> {
  const { pid, port, program, core } = plan;
  if (core !== undefined)
    throw new SondeError("UNSUPPORTED", "gdb's DAP cannot open core files", {
      hint: `the lldb adapter does; or gdb ${program ?? "<program>"} ${core}`,
    });
  if (pid !== undefined) checkTraceable(pid);
  const transport = await startGdb(plan, host, substitutes(plan));
  const target = port === undefined ? { pid } : { target: `remote ${plan.host ?? "127.0.0.1"}:${port}` };
  return {
    transport: speaking(transport, gdbDialect({})),
    request: "attach",
    args: { ...target, ...(program === undefined ? {} : { program }), ...plan.extra },
  };
}

function substitutes({ pathMap = [] }: LaunchPlan | AttachPlan): string[] {
  return pathMap.flatMap(({ from, to }) => [
    "-iex",
    `set substitute-path ${doubleQuoted(from)} ${doubleQuoted(to)}`,
  ]);
}

async function startGdb({ cwd, env }: Pick<LaunchPlan, "cwd" | "env">, host: Host, more: string[]) {
  const args = [...OPTIONS, ...more, ...(host.where.settings?.args ?? [])];
  const { transport } = await overStdio(
    host,
    { command: host.found.path, args, cwd, env: underGdb(env) },
    "gdb",
  );
  return transport;
}

async function find(where: Where): Promise<Found> {
  const told = where.settings?.command ?? "gdb";
  const path = toolOnPath(told, where);
  if (path === undefined) return { ok: false, reason: `there is no ${told} on the PATH` };
  const version = await gdbVersion(path);
  if (version === undefined) return { ok: false, reason: `${path} does not run` };
  return Number.parseInt(version, 10) >= FIRST_WITH_DAP
    ? { ok: true, version, path }
    : { ok: false, reason: `gdb ${version} has no DAP (${FIRST_WITH_DAP} or newer is needed)` };
}
