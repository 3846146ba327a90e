/** Where the wrong value came from, and what shows that line by line; from a recording of the test. */
import type { Failure } from "../../runners/runner.ts";
import { type Origin, SHOWN_STEPS } from "../../trace/origin/origin.ts";
import { askedAs } from "../../trace/origin/search.ts";
import type { Context } from "../context.ts";
import { furtherCall, type Tried, traceOf } from "./next.ts";
import { recordedOrigin, withSource } from "./recorded.ts";
import type { Answer } from "./request.ts";
import type { Shot } from "./shape.ts";

interface Cause {
  cause: Pick<Answer, "origin" | "next">;
  notes: string[];
}

/** Lines for which one more call is worth it. */
const WORTH_MORE = 3;

export const UNKNOWN: Cause = { cause: {}, notes: [] };

export async function causeOf(
  context: Context,
  shot: Shot,
  { name, ...failure }: Pick<Failure, "compared" | "message" | "type"> & { name?: string },
  tried: Tried,
): Promise<Cause> {
  const { origin, note } = await recordedOrigin(context, shot, failure, tried);
  const notes = note === undefined ? [] : [note];
  if (origin === undefined) return { cause: {}, notes };
  const isMore = !tried.further && origin.steps.length >= SHOWN_STEPS + WORTH_MORE;
  const unseen = unseenIn(origin);
  const next =
    unseen !== undefined
      ? traceOf({ ...origin, functions: [askedAs(unseen)], depth: 1 }, tried)
      : isMore
        ? furtherCall(tried, name)
        : traceOf(origin, tried);
  return { cause: { origin: withSource(origin), ...(next === undefined ? {} : { next }) }, notes };
}

/** The innermost call that returned the value, if the recording has no line of it, or none but the one that returned. */
function unseenIn({ calls, steps, incomplete }: Origin): string | undefined {
  const last = calls.at(-1);
  const own = steps.filter((step) => step.path === last?.path && step.function === last.function);
  const isSeen = own.some(({ line }) => incomplete !== true || line !== last?.line);
  return isSeen ? undefined : last?.function;
}
