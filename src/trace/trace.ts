/** One run, recorded: the best collector that fits, its bounds in time, and what came of it. */

import { rmSync } from "node:fs";
import { advice, blank, call, option } from "../advice/advice.ts";
import { SondeError } from "../errors.ts";
import type { Launch } from "../session/launch.ts";
import { temporaryFolder } from "../util/left-folders.ts";
import { plural } from "../util/text.ts";
import type { Collector } from "./collector.ts";
import { loadCollector, PLAIN } from "./collectors/index.ts";
import { otherNames, unmet } from "./other-names.ts";
import type { Moment, Plan } from "./plan.ts";
import type { RunEnd, TraceRecord } from "./record.ts";
import { Recording } from "./recording.ts";

export interface Bounds {
  /** Seconds until the first hit, or the end. */
  first: number;
  /** Seconds without a hit after the last one, until the end. */
  quiet: number;
  /** In all. */
  total: number;
}

export interface TraceRequest {
  title: string;
  ran?: TraceRecord["ran"];
  plan: Plan;
  /** The caller ends it. */
  launch: Launch;
  stdin?: Buffer | undefined;
  /** By name; otherwise the best that fits. */
  collector?: string | undefined;
  bounds: Bounds;
  /** The recording ends with it. */
  until?: Moment;
  signal: AbortSignal;
  /** Called now and then while it runs. */
  progress?(seen: number): void;
  /** Called before the program runs. */
  chosen?(collector: Collector): void;
  /** Called when everything is in place in a process that was attached to; the recording ends with what it promises. */
  during?(): Promise<unknown>;
  /** Called at the end. */
  met?(functions: Met): void;
  /** …with the files whose code was loaded and not recorded, as far as a collector tells of them. */
  loaded?(files: ReadonlySet<string>): void;
  /** …with the calls of which the record has a part only, where that is known: see `Missing`. */
  cut?(calls: ReadonlySet<number>): void;
}

/** The user's functions that the plan does not name, as far as a collector tells of them. */
export interface Met {
  called: ReadonlySet<string>;
  /** In files that were loaded. */
  declared: ReadonlySet<string>;
}

const COMMAND_ENDED = "the command has ended";
const FULL = "the limit of kept hits was reached";

/** Without an id: the store gives that. */
export type Traced = Omit<TraceRecord, "id">;

