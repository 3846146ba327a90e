/**
 * Kernel probes at the points of a native program, by perf: it is never stopped. What they fetch, and a copy of the stack, is put
 * into LLDB's words afterwards, with what LLDB knows of the program.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { isRust } from "../../../adapters/native/rust.ts";
import { SondeError } from "../../../errors.ts";
import type { Session } from "../../../session/session.ts";
import type { Collector, Run } from "../../collector.ts";
import type { Plan } from "../../plan.ts";
import type { RunEnd } from "../../record.ts";
import { Informant, type Place } from "./informant.ts";
import { type Machine, machineFor, probeGroup, RECORD, readIds } from "./machine.ts";
import { type Asked, type Probe, probesFor, readPoint, Unfit, unfitWords } from "./probes.ts";
import { Program, type Runnable, whatToRun } from "./program.ts";
import { Recorder } from "./recorder.ts";

export const perf: Collector = {
  name: "perf",
  unfit: async (plan, session) => {
    const made = await prepared(plan, session);
    return "unfit" in made ? made.unfit : undefined;
  },
  collect: async (plan, run) => {
    const made = await prepared(plan, run.session);
    if ("unfit" in made) throw new SondeError("UNSUPPORTED", `perf cannot record this: ${made.unfit}`);
    for (const [point, place] of made.places.entries()) run.sink.bind(point, bindingOf(place));
    if (run.signal.aborted) return { how: "stopped" };
    const informant = await Informant.start(run.session, made.what.program, made.rust);
    try {
      return await recorded(plan, run, made, informant);
    } finally {
      await informant.close();
    }
  },
};

interface Prepared {
  machine: Machine;
  what: Runnable;
  rust: boolean;
  asked: Asked[];
  places: Place[];
  probes: Probe[];
}

/** Found out once for a session and its plan: to say whether it fits is most of the work. */
const known = new WeakMap<Session, { plan: Plan; made: Promise<Prepared | { unfit: string }> }>();

function prepared(plan: Plan, session: Session): Promise<Prepared | { unfit: string }> {
  const before = known.get(session);
  if (before?.plan === plan) return before.made;
  const made = prepare(plan, session).catch((error: unknown) => {
    if (error instanceof Unfit) return { unfit: error.message };
    throw error;
  });
  known.set(session, { plan, made });
  return made;
}

async function prepare(plan: Plan, session: Session): Promise<Prepared | { unfit: string }> {
  const unfit = unfitWords(plan, session);
  if (unfit !== undefined) return { unfit };
  const { request, plan: opened } = session.opening;
  if (request === "attach" && opened.pid === undefined)
    return { unfit: "it is not a process of this machine" };
  const machine = await machineFor(session.where);
  if ("unfit" in machine) return machine;
  await session.prepare();
  const what = await whatToRun(session);
  const { program } = what;
  if (!existsSync(program)) return { unfit: `there is no ${program}` };
  if (/[\s=]/.test(program)) return { unfit: "the program's path has a blank or an equals sign in it" };
  const rust = isRust(program);
  const asked = plan.points.map(readPoint);
  const informant = await Informant.start(session, program, rust);
  try {
    return { machine, what, rust, asked, ...(await probesFor(plan, asked, { program, informant, machine })) };
  } finally {
    await informant.close();
  }
}

function bindingOf({ locations: [first], nearest }: Place) {
  if (first) return { state: "bound" as const, line: first.line };
  return {
    state: "unbound" as const,
    reason: "no code there",
    ...(nearest === undefined ? {} : { nearest }),
  };
}

async function recorded(plan: Plan, run: Run, made: Prepared, informant: Informant): Promise<RunEnd> {
  const { opening } = run.session;
  const program = opening.request === "launch" ? await Program.start(run, made.what) : undefined;
  const pid = program?.pid ?? (opening.request === "attach" ? (opening.plan.pid ?? 0) : 0);
  const recording = made.probes.length > 0 ? new Recording(plan, run, made, pid) : undefined;
  const aborted = () => void (program ? program.end() : recording?.stop());
  try {
    await recording?.ready();
    run.begun?.();
    run.signal.addEventListener("abort", aborted, { once: true });
    program?.go();
    if (run.signal.aborted) aborted();
    void program?.ended.then(() => recording?.stop());
    await recording?.through(informant);
    const end = await program?.ended;
    if (run.signal.aborted) return { how: program ? "stopped" : "left" };
    return end ?? { how: "exited" };
  } catch (error) {
    await program?.end();
    recording?.stop();
    throw error;
  } finally {
    run.signal.removeEventListener("abort", aborted);
  }
}

