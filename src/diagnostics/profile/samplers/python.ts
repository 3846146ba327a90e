/**
 * Python: a thread of ours in the program that looks at its stacks (python/sonde_sampler.py). It comes in with the program as that starts, or by the
 * debugger into one that runs, which the debugger then leaves.
 */
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { LaunchPlan } from "../../../adapters/adapter.ts";
import { startProgram } from "../../../adapters/kit/program.ts";
import { runOf } from "../../../adapters/python/command-line.ts";
import { examine } from "../../../adapters/python/interpreter.ts";
import { PY_SPY } from "../../../adapters/python/py-spy.ts";
import { siteFile } from "../../../adapters/python/site.ts";
import { advice, named } from "../../../advice/advice.ts";
import { SondeError } from "../../../errors.ts";
import type { Launch } from "../../../session/launch.ts";
import { Session, sessionOf } from "../../../session/session.ts";
import type { Ending } from "../../../session/state.ts";
import { socketFolder } from "../../../util/left-folders.ts";
import { ownFile } from "../../../util/own-file.ts";
import { plural } from "../../../util/text.ts";
import { wait } from "../../../util/wait.ts";
import { merged } from "../profile.ts";
import { sampled, type Taken, type Taking } from "../sampler.ts";
import { samplePySpy } from "./py-spy.ts";
import { Inbox } from "./python/inbox.ts";

const PERIOD_NS = 5_000_000;
/** For the last samples of a program that was told to stop: it may be busy in native code. */
const LAST_MS = { cpu: 3000, heap: 30_000 };
const OURS = "diagnostics/profile/samplers/python";

