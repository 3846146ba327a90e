/** Traces that were recorded in the folder of the session, the newest first. */
import { fileItem } from "../../../diagnostics/report/file-item.ts";
import type { Item, Lost, Missing } from "../../../diagnostics/report/item.ts";
import type { KnownValues } from "../../../diagnostics/report/known-values.ts";
import { type EachLine, jsonOf, lineItem, lineOf } from "../../../diagnostics/report/line-item.ts";
import type { TraceStore } from "../../../trace/store.ts";
import { isSecretExpression } from "../../../util/secrets/names.ts";

const MOST = 5;

/** What is taken out of a trace becomes known, for the output of the same run. */
export async function traceParts(
  traces: TraceStore,
  folder: string,
  known: KnownValues,
): Promise<(Item | Missing)[]> {
  const stored = await traces.list();
  const here = stored.filter((one) => "head" in one && one.head.cwd === folder).slice(0, MOST);
  const damaged = stored
    .flatMap((one) => ("damage" in one ? [{ name: `traces/${one.id}.jsonl`, why: one.damage.why }] : []))
    .slice(0, MOST);
  if (here.length === 0) return [{ name: "traces", why: `no trace was recorded in ${folder}` }, ...damaged];
  const items = here.map(async ({ id, file }) => [
    await hitsItem(`traces/${id}.jsonl`, file, known),
    await fileItem(`traces/${id}.output.txt`, traces.outputPath(id)),
  ]);
  return [...(await Promise.all(items)).flat(), ...damaged];
}

/** As a mask, so that it is known for one. */
const GONE = "[masked:variable:0000]";
/** Given a value that is taken out: what stands there instead. */
type Gone = (value: unknown) => string;

async function hitsItem(name: string, file: string, known: KnownValues): Promise<Item | Missing> {
  const removed: Record<string, number> = {};
  const item = await lineItem(name, file, (lost) => {
    delete removed.variable; // it is read more than once
    const gone: Gone = (value) => {
      removed.variable = (removed.variable ?? 0) + 1;
      known.addFound(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), "variable");
      return GONE;
    };
    return withoutSecretValues(gone, lost);
  });
  return { ...item, removed };
}

/** In a trace a value stands apart from its name: by its place in the plan, or in a list of pairs. */
function withoutSecretValues(gone: Gone, lost: Lost): EachLine {
  let points: readonly boolean[][] = [];
  return (line) => {
    const event = jsonOf(line);
    if (event === undefined) {
      if (line !== "") lost.unreadable += 1;
      return undefined;
    }
    if ("plan" in event) {
      points = secretsIn(event.plan);
      const statistics = (event.statistics as unknown[][] | undefined)?.map((all, point) =>
        all.map((one, at) => (points[point]?.[at] ? null : one)),
      );
      return lineOf(statistics === undefined ? event : { ...event, statistics });
    }
    const secret = points[Number(event.point)];
    if (Array.isArray(event.values) && secret?.includes(true))
      return lineOf({
        ...event,
        values: event.values.map((value, at) => (secret[at] ? gone(value) : value)),
      });
    if (Array.isArray(event.changes))
      return lineOf({ ...event, changes: event.changes.map((pair) => withoutSecret(pair, gone)) });
    return line;
  };
}

function secretsIn(plan: unknown): boolean[][] {
  const { points = [] } = plan as { points?: { expressions: string[] }[] };
  return points.map(({ expressions }) => expressions.map(isSecretExpression));
}

function withoutSecret(pair: unknown, gone: Gone): unknown {
  return Array.isArray(pair) && isSecretExpression(String(pair[0])) ? [pair[0], gone(pair[1])] : pair;
}
