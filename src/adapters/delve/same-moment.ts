/**
 * Goroutines that reach breakpoints at the same moment: dlv tells of one of them, and the others pass unseen when it goes on. How
 * many there were, its counts of hits tell; which they were, the stacks. Those that it did not tell of are kept, and shown one after
 * the other before the program goes on. Where counts and stacks do not agree that is said, and nothing is shown that may not be so.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { WithTakenFrames } from "../../dap/refused-part.ts";
import type { Wire } from "../kit/dialect.ts";
import { topFrame, weigh } from "./conditions.ts";
import type { Counted } from "./line-breakpoints.ts";
import { readMemory } from "./memory.ts";

export type Stopped = DebugProtocol.StoppedEvent["body"] & WithTakenFrames;

interface Standing {
  threadId: number;
  frame: DebugProtocol.StackFrame;
}

export class SameMoment {
  /** dlv's counts at the last stop. */
  readonly #counts = new Map<number, number>();
  /** Whether there is a breakpoint at an address: asked once for each breakpoint and address. */
  readonly #traps = new Map<string, boolean>();
  #held: Stopped[] = [];
  #warned = false;
  readonly #isGone: () => boolean;

  /** @param isGone whether dlv has gone, and answers nothing any more. */
  constructor(isGone: () => boolean) {
    this.#isGone = isGone;
  }

  /** To be asked at each stop, before it is shown. The stop as it is: a step that ends at a breakpoint is its hit, which dlv only counts. */
  async look(wire: Wire, stop: Stopped, places: readonly Counted[]): Promise<Stopped> {
    this.#held = [];
    const told = stop.hitBreakpointIds?.[0];
    const counted = await this.#count(wire, places);
    const unseen = counted.filter(({ place, hits }) => hits > (place.id === told ? 1 : 0));
    if (unseen.length === 0) return stop;
    const standing = await onThreads(wire);
    let arrived: Stopped | undefined;
    for (const { place, hits } of unseen) {
      const here = await this.#reached(wire, place, standing);
      if (here.length !== hits) say(wire, missing(place, hits - (place.id === told ? 1 : 0)));
      else this.#held.push(...here.filter(({ threadId }) => threadId !== stop.threadId));
      if (stop.reason === "step" && here.length === hits)
        arrived ??= here.find(({ threadId }) => threadId === stop.threadId);
    }
    if (arrived === undefined) return { ...stop, framesTaken: true };
    const { reason, hitBreakpointIds = [] } = arrived;
    return { ...stop, reason, hitBreakpointIds, framesTaken: true };
  }

  /** The program ran for a call: its hits are nobody's, and the others have gone on. */
  async forget(wire: Wire, places: readonly Counted[]): Promise<void> {
    this.passed(wire, "call");
    await this.#count(wire, places);
  }

  /** The stop to show instead of going on. One whose breakpoint was removed meanwhile is none. */
  next(places: readonly Counted[]): Stopped | undefined {
    for (let held = this.#held.shift(); held !== undefined; held = this.#held.shift()) {
      const ids = new Set(places.flatMap(({ members }) => members.map(({ id }) => id)));
      const left = held.hitBreakpointIds?.filter((id) => ids.has(id)) ?? [];
      if (left.length > 0) return { ...held, hitBreakpointIds: left };
    }
    return undefined;
  }

  /** A step takes the others along. */
  passed(wire: Wire, what = "step"): void {
    const { length } = this.#held.splice(0);
    if (length === 0) return;
    const others = length === 1 ? "1 other goroutine was" : `${length} other goroutines were`;
    say(wire, `${others} stopped too, and went on with this ${what}; use continue to see them one by one`);
  }

  async #reached(wire: Wire, place: Counted, standing: readonly Standing[]): Promise<Stopped[]> {
    const onLine = standing.filter((one) => isOn(place, one));
    for (const address of new Set(onLine.map(addressOf))) {
      const key = `${place.id} ${address}`;
      if (!this.#traps.has(key)) this.#traps.set(key, await isTrap(wire, address));
    }
    const there = onLine.filter((one) => this.#traps.get(`${place.id} ${addressOf(one)}`));
    return holdingAt(wire, place, there);
  }

  async #count(wire: Wire, places: readonly Counted[]): Promise<{ place: Counted; hits: number }[]> {
    const answers = await Promise.all(
      places.map(({ id }) =>
        wire.ask("evaluate", { expression: `delve.bphitcount[${id}]`, context: "watch" }),
      ),
    );
    return places.map((place, index) => {
      const { success = false, body } = answers[index] ?? {};
      const before = this.#counts.get(place.id) ?? 0;
      const now = success ? Number(body.result) : Number.NaN;
      if (Number.isNaN(now)) {
        if (!this.#warned && !this.#isGone()) {
          this.#warned = true;
          say(wire, UNKNOWN);
        }
        return { place, hits: 0 };
      }
      this.#counts.set(place.id, now);
      return { place, hits: stopping(place.hitCondition, before, now) };
    });
  }
}

