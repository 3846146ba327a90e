/** The failing test once more, under a recorder: where the wrong value came from. */
import { resolve } from "node:path";
import { SondeError } from "../../errors.ts";
import type { Compared } from "../../runners/runner.ts";
import type { Launch } from "../../session/launch.ts";
import { fileLines } from "../../session/stack/source.ts";
import { type Origin, originOf } from "../../trace/origin/origin.ts";
import type { Lines } from "../../trace/plan.ts";
import type { LineEvent } from "../../trace/record.ts";
import { trace as traced } from "../../trace/trace.ts";
import type { Context } from "../context.ts";
import { runRequest } from "../runs/running.ts";
import type { Tried } from "./next.ts";
import type { Shot, Tested } from "./shape.ts";

/** A hint is not worth more. */
const MOST_SECONDS = 10;
/** The newest half is what leads to the failure. */
const MOST_EVENTS = 40_000;
const VALUE_CHARS = 200;
const EVERYTHING = 1000;
/** Calls below the test's own, where each line that is recorded costs milliseconds. */
const FEW_LEVELS = 2;

/** Nothing where it cannot be recorded, or where no call and no line explains it. */
export async function recordedOrigin(
  context: Context,
  shot: Shot,
  compared: readonly Compared[],
  { single, running, env, cwd }: Tried,
): Promise<Origin | undefined> {
  const where = single.cwd === undefined ? {} : { cwd: single.cwd };
  const whole = { ...running, ...where, env: { ...env, ...single.env }, args: single.command };
  try {
    return await context.once(runRequest(context, whole), async (launch, signal) => {
      const { hits } = await traced({
        title: single.command.join(" "),
        plan: {
          points: [],
          lines: linesFor(launch, shot, [...new Set([cwd, resolve(context.cwd, single.cwd ?? cwd)])]),
          frames: 0,
          valueChars: VALUE_CHARS,
          maxHits: MOST_EVENTS,
        },
        launch,
        bounds: { first: MOST_SECONDS, quiet: MOST_SECONDS, total: MOST_SECONDS },
        signal,
      });
      return originOf(
        hits.filter((hit): hit is LineEvent => hit.kind !== "point"),
        {
          frames: shot.frames,
          compared: compared.map(({ value }) => value),
          source: (path) => fileLines(path) ?? [],
        },
      );
    });
  } catch (error) {
    // What cannot be recorded has no hint; the answer is the same without it.
    if (error instanceof SondeError && !context.signal.aborted) return undefined;
    throw error;
  }
}

/** All that ran, if the recorder is quick; otherwise the test's own function and what it calls. */
function linesFor({ adapter }: Launch, { frames }: Shot, under: string[]): Lines {
  if (adapter.recordsAll) return { functions: [], under, depth: EVERYTHING };
  const test = frames.at(-1)?.function.replace(/\((?!\*).*$/, "") ?? "";
  return { functions: [test], under, depth: FEW_LEVELS };
}

/** With the text of each line. */
export function withSource({ calls, writes }: Origin): NonNullable<Tested["origin"]> {
  const read = <T extends { path: string; line: number }>(one: T) => ({
    ...one,
    source: fileLines(one.path)?.[one.line - 1]?.trim() ?? "",
  });
  return { calls: calls.map(read), writes: writes.map(read) };
}