export async function trace(request: TraceRequest): Promise<Traced> {
  const { launch, plan } = request;
  const began = new Date().toISOString();
  const start = performance.now();
  const passedOver: string[] = [];
  const collector = await chosen(request, passedOver);
  request.chosen?.(collector);
  const clock = new Clock(request.bounds, request.signal);
  // Getting into a running process takes its own time, and may not be cut short: it would take the process with it.
  if (launch.opening.request === "launch") clock.start();
  const isVisit = launch.opening.request === "attach";
  const recording = new Recording(plan, {
    ...(request.until === undefined ? {} : { until: request.until }),
    hit: () => {
      clock.hit();
      if (recording.isPast) clock.end("everything that was asked for was recorded");
      if (recording.isFull)
        clock.end(
          `it was ended after ${plural(plan.hits ?? 0, plan.lines === undefined ? "hit" : "call")}, as asked`,
        );
      else if (isVisit && recording.seen === plan.maxHits)
        // A line that is that hot costs a server more than its further hits are worth.
        clock.end(FULL);
      request.progress?.(recording.seen);
    },
    // What was asked for cannot be had: nobody needs the rest of the run.
    unbound: () => clock.end("a place has no code"),
  });
  const folder = temporaryFolder("trace");
  let end: RunEnd;
  let during: Promise<unknown> | undefined;
  try {
    end = await collector.collect(plan, {
      launch,
      stdin: request.stdin,
      sink: recording,
      signal: clock.signal,
      begun: () => {
        clock.start();
        if (isVisit) during = request.during?.().finally(() => clock.end(COMMAND_ENDED));
        during?.catch(() => {}); // thrown below, once the process is left as it was
      },
      folder,
    });
  } finally {
    clock.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  if (clock.why === COMMAND_ENDED) await during;
  request.met?.(recording.passedBy);
  request.loaded?.(recording.files);
  if (recording.cut !== undefined) request.cut?.(recording.cut);
  const partial = cutShort(end, clock, recording.seen);
  return {
    version: 1,
    title: request.title,
    ...(request.ran === undefined ? {} : { ran: request.ran }),
    cwd: launch.cwd,
    began,
    seconds: Math.round(performance.now() - start) / 1000,
    plan,
    adapter: launch.adapter.name,
    collector: collector.name,
    bindings: recording.bindings,
    counts: recording.counts,
    ...(plan.points.length === 0 ? {} : { statistics: recording.statistics }),
    ...(plan.calls === undefined ? {} : { calls: recording.calls }),
    seen: recording.seen,
    dropped: plan.calls === undefined ? recording.dropped : 0,
    end,
    ...(partial === undefined ? {} : { partial }),
    ...(passedOver.length === 0 ? {} : { passedOver }),
    notes: [
      ...recording.notes,
      ...strangers(plan, recording),
      ...(clock.why === FULL
        ? [`recording stopped at the limit of ${plan.maxHits} hits, before the time was up`]
        : []),
    ],
    hits: recording.hits(),
  };
}

/** Why the record does not cover the whole run: by our clock, or because what records has ended first. */
function cutShort({ how, why }: RunEnd, clock: Clock, seen: number): string | undefined {
  if (how === "exited") return undefined;
  if (clock.why === undefined && why !== undefined) return how === "failed" && seen === 0 ? undefined : why;
  return how === "stopped" ? clock.reason(seen) : undefined;
}

/** Of functions that were asked for and not met. */
function strangers({ lines }: Plan, recording: Recording): string[] {
  const names = recording.hits().flatMap((hit) => (hit.kind === "call" ? [hit.function] : []));
  // Calls that were not kept may have been theirs.
  const missing = recording.dropped > 0 ? [] : unmet(lines?.functions ?? [], new Set(names));
  const others = missing.length === 0 ? undefined : otherNames(missing, recording.passedBy);
  if (names.length === 0) return others === undefined ? [] : [others];
  const said = `no call of ${missing.map((name) => `${name}()`).join(", ")} was recorded`;
  return missing.length === 0 ? [] : [others === undefined ? said : `${said}: ${others}`];
}

/** Why each one before it was passed over is noted: a reader who waits wants to know what would be faster. */
async function chosen(
  { launch, plan, collector: forced }: TraceRequest,
  passedOver: string[],
): Promise<Collector> {
  const fitting = [...(launch.adapter.collectors ?? []), PLAIN];
  if (forced !== undefined && !fitting.includes(forced))
    throw new SondeError(
      "BAD_ARGUMENT",
      `the collector ${forced} does not work with ${launch.adapter.name}`,
      {
        hint: `there are: ${fitting.join(", ")}`,
      },
    );
  const names = forced === undefined ? fitting : [forced];
  const reasons: string[] = [];
  for (const name of names) {
    const collector = await loadCollector(name);
    const unfit =
      plan.calls !== undefined && !collector.counts
        ? "it cannot count calls"
        : await collector.unfit(plan, launch);
    if (unfit === undefined) {
      passedOver.push(...reasons);
      return collector;
    }
    if (forced !== undefined && unfit !== "" && plan.calls === undefined)
      throw new SondeError("UNSUPPORTED", `the collector ${forced} cannot record this: ${unfit}`, {
        hint: advice`without ${option({ collector: undefined })} another one is tried`,
      });
    if (unfit !== "") reasons.push(`${name} was not used: ${unfit}`);
  }
  throw new SondeError(
    "UNSUPPORTED",
    `this cannot be recorded with ${launch.adapter.name}: ${reasons.join("; ")}`,
    plan.calls !== undefined
      ? {
          hint: advice`calls can be counted only in Python and Node programs; ${call("profile cpu")} shows where the time goes, and in which functions`,
        }
      : {
          hint: advice`name a place (${option({ at: [blank("file:line")], watch: [blank("expression")] })}) or a function (${option({ function: [blank("name")] })})`,
        },
  );
}

/** Ends the run when nothing has happened for too long, or the caller goes away; and knows which. */
class Clock {
  readonly #abort = new AbortController();
  readonly #bounds: Bounds;
  readonly #caller: AbortSignal;
  readonly #gone = () => this.end("it was cancelled");
  #total: NodeJS.Timeout | undefined;
  #quiet: NodeJS.Timeout | undefined;
  /** When the last hit came. Hits are many: each only leaves its time here. */
  #last: number | undefined;
  /** Ended for want of a first hit. */
  #quietFirst = false;
  why: string | undefined;

  constructor(bounds: Bounds, caller: AbortSignal) {
    this.#bounds = bounds;
    this.#caller = caller;
    caller.addEventListener("abort", this.#gone, { once: true });
    if (caller.aborted) this.#gone();
  }

  /** Once the program runs and is looked at. */
  start(): void {
    if (this.#total !== undefined) return;
    const { total, first } = this.#bounds;
    this.#total = setTimeout(
      () => this.end(`it was still running after ${Math.round(total * 10) / 10} s`),
      total * 1000,
    );
    this.#quiet = setTimeout(() => this.#look(), first * 1000);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  hit(): void {
    this.#last = performance.now();
  }

  stop(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#quiet);
    this.#caller.removeEventListener("abort", this.#gone);
  }

  end(why: string): void {
    this.why ??= why;
    this.#abort.abort();
  }

  /** Some collectors tell of hits only when the run is over: then what was waited for in vain is its end. */
  reason(seen: number): string {
    const { first } = this.#bounds;
    if (this.why === undefined) return "the run was stopped early";
    return this.#quietFirst && seen > 0 ? `it was still running after ${first} s` : this.why;
  }

  #look(): void {
    const { first, quiet } = this.#bounds;
    if (this.#last === undefined) {
      this.#quietFirst = true;
      this.end(`no hit within ${first} s, and the run did not end`);
      return;
    }
    const leftMs = this.#last + quiet * 1000 - performance.now();
    if (leftMs <= 0) this.end(`it kept running for ${quiet} s after the last hit`);
    else this.#quiet = setTimeout(() => this.#look(), leftMs);
  }
}
