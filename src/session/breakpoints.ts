/**
 * What the user asked to stop at, and what the adapters made of it. Belongs to the session: it survives restart and is sent
 * to every debuggee of the session. DAP replaces a file's whole list at a time, so every change re-sends that file.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Debuggee } from "./debuggee.ts";

export interface BreakpointSpec {
  kind: "line" | "function";
  /** As the user wrote it; keys in answers stay that way. */
  asked: string;
  path?: string;
  line?: number;
  column?: number;
  name?: string;
  condition?: string;
  hitCondition?: string;
  logMessage?: string;
  once?: boolean;
  /** Ours, not the user's (`until`): it has no number and is in no list. */
  hidden?: boolean;
}

/** What one adapter says about a breakpoint. */
export interface Binding {
  adapterId?: number;
  verified: boolean;
  path?: string;
  line?: number;
  message?: string;
}

export interface Breakpoint extends BreakpointSpec {
  id: number;
  enabled: boolean;
  /** Stops at it so far, in this launch. */
  hits: number;
  bindings: Map<number, Binding>;
}

/** A stop at a breakpoint: which, and the how manyeth. */
export interface Hit {
  id: number;
  hit: number;
  at: string;
}

export interface Catch {
  id: number;
  /** The name the user typed. */
  name: string;
  filters: string[];
  condition?: string;
}

export class Breakpoints {
  #all: Breakpoint[] = [];
  #catches: Catch[] = [];
  #nextId = 1;
  #nextCatch = 1;
  #nextHidden = -1;
  #debuggees: () => Debuggee[];
  /** Changes go out one after another: two commands at once must not send two versions of one file. */
  #queue: Promise<unknown> = Promise.resolve();
  /** Said by adapters since the last snapshot: moved, bound late. */
  #news: string[] = [];

  constructor(debuggees: () => Debuggee[]) {
    this.#debuggees = debuggees;
  }

  list(): readonly Breakpoint[] {
    return this.#all.filter((breakpoint) => !breakpoint.hidden);
  }

  catches(): readonly Catch[] {
    return this.#catches;
  }

  find(id: number): Breakpoint | undefined {
    return this.#all.find((breakpoint) => breakpoint.id === id);
  }

  /** Breakpoints that hold in no debuggee at all. */
  unbound(): Breakpoint[] {
    return this.list().filter((breakpoint) => breakpoint.enabled && binding(breakpoint)?.verified === false);
  }

  takeNews(): string[] {
    return this.#news.splice(0);
  }

  /** Registers without sending: used before a launch. */
  declare(spec: BreakpointSpec): Breakpoint {
    const breakpoint: Breakpoint = {
      ...spec,
      id: spec.hidden ? this.#nextHidden-- : this.#nextId++,
      enabled: true,
      hits: 0,
      bindings: new Map(),
    };
    this.#all.push(breakpoint);
    return breakpoint;
  }

  /** Adds and sends; on failure nothing stays behind. */
  async add(spec: BreakpointSpec): Promise<Breakpoint> {
    const breakpoint = this.declare(spec);
    try {
      await this.#send(breakpoint);
    } catch (error) {
      this.#all = this.#all.filter((other) => other !== breakpoint);
      await this.#send(breakpoint).catch(() => {});
      throw error;
    }
    return breakpoint;
  }

  async remove(which: readonly Breakpoint[]): Promise<void> {
    const gone = new Set(which);
    this.#all = this.#all.filter((breakpoint) => !gone.has(breakpoint));
    await this.#sendGroups(which);
  }

  async setEnabled(which: readonly Breakpoint[], enabled: boolean): Promise<void> {
    for (const breakpoint of which) {
      breakpoint.enabled = enabled;
      if (!enabled) breakpoint.bindings.clear();
    }
    await this.#sendGroups(which);
  }

  clearCatches(): void {
    this.#catches = [];
  }

  declareCatch(name: string, filters: string[], condition?: string): Catch {
    const entry: Catch = {
      id: this.#nextCatch++,
      name,
      filters,
      ...(condition === undefined ? {} : { condition }),
    };
    this.#catches.push(entry);
    return entry;
  }

  async addCatch(name: string, filters: string[], condition?: string): Promise<Catch> {
    const entry = this.declareCatch(name, filters, condition);
    try {
      await this.#everywhere((debuggee) => this.#sendCatches(debuggee));
    } catch (error) {
      this.#catches = this.#catches.filter((other) => other !== entry);
      throw error;
    }
    return entry;
  }

