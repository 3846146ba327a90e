/**
 * A profile in pprof's format, whoever wrote it. It is inflated beside our thread and decoded in turns, so that others are served meanwhile; what
 * is too large is refused before it is in memory.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { MOST_BYTES, MOST_ENTRIES, MOST_FRAMES, TooLarge } from "../../limits.ts";
import { type Frame, type Profile, ProfileBuilder } from "../../profile.ts";
import { WireReader } from "./wire.ts";

/** Of fields that a profile has once, or that we do not know. */
const MOST_OTHERS = 10_000;
/** Between two turns. */
const TURN_ENTRIES = 1000;
/** Of one sample or name: none of a real program is nearly as long. */
const MOST_ENTRY_BYTES = 1 << 20;

/** Their numbers in a profile. */
const KEPT = { 1: "type of sample", 2: "sample", 4: "location", 5: "function", 6: "name" } as const;
type Kept = keyof typeof KEPT;

/** Of the values in a sample, the time or the memory in use; throws if it is not a profile of pprof's, `TooLarge` if it is more than we read. */
export async function fromPprof(bytes: Buffer): Promise<Profile> {
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? await inflated(bytes) : bytes;
  if (plain.length > MOST_BYTES) throw TooLarge.bytes();
  const turns = new Turns();
  const { 1: valueTypes, 2: samples, 4: locations, 5: functions, 6: names } = await entriesOf(plain, turns);
  const text = (at: number) => names[at]?.text() ?? "";
  const types = valueTypes.map((entry) => valueType(entry, text));
  const at = valueIndex(types);
  const counted = types.findIndex(
    ({ unit, type }) => unit === "count" && /^(samples|inuse_objects)$/.test(type),
  );
  const builder = new ProfileBuilder(types[at]?.unit === "bytes" ? "bytes" : "ns", MOST_FRAMES);
  const byFunction = new Map<number, number>();
  for (const entry of functions) {
    const { id, frame } = functionOf(entry, text);
    byFunction.set(id, builder.frame(frame));
    await turns.take();
  }
  const places = new Map<number, number[]>();
  for (const entry of locations) {
    const { id, called, address } = locationOf(entry);
    const inlined = called.flatMap((one) => byFunction.get(one) ?? []);
    builder.spend(inlined.length);
    // What was inlined stands in one location, the innermost first.
    const unnamed = () => builder.frame({ name: `0x${address.toString(16)}` });
    places.set(id, inlined.length > 0 ? inlined.reverse() : [unnamed()]);
    await turns.take();
  }
  const scale = NANOSECONDS[types[at]?.unit ?? ""] ?? 1;
  for (const entry of samples) {
    const { locationIds, values } = sampleOf(entry);
    const stack: number[] = [];
    for (const id of locationIds.reverse()) {
      const frames = places.get(id) ?? [];
      builder.spend(frames.length);
      for (const frame of frames) stack.push(frame);
    }
    builder.add(stack, (values[at] ?? 0) * scale, counted < 0 ? 1 : (values[counted] ?? 1));
    await turns.take(stack.length);
  }
  return builder.build();
}

const unzip = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip);

async function inflated(bytes: Buffer): Promise<Buffer> {
  try {
    return await unzip(bytes, { maxOutputLength: MOST_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw TooLarge.bytes();
    throw error;
  }
}

/** Lets others run after each so many entries and frames. */
class Turns {
  #left = TURN_ENTRIES;

  async take(frames = 0): Promise<void> {
    this.#left -= 1 + frames / 50;
    if (this.#left > 0) return;
    this.#left = TURN_ENTRIES;
    await nextTurn();
  }
}

async function entriesOf(bytes: Buffer, turns: Turns): Promise<Record<Kept, WireReader[]>> {
  const kept: Record<Kept, WireReader[]> = { 1: [], 2: [], 4: [], 5: [], 6: [] };
  let others = 0;
  for (const reader = new WireReader(bytes); reader.next(); await turns.take()) {
    if (reader.field in KEPT) {
      const field = reader.field as Kept;
      const entry = reader.inner();
      if (entry.end - entry.at > MOST_ENTRY_BYTES)
        throw new TooLarge(`it has a ${KEPT[field]} of more than ${MOST_ENTRY_BYTES >> 20} MB`);
      if (kept[field].push(entry) > MOST_ENTRIES) throw TooLarge.count(MOST_ENTRIES, KEPT[field]);
    } else {
      reader.skip();
      if (++others > MOST_OTHERS) throw TooLarge.count(MOST_OTHERS, "other field");
    }
  }
  return kept;
}

interface ValueType {
  type: string;
  unit: string;
}

function valueType(entry: WireReader, text: (at: number) => string): ValueType {
  const read = { type: "", unit: "" };
  while (entry.next()) {
    if (entry.field === 1) read.type = text(entry.number());
    else if (entry.field === 2) read.unit = text(entry.number());
    else entry.skip();
  }
  return read;
}

function functionOf(entry: WireReader, text: (at: number) => string): { id: number; frame: Frame } {
  let [id, name, file, line] = [0, "", "", 0];
  while (entry.next()) {
    if (entry.field === 1) id = entry.number();
    else if (entry.field === 2) name = text(entry.number());
    else if (entry.field === 4) file = text(entry.number());
    else if (entry.field === 5) line = entry.number();
    else entry.skip();
  }
  return { id, frame: { name, ...(file === "" ? {} : { file }), ...(line > 0 ? { line } : {}) } };
}

function locationOf(entry: WireReader): { id: number; called: number[]; address: bigint } {
  let [id, address] = [0, 0n];
  const called: number[] = [];
  while (entry.next()) {
    if (entry.field === 1) id = entry.number();
    else if (entry.field === 3) address = entry.address();
    else if (entry.field === 4) {
      const line = entry.inner();
      while (line.next()) {
        if (line.field === 1) called.push(line.number());
        else line.skip();
      }
    } else entry.skip();
  }
  return { id, called, address };
}

function sampleOf(entry: WireReader): { locationIds: number[]; values: number[] } {
  const [locationIds, values]: [number[], number[]] = [[], []];
  while (entry.next()) {
    if (entry.field === 1) entry.numbers(locationIds);
    else if (entry.field === 2) entry.numbers(values);
    else entry.skip();
  }
  return { locationIds, values };
}

const NANOSECONDS: Record<string, number> = { microseconds: 1e3, milliseconds: 1e6, seconds: 1e9 };

function valueIndex(types: readonly { type: string; unit: string }[]): number {
  for (const wanted of ["inuse_space", "cpu", "space"]) {
    const at = types.findIndex(({ type }) => type === wanted);
    if (at >= 0) return at;
  }
  return Math.max(0, types.length - 1);
}
