/** Runs of one command that end differently. */
import { advice, blank, call, named, option } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { Context } from "../context.ts";
import type { Running } from "../runs/running.ts";
import type { Planning } from "../trace/arguments.ts";
import { answer } from "./answer.ts";
import { type Ran, record } from "./recorded.ts";
import type { DiffResult } from "./shapes.ts";
import type { Time } from "./time.ts";

/** Each is a whole run under a recorder; who needs more has a script's task. */
export const MOST_RUNS = 100;
const LONGER = option({ maxSeconds: blank("seconds") });

export async function flaky(
  context: Context,
  asked: Planning & Running,
  runs: number,
  time: Time,
): Promise<DiffResult> {
  const side = { words: asked.args ?? [], stdin: asked.stdin };
  let passing: Ran | undefined;
  let again: Ran | undefined;
  let failing: Ran | undefined;
  let longest = 0;
  const counts = { runs: 0, passed: 0, failed: 0 };
  while (counts.runs < runs && time.left > 0) {
    const given = time.left;
    const repeats = (passing ?? failing)?.record.id;
    const ran = await record(context, asked, { ...side, seconds: given }, { steady: false, repeats });
    const { end, seconds, partial } = ran.record;
    // Cut short by the others' time it says nothing, unless it hung where they had long ended.
    const isCut = partial !== undefined && seconds > given - 0.05; // clocks differ a little
    if (isCut && (counts.runs === 0 || seconds <= longest * HUNG)) break;
    longest = Math.max(longest, seconds);
    counts.runs++;
    if (end.exitCode === 0 && end.how === "exited") {
      counts.passed++;
      if (passing === undefined) passing = ran;
      else again ??= ran;
    } else {
      counts.failed++;
      failing ??= ran;
    }
  }
  if (passing === undefined || failing === undefined) throw nothingToCompare(runs, counts, time.seconds);
  const compared = await answer(context, asked, { a: passing, b: failing, again });
  const cut = advice`${counts.runs} of ${runs} runs: after ${time.seconds} s there was no time for more (${named("maxSeconds")})`;
  const notes = counts.runs < runs ? [cut, ...compared.notes] : compared.notes;
  return { ...compared, flaky: counts, notes };
}

/** A run that takes so many times as long as those that ended does not end. */
const HUNG = 3;

function nothingToCompare(
  runs: number,
  { runs: ended, passed }: { runs: number; passed: number },
  seconds: number,
): SondeError {
  const longer = advice`${LONGER} gives them more time`;
  if (ended === 0)
    return new SondeError("TIMEOUT", `the first run had not ended after ${seconds} s`, {
      hint: advice`${longer}; ${call("hang", { after: 5, args: blank("command") })} shows what it waits for`,
    });
  const how = passed > 0 ? "passed" : "failed";
  if (ended < runs)
    return new SondeError("TIMEOUT", `${ended} of ${runs} runs ended within ${seconds} s, and all ${how}`, {
      hint: longer,
    });
  const more = Math.min(runs * 5, MOST_RUNS);
  return new SondeError("BAD_ARGUMENT", `all ${runs} runs ${how}: there is nothing to compare`, {
    ...(passed === 0
      ? { hint: advice`${call("crash", { args: blank("command") })} or ${call("test")} shows the failure` }
      : more > runs
        ? { hint: advice`more runs: ${option({ flaky: more })}` }
        : {}),
  });
}
