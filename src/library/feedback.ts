/** Runtime feedback: the plain contract of a trace, for those who want values and backtraces and nothing else. */
import { SondeError } from "../errors.ts";
import { toFeedback } from "../trace/feedback.ts";
import type { RuntimeFeedback, TraceResult } from "./commands.generated.ts";
import type { CallOptions, Stdin, TraceOptions } from "./options.ts";

/** A value to be noted every time a line is about to run. */
export interface Watchpoint {
  /** A variable, or any expression of the program's language. */
  var: string;
  /** `"file:line"`. */
  logLocation?: string;
  /** The same, as other languages spell it. */
  log_location?: string;
}

export interface RuntimeFeedbackOptions extends CallOptions {
  /** The program and its arguments. */
  cmd: readonly string[];
  stdin?: Stdin | null | undefined;
  watchpoints?: readonly Watchpoint[] | undefined;
  /** `"file:line"` of places whose every hit is noted with a backtrace. */
  monitorLocations?: readonly string[] | undefined;
  /** Folder to run in, and the one that locations are meant from (default: this process's). */
  cwd?: string | undefined;
  /** Added to the environment. */
  env?: Readonly<Record<string, string>> | undefined;
  /** Which debugger, by name or language (default: chosen for the program). */
  adapter?: string | undefined;
  /** Compile the source file first. */
  build?: boolean | undefined;
  /** In seconds: to the first hit (30), from the last hit to the end (30), altogether (300). */
  timeouts?: { firstHit?: number; exit?: number; total?: number } | undefined;
  /** How many hits may be noted (default 100000); more are an error. */
  maxHits?: number | undefined;
}

const MOST_HITS = 100_000;

export function planOf(options: RuntimeFeedbackOptions): TraceOptions {
  const { cmd, stdin, watchpoints = [], monitorLocations = [], timeouts, ...rest } = options;
  const places = new Map<string, string[]>(monitorLocations.map((location) => [location, []]));
  for (const { var: expression, logLocation, log_location } of watchpoints) {
    const place = logLocation ?? log_location;
    if (place === undefined)
      throw new SondeError("BAD_ARGUMENT", `the watchpoint of \`${expression}\` has no logLocation`, {
        hint: 'give it as "file:line"',
      });
    places.set(place, [...(places.get(place) ?? []), expression]);
  }
  return {
    maxHits: MOST_HITS,
    ...rest,
    command: cmd,
    stdin: stdin ?? undefined,
    at: [...places].map(([location, watch]) => ({ location, watch })),
    firstSeconds: timeouts?.firstHit,
    exitSeconds: timeouts?.exit,
    maxSeconds: timeouts?.total,
  };
}

/** The contract has no place to say that something is missing, so what is not whole is an error that carries it. */
export function feedbackOf(
  { trace, hits }: TraceResult,
  { maxHits = MOST_HITS }: RuntimeFeedbackOptions,
): RuntimeFeedback {
  const feedback = toFeedback({ plan: trace.plan, hits });
  const details = { feedback, trace: trace.id };
  if (trace.partial !== undefined)
    throw new SondeError("TIMEOUT", `the run was ended early: ${trace.partial}`, {
      hint: "raise `timeouts`; what was recorded until then is in `details.feedback`",
      details,
    });
  if (trace.dropped > 0) {
    const full = hits.length >= maxHits;
    throw new SondeError("BAD_ARGUMENT", `${trace.seen} hits, of which ${hits.length} were kept`, {
      hint: full
        ? "raise `maxHits` or record fewer places; what was kept is in `details.feedback`"
        : "the others came faster than they could be recorded: record fewer places, or use a less busy machine; what was kept is in `details.feedback`",
      details,
    });
  }
  return feedback;
}