  async removeCatches(which: readonly Catch[]): Promise<void> {
    this.#catches = this.#catches.filter((entry) => !which.includes(entry));
    await this.#everywhere((debuggee) => this.#sendCatches(debuggee));
  }

  /** Everything to one debuggee, between `initialized` and `configurationDone`. */
  async configure(debuggee: Debuggee): Promise<void> {
    const paths = new Set(this.#all.flatMap((breakpoint) => breakpoint.path ?? []));
    await Promise.all([
      ...[...paths].map((path) => this.#sendFile(debuggee, path)),
      this.#all.some((breakpoint) => breakpoint.kind === "function")
        ? this.#sendFunctions(debuggee)
        : undefined,
      this.#sendCatches(debuggee),
    ]);
  }

  /** Forgets what an ended launch knew. */
  reset(): void {
    for (const breakpoint of this.#all) {
      breakpoint.hits = 0;
      breakpoint.bindings.clear();
    }
    this.#news = [];
  }

  /** A stop named adapter ids: count them. One-time breakpoints have done their work. */
  hit(debuggee: Debuggee, adapterIds: readonly number[]): Hit[] {
    const hit = this.#all.filter((breakpoint) => {
      const id = breakpoint.bindings.get(debuggee.id)?.adapterId;
      return id !== undefined && adapterIds.includes(id);
    });
    return this.#count(hit);
  }

  /** For adapters that do not name the breakpoint: by place. */
  hitAt(debuggee: Debuggee, path: string, line: number): Hit[] {
    const hit = this.#all.filter(
      (breakpoint) =>
        breakpoint.enabled &&
        breakpoint.path === path &&
        (breakpoint.bindings.get(debuggee.id)?.line ?? breakpoint.line) === line,
    );
    return this.#count(hit);
  }

  #count(hit: Breakpoint[]): Hit[] {
    for (const breakpoint of hit) breakpoint.hits += 1;
    const done = hit.filter((breakpoint) => breakpoint.once);
    if (done.length > 0) void this.remove(done).catch(() => {});
    return hit.map(({ id, hits, asked }) => ({ id, hit: hits, at: asked }));
  }

  /** A `breakpoint` event: bound late, moved, or lost. */
  changed(debuggee: Debuggee, body: DebugProtocol.BreakpointEvent["body"]): void {
    const { id } = body.breakpoint;
    const breakpoint = this.#all.find((one) => one.bindings.get(debuggee.id)?.adapterId === id);
    const before = breakpoint?.bindings.get(debuggee.id);
    if (id === undefined || !breakpoint || !before) return;
    const after: Binding =
      body.reason === "removed"
        ? { verified: false, message: "the adapter removed it" }
        : toBinding({ line: before.line, ...body.breakpoint } as DebugProtocol.Breakpoint);
    breakpoint.bindings.set(debuggee.id, after);
    if (before.verified && !after.verified) {
      this.#news.push(
        `breakpoint ${breakpoint.id} no longer holds${after.message ? `: ${after.message}` : ""}`,
      );
    } else if (
      after.line !== undefined &&
      after.line !== (before.line ?? breakpoint.line) &&
      breakpoint.kind === "line"
    ) {
      const from = before.line ?? breakpoint.line;
      const what = after.message ? `: ${after.message}` : ` moved from line ${from} to ${after.line}`;
      this.#news.push(`breakpoint ${breakpoint.id}${what}`);
    }
  }

  #send(breakpoint: Breakpoint): Promise<void> {
    return this.#sendGroups([breakpoint]);
  }

  async #sendGroups(which: readonly Breakpoint[]): Promise<void> {
    const paths = new Set(which.flatMap((breakpoint) => breakpoint.path ?? []));
    const functions = which.some((breakpoint) => breakpoint.kind === "function");
    await this.#everywhere(async (debuggee) => {
      for (const path of paths) await this.#sendFile(debuggee, path);
      if (functions) await this.#sendFunctions(debuggee);
    });
  }

  #everywhere(send: (debuggee: Debuggee) => Promise<void>): Promise<void> {
    const next = this.#queue.then(async () => {
      const live = this.#debuggees().filter(
        (debuggee) => !debuggee.ended && debuggee.state.name !== "initializing",
      );
      await Promise.all(live.map(send));
    });
    this.#queue = next.catch(() => {});
    return next;
  }

  async #sendFile(debuggee: Debuggee, path: string): Promise<void> {
    const mine = takeable(
      debuggee,
      this.#all.filter((one) => one.kind === "line" && one.enabled && one.path === path),
    );
    const body = await debuggee.client.request("setBreakpoints", {
      source: { path, name: path.split(/[\\/]/).at(-1) ?? path },
      breakpoints: mine.map((one) => ({
        line: one.line ?? 1,
        ...optional(one),
        ...columnOf(one),
        ...logOf(one),
      })),
    });
    record(debuggee, mine, body.breakpoints);
  }

  async #sendFunctions(debuggee: Debuggee): Promise<void> {
    const mine = takeable(
      debuggee,
      this.#all.filter((one) => one.kind === "function" && one.enabled),
    );
    if (!debuggee.capabilities.supportsFunctionBreakpoints) return;
    const body = await debuggee.client.request("setFunctionBreakpoints", {
      breakpoints: mine.map((one) => ({ name: one.name ?? "", ...optional(one) })),
    });
    record(debuggee, mine, body.breakpoints);
  }

  async #sendCatches(debuggee: Debuggee): Promise<void> {
    const known = new Set(
      (debuggee.capabilities.exceptionBreakpointFilters ?? []).map((filter) => filter.filter),
    );
    const plain = this.#catches
      .filter((entry) => entry.condition === undefined)
      .flatMap((entry) => entry.filters);
    const conditional = this.#catches.filter((entry) => entry.condition !== undefined);
    if (known.size === 0 && plain.length === 0) return;
    await debuggee.client.request("setExceptionBreakpoints", {
      filters: [...new Set(plain)].filter((filter) => known.has(filter)),
      ...(conditional.length === 0
        ? {}
        : {
            filterOptions: conditional.flatMap((entry) =>
              entry.filters.map((filterId) => ({
                filterId,
                ...(entry.condition ? { condition: entry.condition } : {}),
              })),
            ),
          }),
    });
  }
}