/** Of all processors' buffers, in megabytes: what comes while we are busy waits there. */
const BUFFERS = 256;

/** Each one's share, which must be a power of two. */
function buffer(): string {
  return `${2 ** Math.max(0, Math.floor(Math.log2(BUFFERS / cpus().length)))}M`;
}

/** How long a hit may wait there. */
const FLUSH_MS = 200;
/** Bytes of the stack that are copied: a few frames are mostly within the first. */
const STACK = { few: 4096, many: 8192 };
const FEW_FRAMES = 4;

class Recording {
  readonly #plan: Plan;
  readonly #run: Run;
  readonly #made: Prepared;
  readonly #pid: number;
  readonly #child: ChildProcess;
  readonly #ids: string;
  readonly #exited: Promise<unknown>;
  #said = "";

  constructor(plan: Plan, run: Run, made: Prepared, pid: number) {
    this.#plan = plan;
    this.#run = run;
    this.#made = made;
    this.#pid = pid;
    this.#ids = join(run.folder, "probes");
    this.#child = this.#start();
    this.#exited = once(this.#child, "exit").catch((error: unknown) => {
      this.#said += String(error);
    });
  }

  #start(): ChildProcess {
    const { machine, probes } = this.#made;
    const group = probeGroup();
    const size = this.#plan.frames <= FEW_FRAMES ? STACK.few : STACK.many;
    const words = [
      ...[machine.perf, "record", "-q", "-N", "-B", "-o", "-", "-m", buffer()],
      ...["--control", "fd:3,4", "-p", String(this.#pid)],
      ...(this.#plan.frames > 0 ? ["--call-graph", `dwarf,${size}`] : []),
      ...probes.flatMap(({ event }) => ["-e", `${group}:${event}`]),
    ];
    const [command, args] = machine.command(RECORD, group, this.#ids, ...words);
    const defined = probes.map(({ event, definition }) => `p:${group}/${event} ${definition}`).join("\n");
    const child = spawn(command, args, {
      cwd: "/",
      env: { ...this.#run.session.where.env, SONDE_PROBES: defined },
      stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"],
      detached: true,
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#said += text;
    });
    child.stdio[3]?.on("error", () => {}); // perf has gone: its exit tells
    const { processes } = this.#run.session;
    const { pid } = child;
    if (pid !== undefined) {
      processes.own(pid, "perf", "adapter");
      child.once("exit", () => processes.release(pid));
    }
    return child;
  }

  /** The probes are in place and count: perf answers only after it has turned them on. */
  async ready(): Promise<void> {
    this.#control("ping");
    const answer = this.#child.stdio[4];
    const acknowledged = answer ? once(answer, "data").then(() => true) : Promise.resolve(false);
    if (await Promise.race([acknowledged, this.#exited.then(() => false)])) return;
    const why = this.#said.trim().split("\n")[0] ?? "";
    throw new SondeError("UNSUPPORTED", `perf could not record this program: ${why}`);
  }

  stop(): void {
    this.#control("stop");
  }

  async through(informant: Informant): Promise<void> {
    const { asked, probes } = this.#made;
    const names = readIds(this.#ids);
    const byId = new Map(
      [...names].flatMap(([id, name]) => {
        const probe = probes.find(({ event }) => event === name);
        return probe ? [[id, probe] as const] : [];
      }),
    );
    const recorder = new Recorder({
      ...{ plan: this.#plan, sink: this.#run.sink, pid: this.#pid },
      ...{ asked, informant, probes: byId },
    });
    // perf looks into its buffers when one is half full, or when it is spoken to.
    const spoken = setInterval(() => this.#control("ping"), FLUSH_MS);
    try {
      for await (const chunk of this.#child.stdout ?? []) await recorder.push(chunk as Buffer);
    } finally {
      clearInterval(spoken);
    }
    await recorder.end();
    await this.#exited;
  }

  #control(word: string): void {
    const control = this.#child.stdio[3] as Writable;
    if (!control.destroyed) control.write(`${word}\n`);
  }
}
