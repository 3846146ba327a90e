/**
 * What the probes' machinery is told by a language: how its programs are run, where a line's code is, where values are in memory and
 * registers there, how what was fetched is put into words, and how code is called. Everything else is the same for all.
 */
import type { Runnable as Executable } from "../../../adapters/native/runnable.ts";
import type { Launch } from "../../../session/launch.ts";
import { type Base, Unfit } from "../../dwarf/unfit.ts";
import type { Plan } from "../../plan.ts";
import type { Binding, TraceFrame } from "../../record.ts";
import type { Machine } from "./machine.ts";

export interface Language {
  /** What is wrong with a plan by its words alone. */
  unfit(plan: Plan, launch: Launch): string | undefined;
  /** What is started, or of an attach the program of the process. */
  runnable(launch: Launch): Promise<Runnable>;
  informant(about: { launch: Launch; program: string; machine: Machine }): Promise<Informant>;
  /** For the reader, where a child process came by a point: only of debuggers that would have recorded it there. */
  readonly childrenToo?: string;
}

export interface Runnable extends Executable {
  /** What was built for this run alone goes with it. */
  remove?(): void;
}

/** Debug information, as far as it is needed. */
export interface Informant {
  /** By the plan's points. Throws Unfit where a probe could not do what the debugger does. */
  places(plan: Plan): Promise<Place[]>;
  /** The functions at each place, the innermost first: those that were inlined have no frame of their own. */
  frames(places: CodePlace[]): Promise<TraceFrame[][]>;
  /** Of a frame whose caller is on a stack that we do not see: what the reader is told of that. */
  left?(frame: TraceFrame): string | undefined;
  close(): Promise<void>;
}

export interface Place {
  locations: Location[];
  binding: Binding;
  /** What the record should say of it. */
  notes?: string[];
}

export interface Location {
  /** As linked, and in the file. */
  address: number;
  offset: number;
  /** Nothing for what does not exist here. */
  reaches: (Reach | undefined)[];
  words: Words;
  /** Where the name of the thread comes from, if not from the kernel. */
  thread?: { reach: Reach; name(id: bigint): string };
}

/** What was fetched by the location's reaches, as the record has it. */
export interface Words {
  /** Whether the point's condition is true, if it has one. */
  holds(fetched: readonly (Fetched | undefined)[]): boolean;
  /** By the point's expressions. */
  values(fetched: readonly (Fetched | undefined)[]): string[];
}

/** A number in memory: from its base along `hops`, which are offsets between the pointers followed. */
export interface Reach {
  root: string;
  base: Base;
  hops: readonly number[];
  size: number;
  signed: boolean;
  /** What is read along with a pointer: a text up to its zero, a number, or as many bytes as may be had and their length. */
  behind?:
    | { kind: "text" }
    | { kind: "number"; size: number; signed: boolean }
    | { kind: "bytes"; length: readonly number[] };
  /** Lengths along the way: an index that is not below its own has no element. */
  within?: readonly { hops: readonly number[]; index: number }[];
}

export interface Fetched {
  number: bigint;
  /** Of a pointer: the bytes there; nothing if there is no such memory. */
  text?: Buffer | undefined;
  /** Of bytes: how many there are in all, which may be more or fewer than those that were read. */
  length?: bigint;
  /** The memory it was to come from is not there. */
  gone?: boolean;
  /** What a pointer to a number points to. */
  to?: Fetched;
}

/** A place in code: its module, address as linked, and 1 where it is a return address. */
export type CodePlace = [module: string, address: number, back: 0 | 1];

export type { Base };
export { Unfit };
