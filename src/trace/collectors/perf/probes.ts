/** From a plan to probes: where they go, what each fetches, and how that is read again. */
import type { Plan } from "../../plan.ts";
import { type Fetched, type Informant, type Location, type Place, type Reach, Unfit } from "./language.ts";

/** A point that a probe is for. */
export interface Target {
  point: number;
  location: Location;
  /** By the location's reaches: how to read what was fetched. */
  reads: (((raw: Buffer) => Fetched) | undefined)[];
}

export interface Probe {
  event: string;
  /** As the kernel takes it, after the event's name. */
  definition: string;
  /** In the plan's order: points at one place are one probe's, as the kernel runs several in any order. */
  targets: Target[];
  thread?: (raw: Buffer) => string;
}

export async function probesFor(
  plan: Plan,
  { program, informant }: { program: string; informant: Informant },
): Promise<{ places: Place[]; probes: Probe[] }> {
  const places = await informant.places(plan);
  const building: Building[] = [];
  for (const [point, { locations }] of places.entries())
    for (const location of locations) {
      const shared = building.find((one) => one.take(point, location));
      if (shared) continue;
      const own = new Building(location, program);
      if (!own.take(point, location)) throw new Unfit("it is more than one probe can fetch");
      building.push(own);
    }
  const probes = building.map((one, at) => one.probe(`p${at}`));
  const length = probes.reduce((sum, { definition }) => sum + definition.length + EACH_PROBE, 0);
  if (length > MOST_CHARACTERS) throw new Unfit("it needs more probes than can be set at once");
  return { places, probes };
}

/** The kernel's own part of what a probe reports: its number, the process, and the address. */
const FIRST_ARGUMENT = 16;
/** Of what the kernel has room for in one report; the rest is for texts. */
const MOST_BYTES = 2048;
const MOST_FETCHES = 128;
/** A report of this size may have had no room for its last texts. */
const FULL = 4096;
/** The longest array that a probe reads: as many bytes of a text as are shown. */
const WORDS_OF_BYTES = 64;

/** All of them are given to a shell in one variable, which the kernel lets be this long. */
const MOST_CHARACTERS = 120_000;
const EACH_PROBE = 40;

class Building {
  readonly #first: Location;
  readonly #program: string;
  readonly #targets: Target[] = [];
  readonly #thread: Probe["thread"];
  /** With their places in the report. */
  #fetches = new Map<string, number>();
  #at = FIRST_ARGUMENT;

  constructor(first: Location, program: string) {
    this.#first = first;
    this.#program = program;
    const { thread } = first;
    const id = thread && this.#reader(thread.reach);
    this.#thread = thread && id && ((raw) => thread.name(id(raw).number));
  }

