/** Two kept traces. A second run of A tells what differs by chance, if there is one: nothing is run. */
import { isDeepStrictEqual } from "node:util";
import { advice, blank, call } from "../../advice/advice.ts";
import type { TraceRecord } from "../../trace/record.ts";
import type { Context } from "../context.ts";
import { answer } from "./answer.ts";
import type { Ran } from "./recorded.ts";
import type { DiffResult } from "./shapes.ts";
import { isCut, isExplained } from "./two.ts";

export async function kept(context: Context, first: string, second: string): Promise<DiffResult> {
  const a = { record: await context.traces.read(first), output: "" };
  const b = { record: await context.traces.read(second), output: "" };
  const compared = await answer(context, {}, { a, b });
  if (compared.first === undefined || isCut(a) || isExplained(compared)) return compared;
  const again = await secondRun(context, a.record, b.record);
  if (again !== undefined) return answer(context, {}, { a, b, again });
  return { ...compared, notes: [ONE_RUN, ...compared.notes] };
}

const ONE_RUN = advice`of A only one run is kept: what differs by chance (times, addresses, random numbers) is not left out; ${call("diff", { a: blank("command"), b: blank("command") })} runs A twice`;

/** One that was recorded as a repeat of A, or of which A is one, and that ended as A did: of a flaky command B may be one, too. */
async function secondRun(context: Context, a: TraceRecord, b: TraceRecord): Promise<Ran | undefined> {
  const family = (one: Pick<TraceRecord, "id" | "repeats">) => one.repeats ?? one.id;
  for (const stored of await context.traces.list()) {
    if ("damage" in stored || stored.id === a.id || stored.id === b.id) continue;
    const { head } = stored;
    const isAgain = family(head) === family(a) && isDeepStrictEqual(head.end, a.end);
    if (isAgain && isDeepStrictEqual(head.plan, a.plan))
      return { record: await context.traces.read(stored.id), output: "" };
  }
  return undefined;
}
