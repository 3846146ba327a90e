/** Traces that were recorded in the folder of the session, the newest first. */
import { fileItem } from "../../../diagnostics/report/file-item.ts";
import type { Item, Missing } from "../../../diagnostics/report/item.ts";
import { type EachLine, jsonOf, lineItem, lineOf } from "../../../diagnostics/report/line-item.ts";
import type { TraceStore } from "../../../trace/store.ts";
import { secretName } from "../../../util/secrets/names.ts";

const MOST = 5;

export async function traceParts(traces: TraceStore, folder: string): Promise<(Item | Missing)[]> {
  const stored = await traces.list();
  const here = stored.filter((one) => "head" in one && one.head.cwd === folder).slice(0, MOST);
  if (here.length === 0) return [{ name: "traces", why: `no trace was recorded in ${folder}` }];
  const items = here.map(async ({ id, file }) => [
    await hitsItem(`traces/${id}.jsonl`, file),
    await fileItem(`traces/${id}.output.txt`, traces.outputPath(id)),
  ]);
  return (await Promise.all(items)).flat();
}

/** As a mask, so that it is known for one. */
const GONE = "[masked:variable:0000]";

async function hitsItem(name: string, file: string): Promise<Item | Missing> {
  const removed: Record<string, number> = {};
  const item = await lineItem(name, file, () => {
    delete removed.variable; // it is read more than once
    return withoutSecretValues(() => {
      removed.variable = (removed.variable ?? 0) + 1;
      return GONE;
    });
  });
  return { ...item, removed };
}

/** In a trace a value stands apart from its name: by its place in the plan, or in a list of pairs. */
function withoutSecretValues(gone: () => string): EachLine {
  let points: readonly boolean[][] = [];
  return (line) => {
    const event = jsonOf(line);
    if (event === undefined) return undefined;
    if ("plan" in event) {
      points = secretsIn(event.plan);
      const statistics = (event.statistics as unknown[][] | undefined)?.map((all, point) =>
        all.map((one, at) => (points[point]?.[at] ? null : one)),
      );
      return lineOf(statistics === undefined ? event : { ...event, statistics });
    }
    const secret = points[Number(event.point)];
    if (Array.isArray(event.values) && secret?.includes(true))
      return lineOf({ ...event, values: event.values.map((value, at) => (secret[at] ? gone() : value)) });
    if (Array.isArray(event.changes))
      return lineOf({ ...event, changes: event.changes.map((pair) => withoutSecret(pair, gone)) });
    return line;
  };
}

function secretsIn(plan: unknown): boolean[][] {
  const { points = [] } = plan as { points?: { expressions: string[] }[] };
  return points.map(({ expressions }) => expressions.map(isSecret));
}

function withoutSecret(pair: unknown, gone: () => string): unknown {
  return Array.isArray(pair) && isSecret(String(pair[0])) ? [pair[0], gone()] : pair;
}

/** By the last name in it: `user.password`. */
function isSecret(expression: string): boolean {
  return secretName(expression.split(/[.\s[]|->/).at(-1) ?? "") !== undefined;
}
