/** All the tests once more, under a recorder that only notes which lines ran in which: what is peculiar to those that fail. */
import { resolve } from "node:path";
import { SondeError } from "../../errors.ts";
import type { Spectrum } from "../../trace/spectrum.ts";
import { trace as traced } from "../../trace/trace.ts";
import type { Context } from "../context.ts";
import { runRequest } from "../runs/running.ts";
import type { Tried } from "./next.ts";

/** A hint is not worth more. What ran until then counts. */
const ENOUGH_SECONDS = 10;

/** Nothing where it cannot be recorded so. */
export async function ranInTests(
  context: Context,
  tried: Tried,
  tests: string,
): Promise<Spectrum | undefined> {
  const { running, env, cwd, whole } = tried;
  if (whole === undefined) return undefined;
  let found: Spectrum | undefined;
  try {
    await context.once(runRequest(context, { ...running, env, args: [...whole] }), async (launch, signal) => {
      if (!launch.adapter.recordsAll) return;
      await traced({
        title: whole.join(" "),
        plan: {
          points: [],
          lines: { functions: [], under: [cwd, resolve(context.cwd, cwd)], depth: 0, tests },
          frames: 0,
          valueChars: 0,
          maxHits: 1,
        },
        launch,
        bounds: { first: ENOUGH_SECONDS, quiet: ENOUGH_SECONDS, total: ENOUGH_SECONDS },
        signal,
        spectrum: (lines) => {
          found = lines;
        },
      });
    });
  } catch (error) {
    // It is only a hint: the answer is the same without it.
    if (context.signal.aborted || !(error instanceof SondeError)) throw error;
  }
  return found;
}