const UNKNOWN =
  "hits may be missing: when several goroutines reach a line at the same moment, delve reports only one of them";

function missing({ path, line }: Counted, count: number): string {
  const where = path === undefined ? "a breakpoint" : `${path.replace(/^.*\//, "")}:${line}`;
  const goroutines = count === 1 ? "1 more goroutine" : `${count} more goroutines`;
  return `hits are missing: ${goroutines} reached ${where} at the same moment, and delve does not report which`;
}

function say(wire: Wire, text: string): void {
  wire.emit("output", { category: "important", output: `${text}\n`, about: "missing-hits" });
}

const COMPARE: Record<string, (count: number, wanted: number) => boolean> = {
  "==": (count, wanted) => count === wanted,
  "!=": (count, wanted) => count !== wanted,
  ">": (count, wanted) => count > wanted,
  ">=": (count, wanted) => count >= wanted,
  "<": (count, wanted) => count < wanted,
  "<=": (count, wanted) => count <= wanted,
  "%": (count, wanted) => count % wanted === 0,
};

/** How many of the hits since then stop the program; those before this moment did not, or they would have. */
function stopping(hitCondition: string | undefined, before: number, now: number): number {
  const [, operator = "==", wanted] = /^\s*(==|!=|>=|<=|>|<|%)?\s*(\d+)\s*$/.exec(hitCondition ?? "") ?? [];
  const stops = COMPARE[operator];
  if (wanted === undefined || stops === undefined) return now - before;
  let count = 0;
  for (let hit = before + 1; hit <= now; hit++) if (stops(hit, Number(wanted))) count++;
  return count;
}

/** Goroutines that a thread of the system was running, and where each is. */
async function onThreads(wire: Wire): Promise<Standing[]> {
  const { success, body } = await wire.ask("threads", {});
  const threads: DebugProtocol.Thread[] = success ? body.threads : [];
  const running = threads.filter(({ name }) => /\(Thread \d+\)$/.test(name));
  const standing = await Promise.all(
    running.map(async ({ id }) => ({ threadId: id, frame: await topFrame(wire, id) })),
  );
  return standing.flatMap(({ threadId, frame }) => (frame ? { threadId, frame } : []));
}

/** Those at the place itself: who is elsewhere on the line has passed it, or not yet come to it. */
async function holdingAt(wire: Wire, place: Counted, standing: readonly Standing[]): Promise<Stopped[]> {
  const stops: Stopped[] = [];
  for (const { threadId, frame } of standing) {
    const { holding, failing } = await weigh(wire, place.members, frame.id);
    // dlv stops, and counts, also where it cannot tell whether a condition holds.
    const ids = [...failing.map(({ id }) => id), ...holding];
    if (ids.length > 0)
      stops.push({
        ...{ reason: place.reason, threadId, allThreadsStopped: true },
        ...{ hitBreakpointIds: ids, framesTaken: true },
      });
  }
  return stops;
}

function isOn({ path, line }: Counted, { frame }: Standing): boolean {
  return frame.source?.path === path && frame.line === line;
}

function addressOf({ frame }: Standing): string {
  return frame.instructionPointerReference ?? "";
}

/** The instruction that stops, as it is in memory. */
const TRAP = process.arch === "arm64" ? [0x00, 0x00, 0x20, 0xd4] : [0xcc];

async function isTrap(wire: Wire, address: string): Promise<boolean> {
  const { data } = await readMemory(wire, { memoryReference: address, count: TRAP.length });
  return Buffer.from(data, "base64").equals(Buffer.from(TRAP));
}
