/** Machine code (C, C++, Rust, Go): the kernel's own sampling, by perf. Needs no debugger, and nothing in the program. */
import { rmSync } from "node:fs";
import type { Where } from "../../../adapters/adapter.ts";
import { toolOnPath } from "../../../adapters/kit/find.ts";
import type { Told } from "../../../advice/advice.ts";
import { SondeError } from "../../../errors.ts";
import type { Launch } from "../../../session/launch.ts";
import { type Held, HeldProgram } from "../../../session/processes/held-program.ts";
import { sessionOf } from "../../../session/session.ts";
import type { Ending } from "../../../session/state.ts";
import { temporaryFolder } from "../../../util/left-folders.ts";
import { type Frame, type Profile, ProfileBuilder } from "../profile.ts";
import { sampled, type Taken, type Taking, whenEnded } from "../sampler.ts";
import { HERTZ, PerfRecorder, STACK_BYTES } from "./perf/recorder.ts";
import type { PerfFrame, PerfSample } from "./perf/script.ts";
import { type Address, keyOf, type Place, type Places, placesOf } from "./perf/symbols.ts";

/** What a language needs done otherwise. */
export interface Native {
  /** How stacks are found, in perf's words. */
  graph: string;
  runnable(launch: Launch): Promise<Held & { remove?(): void }>;
  /** What measures its memory instead. */
  heapHint: Told;
  /** What is to be said of every profile. */
  note?: string;
}

const PERIOD_NS = 1e9 / HERTZ;
/** Once the caller has gone, what is left of the time in which an answer is still read. */
const HURRY_MS = 2200;

