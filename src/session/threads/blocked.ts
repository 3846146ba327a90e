/**
 * What each thread waits for and who has it, as far as it can be told: by what the runtime says of itself, by the names of the
 * functions that block, by the values and the source of the frames around them. What to look for is the adapter's data.
 */
import type { BlockingCall, ThreadWait, Waits } from "../../adapters/thread-waits.ts";
import type { Debuggee } from "../debuggee.ts";
import type { Session } from "../session.ts";
import type { Frame } from "../stack/frames.ts";
import { fileLines } from "../stack/source.ts";
import { frameValues } from "../values/frame-values.ts";
import { shownFrame, type ThreadStack } from "./thread-stacks.ts";
import type { WaitingThread } from "./wait-cycle.ts";

/** Each look costs requests; a thousand threads that wait for the same thing are one answer. */
const MOST_ASKED = 40;
const GUARD_FRAMES = 6;

interface Wait extends WaitingThread {
  stack: ThreadStack;
  rule?: BlockingCall;
  /** The system's number of the thread that has it, or its name. */
  owner?: number | string;
}

export async function waitsOf(session: Session, stacks: readonly ThreadStack[]): Promise<WaitingThread[]> {
  const { waits } = session.adapter;
  const all: Wait[] = [];
  for (const [index, stack] of stacks.entries()) {
    const { number, name } = stack.thread;
    const found = waits && index < MOST_ASKED ? await blocked(stack, waits) : {};
    all.push({ number, name, heldBy: [], stack, ...found });
  }
  if (waits?.inquiry) await inquire(session, all, waits.inquiry);
  for (const one of all) if (one.heldBy.length === 0) one.heldBy = await holders(session, one, all);
  return all.map(({ number, name, what, on, identity, heldBy, tasks }) => ({
    number,
    name,
    heldBy,
    ...(what === undefined ? {} : { what }),
    ...(on === undefined ? {} : { on }),
    ...(identity === undefined ? {} : { identity }),
    ...(tasks === undefined ? {} : { tasks }),
  }));
}

/** By the calls above the user's code; rules stand in the order of how much they tell: a mutex is more than the futex below it. */
async function blocked({ thread, frames }: ThreadStack, { calls }: Waits): Promise<Partial<Wait>> {
  const top = shownFrame(frames);
  const above = frames.slice(0, top?.user ? top.index : frames.length);
  const names = above.map((frame) => frame.name);
  // A library without symbols hides the name of what was called, the user's line does not.
  const rule =
    calls.find((one) => one.thread?.test(thread.name)) ??
    ruleFor(calls, names) ??
    ruleFor(calls, above.length > 0 && top?.user ? callsOn(top) : []);
  if (!rule) return {};
  const frame = above.findLast((one) => rule.call.test(one.name)) ?? top;
  const on = top?.user ? (nameOn(rule, lineOf(top)) ?? blockAround(top, rule)) : undefined;
  const [identity, number] = frame ? await identified(thread.debuggee, rule, { frame, user: top, on }) : [];
  const owner = number ?? rule.thread?.exec(thread.name)?.[1];
  return {
    // What its name says of its state is told in other words.
    ...(rule.thread ? { name: thread.name.replace(rule.thread, "") } : {}),
    what: rule.what,
    rule,
    ...(on === undefined ? {} : { on }),
    ...(identity === undefined ? {} : { identity }),
    ...(owner === undefined ? {} : { owner }),
  };
}

function ruleFor(calls: readonly BlockingCall[], names: readonly string[]): BlockingCall | undefined {
  return calls.find(({ call }) => names.some((name) => call.test(name)));
}

