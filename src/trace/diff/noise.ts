/** What differs between two runs of the same thing (clocks, random numbers, the order of a hash): no difference between two things. Pure. */
import { basename } from "node:path";
import type { Pair } from "./align.ts";
import type { Moment } from "./moments.ts";

export interface Noise {
  /** Variables of functions whose values differ. */
  names: ReadonlySet<string>;
  /** Functions' lines that run in another order, or another number of times. */
  places: ReadonlySet<string>;
}

export const SILENT: Noise = { names: new Set(), places: new Set() };

/** Two versions of a file have one name. */
export const nameKey = ({ path, function: name }: Moment, variable: string): string =>
  `${basename(path)}\0${name}\0${variable}`;

/** Of the run that was made twice. */
export const placeKey = ({ path, line, kind }: Moment): string => `${path}:${line}:${kind}`;

export function noiseOf(
  pairs: readonly Pair<{ moment: Moment }>[],
  isSame: (a: string, b: string) => boolean,
): Noise {
  const names = new Set<string>();
  const places = new Set<string>();
  for (const { a, b } of pairs) {
    if (a === undefined || b === undefined) {
      const only = a ?? b;
      if (only !== undefined) places.add(placeKey(only.moment));
      continue;
    }
    for (const [name, value] of a.moment.values) {
      const other = b.moment.values.get(name);
      if (other !== undefined && !isSame(value, other)) names.add(nameKey(a.moment, name));
    }
  }
  return { names, places };
}