export async function samplePerf(taking: Taking, language: Native): Promise<Taken> {
  if (taking.kind === "heap")
    throw new SondeError("UNSUPPORTED", "the memory of machine code cannot be sampled", {
      hint: language.heapHint,
    });
  const perf = perfOn(taking.launch.where);
  const folder = temporaryFolder("profile");
  let remove = () => {};
  let recorder: PerfRecorder | undefined;
  try {
    const target = await targetOf(taking, language);
    remove = target.remove;
    recorder = new PerfRecorder(perf, target.pid, language.graph, folder, taking.launch);
    await recorder.ready(taking.signal);
    target.go(taking.stdin);
    const { seconds, end } = await sampled(taking, target.ended ?? recorder.exited);
    await recorder.stop();
    const read = await readSamples(recorder, target, taking);
    return {
      ...read,
      seconds,
      end,
      period: PERIOD_NS,
      files: [],
      notes: [...(language.note === undefined ? [] : [language.note]), ...target.notes, ...read.notes],
    };
  } finally {
    recorder?.kill();
    remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

function perfOn(where: Where): string {
  if (process.platform !== "linux")
    throw new SondeError("UNSUPPORTED", "machine code is profiled by perf, which only Linux has");
  const perf = toolOnPath("perf", where);
  if (perf !== undefined) return perf;
  throw new SondeError("UNSUPPORTED", "machine code is profiled by perf, which is not installed", {
    hint: "Debian and Ubuntu: `apt install linux-perf` or `linux-tools-generic`; Fedora: `dnf install perf`",
  });
}

interface Target {
  pid: number;
  /** Left out: perf sees that it ends. */
  ended?: Promise<Ending>;
  notes: string[];
  /** What it was before it became the program. */
  before: ReadonlySet<string>;
  go(stdin: Buffer | undefined): void;
  remove(): void;
}

async function targetOf({ launch, signal }: Taking, language: Native): Promise<Target> {
  const { opening } = launch;
  const session = sessionOf(launch);
  const plain = { before: new Set<string>(), go: () => {}, remove: () => {} };
  if (session || opening.request === "attach") {
    const { pid } = launch;
    if (pid === undefined) throw new SondeError("UNSUPPORTED", `the process of ${launch.name} is not known`);
    const ended = session ? { ended: whenEnded(launch) } : {};
    return { ...plain, pid, ...ended, notes: ["child processes that ran before are left out"] };
  }
  await launch.prepare(signal);
  const runnable = await language.runnable(launch);
  launch.begin();
  const program = await HeldProgram.start(launch, runnable);
  return {
    pid: program.pid,
    ended: program.ended,
    notes: [],
    before: new Set(["sh", "env"]),
    go: (stdin) => program.go(stdin),
    remove: () => {
      program.abandon();
      runnable.remove?.();
    },
  };
}

async function readSamples(
  recorder: PerfRecorder,
  { before }: Target,
  { signal, launch }: Taking,
): Promise<Pick<Taken, "profile" | "means" | "notes">> {
  const limit = signal.aborted ? AbortSignal.timeout(HURRY_MS) : new AbortController().signal;
  const samples: PerfSample[] = [];
  let isProgram = before.size === 0;
  const isWhole = await recorder.samples((sample) => {
    isProgram ||= !before.has(sample.command);
    if (isProgram) samples.push(sample);
  }, limit);
  const places = await placesOf(addressesOf(samples), launch.where, limit);
  const event = samples[0]?.event ?? "";
  const cut = samples.filter(isCut).length;
  return {
    profile: profileOf(samples, places),
    means: `perf (${event === "" ? "cpu-clock" : event})`,
    notes: [
      ...(isWhole ? [] : ["the samples could not be read to their end in time"]),
      ...(cut > samples.length / 100
        ? [
            `${((100 * cut) / samples.length).toFixed(0)} % of the stacks are cut: they are deeper than ${STACK_BYTES / 1024} KiB, or code without unwind tables is on them`,
          ]
        : []),
      ...(samples.some(({ frames }) => frames.some(isKernel)) ? [] : noKernel()),
    ],
  };
}

function noKernel(): string[] {
  return process.getuid?.() === 0
    ? []
    : ["time in the kernel may be missing: recording it needs more privileges"];
}

/** A caller's address is where it goes on, which may be the line after the call. */
function addressOf({ file, offset }: PerfFrame, depth: number): Address {
  return { file, offset: depth === 0 ? offset : offset - 1 };
}

function addressesOf(samples: readonly PerfSample[]): Address[] {
  const all = new Map<string, Address>();
  for (const { frames } of samples)
    for (const [depth, frame] of frames.entries()) {
      const address = addressOf(frame, depth);
      if (!isKernel(frame)) all.set(keyOf(address), address);
    }
  return [...all.values()];
}

function isKernel({ file }: PerfFrame): boolean {
  return file.startsWith("[") && !/^\[(vdso|vsyscall|unknown|heap|stack|anon)/.test(file);
}

const ROOTS =
  /^(_start|main|__?libc_start.*|clone3?|__clone3?|thread_start|start_thread|runtime\.(goexit|mstart|mcall|systemstack|rt0_go|morestack|gogo|sigreturn).*|entry_SYSCALL_64.*|ret_from_fork.*)$/;

/** Its root is not where programs and threads begin. */
function isCut({ frames }: PerfSample): boolean {
  const outermost = frames.findLast(({ symbol }) => symbol !== "[unknown]") ?? frames.at(-1);
  return outermost !== undefined && !isKernel(outermost) && !ROOTS.test(outermost.symbol);
}

function profileOf(samples: readonly PerfSample[], places: Places): Profile {
  const lines = seenLines(samples, places);
  const builder = new ProfileBuilder("ns");
  const pids = new Set(samples.map(({ pid }) => pid));
  const scale = scaleOf(samples);
  for (const { command, pid, period, frames } of samples) {
    const stack = frames.flatMap((frame, depth) => framesOf(frame, depth, places, lines)).reverse();
    const root: Frame[] = pids.size > 1 ? [{ name: `${command} (${pid})`, kind: "group" }] : [];
    builder.add(
      [...root, ...stack].map((frame) => builder.frame(frame)),
      period * scale,
    );
  }
  return builder.build();
}

/** The clock counts nanoseconds; cycles stand for the time in which they were counted. */
function scaleOf(samples: readonly PerfSample[]): number {
  if (samples[0]?.event.includes("clock") ?? true) return 1;
  const all = samples.reduce((sum, { period }) => sum + period, 0);
  return all === 0 ? 1 : (samples.length * PERIOD_NS) / all;
}

function framesOf(
  frame: PerfFrame,
  depth: number,
  places: Places,
  lines: ReadonlyMap<string, number>,
): Frame[] {
  const found = places.get(keyOf(addressOf(frame, depth)));
  if (isKernel(frame)) return [{ name: frame.symbol, kind: "kernel" }];
  if (!found)
    return frame.symbol === "[unknown]" && frame.file === "[unknown]"
      ? []
      : [{ name: frame.symbol, file: frame.file, kind: "native" }];
  const last = found.length - 1;
  const kept = found.filter(({ file }, at) => at === last || !OF_LIBRARIES.test(file ?? ""));
  return kept.map((place): Frame => {
    const line = place.start ?? lines.get(functionKey(place));
    return {
      name: place.name,
      file: place.file ?? frame.file,
      ...(line === undefined ? {} : { line }),
      ...(place.file === undefined ? { kind: "native" as const } : {}),
    };
  });
}

/** What the compiler inlined of these counts for who called it: an iterator's step is nothing that a reader looks for. */
const OF_LIBRARIES =
  /^(\/usr\/|\/rustc\/|\/opt\/)|\/\.cargo\/registry\/|\/rustlib\/|^(\.\.?\/)+(csu|nptl|sysdeps)\//;

function functionKey({ name, file }: Place): string {
  return `${name}\n${file}`;
}

/** Of functions whose beginning is not known, the line that was seen most. */
function seenLines(samples: readonly PerfSample[], places: Places): Map<string, number> {
  const counts = new Map<string, Map<number, number>>();
  for (const { frames } of samples)
    for (const [depth, frame] of frames.entries())
      for (const place of places.get(keyOf(addressOf(frame, depth))) ?? []) {
        if (place.start !== undefined || place.line === undefined) continue;
        const key = functionKey(place);
        const lines = counts.get(key) ?? new Map<number, number>();
        counts.set(key, lines.set(place.line, (lines.get(place.line) ?? 0) + 1));
      }
  const most = ([, a]: [number, number], [, b]: [number, number]) => b - a;
  return new Map(
    [...counts].flatMap(([key, lines]) =>
      [...lines]
        .sort(most)
        .slice(0, 1)
        .map(([line]) => [key, line] as const),
    ),
  );
}
