/** C, C++ and Rust by cdt-gdb-adapter: for a gdb that is too old to speak DAP itself. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { advice, blank, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { executableOf } from "../../util/process-facts.ts";
import { doubleQuoted } from "../../util/shell-words.ts";
import type { Adapter, AttachPlan, Connection, Found, Host, LaunchPlan, Where } from "../adapter.ts";
import { GDB_WORDS, gdbVersion, programOf } from "../gdb/gdb-words.ts";
import { ProgramStreams, underGdb } from "../gdb/program-streams.ts";
import { speaking } from "../kit/dialect.ts";
import { toolOnPath } from "../kit/find.ts";
import { isNativeCode } from "../kit/go-code.ts";
import { overStdio } from "../kit/process.ts";
import { nativeBuilds } from "../native/builds.ts";
import { BuiltFrom } from "../native/built-from.ts";
import { hasSource } from "../native/has-source.ts";
import { heapDamage } from "../native/heap.ts";
import { nativeWaits } from "../native/native-waits.ts";
import { nativePid } from "../native/process.ts";
import { checkTraceable } from "../native/ptrace.ts";
import { NATIVE_SAMPLE } from "../native/runnable.ts";
import { cdtGdb } from "./dialect.ts";

const INSTALLED = "node_modules/cdt-gdb-adapter/dist/debugAdapter.js";
/** No start-up files, a project's included, and nothing fetched from elsewhere. */
const GDB_ARGUMENTS = ["-q", "-nx", "-iex", "set debuginfod enabled off", "-iex", "set confirm off"];
/** Text up to its end, not to that of its array; and of long arrays the beginning. */
const SETTINGS = ["-gdb-set print null-stop on", "-gdb-set print elements 100"];

export const cdtGdbAdapter: Adapter = {
  name: "cdt-gdb",
  title: "cdt-gdb-adapter",
  alsoCalled: ["cdt-gdb-adapter", "gdb-mi"],
  listens: [],
  languages: ["c", "c++", "cpp", "rust"],
  fileTypes: [],
  commands: ["cargo"],
  executables: isNativeCode,
  builds: nativeBuilds,
  catches: {},
  defaultCatches: [],
  waits: nativeWaits,
  heapDamage,
  unsupported: {
    exceptionBreakpointFilters: {
      reason: "cdt-gdb-adapter has no exception filters; signals always stop",
      instead: advice`${call("breakpoint add", { function: "__cxa_throw" })} stops at every C++ throw`,
    },
    supportsTerminateRequest: {
      reason: "cdt-gdb-adapter always ends the program with the session",
      instead: advice`${call("stop")}`,
    },
    supportsCompletionsRequest: {
      reason: "cdt-gdb-adapter has no completion",
      instead: advice`${call("raw", { command: "complete <text>" })}`,
    },
    supportsModulesRequest: {
      reason: "cdt-gdb-adapter does not list modules",
      instead: advice`${call("raw", { command: "info sharedlibrary" })}`,
    },
  },
  consoleWords: GDB_WORDS,
  runsNothing: { paths: "by-type" },
  custom: ["sonde/arguments"],
  sampler: "native",

  recipes: [
    {
      title: "from npm",
      needs: ["npm", "gdb"],
      steps: (folder) => [
        {
          command: [
            "npm",
            "install",
            "--prefix",
            folder,
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "cdt-gdb-adapter@1",
          ],
        },
      ],
    },
  ],
  byHand: "run `npm install cdt-gdb-adapter`, and install gdb from the system's packages",
  sample: NATIVE_SAMPLE,
  mapsPaths: true,
  hasSource,
  find,
  claims: nativePid,
  async open(task, host) {
    if (task.request === "child")
      throw new SondeError("UNSUPPORTED", "cdt-gdb-adapter has no child sessions");
    return task.request === "launch" ? launch(task.plan, host) : attach(task.plan, host);
  },
};

async function launch(plan: LaunchPlan, host: Host): Promise<Connection> {
  const { program, args, cwd, env } = await programOf(plan, host);
  const streams = await ProgramStreams.open({ args, env });
  try {
    const { transport } = await startAdapter({ cwd, env }, host);
    const entry = plan.stopOnEntry ? ["-break-insert -t main"] : [];
    return {
      transport: speaking(transport, cdtGdb(new BuiltFrom(program, plan.pathMap), streams)),
      request: "launch",
      args: {
        program,
        cwd,
        gdb: gdbOf(host.where),
        gdbArguments: GDB_ARGUMENTS,
        initCommands: [
          ...SETTINGS,
          ...substitutes(plan),
          `-gdb-set exec-wrapper ${streams.wrapper}`,
          ...entry,
        ],
        ...plan.extra,
      },
      stdin: () => streams.stdin,
      gather: (pid) => streams.gather(pid),
    };
  } catch (error) {
    streams.close();
    throw error;
  }
}

async function attach(plan: AttachPlan, host: Host): Promise<Connection> {
  if (plan.pid === undefined)
    throw new SondeError("UNSUPPORTED", "cdt-gdb-adapter can attach only to processes on this machine", {
      hint:
        plan.core === undefined
          ? advice`${call("attach", { pid: blank("pid") })}`
          : `gdb ${plan.program ?? "<program>"} ${plan.core}`,
    });
  checkTraceable(plan.pid);
  const { transport } = await startAdapter(plan, host);
  return {
    transport: speaking(
      transport,
      cdtGdb(new BuiltFrom(plan.program ?? executableOf(plan.pid), plan.pathMap)),
    ),
    request: "attach",
    args: {
      ...(plan.program === undefined ? {} : { program: plan.program }),
      processId: String(plan.pid),
      cwd: plan.cwd,
      gdb: gdbOf(host.where),
      gdbArguments: GDB_ARGUMENTS,
      initCommands: [...SETTINGS, ...substitutes(plan)],
      ...plan.extra,
    },
  };
}

function substitutes({ pathMap = [] }: LaunchPlan | AttachPlan): string[] {
  return pathMap.map(({ from, to }) => `-gdb-set substitute-path ${doubleQuoted(from)} ${doubleQuoted(to)}`);
}

function startAdapter({ cwd, env }: Pick<LaunchPlan, "cwd" | "env">, host: Host) {
  return overStdio(
    host,
    {
      command: process.execPath,
      args: [host.found.path, ...(host.where.settings?.args ?? [])],
      cwd,
      env: underGdb(env),
    },
    "cdt-gdb-adapter",
  );
}

function gdbOf(where: Where): string {
  return toolOnPath("gdb", where) ?? "gdb";
}

async function find(where: Where): Promise<Found> {
  const path = where.settings?.command ?? join(where.adapters, "cdt-gdb", INSTALLED);
  const version = packageVersion(path);
  if (version === undefined) return { ok: false, reason: `there is no ${path}` };
  const gdb = toolOnPath("gdb", where);
  if (gdb === undefined) return { ok: false, reason: "it needs gdb, which is not on the PATH" };
  return { ok: true, version, path, notes: [`gdb ${(await gdbVersion(gdb)) ?? "unknown version"}`] };
}

/** Of the package that the file belongs to. */
function packageVersion(path: string): string | undefined {
  try {
    return JSON.parse(readFileSync(join(dirname(path), "../package.json"), "utf8")).version;
  } catch {
    return undefined;
  }
}
