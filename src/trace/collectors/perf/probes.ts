/** From a plan to probes: where they go, what each fetches, and how that is read again. */
import type { Session } from "../../../session/session.ts";
import type { Plan, Point } from "../../plan.ts";
import { type Expression, NotSimple, pathsReckoned, Reading } from "./expression.ts";
import type { Informant, Leaf, Location, Place, Reach } from "./informant.ts";
import { definitions, type Machine } from "./machine.ts";
import type { Fetched } from "./values.ts";

/** What is asked at a point, in terms of its paths. */
export interface Asked {
  reading: Reading;
  expressions: Expression[];
  condition?: Expression;
}

/** Throws NotSimple. */
export function readPoint({ expressions, condition }: Point): Asked {
  const reading = new Reading();
  return {
    reading,
    expressions: expressions.map((one) => reading.parse(one)),
    ...(condition === undefined ? {} : { condition: reading.parse(condition) }),
  };
}

export interface Probe {
  event: string;
  point: number;
  location: Location;
  /** As the kernel takes it, after the event's name. */
  definition: string;
  /** By the point's paths: how to read what was fetched; nothing for what does not exist. */
  reads: (((raw: Buffer) => Fetched) | undefined)[];
}

/** Thrown with the reason. */
export class Unfit extends Error {}

export async function probesFor(
  plan: Plan,
  asked: readonly Asked[],
  known: { program: string; informant: Informant; machine: Machine },
): Promise<{ places: Place[]; probes: Probe[] }> {
  const places = await known.informant.places(
    plan.points.map(({ path, line }, at) => ({ path, line, paths: asked[at]?.reading.paths ?? [] })),
  );
  const probes: Probe[] = [];
  for (const [point, { locations, nearest }] of places.entries()) {
    const { path = "" } = plan.points[point] ?? {};
    // Nothing of this file: a library may have it, which is not there before the program runs.
    if (locations.length === 0 && (nearest ?? []).length === 0)
      throw new Unfit(`${path} is not in the program itself`);
    for (const location of locations) {
      if (location.module !== known.program) throw new Unfit(`${path} is not in the program itself`);
      check(asked[point], location);
      const bases = await basesOf(known, path, location);
      const event = `p${point}_${probes.length}`;
      probes.push(build({ event, point, location, bases, program: known.program }));
    }
  }
  return { places, probes };
}

/** Every value must be one that we can fetch and print as LLDB does. */
function check(asked: Asked | undefined, { leaves }: Location): void {
  for (const leaf of leaves) if ("unfit" in leaf) throw new Unfit(leaf.unfit);
  for (const shown of asked?.expressions ?? []) {
    const leaf = "path" in shown ? leaves[shown.path] : undefined;
    if (leaf && "type" in leaf && leaf.type.kind === "opaque") throw new Unfit(leaf.type.why);
  }
  const all = [...(asked?.expressions ?? []), ...(asked?.condition ? [asked.condition] : [])];
  for (const path of new Set(all.flatMap((one) => [...pathsReckoned(one)]))) {
    const leaf = leaves[path];
    if (leaf === undefined || !("type" in leaf)) continue;
    if (!["int", "char", "bool"].includes(leaf.type.kind))
      throw new Unfit(`${leaf.root} is not a number to reckon with`);
  }
}

/** Where a variable is: `-20(%bp)`, or a register. */
type Base = { register: string; offset?: number };

async function basesOf(
  { program, machine }: { program: string; machine: Machine },
  path: string,
  { leaves, line, offset, address }: Location,
): Promise<Map<string, Base>> {
  const local = leaves.filter((leaf): leaf is Reach => "root" in leaf && leaf.global === undefined);
  const roots = [...new Set(local.map(({ root }) => root))];
  if (roots.length === 0) return new Map();
  const wanted = roots.map((root, at) => `r${at}=${root}:x64`).join(" ");
  const said = await definitions(machine, program, `sonde=${path}:${line} ${wanted}`);
  if ("refused" in said) throw new Unfit(`perf: ${said.refused}`);
  const here = said.lines.find((one) => {
    const place = Number(/:(0x[0-9a-f]+)(?: |$)/.exec(one)?.[1]);
    return place === offset || place === address;
  });
  if (here === undefined) throw new Unfit(`perf finds no code at ${path}:${line} where LLDB does`);
  return new Map(roots.map((root, at) => [root, baseOf(here, at, root)]));
}

function baseOf(definition: string, at: number, root: string): Base {
  const fetch = new RegExp(` r${at}=(\\S+):x64(?: |$)`).exec(definition)?.[1] ?? "";
  const memory = /^([-+]?\d+)\((%\w+)\)$/.exec(fetch);
  if (memory?.[2] !== undefined) return { register: memory[2], offset: Number(memory[1]) };
  if (/^%\w+$/.test(fetch)) return { register: fetch };
  throw new Unfit(`${root} is in no place that a probe can read (${fetch})`);
}

