/** pprof's format (a gzipped protocol buffer), which Go's tools read and write. */
import { gunzipSync, gzipSync } from "node:zlib";
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
import { type Frame, type Profile, ProfileBuilder } from "../profile.ts";

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

/** Of the values in a sample, the time or the memory in use; throws if it is not a profile of pprof's. */
export function fromPprof(bytes: Buffer): Profile {
  const plain =
    bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes, { maxOutputLength: 1 << 30 }) : bytes;
  const read = Pprof.decode(plain);
  const text = (at: number | bigint) => read.stringTable.strings[Number(at)] ?? "";
  const types = read.sampleType.map(({ type, unit }) => ({ type: text(type), unit: text(unit) }));
  const at = valueIndex(types);
  const counted = types.findIndex(
    ({ unit, type }) => unit === "count" && /^(samples|inuse_objects)$/.test(type),
  );
  const isBytes = types[at]?.unit === "bytes";
  const builder = new ProfileBuilder(isBytes ? "bytes" : "ns");
  const functions = new Map(
    read.function.map((one) => {
      const [name, file, line] = [text(one.name), text(one.filename), Number(one.startLine)];
      const frame: Frame = { name, ...(file === "" ? {} : { file }), ...(line > 0 ? { line } : {}) };
      return [Number(one.id), builder.frame(frame)] as const;
    }),
  );
  // What was inlined stands in one location, the innermost first.
  const places = new Map(
    read.location.map(({ id, line, address }) => {
      const inlined = line.flatMap(({ functionId }) => functions.get(Number(functionId)) ?? []);
      const unnamed = () => builder.frame({ name: `0x${BigInt(address).toString(16)}` });
      return [Number(id), inlined.length > 0 ? inlined.reverse() : [unnamed()]] as const;
    }),
  );
  const scale = NANOSECONDS[types[at]?.unit ?? ""] ?? 1;
  for (const { locationId, value } of read.sample) {
    const stack = [...locationId].reverse().flatMap((id) => places.get(Number(id)) ?? []);
    const count = counted < 0 ? 1 : Number(value[counted] ?? 1);
    builder.add(stack, Number(value[at] ?? 0) * scale, count);
  }
  return builder.build();
}

const NANOSECONDS: Record<string, number> = { microseconds: 1e3, milliseconds: 1e6, seconds: 1e9 };

function valueIndex(types: readonly { type: string; unit: string }[]): number {
  for (const wanted of ["inuse_space", "cpu", "space"]) {
    const at = types.findIndex(({ type }) => type === wanted);
    if (at >= 0) return at;
  }
  return Math.max(0, types.length - 1);
}
