/**
 * The store of what the user asked to stop at. Belongs to the session: it survives restart and is sent to every debuggee of the
 * session. How a group is sent is in sending.ts, what adapters answer in binding.ts.
 */

import type { DebugProtocol } from "@vscode/debugprotocol";
import { advice, blank, call, inSession, type Told } from "../../advice/advice.ts";
import type { Debuggee } from "../debuggee.ts";
import type { Stop } from "../state.ts";
import { rebind } from "./binding.ts";
import { type Breakpoint, type BreakpointSpec, binding, called, type Hit, hitIn } from "./breakpoint.ts";
import { type Catch, Catches } from "./catches.ts";
import { atSamePlace, isOverwritten, refuseLoss, refuseNonsense } from "./refusal.ts";
import { sendGroups } from "./sending.ts";

export { type Breakpoint, type BreakpointSpec, binding } from "./breakpoint.ts";

/** Stops that are certainly not a watch's, whatever ids they name: adapters number the two apart. */
const NOT_WATCHES = new Set([
  "breakpoint",
  "function breakpoint",
  "instruction breakpoint",
  "exception",
  "step",
]);

/** For the reader of the next stop. */
interface News {
  text: Told;
  /** The breakpoint that it is about. */
  about?: number;
}

export class Breakpoints {
  #all: Breakpoint[] = [];
  #catches = new Catches();
  #nextId = 1;
  #nextHidden = -1;
  readonly #debuggees: () => Debuggee[];
  /** Changes go out one after another: two commands at once must not send two versions of one file. */
  #queue: Promise<unknown> = Promise.resolve();
  /** Said by adapters since the last snapshot: moved, bound late. */
  #news: News[] = [];

  readonly #onChange: () => void;

  constructor(debuggees: () => Debuggee[], onChange: () => void = () => {}) {
    this.#debuggees = debuggees;
    this.#onChange = onChange;
  }

  list(): readonly Breakpoint[] {
    return this.#all.filter((breakpoint) => !breakpoint.hidden);
  }

  catches(): readonly Catch[] {
    return this.#catches.list();
  }

  find(id: number): Breakpoint | undefined {
    return this.#all.find((breakpoint) => breakpoint.id === id);
  }

  /** Breakpoints that are bound in no debuggee at all. Lost ones are left out: they are reported once, when they are lost. */
  unbound(): Breakpoint[] {
    return this.list().filter(
      (one) => one.enabled && one.lost === undefined && binding(one)?.verified === false,
    );
  }

  /** For the next snapshot. */
  tell(text: Told, about?: Breakpoint): void {
    this.#news.push({ text, ...(about === undefined ? {} : { about: about.id }) });
  }

  /** Another thread stopped in the same moment. */
  tellOther(number: number, what: string): void {
    const look = advice`; ${call("thread", { number })} shows it`;
    this.tell(inSession(`thread ${number} stopped too: ${what}`, look));
  }

  /** @param known Breakpoints that the reader is told of anyway. */
  takeNews(known: readonly number[] = [], peek = false): Told[] {
    return (peek ? this.#news : this.#news.splice(0))
      .filter(({ about }) => about === undefined || !known.includes(about))
      .map(({ text }) => text);
  }

  /** Registers without sending: used before a launch. */
  declare(spec: BreakpointSpec): Breakpoint {
    const breakpoint: Breakpoint = {
      ...spec,
      id: spec.hidden ? this.#nextHidden-- : this.#nextId++,
      enabled: true,
      hits: 0,
      stops: new Map(),
      bindings: new Map(),
    };
    this.#all.push(breakpoint);
    this.#onChange();
    return breakpoint;
  }

  /** Adds a breakpoint and sends it; with `replace`, instead of those at that place. If it fails, nothing has changed. */
  async add(spec: BreakpointSpec, options: { replace?: boolean | undefined } = {}): Promise<Breakpoint> {
    const replaced = options.replace ? atSamePlace(this.#all, spec) : [];
    const added: Breakpoint[] = [];
    try {
      // Removed first: if a breakpoint is changed in place, LLDB keeps its old condition.
      if (replaced.length > 0) await this.remove(replaced);
      const breakpoint = this.declare(spec);
      added.push(breakpoint);
      await this.#sendGroups(added);
      refuseLoss(breakpoint, this.#all, replaced);
      refuseNonsense(added);
      return breakpoint;
    } catch (error) {
      this.#drop(added);
      this.#putBack(replaced);
      await this.#sendGroups([...added, ...replaced]).catch(() => {}); // the first failure is the one to tell
      throw error;
    }
  }

  async remove(which: readonly Breakpoint[]): Promise<void> {
    await this.#freeing(which, () => this.#drop(which));
  }

  /** Those in whose place these stood come back, and are set anew: LLDB would go on with the condition that it has there. */
  async #freeing(which: readonly Breakpoint[], change: () => void): Promise<void> {
    const freed = this.#all.filter((one) => isOverwritten(one, which));
    change();
    this.#drop(freed);
    try {
      await this.#sendGroups([...which, ...freed]);
    } finally {
      this.#putBack(freed);
    }
    if (freed.length > 0) await this.#sendGroups(freed);
  }

  #putBack(which: readonly Breakpoint[]): void {
    this.#all = [...this.#all, ...which].sort((a, b) => a.id - b.id);
  }

  #drop(which: readonly Breakpoint[]): void {
    this.#all = this.#all.filter((breakpoint) => !which.includes(breakpoint));
  }

