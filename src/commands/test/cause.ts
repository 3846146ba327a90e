/** Where the wrong value came from, and what shows that line by line; from a recording of the test. */
import type { Failure } from "../../runners/runner.ts";
import { fileLines } from "../../session/stack/source.ts";
import { type Origin, SHOWN_STEPS } from "../../trace/origin/origin.ts";
import { askedAs } from "../../trace/origin/search.ts";
import { functionsOf, type Unusual, unusualIn } from "../../trace/origin/unusual.ts";
import type { Context } from "../context.ts";
import { furtherCall, type Tried, traceOf } from "./next.ts";
import { ranInTests } from "./others.ts";
import { type Recorded, recordedOrigin, withSource } from "./recorded.ts";
import type { Answer } from "./request.ts";
import type { Shot } from "./shape.ts";

interface Cause {
  cause: Pick<Answer, "origin" | "next">;
  notes: string[];
}

/** Lines for which one more call is worth it. */
const WORTH_MORE = 3;
const MOST_FUNCTIONS = 3;

export const UNKNOWN: Cause = { cause: {}, notes: [] };

export async function causeOf(
  context: Context,
  shot: Shot,
  { name, ...failure }: Pick<Failure, "compared" | "message" | "type"> & { name?: string },
  tried: Tried,
): Promise<Cause> {
  const { origin, note, ran } = await recordedOrigin(context, shot, failure, tried);
  const notes = note === undefined ? [] : [note];
  if (origin === undefined) return { cause: {}, notes };
  const unusual = ran && (await unusualOf(context, tried, ran, origin));
  const looked = unusual === undefined ? [] : functionsOf(unusual, MOST_FUNCTIONS);
  const isMore = !tried.further && origin.steps.length >= SHOWN_STEPS + WORTH_MORE;
  const unseen = unseenIn(origin);
  const next =
    unseen !== undefined
      ? traceOf({ ...origin, functions: [askedAs(unseen)], depth: 1 }, tried)
      : looked.length > 0
        ? traceOf({ ...origin, functions: looked, depth: 0 }, tried)
        : isMore
          ? furtherCall(tried, name)
          : traceOf(origin, tried);
  return { cause: { origin: withSource(origin, unusual), ...(next === undefined ? {} : { next }) }, notes };
}

async function unusualOf(
  context: Context,
  tried: Tried,
  { all, test }: NonNullable<Recorded["ran"]>,
  { reached }: Origin,
): Promise<Unusual | undefined> {
  const spectrum = await ranInTests(context, tried, test.path);
  const source = (path: string) => fileLines(path) ?? [];
  return spectrum && unusualIn(all, spectrum, test, { source, reached });
}

/** The innermost call that returned the value, if the recording has no line of it, or none but the one that returned. */
function unseenIn({ calls, steps, incomplete }: Origin): string | undefined {
  const last = calls.at(-1);
  const own = steps.filter((step) => step.path === last?.path && step.function === last.function);
  const isSeen = own.some(({ line }) => incomplete !== true || line !== last?.line);
  return isSeen ? undefined : last?.function;
}