  /** Whether it is for this place, and has room. */
  take(point: number, location: Location): boolean {
    if (location.address !== this.#first.address) return false;
    const before = { fetches: new Map(this.#fetches), at: this.#at };
    const reads = location.reaches.map((reach) => reach && this.#reader(reach));
    const fits = this.#at <= MOST_BYTES && this.#fetches.size <= MOST_FETCHES;
    if (fits) this.#targets.push({ point, location, reads });
    else [this.#fetches, this.#at] = [before.fetches, before.at];
    return fits;
  }

  probe(event: string): Probe {
    const place = `${this.#program}:0x${this.#first.offset.toString(16)}`;
    const fetches = [...this.#fetches.keys()].map((one, at) => `a${at}=${one}`);
    return {
      ...{ event, targets: this.#targets, definition: [place, ...fetches].join(" ") },
      ...(this.#thread ? { thread: this.#thread } : {}),
    };
  }

  #reader(reach: Reach): (raw: Buffer) => Fetched {
    const { hops, size, signed: isSigned, within = [] } = reach;
    const fetch = this.#fetchOf(reach, hops);
    const read = this.#number(fetch, size, isSigned);
    const missing = this.#guard(reach, fetch);
    const lengths = within.map((one) => ({
      index: BigInt(one.index),
      read: this.#number(this.#fetchOf(reach, one.hops), 8, true),
    }));
    const more = this.#behind(reach, fetch);
    return (raw) => {
      const value = read(raw);
      const gone = lengths.some((one) => one.index >= one.read(raw)) || (value === 0n && missing?.(raw));
      return gone ? { number: 0n, gone: true } : { number: value, ...more?.(raw) };
    };
  }

  /** Memory that is not there reads as zero; as a text it says so, if there is room for that. */
  #guard(reach: Reach, fetch: string): ((raw: Buffer) => boolean) | undefined {
    if (reach.hops.length < 2) return undefined;
    const pointer = this.#number(this.#fetchOf(reach, reach.hops.slice(0, -1)), 8, false);
    const text = this.#text(fetch);
    return (raw) => pointer(raw) === 0n || (raw.length < FULL && text(raw) === undefined);
  }

  /** What a pointer is shown with. */
  #behind(reach: Reach, pointer: string): ((raw: Buffer) => Partial<Fetched>) | undefined {
    const { behind } = reach;
    const fetch = `+0(${pointer})`;
    if (behind === undefined) return undefined;
    if (behind.kind === "text") {
      const text = this.#text(fetch);
      return (raw) => ({ text: text(raw) });
    }
    if (behind.kind === "bytes") {
      const length = this.#number(this.#fetchOf(reach, behind.length), 8, true);
      const size = 8 * WORDS_OF_BYTES;
      const at = this.#fetched(fetch, `x64[${WORDS_OF_BYTES}]`, size);
      return (raw) => ({ length: length(raw), text: raw.subarray(at, at + size) });
    }
    const read = this.#number(fetch, behind.size, behind.signed);
    const guard = this.#text(fetch);
    return (raw) => {
      const value = read(raw);
      return { to: { number: value, gone: value === 0n && guard(raw) === undefined } };
    };
  }

  #fetchOf({ base, root }: Reach, hops: readonly number[]): string {
    const [first = 0, ...rest] = hops;
    const { address, offset } = this.#first;
    let fetch: string | undefined;
    if ("address" in base)
      // The kernel reckons from where the probe is, as if all of the file were mapped in one piece.
      fetch = `@+${base.address + first - address + offset}`;
    else if ("registers" in base) fetch = base.registers[first / 8];
    else fetch = `${withSign(base.offset + first)}(${base.register})`;
    if (fetch === undefined) throw new Unfit(`${root} is in a register`);
    return rest.reduce((inner, hop) => `${withSign(hop)}(${inner})`, fetch);
  }

  /** Its place; what was asked for before is not fetched again. */
  #fetched(fetch: string, type: string, size: number): number {
    const known = this.#fetches.get(`${fetch}:${type}`);
    if (known !== undefined) return known;
    this.#fetches.set(`${fetch}:${type}`, this.#at);
    this.#at += size;
    return this.#at - size;
  }

  #number(fetch: string, size: number, isSigned: boolean): (raw: Buffer) => bigint {
    const at = this.#fetched(fetch, `${isSigned ? "s" : "u"}${size * 8}`, size);
    if (size === 8) return (raw) => (isSigned ? raw.readBigInt64LE(at) : raw.readBigUInt64LE(at));
    return (raw) => BigInt(isSigned ? raw.readIntLE(at, size) : raw.readUIntLE(at, size));
  }

  /** Its place and length, with the zero at its end; a length of none is memory that is not there. */
  #text(fetch: string): (raw: Buffer) => Buffer | undefined {
    const at = this.#fetched(fetch, "string", 4);
    return (raw) => {
      const where = raw.readUInt32LE(at);
      const [from, length] = [where & 0xffff, where >>> 16];
      return length === 0 ? undefined : raw.subarray(from, from + length - 1);
    };
  }
}

function withSign(number: number): string {
  return number < 0 ? String(number) : `+${number}`;
}
