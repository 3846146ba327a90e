/** Starting debugpy, or reaching one that runs, and what to send it. */
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { SondeError } from "../../errors.ts";
import type { AttachPlan, Connection, Host, LaunchPlan, Task, Where } from "../adapter.ts";
import { speaking } from "../kit/dialect.ts";
import { executableOf } from "../kit/pid.ts";
import { dial, overStdio } from "../kit/process.ts";
import { checkPid } from "./attach.ts";
import { runOf } from "./command-line.ts";
import { dialect } from "./dialect.ts";
import { type Debugpy, debugpyFor, partsIn, unfitness } from "./find.ts";
import { examine, type Interpreter } from "./interpreter.ts";

/** What holds however a session began. */
const USUAL = {
  justMyCode: true,
  subProcess: true,
  // Rows such as "special variables" are no variables.
  variablePresentation: { special: "hide", function: "hide", class: "hide", protected: "inline" },
  // `sys.exit(3)` is an end, not a failure; older ones are kept from stopping by the dialect.
  breakOnSystemExit: [],
};

/** Child processes are not started with the options that debugpy gives the first one, and would say so on their stderr. */
const QUIET = { PYDEVD_DISABLE_FILE_VALIDATION: "1" };

export async function open(task: Task, host: Host): Promise<Connection> {
  if (task.request === "child") return child(task.configuration, host);
  return task.request === "launch" ? launch(task.plan, host) : attach(task.plan, host);
}

async function launch(plan: LaunchPlan, host: Host): Promise<Connection> {
  const run = await runOf(plan);
  const python = await examine(run.python, plan);
  if (typeof python === "string") throw new SondeError("LAUNCH_FAILED", python);
  const debugpy = await fitting(python, host.where);
  const unbuffered = run.pythonArgs.some((word) => /^-[a-zA-Z]*u/.test(word)) ? [] : ["-u"];
  const args = {
    ...USUAL,
    ...run.what,
    args: run.args,
    cwd: plan.cwd,
    python: [python.path],
    pythonArgs: [...unbuffered, ...run.pythonArgs],
    // The program's own: it is started by us, with its environment. These are changes to it.
    env: { ...QUIET, ...packagesFor(debugpy, python, plan, host.where) },
    console: "integratedTerminal",
    stopOnEntry: plan.stopOnEntry,
    ...plan.extra,
  };
  const folders =
    "program" in run.what ? [dirname(resolve(plan.cwd, run.what.program)), plan.cwd] : [plan.cwd];
  const compiler = { python: python.path, env: plan.env, cwd: plan.cwd };
  const transport = await adapter(debugpy, plan, host, { folders, compiler });
  return { transport, request: "launch", args };
}

async function attach(plan: AttachPlan, host: Host): Promise<Connection> {
  const { pid, port, extra } = plan;
  const args = { ...USUAL, ...extra };
  if (port !== undefined) {
    // Who listens there is a debugpy adapter already.
    const transport = await dial(host, { host: plan.host ?? "127.0.0.1", port });
    return { transport: speaking(transport, dialect("")), request: "attach", args };
  }
  if (pid === undefined) throw new SondeError("BAD_ARGUMENT", "debugpy attaches to a process or to a port");
  checkPid(pid, plan);
  const executable = executableOf(pid);
  const python = executable === undefined ? undefined : await examine(executable, plan);
  const debugpy = await fitting(typeof python === "string" ? undefined : python, host.where);
  const transport = await adapter(debugpy, plan, host, { pid });
  return { transport, request: "attach", args: { ...args, processId: pid } };
}

/** The configuration is the adapter's own, and says where it listens. */
async function child(configuration: Record<string, unknown>, host: Host): Promise<Connection> {
  const { connect } = configuration as { connect?: { host: string; port: number } };
  if (connect === undefined) throw new SondeError("ATTACH_FAILED", "debugpy did not say where the child is");
  const transport = await dial(host, connect);
  return {
    transport: speaking(transport, dialect(host.found.version)),
    request: "attach",
    args: { ...USUAL, ...configuration },
  };
}

/** The one found for the folder may not fit the Python that the command line names. */
async function fitting(python: Interpreter | undefined, where: Where): Promise<Debugpy> {
  const debugpy = await debugpyFor(python, where);
  const problem = typeof debugpy === "string" ? debugpy : unfitness(debugpy, python);
  if (typeof debugpy !== "string" && problem === undefined) return debugpy;
  throw new SondeError("ADAPTER_MISSING", problem ?? "no debugpy", {
    hint: python
      ? `\`${python.path} -m pip install debugpy\` gives it one of its own; or run the program with another Python`
      : "`sonde setup python` installs one",
  });
}

async function adapter(
  debugpy: Debugpy,
  plan: LaunchPlan | AttachPlan,
  host: Host,
  program: Parameters<typeof dialect>[1],
) {
  // -I: files in the program's folder must not be taken for modules of Python's own.
  const { transport } = await overStdio(
    host,
    { command: debugpy.python, args: ["-I", script(), debugpy.folder], cwd: plan.cwd, env: plan.env },
    "debugpy",
  );
  return speaking(transport, dialect(debugpy.version, program));
}

/** Bundled beside us, or our source beside this file. */
function script(): string {
  const places = ["./debugpy-adapter.py", "./adapter.py"].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  const found = places.find((place) => existsSync(place));
  if (found === undefined)
    throw new SondeError("INTERNAL", `debugpy-adapter.py is missing (${places.join(", ")})`);
  return found;
}

/**
 * An unbundled debugpy (Debian's) finds its other half only in the system's Python. Another Python is shown that half and nothing
 * else of the system's packages, which would come before its own.
 */
function packagesFor(
  { onlyFor, folder }: Debugpy,
  python: Interpreter,
  { env }: LaunchPlan,
  { adapters }: Where,
): Record<string, string> {
  if (onlyFor === undefined || python.folders.includes(folder)) return {};
  const links = join(adapters, `debugpy-system-${onlyFor}`);
  mkdirSync(links, { recursive: true });
  for (const name of partsIn(folder)) {
    try {
      symlinkSync(join(folder, name), join(links, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  return { PYTHONPATH: [env.PYTHONPATH, links].filter(Boolean).join(":") };
}