export async function samplePython(taking: Taking): Promise<Taken> {
  if (taking.snapshot)
    throw new SondeError(
      "UNSUPPORTED",
      advice`${named("snapshot")} is for Node: Python has no snapshot of its heap`,
    );
  const spied = await bySpy(taking);
  if (spied && "profile" in spied) return spied;
  const folder = socketFolder("profile");
  const inbox = await Inbox.listen(join(folder, "s"), taking.kind);
  try {
    const into = { folder, address: inbox.address, inbox };
    const found = sessionOf(taking.launch);
    const began =
      found || taking.launch.opening.request === "attach"
        ? await enter(taking, into, found)
        : await launch(taking, into);
    const { seconds, end } = await sampled(taking, began.ended);
    await inbox.stop(LAST_MS[taking.kind]);
    return {
      ...put(taking, inbox, [...(spied?.notes ?? []), ...began.notes]),
      seconds: inbox.seconds ?? seconds,
      end,
      files: [],
    };
  } finally {
    inbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In a process that runs; nothing if it is not installed, and why not if it failed. */
async function bySpy(taking: Taking): Promise<Taken | { notes: string[] } | undefined> {
  const { launch, kind } = taking;
  const runs = sessionOf(launch) !== undefined || launch.opening.request === "attach";
  const { pid } = launch;
  if (kind !== "cpu" || !runs || pid === undefined) return undefined;
  const found = await PY_SPY.find(launch.where);
  if (!found.ok) return undefined;
  try {
    return await samplePySpy(found, pid, taking);
  } catch (error) {
    if (taking.signal.aborted || !(error instanceof SondeError)) throw error;
    return { notes: [error.message] };
  }
}

interface Into {
  folder: string;
  address: string;
  inbox: Inbox;
}

interface Began {
  ended: Promise<Ending | undefined>;
  notes: string[];
}

async function launch(
  { launch, kind, stdin, signal }: Taking,
  { folder, address, inbox }: Into,
): Promise<Began> {
  const { opening } = launch;
  if (opening.request !== "launch") throw new Error("only what is launched comes here");
  const { plan } = opening;
  await launch.prepare(signal);
  const line = await lineOf(plan);
  for (const name of ["sitecustomize.py", "sonde_sampler.py"])
    copyFileSync(ownFile(`${OURS}/${name}`), join(folder, name));
  copyFileSync(siteFile(), join(folder, "sonde_site.py"));
  writeFileSync(join(folder, "how"), `${kind}\n${address}\n`);
  const path = [folder, plan.env.PYTHONPATH].filter(Boolean).join(delimiter);
  launch.begin();
  const program = await startProgram(
    launch.host(signal),
    { command: line.python, args: line.args, cwd: plan.cwd, env: { ...launch.env(), PYTHONPATH: path } },
    "the program",
  );
  program.onOutput((category, text) => launch.output.append(category, text));
  const fed = stdin === undefined ? Promise.resolve() : program.stdin.write(stdin);
  void fed.then(() => program.stdin.end()).catch(() => {});
  const ended = program.ended.then((end): Ending => ({ how: "exited", ...end }));
  await Promise.race([inbox.first, ended, aborted(signal)]);
  return { ended, notes: [] };
}

function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((done) => {
    if (signal.aborted) done(undefined);
    signal.addEventListener("abort", done, { once: true });
  });
}

async function lineOf(plan: LaunchPlan): Promise<{ python: string; args: string[] }> {
  const line = await runOf(plan);
  const flag = line.pythonArgs.find((word) => /^-[a-zA-Z]*[IES]/.test(word) && !/^-[XW]/.test(word));
  if (flag !== undefined)
    throw new SondeError("UNSUPPORTED", `python ${flag} keeps the sampler out of the program`, {
      hint: advice`start the program yourself and give its ${named("pid")}`,
    });
  const python = await examine(line.python, plan);
  if (typeof python === "string") throw new SondeError("LAUNCH_FAILED", python);
  const [major = 0, minor = 0] = python.version.split(".").map(Number);
  if (major < 3 || minor < 8)
    throw new SondeError("UNSUPPORTED", `sampling needs Python 3.8, and ${python.path} is ${python.version}`);
  const { what } = line;
  const words =
    "program" in what ? [what.program] : "module" in what ? ["-m", what.module] : ["-c", what.code];
  return { python: python.path, args: [...line.pythonArgs, ...words, ...line.args] };
}

/** By the debugger: it brings the thread in, and leaves unless it was there before. */
async function enter(
  { launch, kind, signal }: Taking,
  { address, inbox }: Into,
  found: Session | undefined,
): Promise<Began> {
  const session = found ?? new Session(launch, { breakpoints: [], catches: [] });
  if (!found) await session.open();
  const { main } = session;
  if (!main) throw new SondeError("SESSION_ENDED", `${launch.name} has ended`);
  const file = JSON.stringify(ownFile(`${OURS}/sonde_sampler.py`));
  const heap = kind === "heap" ? "True" : "False";
  const given = `{"__name__": "sonde_sampler", "__file__": ${file}, "go": (${JSON.stringify(address)}, ${heap})}`;
  const code = `compile(open(${file}).read() + "\\nbegin(*go)\\n", ${file}, "exec")`;
  const expression = `exec(${code}, ${given})`;
  await main.client.request("evaluate", { expression, context: "repl" });
  const called = await wait(inbox.first, { timeoutMs: LAST_MS.cpu, signal });
  if (!called.done && called.why === "timeout")
    throw new SondeError(
      "ATTACH_FAILED",
      `the sampler was loaded into ${launch.name}, but did not report back`,
    );
  const notes = found ? ["taken under the debugger, where calls take longer than without it"] : [];
  if (!found) await session.leave(true);
  return { ended: inbox.gone.then(() => undefined), notes };
}

function put(
  { kind, launch }: Taking,
  inbox: Inbox,
  notes: readonly string[],
): Omit<Taken, "seconds" | "end" | "files"> {
  const parts = inbox.parts.filter(({ heard }) => heard);
  if (parts.length === 0) throw nothing(launch);
  const unknown = Math.max(...parts.map((part) => part.unknown));
  const bySignals = parts.every(({ signals }) => signals);
  const own = parts.reduce((sum, part) => sum + part.own, 0);
  const spent = parts.reduce((sum, part) => sum + (part.seconds ?? 0), 0);
  return {
    profile: merged(
      kind === "cpu" ? "ns" : "bytes",
      parts.map((part) => ({
        profile: part.profile(),
        ...(parts.length > 1 ? { root: `process ${part.pid}` } : {}),
      })),
    ),
    means:
      kind === "cpu"
        ? `a ${bySignals ? "timer" : "thread"} in the program that adds up the processor time of each stack`
        : "tracemalloc: what was allocated since it began and is in use",
    period: kind === "cpu" ? PERIOD_NS : 1,
    notes: [
      ...notes,
      ...(parts.length > 1 ? [`${parts.length} processes: ${parts.map(({ pid }) => pid).join(", ")}`] : []),
      ...(kind === "cpu"
        ? [
            "time in native code (an `in`, a `+`, a call into C) is counted for the Python function that runs next: usually the one it is in, but the caller if it is the last thing the function does, or a function that it calls back, such as a `key=`. Threads that Python did not start are not sampled",
            ...(bySignals
              ? []
              : [
                  "a function that often waits, reads or writes may be counted too high, and those around it too low: Python switches threads there",
                ]),
          ]
        : []),
      ...lostOf(inbox),
      ...(unknown > 0
        ? [`left out: ${plural(unknown, "thread")} that Python's threading module does not know`]
        : []),
      ...(kind === "cpu" && spent > 0 && own / spent > 0.02
        ? [`the sampling itself took ${((own / spent) * 100).toFixed(1)} % of the time`]
        : []),
    ],
  };
}

/** What called and could not be read to its end. */
function lostOf({ parts }: Inbox): string[] {
  const strange = parts.filter(({ problem, heard }) => problem === "not a sampler" && !heard).length;
  const cut = parts.flatMap(({ problem, heard, pid }) => (problem !== undefined && heard ? [pid] : []));
  const large = parts.filter(({ problem, heard }) => problem === "too large" && !heard).length;
  return [
    ...(strange > 0
      ? [`left out: ${plural(strange, "connection")} that sent data not from the sampler`]
      : []),
    ...(large > 0
      ? [`left out: ${plural(large, "process", "processes")} with too many samples to be read`]
      : []),
    ...cut.map((pid) => `process ${pid}: cut short, because the rest of its samples could not be read`),
  ];
}

function nothing(launch: Launch): SondeError {
  const said =
    launch.output
      .read()
      .events.map(({ text }) => text)
      .join("")
      .trim()
      .split("\n")
      .at(-1) ?? "";
  return new SondeError(
    "UNSUPPORTED",
    `there are no samples of ${launch.name}${said === "" ? "" : `; its last output: ${said}`}`,
    {
      hint: "it ended before the first samples were sent (0.2 s), or it is not CPython",
    },
  );
}
