/** A profile in pprof's format (a gzipped protocol buffer), which Go's tools read. */
import { gzipSync } from "node:zlib";
import {
  Function as Fn,
  type Label,
  Line,
  Location,
  Profile as Pprof,
  Sample,
  StringTable,
  ValueType,
} from "pprof-format";
import type { Profile } from "../../profile.ts";

export interface PprofFacts {
  /** Milliseconds since the epoch. */
  began: number;
  seconds: number;
  /** Between two samples: ns, or bytes. */
  period: number;
}

export function toPprof({ unit, frames, samples }: Profile, { began, seconds, period }: PprofFacts): Buffer {
  const strings = new StringTable();
  const word = (text: string) => strings.dedup(text);
  const type =
    unit === "ns"
      ? new ValueType({ type: word("cpu"), unit: word("nanoseconds") })
      : new ValueType({ type: word("space"), unit: word("bytes") });
  const functions = frames.map(
    ({ name, file, line }, at) =>
      new Fn({
        id: at + 1,
        name: word(name),
        systemName: word(name),
        filename: word(file ?? ""),
        startLine: line ?? 0,
      }),
  );
  const locations = frames.map(
    ({ line }, at) => new Location({ id: at + 1, line: [new Line({ functionId: at + 1, line: line ?? 0 })] }),
  );
  const profile = new Pprof({
    stringTable: strings,
    sampleType: [new ValueType({ type: word("samples"), unit: word("count") }), type],
    sample: samples.map(
      ({ stack, weight, count }) =>
        new Sample({
          // The innermost first.
          locationId: stack.map((at) => at + 1).reverse(),
          value: [Math.round(count), Math.round(weight)],
          label: [] as Label[],
        }),
    ),
    location: locations,
    function: functions,
    timeNanos: BigInt(Math.round(began)) * 1_000_000n,
    durationNanos: BigInt(Math.round(seconds * 1e9)),
    periodType: type,
    period: Math.round(period),
  });
  return gzipSync(profile.encode());
}
