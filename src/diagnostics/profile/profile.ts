/**
 * A profile, whoever took it: which stacks were seen, and how much time (or memory) each stands for. Everything that is shown or written
 * is computed from this. Pure.
 */
import { TooLarge } from "./limits.ts";

/** What a frame is besides a function of the program. */
export type FrameKind =
  /** Nothing ran. It is counted apart: shares are of what did. */
  | "idle"
  | "gc"
  /** Of the runtime, without a source. */
  | "native"
  | "kernel"
  /** No function: a process or a thread, as the root of its stacks. */
  | "group";

export interface Frame {
  name: string;
  /** A path where it is one; what the runtime calls it otherwise (node:fs). */
  file?: string;
  /** Where the function begins; where that is not known, the line that was seen most. */
  line?: number;
  kind?: FrameKind;
}

export interface Sample {
  /** Indices of frames, the outermost first. */
  stack: number[];
  weight: number;
  /** How often it was seen. */
  count: number;
}

/** `samples`: how often, where a file does not say what that stands for. */
export type Unit = "ns" | "bytes" | "samples";

export interface Profile {
  unit: Unit;
  frames: Frame[];
  samples: Sample[];
}

/** Of names, as much memory as a frame of a stack. */
const NAME_CHARS = 8;

/** Collects samples; equal stacks become one. */
export class ProfileBuilder {
  readonly #unit: Unit;
  readonly #frames: Frame[] = [];
  readonly #known = new Map<string, number>();
  readonly #samples = new Map<string, Sample>();

  #left: number;

  /** `most`: frames in all stacks, of what somebody else wrote. */
  constructor(unit: Unit, most = Number.POSITIVE_INFINITY) {
    this.#unit = unit;
    this.#left = most;
  }

  /** Called for each stack that is made, before it is added: throws when there are too many frames in all. */
  spend(frames: number): void {
    this.#left -= frames;
    if (this.#left < 0) throw new TooLarge("its stacks and names are too long in total");
  }

  frame(frame: Frame): number {
    const key = JSON.stringify([frame.name, frame.file, frame.line, frame.kind]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.spend(key.length / NAME_CHARS);
    this.#known.set(key, this.#frames.length);
    return this.#frames.push(frame) - 1;
  }

  /** Whether it is one that was not there. */
  add(stack: readonly number[], weight: number, count = 1): boolean {
    const key = stack.join();
    const known = this.#samples.get(key);
    if (known) {
      known.weight += weight;
      known.count += count;
      return false;
    }
    this.#samples.set(key, { stack: [...stack], weight, count });
    return true;
  }

  build(): Profile {
    return { unit: this.#unit, frames: this.#frames, samples: [...this.#samples.values()] };
  }
}

/** Several as one, each under a root of its own if it is named. */
export function merged(unit: Unit, parts: readonly { profile: Profile; root?: string }[]): Profile {
  const builder = new ProfileBuilder(unit);
  for (const { profile, root } of parts) {
    const above = root === undefined ? [] : [builder.frame({ name: root, kind: "group" })];
    const frames = profile.frames.map((frame) => builder.frame(frame));
    for (const { stack, weight, count } of profile.samples)
      builder.add([...above, ...stack.map((at) => frames[at] ?? 0)], weight, count);
  }
  return builder.build();
}

/** Also what is below a frame that is: at its exit a program waits for us. */
export function isIdle({ frames }: Profile, { stack }: Sample): boolean {
  return stack.some((at) => frames[at]?.kind === "idle");
}

export interface Totals {
  /** Of all that is not idle. */
  busy: number;
  idle: number;
  /** How often it was looked while something ran. */
  samples: number;
  idleSamples: number;
}

export function totalsOf(profile: Profile): Totals {
  const totals = { busy: 0, idle: 0, samples: 0, idleSamples: 0 };
  for (const sample of profile.samples) {
    if (isIdle(profile, sample)) {
      totals.idle += sample.weight;
      totals.idleSamples += sample.count;
    } else {
      totals.busy += sample.weight;
      totals.samples += sample.count;
    }
  }
  return totals;
}

/** Without what is idle, and without stacks that stand for nothing. */
export function busySamples(profile: Profile): Sample[] {
  return profile.samples.filter((sample) => sample.weight > 0 && !isIdle(profile, sample));
}
