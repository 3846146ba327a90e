/** The failing test once more, under a recorder: where the wrong value came from. */
import { resolve } from "node:path";
import { SondeError } from "../../errors.ts";
import type { Failure } from "../../runners/runner.ts";
import { isSameAgain, type Telling } from "../../runners/same-failure.ts";
import type { Launch } from "../../session/launch.ts";
import { fileLines } from "../../session/stack/source.ts";
import { type Missing, missingIn } from "../../trace/missing.ts";
import { type Activation, activations } from "../../trace/origin/activations.ts";
import { type Differing, differingIn } from "../../trace/origin/expected.ts";
import { feedingOf } from "../../trace/origin/feeding.ts";
import { type Origin, originOf, standing } from "../../trace/origin/origin.ts";
import { statementOf } from "../../trace/origin/reading.ts";
import type { Lines, Moment, Toward } from "../../trace/plan.ts";
import type { LineEvent, RunEnd } from "../../trace/record.ts";
import { type Traced, trace as traced } from "../../trace/trace.ts";
import { wholeStatement } from "../../trace/whole-statement.ts";
import { cut, oneLine } from "../../util/text.ts";
import type { Context } from "../context.ts";
import { runRequest } from "../runs/running.ts";
import type { Tried } from "./next.ts";
import type { Shot, Tested } from "./shape.ts";

/** A hint is not worth more, unless the test itself is slow, or the machine is: then so many times what it took. */
const ENOUGH_SECONDS = 10;
/** Where each line costs milliseconds. */
const ENOUGH_SECONDS_SLOW = 20;
const MOST_SECONDS = 60;
const TIMES = 5;
/** The newest half is what leads to the failure. */
const MOST_EVENTS = 80_000;
/** Of what a large program does as it loads, and of what its test does before the statement that fails. */
const BEFORE = { events: 20_000, ms: 2000 };
/** …of each second that the recording may take: several such parts and the test itself have to fit in. */
const PART_MS = 100;
/** …where that was too much. */
const LITTLE = { events: 2000, ms: 300 };
const VALUE_CHARS = 200;
const EVERYTHING = 1000;
/** Calls below the test's own, where each line that is recorded costs milliseconds. */
const FEW_LEVELS = 3;

export interface Recorded {
  origin?: Origin;
  /** Why nothing is told of where the value came from. */
  note?: string;
}

interface Asked {
  shot: Shot;
  failure: Pick<Failure, "compared" | "message" | "type">;
  tried: Tried;
}

/** Nothing where it cannot be recorded, or where no call and no line explains it. */
export async function recordedOrigin(
  context: Context,
  shot: Shot,
  failure: Pick<Failure, "compared" | "message" | "type">,
  tried: Tried,
): Promise<Recorded> {
  const asked = { shot, failure, tried };
  try {
    const found = await recordedWith(context, asked, BEFORE);
    return "unreached" in found ? ofUnreached(await recordedWith(context, asked, LITTLE)) : found;
  } catch (error) {
    // What cannot be recorded has no hint; the answer is the same without it. A fault of ours in it does not cost the answer either.
    if (context.signal.aborted) throw error;
    if (!(error instanceof SondeError))
      context.log("error", error instanceof Error ? (error.stack ?? error.message) : String(error));
    return {};
  }
}

/** After so many seconds the test had not failed yet. */
interface Unreached {
  unreached: number;
}

function ofUnreached(found: Recorded | Unreached): Recorded {
  if (!("unreached" in found)) return found;
  const { unreached } = found;
  return {
    note: `the test did not come to its failure within ${unreached} s when it was run again to be recorded, ${UNTOLD}`,
  };
}

function recordedWith(context: Context, asked: Asked, before: typeof BEFORE): Promise<Recorded | Unreached> {
  const { shot, tried } = asked;
  const { single, running, env, cwd, goesOn = false } = tried;
  const where = single.cwd === undefined ? {} : { cwd: single.cwd };
  const whole = { ...running, ...where, env: { ...env, ...single.env }, args: single.command };
  return context.once(runRequest(context, whole), async (launch, signal) => {
    const seconds = secondsFor(launch, tried);
    const under = [...new Set([cwd, resolve(context.cwd, single.cwd ?? cwd)])];
    let cutCalls: ReadonlySet<number> | undefined;
    const record = await traced({
      title: single.command.join(" "),
      plan: {
        points: [],
        lines: linesFor(launch, shot, under, { ...before, ms: Math.min(before.ms, seconds * PART_MS) }),
        frames: 0,
        valueChars: VALUE_CHARS,
        maxHits: MOST_EVENTS,
      },
      launch,
      ...(goesOn ? momentOf(shot) : {}),
      bounds: { first: seconds, quiet: seconds, total: seconds },
      signal,
      cut: (calls) => {
        cutCalls = calls;
      },
    });
    const missing = missingIn(record);
    const gap = missing && { ...missing, ...(cutCalls === undefined ? {} : { calls: cutCalls }) };
    return (
      explained(record, gap, asked, launch.adapter.recordsAll === true && !goesOn) ?? { unreached: seconds }
    );
  });
}

function secondsFor({ adapter }: Launch, { tookMs }: Tried): number {
  const enough = adapter.recordsAll ? ENOUGH_SECONDS : ENOUGH_SECONDS_SLOW;
  return Math.max(enough, Math.min(MOST_SECONDS, Math.round((TIMES * tookMs) / 1000)));
}

