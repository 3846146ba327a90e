/** A record as a sequence of moments that can be compared with another run's: where, and every value known there. Pure. */
import type { Hit, LineEvent, TraceRecord } from "../record.ts";

export interface Moment {
  seq: number;
  thread: string;
  kind: Hit["kind"];
  function: string;
  path: string;
  line: number;
  /** Of a point: as the plan writes it. */
  key?: string;
  /** Point: by expression. Line: all locals of the activation. */
  values: ReadonlyMap<string, string>;
  /** The line of the same activation that ran last, and so made these values. */
  ran?: number;
  call?: number;
  parent?: number;
  /** The line whose running led here: of a call its caller's, else the one that ran last. Never the head of a function that was entered. */
  site: Site;
  /** While another module than the program's own was being loaded. */
  loading?: boolean;
}

export interface Site {
  path: string;
  line: number;
  function: string;
}

interface Activation {
  values: ReadonlyMap<string, string>;
  function: string;
  path: string;
  line?: number;
  loading: boolean;
}

/** What a call comes back with, among its values. */
export const RETURNED = "return value";
export const THROWN = "exception";

/** How a module's own code is called, by the collectors that tell of it. */
const MODULE = /^<module>$/;
/** What compilers make of variables that are set before `main`. */
const BEFORE_MAIN = /^(?:_GLOBAL__|__static_initialization_and_destruction)/;

export function momentsOf({ plan, hits }: Pick<TraceRecord, "plan" | "hits">): Moment[] {
  const known = new Known();
  return hits.flatMap((hit): Moment[] => {
    if (hit.kind !== "point") return [known.moment(hit)];
    const point = plan.points[hit.point];
    if (point === undefined) return [];
    const values = new Map(point.expressions.map((one, at) => [one, hit.values[at] ?? ""]));
    const { seq, thread, kind } = hit;
    const { path, line, key } = point;
    const name = hit.frames[0]?.function ?? "";
    return [
      { seq, thread, kind, function: name, path, line, key, values, site: { path, line, function: name } },
    ];
  });
}

class Known {
  readonly #activations = new Map<number, Activation>();
  /** By thread: the line that ran last, whoever's. */
  readonly #last = new Map<string, Site>();
  #program: string | undefined;

  moment(event: LineEvent): Moment {
    const { seq, thread, kind, function: name, path, call } = event;
    const before = this.#activations.get(call);
    const values = new Map(before?.values);
    for (const [variable, value] of event.changes) values.set(variable, value);
    // What a block held at its end is told when it is gone already: it counts here, and for what comes after it not.
    const all = new Map(values);
    const told = new Set(event.changes.map(([variable]) => variable));
    for (const variable of event.gone ?? []) {
      values.delete(variable);
      if (!told.has(variable)) all.delete(variable);
    }
    const site = this.#site(event, before);
    const loading = before?.loading ?? this.#isLoading(event);
    const line = kind === "line" ? event.line : before?.line;
    this.#activations.set(call, {
      values,
      function: name,
      path,
      loading,
      ...(line === undefined ? {} : { line }),
    });
    if (kind === "line") this.#last.set(thread, { path, line: event.line, function: name });
    if (event.value !== undefined) all.set(kind === "throw" ? THROWN : RETURNED, event.value);
    return {
      seq,
      thread,
      kind,
      function: name,
      path,
      line: event.line > 0 ? event.line : (before?.line ?? 0),
      values: all,
      call,
      ...(event.parent === undefined ? {} : { parent: event.parent }),
      site,
      ...(before?.line === undefined ? {} : { ran: before.line }),
      ...(loading ? { loading } : {}),
    };
  }

  #site(
    { kind, parent, thread, function: name, path, line }: LineEvent,
    before: Activation | undefined,
  ): Site {
    if (kind !== "call") return { path, line: before?.line ?? line, function: name };
    const caller = parent === undefined ? undefined : this.#activations.get(parent);
    if (caller?.line !== undefined)
      return { path: caller.path, line: caller.line, function: caller.function };
    return this.#last.get(thread) ?? { path, line, function: name };
  }

  #isLoading({ parent, function: name, path }: LineEvent): boolean {
    this.#program ??= path;
    const caller = parent === undefined ? undefined : this.#activations.get(parent);
    return (
      caller?.loading === true || BEFORE_MAIN.test(name) || (MODULE.test(name) && path !== this.#program)
    );
  }
}
