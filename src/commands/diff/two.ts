/** Two runs, one after the other, each no longer than it takes to tell them apart. */
import { advice, blank, option } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { Context } from "../context.ts";
import type { Running } from "../runs/running.ts";
import type { Planning } from "../trace/arguments.ts";
import { answer } from "./answer.ts";
import { type Ran, record, type Side } from "./recorded.ts";
import type { DiffResult } from "./shapes.ts";
import type { Time } from "./time.ts";

/** Seconds that a run gets at first: most end before, and one that hangs has shown by then how it parts from the other. */
const SOON = 10;
/** …and the first, whose time nobody knows yet. */
const FIRST = 20;
/** …or so many times as long as the other took. */
const LONGER = 5;
/** The longest that a run goes on which has not parted from the other by then, unless told. */
const LAST = 45;
/** The longest that A is run once more, only to know what differs by chance. */
const AGAIN = 20;

export async function two(
  context: Context,
  asked: Planning & Running,
  sides: { a: Side; b: Side },
  time: Time,
): Promise<DiffResult> {
  const run = (side: Side, seconds: number, other?: Ran) =>
    record(context, asked, { ...side, seconds: Math.min(seconds, time.left) }, { other });
  let a = await run(sides.a, Math.min(FIRST, time.left / 2));
  refuseLate(time);
  let b = await run(sides.b, isCut(a) ? FIRST : Math.max(SOON, a.record.seconds * LONGER), a);
  let compared = answer(context, asked, { a, b });
  // Both go the same way as far as they got: only more time can tell.
  if (compared.first === undefined && (isCut(a) || isCut(b)) && time.left > 1) {
    const most = asked.maxSeconds === undefined ? LAST : time.left;
    if (isCut(a)) {
      a = await run(sides.a, Math.min(most, isCut(b) ? time.left / 2 : time.left));
      refuseLate(time);
    }
    if (isCut(b)) b = await run(sides.b, Math.min(most, time.left), a);
    compared = answer(context, asked, { a, b });
  }
  if (compared.first === undefined || isCut(a) || isExplained(compared)) return compared;
  if (a.record.seconds > Math.min(AGAIN, time.left / 2)) return compared;
  const again = await run(sides.a, time.left);
  return answer(context, asked, { a, b, again });
}

/** By our clock: what it would have done after that nobody knows. */
function isCut({ record: { end, partial } }: Ran): boolean {
  return end.how === "stopped" && partial !== undefined;
}

/** They part on a line that was changed: no chance needs to be ruled out. */
function isExplained({ first, changed = [] }: DiffResult): boolean {
  return (["a", "b"] as const).some((side) => {
    const site = first?.[side]?.site;
    return changed.some((one) => {
      const lines = one[side];
      const at = site === undefined || lines === undefined ? -1 : site.line - lines.line;
      return lines?.path === site?.path && at >= 0 && at < (lines?.texts.length ?? 0);
    });
  });
}

function refuseLate({ left, seconds }: Time): void {
  if (left > 0) return;
  throw new SondeError("TIMEOUT", `run A took all of the ${seconds} s`, {
    hint: advice`${option({ maxSeconds: blank("seconds") })} gives both more time`,
  });
}