/** `toTheEnd`: nothing of a recording that was cut before the test had failed: what it has may be of another visit of the same lines. */
function explained(
  { hits, dropped, partial, end }: Traced,
  gap: Missing | undefined,
  { shot, failure: { compared, message, type } }: Asked,
  toTheEnd: boolean,
): Recorded | undefined {
  const said = message ?? shot.exception?.message ?? "";
  const question = {
    frames: stackOf(shot),
    compared: compared.map(({ value }) => value),
    said,
    differing: differingOf(said, compared),
    source: (path: string) => fileLines(path) ?? [],
  };
  const events = hits.filter((hit): hit is LineEvent => hit.kind !== "point");
  const tellings = [
    ...(message === undefined ? [] : [{ type, message }]),
    // A runner may have words of its own for it.
    ...(shot.exception === undefined ? [] : [shot.exception]),
  ];
  const all = upTo(activations(events, gap), question.frames.at(-1), tellings);
  const test = standing(all, question).at(-1)?.active;
  if (toTheEnd && partial !== undefined && test?.ended === undefined) return undefined;
  const note = otherwise(end, test, tellings);
  if (note !== undefined) return { note };
  const found = originOf(all, question);
  if (found === undefined) return {};
  const isWhole = dropped === 0 && partial === undefined;
  // What did not run is known only of a whole recording.
  return { origin: isWhole ? found : { ...found, unmet: [], incomplete: true as const } };
}

/** Without what ran after the failure: a function that is several tests, each with its own values, may have failed again. */
function upTo(
  all: readonly Activation[],
  test: Frames[number] | undefined,
  said: readonly Telling[],
): readonly Activation[] {
  const times = all.filter(
    ({ path, lines }) => path === test?.path && lines.some(({ line }) => line === test?.line),
  );
  const at = times.findIndex(
    ({ ended }) => ended?.how === "throw" && said.some((one) => isSameAgain(one, ended.value ?? "") === true),
  );
  const next = at < 0 ? undefined : times[at + 1];
  return next === undefined ? all : all.filter(({ seq }) => seq < next.seq);
}

/** What was expected and what came, where a runner says which is which. */
function differingOf(said: string, compared: Failure["compared"]): Differing {
  const listed = differingIn(said);
  const labelled = (...labels: string[]) =>
    compared.filter(({ label }) => labels.includes(label)).map(({ value }) => value);
  return {
    expected: [...labelled("expected"), ...listed.expected],
    actual: [...labelled("actual", "received"), ...listed.actual],
  };
}

const UNTOLD = "so it is not known where its value came from";

/** What is recorded is one more run: what it shows explains the failure only if it failed in the same way. */
function otherwise(end: RunEnd, test: Activation | undefined, said: readonly Telling[]): string | undefined {
  if (end.how === "exited" && end.exitCode === 0)
    return `the test passed when it was run again to be recorded, ${UNTOLD}: it does not fail every time`;
  const { how, value = "" } = test?.ended ?? {};
  const likes = said.map((one) => isSameAgain(one, value));
  if (how !== "throw" || likes.length === 0 || likes.some((like) => like !== false)) return undefined;
  return `the test failed in another way when it was run again to be recorded (${cut(oneLine(value), 120)}), ${UNTOLD}`;
}

/** The last is the test. */
function stackOf({ frames, outermost }: Shot): Frames {
  return outermost === undefined ? frames : [...frames, outermost];
}

type Frames = Pick<Shot["frames"][number], "function" | "path" | "line" | "values">[];

/** What comes after the failure has nothing to do with it. */
function momentOf({ frames: [frame] }: Shot): { until?: Moment } {
  const until = momentIn(frame);
  return until === undefined ? {} : { until };
}

function momentIn(frame: Frames[number] | undefined): Moment | undefined {
  if (frame?.path === undefined) return undefined;
  const { path, line, values } = frame;
  const { first, last } = statementOf(fileLines(path) ?? [], line);
  return { path, first, last, values: values.map(({ name, value }) => ({ name, value })) };
}

/** All that ran, of a long run what is near the test's failing statement; if the recorder is not quick, the test's own function and what it calls. */
function linesFor({ adapter }: Launch, shot: Shot, under: string[], before: typeof BEFORE): Lines {
  const frames = stackOf(shot);
  if (adapter.recordsAll) {
    const moment = towardIn(frames.at(-1));
    const toward = moment && { ...moment, ...before };
    return { functions: [], under, depth: EVERYTHING, ...(toward === undefined ? {} : { toward }) };
  }
  const test = frames.at(-1)?.function.replace(/\((?!\*).*$/, "") ?? "";
  return { functions: [test], under, depth: adapter.recordsDeep ? EVERYTHING : FEW_LEVELS };
}

/** The statement of the test that fails; in a loop, by what the variables have in the round that does. */
function towardIn(frame: Frames[number] | undefined): Omit<Toward, keyof typeof BEFORE> | undefined {
  const moment = momentIn(frame);
  if (moment === undefined) return undefined;
  const source = fileLines(moment.path) ?? [];
  const { lines, written } = feedingOf(source, statementOf(source, moment.first));
  const values = moment.values.filter(({ name }) => !written.includes(name));
  return { ...moment, values, before: lines };
}

/** With the text of each line. */
export function withSource({
  calls,
  writes,
  steps,
  unmet,
  incomplete,
}: Origin): NonNullable<Tested["origin"]> {
  const read = <T extends { path: string; line: number }>(one: T) => ({
    ...one,
    source: wholeStatement(one.path, fileLines(one.path) ?? [], one.line),
  });
  const lines = steps.map(({ distance: _, keeps: __, changes, ...step }) => ({
    ...step,
    changes: changes.map(([name, value]) => ({ name, value })),
  }));
  return {
    calls: calls.map(read),
    writes: writes.map(read),
    lines: lines.map(read),
    unmet: unmet.map(({ decided, ...one }) => ({
      ...read(one),
      decided: { line: decided, source: read({ path: one.path, line: decided }).source },
    })),
    ...(incomplete ? { incomplete } : {}),
  };
}