  async setEnabled(which: readonly Breakpoint[], enabled: boolean): Promise<void> {
    const change = () => {
      for (const breakpoint of which) {
        breakpoint.enabled = enabled;
        if (!enabled) breakpoint.bindings.clear();
      }
    };
    if (!enabled) return this.#freeing(which, change);
    change();
    await this.#sendGroups(which);
  }

  /** Its place is gone from the program. It stays in the list, with the reason, and is taken from the adapter. */
  async lose(breakpoint: Breakpoint, reason: Told): Promise<void> {
    breakpoint.lost = reason;
    breakpoint.bindings.clear();
    await this.#sendGroups([breakpoint]);
  }

  /** A place that was lost is there again, under the same number. */
  async regain(breakpoint: Breakpoint, place: Partial<BreakpointSpec>): Promise<void> {
    const { lost } = breakpoint;
    Object.assign(breakpoint, place, { enabled: true });
    delete breakpoint.lost;
    delete breakpoint.renew;
    try {
      await this.#sendGroups([breakpoint]);
    } catch (error) {
      if (lost !== undefined) breakpoint.lost = lost;
      throw error;
    }
  }

  clearCatches(): void {
    this.#catches.clear();
  }

  declareCatch(name: string, filters: string[], condition?: string): Catch {
    return this.#catches.declare(name, filters, condition);
  }

  async addCatch(name: string, filters: string[], condition?: string): Promise<Catch> {
    const entry = this.#catches.declare(name, filters, condition);
    try {
      await this.#everywhere((debuggee) => this.#catches.send(debuggee));
    } catch (error) {
      this.#catches.drop([entry]);
      throw error;
    }
    return entry;
  }

  async removeCatches(which: readonly Catch[]): Promise<void> {
    this.#catches.drop(which);
    await this.#everywhere((debuggee) => this.#catches.send(debuggee));
  }

