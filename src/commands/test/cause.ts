/** Where the wrong value came from, and what shows that line by line; from a recording of the test. */
import type { Failure } from "../../runners/runner.ts";
import { SHOWN_STEPS } from "../../trace/origin/origin.ts";
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
  const next = isMore ? furtherCall(tried, name) : traceOf(origin, tried);
  return { cause: { origin: withSource(origin), ...(next === undefined ? {} : { next }) }, notes };
}