/** The best that any debuggee says: one that holds anywhere holds. */
export function binding(breakpoint: Breakpoint): Binding | undefined {
  const all = [...breakpoint.bindings.values()];
  return all.find((one) => one.verified) ?? all[0];
}

/** Those this adapter can do. The others are not sent, since an adapter ignores what it does not know, and are told as not bound. */
function takeable(debuggee: Debuggee, wanted: readonly Breakpoint[]): Breakpoint[] {
  return wanted.filter((one) => {
    const missing = missingFor(one, debuggee.capabilities);
    if (missing) {
      const message = `this adapter has no ${missing}`;
      one.bindings.set(debuggee.id, { verified: false, message });
    }
    return missing === undefined;
  });
}

function missingFor(one: Breakpoint, can: DebugProtocol.Capabilities): string | undefined {
  if (one.kind === "function" && !can.supportsFunctionBreakpoints) return "function breakpoints";
  if (one.condition !== undefined && !can.supportsConditionalBreakpoints) return "conditional breakpoints";
  if (one.hitCondition !== undefined && !can.supportsHitConditionalBreakpoints)
    return "hit counts on breakpoints";
  if (one.logMessage !== undefined && !can.supportsLogPoints) return "log messages on breakpoints";
  return undefined;
}

function record(debuggee: Debuggee, mine: Breakpoint[], answers: readonly DebugProtocol.Breakpoint[]): void {
  mine.forEach((breakpoint, index) => {
    const answer = answers[index];
    breakpoint.bindings.set(
      debuggee.id,
      answer ? toBinding(answer) : { verified: false, message: "the adapter gave no answer for it" },
    );
  });
}

function toBinding(answer: DebugProtocol.Breakpoint): Binding {
  return {
    verified: answer.verified === true,
    ...(answer.id === undefined ? {} : { adapterId: answer.id }),
    ...(answer.line === undefined ? {} : { line: answer.line }),
    ...(answer.source?.path === undefined ? {} : { path: answer.source.path }),
    ...(answer.message === undefined ? {} : { message: answer.message }),
  };
}

function optional(one: Breakpoint): { condition?: string; hitCondition?: string } {
  return {
    ...(one.condition === undefined ? {} : { condition: one.condition }),
    ...(one.hitCondition === undefined ? {} : { hitCondition: one.hitCondition }),
  };
}

function columnOf(one: Breakpoint): { column?: number } {
  return one.column === undefined ? {} : { column: one.column };
}

function logOf(one: Breakpoint): { logMessage?: string } {
  return one.logMessage === undefined ? {} : { logMessage: one.logMessage };
}
