/** Several looks at a program that should have gone on: stop it, read all stacks, let it run a little, look again. */

import { awaitStop, pause, resume } from "../running/running.ts";
import type { Outcome } from "../running/stops.ts";
import type { Session } from "../session.ts";
import { type ProcessorTime, processorTime } from "./processor-time.ts";
import { readStacks, type Stacks } from "./thread-stacks.ts";

export interface Sampling {
  samples: Stacks[];
  /** How long it could run between the first and the last, and what it did with that, where it is known. */
  ranMs: number;
  used?: ProcessorTime;
  /** What cut it short: a stop that was not ours, or the end. */
  outcome?: Exclude<Outcome, { kind: "running" }>;
  /** It did not stop when told to: what it is in is not the language's own code. */
  deaf: boolean;
}

export interface SamplingOptions {
  count: number;
  intervalMs: number;
  signal: AbortSignal;
}

interface Before {
  at: number;
  used: ProcessorTime | undefined;
}

/** A program that runs its own code stops within milliseconds. */
const PAUSE_MS = 1500;

/** How long the news of an end may take after a question that nobody answered any more. */
const NEWS_MS = 2000;

/** Stands still after it, if it can be stopped at all. */
export async function sample(session: Session, options: SamplingOptions): Promise<Sampling> {
  const sampling: Sampling = { samples: [], ranMs: 0, deaf: false };
  try {
    return await looks(session, options, sampling);
  } catch (error) {
    // A program that ends in the middle of a look refuses in many ways; its end is the answer.
    const news = await awaitStop(session, { timeoutMs: NEWS_MS, signal: options.signal });
    if (news.kind !== "ended") throw error;
    return { ...sampling, outcome: news };
  }
}

async function looks(session: Session, options: SamplingOptions, sampling: Sampling): Promise<Sampling> {
  const { count, intervalMs, signal } = options;
  let before: Before | undefined;
  for (;;) {
    const outcome = sampling.deaf ? deaf(session) : await pause(session, { timeoutMs: PAUSE_MS, signal });
    if (outcome.kind === "ended") return { ...sampling, outcome };
    sampling.deaf = outcome.kind === "running";
    if (before) add(session, sampling, before);
    sampling.samples.push(await readStacks(session));
    if (outcome.kind === "stopped" && outcome.stop.reason !== "pause") return { ...sampling, outcome };
    if (sampling.samples.length >= count) return sampling;
    await resume(session);
    before = { at: performance.now(), used: used(session) };
    const next = await awaitStop(session, { timeoutMs: intervalMs, signal });
    if (next.kind === "ended") return { ...sampling, outcome: next };
    if (next.kind === "stopped" && next.stop.reason !== "pause") {
      sampling.samples.push(await readStacks(session));
      return { ...sampling, outcome: next };
    }
  }
}

/** It was told once and has not heard: should it come back to its own code, it stops by itself. */
function deaf(session: Session): Outcome {
  return session.ended ? { kind: "ended", ending: session.ended } : { kind: "running" };
}

function used(session: Session): ProcessorTime | undefined {
  const all = session.live.map(({ pid }) => processorTime(pid)).filter((one) => one !== undefined);
  return all.length === 0 ? undefined : all.reduce((sum, one) => sumOf(sum, one));
}

function add(session: Session, sampling: Sampling, before: Before): void {
  sampling.ranMs += performance.now() - before.at;
  const now = used(session);
  if (now === undefined || before.used === undefined) return;
  // A thread that has ended meanwhile took its share with it.
  const since = {
    ranMs: Math.max(0, now.ranMs - before.used.ranMs),
    queuedMs: Math.max(0, now.queuedMs - before.used.queuedMs),
  };
  sampling.used = sampling.used ? sumOf(sampling.used, since) : since;
}

function sumOf(one: ProcessorTime, other: ProcessorTime): ProcessorTime {
  return { ranMs: one.ranMs + other.ranMs, queuedMs: one.queuedMs + other.queuedMs };
}
