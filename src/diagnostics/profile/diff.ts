/** Two profiles, function by function: what takes more in the second, and whether sampling can tell. Pure. */
import { basename } from "node:path";
import type { Frame, Profile } from "./profile.ts";
import { totalsOf } from "./profile.ts";
import { rowsOf } from "./table.ts";

/** Against how much two profiles are held: each as a whole run, or a second of each. */
export type Per = "run" | "second";

export interface Side {
  profile: Profile;
  /** How long it was looked. */
  seconds: number;
}

export interface Measure {
  /** ns or bytes, a run or a second. */
  self: number;
  total: number;
  /** Of all that is not idle. */
  selfShare: number;
  totalShare: number;
  samples: number;
}

export interface Change {
  frame: Frame;
  a: Measure | undefined;
  b: Measure | undefined;
  /** Of the function itself, from the first to the second. */
  delta: number;
  deltaShare: number;
  /** Twice the standard error of `delta`: a smaller one may be chance. */
  error: number;
}

export interface Comparison {
  per: Per;
  a: { busy: number; samples: number };
  b: { busy: number; samples: number };
  /** Those that sampling can tell, the largest first. */
  slower: Change[];
  faster: Change[];
  /** How many differ by less than that. */
  unsure: number;
}

interface Sum extends Measure {
  frame: Frame;
}

export function compare(a: Side, b: Side, per: Per): Comparison {
  const before = sums(a, per);
  const after = asIn(before, sums(b, per));
  const changes: Change[] = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [one, two] = [before.get(key), after.get(key)];
    const frame = two?.frame ?? one?.frame;
    if (!frame) continue;
    changes.push({
      frame,
      a: one,
      b: two,
      delta: (two?.self ?? 0) - (one?.self ?? 0),
      deltaShare: (two?.selfShare ?? 0) - (one?.selfShare ?? 0),
      error: 2 * Math.hypot(errorOf(one, before), errorOf(two, after)),
    });
  }
  const sure = changes.filter(({ delta, error }) => Math.abs(delta) > error);
  return {
    per,
    a: scaled(a, per),
    b: scaled(b, per),
    slower: sure.filter(({ delta }) => delta > 0).sort((x, y) => y.delta - x.delta),
    faster: sure.filter(({ delta }) => delta < 0).sort((x, y) => x.delta - y.delta),
    unsure: changes.filter(({ delta, error }) => delta !== 0 && Math.abs(delta) <= error).length,
  };
}

function scaled({ profile, seconds }: Side, per: Per): { busy: number; samples: number } {
  const { busy, samples } = totalsOf(profile);
  return { busy: per === "run" ? busy : busy / Math.max(seconds, 1e-9), samples };
}

/** By name and file: a line moves when something is written above it. */
function sums({ profile, seconds }: Side, per: Per): Map<string, Sum> {
  const { busy } = totalsOf(profile);
  const scale = per === "run" ? 1 : 1 / Math.max(seconds, 1e-9);
  const all = new Map<string, Sum>();
  for (const { frame, self, total, selfSamples } of rowsOf(profile)) {
    const key = JSON.stringify([frame.name, frame.file]);
    const sum = all.get(key) ?? { frame, self: 0, total: 0, selfShare: 0, totalShare: 0, samples: 0 };
    all.set(key, {
      frame: sum.frame,
      self: sum.self + self * scale,
      total: Math.max(sum.total, total * scale),
      selfShare: sum.selfShare + (busy === 0 ? 0 : self / busy),
      totalShare: Math.max(sum.totalShare, busy === 0 ? 0 : total / busy),
      samples: sum.samples + selfSamples,
    });
  }
  return all;
}

/**
 * A function that has moved is still the same, if there is just one on each side that has no counterpart and is called alike, in a file of the same
 * name or else anywhere: two versions of a program are often two folders, or two files.
 */
function asIn(before: ReadonlyMap<string, Sum>, after: ReadonlyMap<string, Sum>): Map<string, Sum> {
  const byFile = matched(before, after, ({ name, file }) => JSON.stringify([name, basename(file ?? "")]));
  return matched(before, byFile, ({ name }) => name);
}

function matched(
  before: ReadonlyMap<string, Sum>,
  after: ReadonlyMap<string, Sum>,
  called: (frame: Frame) => string,
): Map<string, Sum> {
  const [gone, come] = [alone(before, after, called), alone(after, before, called)];
  return new Map(
    [...after].map(([key, sum]) => {
      const name = called(sum.frame);
      return [(come.get(name) === key ? gone.get(name) : undefined) ?? key, sum];
    }),
  );
}

/** Those without a counterpart, by what they are called; undefined where several are called so. */
function alone(
  sums: ReadonlyMap<string, Sum>,
  others: ReadonlyMap<string, Sum>,
  called: (frame: Frame) => string,
): Map<string, string | undefined> {
  const byName = new Map<string, string | undefined>();
  for (const [key, { frame }] of sums) {
    if (others.has(key)) continue;
    const name = called(frame);
    byName.set(name, byName.has(name) ? undefined : key);
  }
  return byName;
}

/** How often something is seen varies by the root of that; what was not seen at all may have been missed once. */
function errorOf(sum: Sum | undefined, all: ReadonlyMap<string, Sum>): number {
  if (sum && sum.samples > 0) return sum.self / Math.sqrt(sum.samples);
  let [self, samples] = [0, 0];
  for (const one of all.values()) {
    self += one.self;
    samples += one.samples;
  }
  return samples === 0 ? 0 : self / samples;
}
