/** Which file of one version is which of the other. Pure. */
import { basename } from "node:path";
import type { FilePair } from "./changed.ts";
import { type LineMap, mapLines, SAME } from "./lines.ts";
import type { Moment } from "./moments.ts";
import { sharedEnd } from "./same-text.ts";

export interface Sources {
  /** The lines of a file as they were when the run was made. */
  a(path: string): readonly string[] | undefined;
  b(path: string): readonly string[] | undefined;
}

/** By the file of A: the file of B that it is compared with. */
export type Files = ReadonlyMap<string, { path: string; map: LineMap; pair?: FilePair }>;

/** The same path, or the program's own file under another name, or one of the same name. */
export function filePairs(a: readonly Moment[], b: readonly Moment[], sources: Sources): Files {
  const inA = [...new Set(a.map(({ path }) => path))];
  const inB = [...new Set(b.map(({ path }) => path))];
  const known = new Map<string, { path: string; map: LineMap; pair?: FilePair }>();
  const free = new Set(inB);
  const take = (from: string, to: string | undefined) => {
    if (to === undefined || known.has(from)) return;
    free.delete(to);
    const [x, y] = [sources.a(from), sources.b(to)];
    const map = x && y ? mapLines(x, y) : SAME;
    const isChanged = x !== undefined && y !== undefined && (from !== to || x.join("\n") !== y.join("\n"));
    const pair = isChanged ? { a: { path: from, lines: x }, b: { path: to, lines: y }, map } : undefined;
    known.set(from, { path: to, map, ...(pair === undefined ? {} : { pair }) });
  };
  for (const path of inA) take(path, free.has(path) ? path : undefined);
  const named = (path: string) => [...free].filter((one) => basename(one) === basename(path));
  // The more of their paths they share, the surer: `index.js` is the name of many.
  for (const least of [4, 3, 2])
    for (const path of inA)
      take(path, known.has(path) ? undefined : named(path).find((one) => sharedEnd(path, one) >= least));
  for (const path of inA) take(path, named(path)[0]);
  for (const path of inA) take(path, [...free][0]);
  return known;
}