  /** Everything to one debuggee, between `initialized` and `configurationDone`. */
  async configure(debuggee: Debuggee): Promise<void> {
    const known = this.#all.filter((breakpoint) => breakpoint.lost === undefined);
    await Promise.all([sendGroups(debuggee, this.#all, known), this.#catches.send(debuggee)]);
    if (debuggee.parent === undefined) refuseNonsense(known);
  }

  /** Takes the watches out of a debuggee that is about to be left. */
  async unwatch(debuggee: Debuggee): Promise<void> {
    if (this.#all.some((one) => one.kind === "data" && one.bindings.has(debuggee.id)))
      await debuggee.client.request("setDataBreakpoints", { breakpoints: [] });
  }

  /** Forgets what an ended launch knew. Addresses may mean other things in the next one, so only what the adapter vouches for goes on. */
  reset(): void {
    this.#news = [];
    // A place that a command ran to is that command's: the next run knows nothing of it.
    this.#all = this.#all.filter((breakpoint) => !breakpoint.hidden);
    for (const breakpoint of this.#all) {
      breakpoint.hits = 0;
      breakpoint.stops.clear();
      breakpoint.bindings.clear();
      delete breakpoint.only;
      if (breakpoint.watched) delete breakpoint.watched.value;
      if (breakpoint.watched?.lasts) delete breakpoint.watched.frame;
      if (breakpoint.kind === "instruction" || (breakpoint.kind === "data" && !breakpoint.watched?.lasts))
        this.#loseWithRun(breakpoint);
    }
  }

  #loseWithRun(breakpoint: Breakpoint): void {
    const { kind, asked, watched } = breakpoint;
    // Not a number, and not `$pc`, which is somewhere else each time.
    const named = /^[^\d$]/.test(asked);
    const again =
      kind === "data"
        ? call("watch", { expression: asked })
        : call("breakpoint add", { address: named ? asked : blank("address") });
    breakpoint.lost = inSession("its address was from the run that ended", advice`; ${again} sets it again`);
    breakpoint.renew = named && watched?.frame === undefined;
    if (!breakpoint.renew) this.tellLost(breakpoint);
  }

  tellLost(breakpoint: Breakpoint): void {
    this.tell(
      advice`${called(breakpoint)} ${breakpoint.asked} is not bound: ${breakpoint.lost ?? ""}`,
      breakpoint,
    );
  }

  /** A stop named adapter ids: count them. One-time breakpoints have done their work. */
  hit(debuggee: Debuggee, adapterIds: readonly number[], reason: string): Hit[] {
    const named = this.#all.filter((breakpoint) => {
      const id = breakpoint.bindings.get(debuggee.id)?.adapterId;
      return id !== undefined && adapterIds.includes(id);
    });
    const watches = named.filter((breakpoint) => breakpoint.kind === "data");
    const others = named.filter((breakpoint) => breakpoint.kind !== "data");
    if (reason === "data breakpoint") return this.count(debuggee, watches);
    return this.count(debuggee, others.length > 0 || NOT_WATCHES.has(reason) ? others : watches);
  }

  /** What a stop is about: the user's own, or else the place that `until` ran to, which then has done its work. */
  countAt(stop: Stop, hits: readonly Hit[]): void {
    stop.hits = hits.filter((one) => one.id > 0);
    if (hits.length > 0 && stop.hits.length === 0) stop.reason = "until";
    // Which one it is may only be known when the stack is read.
    if (stop.reason === "breakpoint" && hits.length === 0 && stop.hitBreakpointIds.length === 0) return;
    const left = this.#all.filter((one) => one.hidden && one.bindings.size > 0);
    // Stopped elsewhere: it must not stop the program some time later.
    if (left.length > 0) void this.remove(left).catch(() => {});
  }

  /** For adapters that do not name the breakpoint: by place. */
  hitAt(debuggee: Debuggee, path: string, line: number): Hit[] {
    const there = this.#all.filter(
      (breakpoint) =>
        breakpoint.enabled &&
        breakpoint.path === path &&
        (breakpoint.bindings.get(debuggee.id)?.line ?? breakpoint.line) === line,
    );
    const bound = there.filter((breakpoint) => breakpoint.bindings.get(debuggee.id)?.verified);
    return this.count(debuggee, bound.length > 0 ? bound : there);
  }

  count(debuggee: Debuggee, hit: readonly Breakpoint[]): Hit[] {
    const hits = hit.map((breakpoint) => ({ breakpoint, hit: hitIn(breakpoint, debuggee) }));
    this.#onChange();
    const done = hit.filter((breakpoint) => breakpoint.once);
    if (done.length > 0) void this.remove(done).catch(() => {});
    return hits.map(({ breakpoint: { id, asked, kind }, hit }) => ({
      id,
      hit,
      at: asked,
      ...(kind === "data" || kind === "instruction" ? { kind } : {}),
    }));
  }

  /** A `breakpoint` event. */
  changed(debuggee: Debuggee, body: DebugProtocol.BreakpointEvent["body"]): void {
    const news = rebind(debuggee, this.#all, body);
    if (news !== undefined) this.tell(news.text, news.of);
    this.#onChange();
  }

  #sendGroups(which: readonly Breakpoint[]): Promise<void> {
    return this.#everywhere((debuggee) => sendGroups(debuggee, this.#all, which));
  }

  #everywhere(send: (debuggee: Debuggee) => Promise<void>): Promise<void> {
    const next = this.#queue.then(async () => {
      const live = this.#debuggees().filter(
        (debuggee) => !debuggee.ended && debuggee.state.name !== "initializing",
      );
      await Promise.all(live.map(send));
    });
    this.#queue = next.catch(() => {});
    void this.#queue.then(this.#onChange);
    return next;
  }
}
