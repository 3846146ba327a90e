/** speedscope's own format, which Sonde writes and reads. Pure. */
import { type Frame, type Profile, ProfileBuilder } from "../profile.ts";
import { weightOfOne } from "./weight-of-one.ts";

const SCHEMA = "https://www.speedscope.app/file-format-schema.json";

export function toSpeedscope({ unit, frames, samples }: Profile, name: string): string {
  const weights = samples.map(({ weight }) => weight);
  return JSON.stringify({
    $schema: SCHEMA,
    exporter: "sonde",
    name,
    activeProfileIndex: 0,
    shared: {
      frames: frames.map(({ name, file, line }) => ({
        name,
        ...(file === undefined ? {} : { file }),
        ...(line === undefined ? {} : { line }),
      })),
    },
    profiles: [
      {
        type: "sampled",
        name,
        unit: unit === "ns" ? "nanoseconds" : "bytes",
        startValue: 0,
        endValue: weights.reduce((sum, one) => sum + one, 0),
        samples: samples.map(({ stack }) => stack),
        weights,
      },
    ],
  });
}

const NANOSECONDS: Record<string, number> = {
  nanoseconds: 1,
  microseconds: 1e3,
  milliseconds: 1e6,
  seconds: 1e9,
  none: 1,
  bytes: 1,
};

interface Written {
  shared: { frames: { name: string; file?: string; line?: number }[] };
  profiles: WrittenProfile[];
}

type WrittenProfile = { unit: string } & (
  | { type: "sampled"; samples: number[][]; weights: number[] }
  | { type: "evented"; events: { type: "O" | "C"; frame: number; at: number }[] }
);

/** Nothing if it is not that. */
export function fromSpeedscope(data: unknown, most?: number): Profile | undefined {
  if (!isWritten(data)) return undefined;
  const builder = new ProfileBuilder(data.profiles[0]?.unit === "bytes" ? "bytes" : "ns", most);
  const frames = data.shared.frames.map((frame) => builder.frame(frameOf(frame)));
  const known = (stack: readonly number[]) => stack.flatMap((at) => frames[at] ?? []);
  for (const profile of data.profiles) {
    const scale = NANOSECONDS[profile.unit] ?? 1;
    if (profile.type === "sampled") {
      const each = weightOfOne(profile.weights);
      for (const [at, stack] of profile.samples.entries()) {
        const weight = profile.weights[at] ?? 0;
        builder.spend(stack.length);
        builder.add(known(stack), weight * scale, Math.max(1, Math.round(weight / each)));
      }
    } else if (profile.type === "evented")
      for (const call of callsOf(profile.events)) {
        if (call.count === 0) continue;
        builder.spend(call.depth);
        builder.add(known(stackOf(call)), call.time * scale, call.count);
      }
  }
  return builder.build();
}

/** One in the tree of calls. */
interface Call {
  frame: number;
  depth: number;
  parent?: Call;
  children: Map<number, Call>;
  time: number;
  count: number;
}

/** What is open between two events was on the stack. As a tree: a stack for each event would be as many as deep. */
function callsOf(events: readonly { type: "O" | "C"; frame: number; at: number }[]): Call[] {
  let open: Call = { frame: -1, depth: 0, children: new Map(), time: 0, count: 0 };
  const all: Call[] = [];
  let last = events[0]?.at ?? 0;
  for (const { type, frame, at } of events) {
    if (open.depth > 0 && at > last) {
      open.time += at - last;
      open.count++;
    }
    last = at;
    if (type !== "O") {
      open = open.parent ?? open;
      continue;
    }
    let call = open.children.get(frame);
    if (!call) {
      call = { frame, depth: open.depth + 1, parent: open, children: new Map(), time: 0, count: 0 };
      open.children.set(frame, call);
      all.push(call);
    }
    open = call;
  }
  return all;
}

function stackOf(call: Call): number[] {
  const stack: number[] = [];
  for (let one: Call | undefined = call; one && one.depth > 0; one = one.parent) stack.push(one.frame);
  return stack.reverse();
}

function frameOf({ name, file, line }: { name: string; file?: string; line?: number }): Frame {
  return {
    name: String(name),
    ...(typeof file === "string" ? { file } : {}),
    ...(typeof line === "number" ? { line } : {}),
    ...(name === "(idle)" ? { kind: "idle" as const } : {}),
  };
}

function isWritten(data: unknown): data is Written {
  if (typeof data !== "object" || data === null) return false;
  const { shared, profiles } = data as Partial<Written>;
  return Array.isArray(shared?.frames) && Array.isArray(profiles) && profiles.every(isProfile);
}

function isProfile(profile: unknown): boolean {
  if (typeof profile !== "object" || profile === null) return false;
  const { samples, weights, events } = profile as { samples?: unknown; weights?: unknown; events?: unknown };
  return (
    Array.isArray(events) ||
    (Array.isArray(samples) && Array.isArray(weights) && samples.every(Array.isArray))
  );
}