function callsOn(frame: Frame): string[] {
  return lineOf(frame).match(/[\w:]+(?=\s*\()/g) ?? [];
}

function nameOn({ named = [] }: BlockingCall, line: string): string | undefined {
  for (const pattern of named) {
    const found = pattern.exec(line)?.[1]?.trim();
    if (found) return found.replace(/^&\s*/, "");
  }
  return undefined;
}

/** A debugger may show the first line inside the block that the thread is not in yet. */
function blockAround(frame: Frame, rule: BlockingCall): string | undefined {
  return rule.block ? [...taken(frame, rule)].at(-1) : undefined;
}

function lineOf({ path, line }: Pick<Frame, "path" | "line">): string {
  return (path === undefined ? undefined : fileLines(path)?.[line - 1]) ?? "";
}

/** …and the system's number of the thread that owns it. */
async function identified(
  debuggee: Debuggee,
  rule: BlockingCall,
  { frame, user, on }: { frame: Frame; user: Frame | undefined; on: string | undefined },
): Promise<[string | undefined, number | undefined]> {
  const where = rule.inside === undefined ? user : frame;
  const name = argumentOf(rule, user) ?? on ?? "";
  const identity = rule.inside ?? (name === "" ? undefined : rule.identity?.(name));
  if (!where || identity === undefined) return [undefined, undefined];
  const value = await read(debuggee, where, identity);
  const owner = rule.owner && (await read(debuggee, where, rule.owner(name)));
  return [value && pointer(value), ownerOf(owner)];
}

/** The thread's number in what the debugger shows of it; 0 is nobody. */
export function ownerOf(shown: string | undefined): number | undefined {
  const number = Number.parseInt(shown ?? "", 10);
  return number > 0 ? number : undefined;
}

/** As it stands in the source, with the `&` that its name goes without. */
function argumentOf({ named = [] }: BlockingCall, user: Frame | undefined): string | undefined {
  const line = user ? lineOf(user) : "";
  return named.map((pattern) => pattern.exec(line)?.[1]?.trim()).find(Boolean);
}

/** Of `0x00005555 {…}` the address: what is there may be shown in other words elsewhere. */
function pointer(value: string): string {
  const address = /0x[0-9a-f]+/i.exec(value)?.[0] ?? /^\d+$/.exec(value)?.[0];
  return address === undefined ? value : String(BigInt(address));
}

async function read(debuggee: Debuggee, frame: Frame, expression: string): Promise<string | undefined> {
  const asked = { expression, context: "watch" as const, frameId: frame.adapterId };
  // Optimised code, a library without debug information: then it is not known.
  const body = await debuggee.client.request("evaluate", asked).catch(() => undefined);
  return body?.result;
}

/** What the runtime says goes before what names suggest. */
async function inquire(session: Session, all: Wait[], inquiry: NonNullable<Waits["inquiry"]>): Promise<void> {
  for (const debuggee of session.live) {
    const asked = { expression: inquiry.expression, context: "clipboard" as const };
    // An old runtime may not know what is asked: names and places are still there.
    const body = await debuggee.client.request("evaluate", asked).catch(() => undefined);
    const said = body ? readAnswer(inquiry, body.result) : [];
    const mine = all.filter((one) => one.stack.thread.debuggee === debuggee);
    const matched = new Map(said.map((one) => [one, mine.filter((thread) => isOf(one, thread))[0]]));
    for (const [one, thread] of matched) {
      if (!thread || !one.waits) continue;
      const { what, name, identity, owner } = one.waits;
      thread.what = what;
      if (one.tasks) thread.tasks = one.tasks;
      if (name !== undefined) thread.on = name;
      if (identity !== undefined) thread.identity = identity;
      thread.heldBy = [...matched].flatMap(([other, holder]) =>
        holder && identity !== undefined && holder !== thread && has(other, identity, owner)
          ? [holder.number]
          : [],
      );
    }
  }
}

function readAnswer(inquiry: NonNullable<Waits["inquiry"]>, answer: string): ThreadWait[] {
  try {
    return inquiry.read(answer);
  } catch {
    return []; // cut, or in words of another version: as if it had not answered
  }
}

function has({ thread, holds }: ThreadWait, identity: string, owner: string | undefined): boolean {
  return owner === undefined ? holds.some((one) => one.identity === identity) : thread === owner;
}

/** By its name; threads may share one, but hardly one place too. */
function isOf(said: ThreadWait, { stack, name }: Wait): boolean {
  const frame = shownFrame(stack.frames);
  const samePlace = said.line === undefined || frame === undefined || frame.line === said.line;
  return said.thread === name && samePlace;
}

async function holders(session: Session, one: Wait, all: readonly Wait[]): Promise<number[]> {
  const { rule, identity, owner } = one;
  const owning = owner === undefined ? undefined : all.find(({ stack }) => isThread(stack, owner));
  if (owning) return [owning.number];
  if (!rule || identity === undefined) return [];
  // Whoever takes again what it has waits for itself.
  if (await tookIt(one, rule, identity, true)) return [one.number];
  // Who waits for the same thing has it as little.
  const others = all.filter((other) => other !== one && other.identity !== identity).slice(0, MOST_ASKED);
  const found: number[] = [];
  for (const other of others) {
    const guarded = rule.guard && (await holdsGuard(session, other, rule, identity));
    if (guarded || (await tookIt(other, rule, identity))) found.push(other.number);
  }
  return found;
}

/** Debuggers number threads as the system does, or say its number in the thread's name. */
function isThread({ thread }: ThreadStack, owner: number | string): boolean {
  if (typeof owner === "string") return thread.name === owner || thread.name.startsWith(`${owner} (`);
  return thread.threadId === owner || new RegExp(`\\b${owner}\\b`).test(thread.name);
}

/** A local that lives as long as the lock is held. */
async function holdsGuard(
  session: Session,
  { stack }: Wait,
  { guard, guarded }: BlockingCall,
  wanted: string,
): Promise<boolean> {
  const { debuggee } = stack.thread;
  for (const frame of stack.frames.filter((one) => one.user).slice(0, GUARD_FRAMES)) {
    const values = await frameValues(session, debuggee, frame, NO_LIMITS);
    for (const { name, type, value } of values) {
      if (!guard?.test(type ?? "")) continue;
      const shown = value.match(/0x[0-9a-f]+/gi) ?? [];
      if (shown.some((address) => String(BigInt(address)) === wanted)) return true;
      const asked = guarded && (await read(debuggee, frame, guarded(name)));
      if (asked && pointer(asked) === wanted) return true;
    }
  }
  return false;
}

const NO_LIMITS = { snapshotBytes: 0, valueChars: 2000, variables: 200, frames: 0, outputLines: 0 };

/**
 * A line above, in the same function, took it, and none since has given it back. `surely`: on every way to where it stands, not
 * in a branch that may not have been gone into.
 */
async function tookIt({ stack }: Wait, rule: BlockingCall, wanted: string, surely = false): Promise<boolean> {
  const { identity } = rule;
  if (!rule.takes || !identity) return false;
  for (const frame of stack.frames.filter((one) => one.user).slice(0, GUARD_FRAMES)) {
    for (const name of taken(frame, rule, surely)) {
      const value = await read(stack.thread.debuggee, frame, identity(name));
      if (value !== undefined && pointer(value) === wanted) return true;
    }
  }
  return false;
}

/** Names of what the lines between the function's first and the frame's have taken and not given back. */
function taken({ path, line }: Frame, { takes, gives, block }: BlockingCall, surely = false): Set<string> {
  const names = new Set<string>();
  const lines = path === undefined ? undefined : fileLines(path);
  if (!lines) return names;
  let first = line; // itself, of a function on one line
  // Functions begin at the left edge.
  while (first > 1 && !/^[^\s{})#/]/.test(lines[first - 1] ?? "")) first--;
  for (let at = first; at < line; at++) {
    const text = lines[at - 1] ?? "";
    const took = takes?.exec(text)?.[1];
    const gave = gives?.exec(text)?.[1];
    if (gave !== undefined) names.delete(gave);
    else if (took === undefined || (block && !encloses(lines, at, line))) continue;
    else if (!surely || isOnTheWay(lines, at, line)) names.add(took);
  }
  return names;
}

/** Its block has not been left since, by indentation. */
function isOnTheWay(lines: readonly string[], at: number, line: number): boolean {
  const edge = indent(lines[at - 1] ?? "");
  return (
    !/\{.*\}/.test(lines[at - 1] ?? "") &&
    lines.slice(at, line).every((text) => text.trim() === "" || indent(text) >= edge)
  );
}

/** By indentation: nothing between the line that begins the block and this one is as far left. */
function encloses(lines: readonly string[], begin: number, line: number): boolean {
  const edge = indent(lines[begin - 1] ?? "");
  return lines.slice(begin, line).every((text) => text.trim() === "" || indent(text) > edge);
}

function indent(text: string): number {
  return /^\s*/.exec(text)?.[0].length ?? 0;
}
