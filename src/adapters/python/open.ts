/** Starting debugpy, or reaching one that runs, and what to send it. */

import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { advice, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { executableOf } from "../../util/process-facts.ts";
import type { AttachPlan, Connection, Host, LaunchPlan, Task, Where } from "../adapter.ts";
import { speaking } from "../kit/dialect.ts";
import { dial } from "../kit/process.ts";
import { checkPid } from "./attach.ts";
import { attachCalling, childCalling, launchCalling } from "./calling.ts";
import { runOf } from "./command-line.ts";
import { dialect } from "./dialect.ts";
import { type Debugpy, debugpyFor, partsIn, unfitness } from "./find.ts";
import { type Injector, injectorFor } from "./injectors.ts";
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
  const { program, transport, announce } = await launchCalling(run, plan, host, {
    python: python.path,
    pythonArgs: [...unfrozen(python), ...unbuffered, ...run.pythonArgs],
    env: textsIn(plan.extra.env),
    packages: packagesFor(debugpy, python, host.where),
    children: plan.extra.subProcess !== false,
  });
  const folders =
    "program" in run.what ? [dirname(resolve(plan.cwd, run.what.program)), plan.cwd] : [plan.cwd];
  const compiler = { python: python.path, env: plan.env, cwd: plan.cwd };
  return {
    transport: speaking(transport, dialect(debugpy.version, { folders, compiler, announce })),
    request: "launch",
    args: { ...USUAL, ...run.what, cwd: plan.cwd, stopOnEntry: plan.stopOnEntry, ...plan.extra },
    stdin: () => program.stdin,
  };
}

/** Of `--arg-json '{"env": …}'`. */
function textsIn(env: unknown): Record<string, string> {
  const pairs = typeof env === "object" && env !== null ? Object.entries(env) : [];
  return Object.fromEntries(pairs.map(([name, value]) => [name, String(value)]));
}

/** Python runs parts of its library from its own file, in which nothing can be stopped. */
function unfrozen({ version }: Interpreter): string[] {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 3 || minor >= 11 ? ["-X", "frozen_modules=off"] : [];
}

async function attach(plan: AttachPlan, host: Host): Promise<Connection> {
  const { pid, port, extra } = plan;
  const args = { ...USUAL, ...extra };
  if (port !== undefined) {
    // Who listens there is a debugpy adapter already.
    const transport = await dial(host, { host: plan.host ?? "127.0.0.1", port });
    return { transport: speaking(transport, dialect("")), request: "attach", args };
  }
  if (pid === undefined)
    throw new SondeError("BAD_ARGUMENT", "debugpy needs a process or a port to attach to");
  checkPid(pid);
  const executable = executableOf(pid);
  const python = executable === undefined ? undefined : await examine(executable, plan);
  const known = typeof python === "string" ? undefined : python;
  const debugpy = await fitting(known, host.where);
  const { transport, ...called } = await attachCalling(pid, debugpy, host, {
    packages: packagesFor(debugpy, known, host.where),
    children: extra.subProcess !== false,
    cwd: plan.cwd,
    env: plan.env,
    injector: await injectorOn(debugpy, { ...host.where, cwd: plan.cwd, env: plan.env }),
  });
  return {
    transport: speaking(transport, dialect(debugpy.version, called)),
    request: "attach",
    args,
  };
}

/** Elsewhere debugpy itself knows the only one there is. */
function injectorOn({ python }: Debugpy, where: Where): Promise<Injector> | undefined {
  return process.platform === "linux" ? injectorFor(python, where) : undefined;
}

/** A process that called us, or one that a debugpy adapter elsewhere tells of, with where that listens. */
async function child(configuration: Record<string, unknown>, host: Host): Promise<Connection> {
  const { caller, connect } = configuration as {
    caller?: string;
    connect?: { host: string; port: number };
  };
  const spoken = dialect(host.found.version);
  if (caller !== undefined)
    return { transport: speaking(childCalling(caller), spoken), request: "attach", args: USUAL };
  if (connect === undefined)
    throw new SondeError("ATTACH_FAILED", "debugpy did not report how to reach the child");
  const transport = await dial(host, connect);
  return { transport: speaking(transport, spoken), request: "attach", args: { ...USUAL, ...configuration } };
}

/** The one found for the folder may not fit the Python that the command line names. */
async function fitting(python: Interpreter | undefined, where: Where): Promise<Debugpy> {
  const debugpy = await debugpyFor(python, where);
  const problem = typeof debugpy === "string" ? debugpy : unfitness(debugpy, python);
  if (typeof debugpy !== "string" && problem === undefined) return debugpy;
  throw new SondeError("ADAPTER_MISSING", problem ?? "no debugpy", {
    hint: python
      ? `\`${python.path} -m pip install debugpy\` installs one for it; or run the program with another Python`
      : advice`${call("setup", { names: ["python"] })} installs one`,
  });
}

/**
 * An unbundled debugpy (Debian's) finds its other half only in the system's Python. Another Python is shown that half and nothing
 * else of the system's packages, which would come before its own.
 */
function packagesFor(
  { onlyFor, folder }: Debugpy,
  python: Interpreter | undefined,
  { adapters }: Where,
): string {
  if (onlyFor === undefined || python === undefined || python.folders.includes(folder)) return folder;
  const links = join(adapters, `debugpy-system-${onlyFor}`);
  mkdirSync(links, { recursive: true });
  for (const name of partsIn(folder)) {
    try {
      symlinkSync(join(folder, name), join(links, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  return links;
}
