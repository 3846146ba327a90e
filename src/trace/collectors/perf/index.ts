/**
 * Kernel probes at the points of a program in machine code, by perf: it is never stopped. What they fetch, and a copy of the stack, is
 * put into the debugger's words afterwards, with what the program's debug information says.
 */
import { existsSync } from "node:fs";
import { SondeError } from "../../../errors.ts";
import type { Launch } from "../../../session/launch.ts";
import { HeldProgram } from "../../../session/processes/held-program.ts";
import type { Collector, Run } from "../../collector.ts";
import type { Plan } from "../../plan.ts";
import type { RunEnd } from "../../record.ts";
import { fixedAddresses } from "./fixed-addresses.ts";
import { type Informant, type Language, type Place, type Runnable, Unfit } from "./language.ts";
import { type Machine, machineFor } from "./machine.ts";
import { PerfProcess } from "./perf-process.ts";
import { type Probe, probesFor } from "./probes.ts";

/** By what an adapter says its languages are; loaded when one is used. */
const LANGUAGES: Record<string, () => Promise<Language>> = {
  c: async () => (await import("./native.ts")).native,
  go: async () => (await import("./go/index.ts")).go,
};

export const collector: Collector = {
  name: "perf",
  unfit: async (plan, launch) => {
    const made = await prepared(plan, launch);
    return "unfit" in made ? made.unfit : undefined;
  },
  collect: async (plan, run) => {
    const made = await prepared(plan, run.launch);
    if ("unfit" in made) throw new SondeError("UNSUPPORTED", `perf cannot record this: ${made.unfit}`);
    const { launch, sink, signal } = run;
    const { language, machine, what } = made;
    try {
      for (const [point, { binding, notes = [] }] of made.places.entries()) {
        sink.bind(point, binding);
        for (const note of notes) sink.note(note);
      }
      if (signal.aborted) return { how: "stopped" };
      const informant = await language.informant({ launch, program: what.program, machine });
      try {
        return await recorded(plan, run, made, informant);
      } finally {
        await informant.close();
      }
    } finally {
      what.remove?.();
    }
  },
};

interface Prepared {
  language: Language;
  machine: Machine;
  what: Runnable;
  places: Place[];
  probes: Probe[];
  childrenToo: string | undefined;
}

/** Found out once for a session and its plan: to say whether it fits is most of the work. */
const known = new WeakMap<Launch, { plan: Plan; made: Promise<Prepared | { unfit: string }> }>();

function prepared(plan: Plan, launch: Launch): Promise<Prepared | { unfit: string }> {
  const before = known.get(launch);
  if (before?.plan === plan) return before.made;
  const made = prepare(plan, launch).catch((error: unknown) => {
    if (error instanceof Unfit) return { unfit: error.message };
    throw error;
  });
  known.set(launch, { plan, made });
  return made;
}

async function prepare(plan: Plan, launch: Launch): Promise<Prepared | { unfit: string }> {
  if (plan.lines !== undefined) return { unfit: "it records only at given lines, not at every line" };
  const load = launch.adapter.languages.map((one) => LANGUAGES[one]).find((one) => one !== undefined);
  if (load === undefined) return { unfit: `it cannot read programs of ${launch.adapter.title}` };
  const language = await load();
  const unfit = language.unfit(plan, launch);
  if (unfit !== undefined) return { unfit };
  const { request, plan: opened } = launch.opening;
  if (request === "attach" && opened.pid === undefined)
    return { unfit: "it is not a process on this machine" };
  const machine = await machineFor(launch.where);
  if ("unfit" in machine) return machine;
  await launch.prepare();
  const what = await language.runnable(launch);
  try {
    return { language, machine, what, ...(await probing(plan, launch, { language, machine, what })) };
  } catch (error) {
    what.remove?.();
    throw error;
  }
}

async function probing(
  plan: Plan,
  launch: Launch,
  { language, machine, what: { program } }: { language: Language; machine: Machine; what: Runnable },
) {
  if (!existsSync(program)) throw new Unfit(`there is no ${program}`);
  if (/[\s=]/.test(program)) throw new Unfit("the program's path contains a space or an equals sign");
  const informant = await language.informant({ launch, program, machine });
  try {
    return { ...(await probesFor(plan, { program, informant })), childrenToo: language.childrenToo };
  } finally {
    await informant.close();
  }
}

async function started({ launch }: Run, what: Runnable): Promise<HeldProgram> {
  return HeldProgram.start(launch, { ...what, through: await fixedAddresses() });
}

async function recorded(plan: Plan, run: Run, made: Prepared, informant: Informant): Promise<RunEnd> {
  const { opening } = run.launch;
  const program = opening.request === "launch" ? await started(run, made.what) : undefined;
  const pid = program?.pid ?? (opening.request === "attach" ? (opening.plan.pid ?? 0) : 0);
  const recording = made.probes.length > 0 ? new PerfProcess(plan, run, made, pid) : undefined;
  const aborted = () => void (program ? program.end() : recording?.stop());
  try {
    await recording?.ready();
    run.begun?.();
    run.signal.addEventListener("abort", aborted, { once: true });
    program?.go(run.stdin);
    if (run.signal.aborted) aborted();
    void program?.ended.then(() => recording?.stop());
    const broken = await recording?.through(informant);
    if (broken !== undefined) {
      await program?.end();
      return { how: program ? "stopped" : "left", why: `${broken}; what came after that is not recorded` };
    }
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
