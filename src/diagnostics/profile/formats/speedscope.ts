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
export function fromSpeedscope(data: unknown): Profile | undefined {
  if (!isWritten(data)) return undefined;
  const builder = new ProfileBuilder(data.profiles[0]?.unit === "bytes" ? "bytes" : "ns");
  const frames = data.shared.frames.map((frame) => builder.frame(frameOf(frame)));
  const known = (stack: readonly number[]) => stack.flatMap((at) => frames[at] ?? []);
  for (const profile of data.profiles) {
    const scale = NANOSECONDS[profile.unit] ?? 1;
    if (profile.type === "sampled") {
      const each = weightOfOne(profile.weights);
      for (const [at, stack] of profile.samples.entries()) {
        const weight = profile.weights[at] ?? 0;
        builder.add(known(stack), weight * scale, Math.max(1, Math.round(weight / each)));
      }
    } else if (profile.type === "evented")
      addEvents(profile.events, (stack, time) => builder.add(known(stack), time * scale));
  }
  return builder.build();
}

/** What is open between two events was on the stack. */
function addEvents(
  events: readonly { type: "O" | "C"; frame: number; at: number }[],
  add: (stack: readonly number[], time: number) => void,
): void {
  const open: number[] = [];
  let last = events[0]?.at ?? 0;
  for (const { type, frame, at } of events) {
    if (open.length > 0 && at > last) add(open, at - last);
    last = at;
    if (type === "O") open.push(frame);
    else open.pop();
  }
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
