/** When a profiled program was busy: which share of each part of its time. Only where the profiler kept the order of its samples. Pure. */
import { type CpuProfile, plainFrame } from "./formats/v8.ts";

export interface BusyTimes {
  /** Milliseconds from the first sample to the last. */
  ms: number;
  samples: number;
  /** 0 to 1, by part of that time, all of the same length. */
  busy: number[];
}

export function busyTimes(
  { nodes, samples = [], timeDeltas = [], startTime, endTime }: CpuProfile,
  parts: number,
): BusyTimes {
  const idle = new Set(
    nodes.filter((node) => plainFrame(node.callFrame).kind === "idle").map(({ id }) => id),
  );
  const long = Math.max(1, endTime - startTime) / parts;
  const micros = new Array<number>(parts).fill(0);
  let at = startTime;
  let busySamples = 0;
  for (const [index, id] of samples.entries()) {
    at += timeDeltas[index] ?? 0;
    if (idle.has(id)) continue;
    busySamples += 1;
    const from = at - startTime;
    const to = from + Math.max(0, timeDeltas[index + 1] ?? endTime - at);
    // A sample may reach over several parts.
    for (let part = Math.max(0, Math.floor(from / long)); part < parts && part * long < to; part++)
      micros[part] =
        (micros[part] ?? 0) + Math.max(0, Math.min(to, (part + 1) * long) - Math.max(from, part * long));
  }
  return {
    ms: Math.max(0, endTime - startTime) / 1000,
    samples: busySamples,
    busy: micros.map((one) => Math.min(1, Number((one / long).toFixed(3)))),
  };
}