interface Building {
  event: string;
  point: number;
  location: Location;
  bases: Map<string, Base>;
  program: string;
}

/** The kernel's own part of what a probe reports: its number, the process, and the address. */
const FIRST_ARGUMENT = 16;

function build({ event, point, location, bases, program }: Building): Probe {
  const fetches: string[] = [];
  let at = FIRST_ARGUMENT;
  const fetched = (fetch: string, type: string, size: number) => {
    fetches.push(`a${fetches.length}=${fetch}:${type}`);
    at += size;
    return at - size;
  };
  const number = (fetch: string, size: number, signed: boolean) =>
    numberAt(fetched(fetch, `${signed ? "s" : "u"}${size * 8}`, size), size, signed);
  const text = (fetch: string) => textAt(fetched(fetch, "string", 4));

  const reader = (leaf: Leaf): Probe["reads"][number] => {
    if (!("root" in leaf)) return undefined;
    const { type, hops } = leaf;
    const fetch = fetchOf(leaf, location, bases.get(leaf.root));
    const size = "size" in type ? type.size : 8;
    const read = number(fetch, size, "signed" in type && type.signed);
    // Memory that is not there reads as zero; as a text it says so.
    const guard = hops.length > 1 ? text(fetch) : undefined;
    const gone = (raw: Buffer, value: bigint) =>
      value === 0n && guard !== undefined && guard(raw) === undefined;
    const more = behind(type, `+0(${fetch})`, { number, text });
    return (raw) => {
      const value = read(raw);
      return gone(raw, value) ? { number: 0n, gone: true } : { number: value, ...more?.(raw) };
    };
  };
  const reads = location.leaves.map(reader);
  const definition = [`${program}:0x${location.offset.toString(16)}`, ...fetches].join(" ");
  return { event, point, location, definition, reads };
}

interface Fetching {
  number(fetch: string, size: number, signed: boolean): (raw: Buffer) => bigint;
  text(fetch: string): (raw: Buffer) => Buffer | undefined;
}

/** What a pointer is shown with. */
function behind(
  type: Reach["type"],
  fetch: string,
  { number, text }: Fetching,
): ((raw: Buffer) => Partial<Fetched>) | undefined {
  if (type.kind === "text") {
    const read = text(fetch);
    return (raw) => ({ text: read(raw) });
  }
  if (type.kind !== "arrow") return undefined;
  const { to } = type;
  const read = number(fetch, "size" in to ? to.size : 8, "signed" in to && to.signed);
  const guard = text(fetch);
  return (raw) => {
    const value = read(raw);
    return { to: { number: value, gone: value === 0n && guard(raw) === undefined } };
  };
}

function fetchOf({ hops, global, root }: Reach, location: Location, base: Base | undefined): string {
  const [first = 0, ...rest] = hops;
  let fetch: string;
  if (global !== undefined)
    // The kernel reckons from where the probe is, as if all of the file were mapped in one piece.
    fetch = `@+${global + first - location.address + location.offset}`;
  else if (base === undefined) throw new Unfit(`${root} is nowhere`);
  else if (base.offset !== undefined) fetch = `${signed(base.offset + first)}(${base.register})`;
  else if (first === 0) fetch = base.register;
  else throw new Unfit(`${root} is in a register`);
  return rest.reduce((inner, hop) => `${signed(hop)}(${inner})`, fetch);
}

function signed(number: number): string {
  return number < 0 ? String(number) : `+${number}`;
}

function numberAt(at: number, size: number, isSigned: boolean): (raw: Buffer) => bigint {
  if (size === 8) return (raw) => (isSigned ? raw.readBigInt64LE(at) : raw.readBigUInt64LE(at));
  return (raw) => BigInt(isSigned ? raw.readIntLE(at, size) : raw.readUIntLE(at, size));
}

/** Its place and length, with the zero at its end; a length of none is memory that is not there. */
function textAt(at: number): (raw: Buffer) => Buffer | undefined {
  return (raw) => {
    const where = raw.readUInt32LE(at);
    const [from, length] = [where & 0xffff, where >>> 16];
    return length === 0 ? undefined : raw.subarray(from, from + length - 1);
  };
}

/** What is wrong with a plan by its words alone. */
export function unfitWords(plan: Plan, session: Session): string | undefined {
  if (plan.lines !== undefined) return "it records at lines that are named, not every line";
  if (Object.keys(session.opening.plan.extra).length > 0) return "arguments of LLDB's own are given";
  try {
    for (const point of plan.points) readPoint(point);
    return undefined;
  } catch (error) {
    if (error instanceof NotSimple) return error.message;
    throw error;
  }
}
