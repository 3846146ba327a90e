/**
 * Of two versions that differ in many places: the call that first gives another result though it was given the same. Calls before it
 * went other ways to the same end, and calls inside it that give the same are not to blame. Where only one run made a call before it,
 * nobody can say. Pure.
 */
import { align, type Pair } from "./align.ts";
import { type Moment, RETURNED, THROWN } from "./moments.ts";
import { sameText } from "./same-text.ts";

/** What is compared of a moment: without noise, with the other version's folder in place of its own. */
export type Shown = (moment: Moment, side: "a" | "b") => ReadonlyMap<string, string>;

/** One call in each run. */
export interface Culprit {
  a: Activation;
  b: Activation;
}

export interface Activation {
  function: string;
  site: Moment["site"];
  /** Where that is in B, if it is. */
  siteInB: string | undefined;
  path: string;
  given: ReadonlyMap<string, string>;
  /** By which it was left, with what its arguments hold by then. */
  end?: { kind: string; value: string; left: ReadonlyMap<string, string> };
  /** Its own, from its call to its end. */
  moments: Moment[];
  children: Activation[];
  loading: boolean;
}

export interface Versions {
  shown: Shown;
  /** Where a place of A is in B. */
  inB(path: string, line: number): string | undefined;
  /** Whether this file of A is the same in B. */
  isSameFile(path: string): boolean;
}

export function culprit(
  a: readonly Moment[],
  b: readonly Moment[],
  { shown, inB, isSameFile }: Versions,
): Culprit | undefined {
  // What was never left is looked into: a module's own code, which goes on to the end.
  const ofA = opened(activations(a, shownOn("a", shown), ({ path, line }) => inB(path, line)));
  const ofB = opened(activations(b, shownOn("b", shown), ({ path, line }) => `${path}:${line}`));
  let blamed: Culprit | undefined;
  let levels = [pairsOf(ofA, ofB).values()];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const { value: pair, done } = level.next();
    if (done) {
      levels.pop();
      continue;
    }
    const { a: x, b: y } = pair;
    // A call that only one run made may have done anything: what comes after it is not to blame.
    if (x === undefined || y === undefined) {
      if ((x ?? y)?.loading) continue;
      return blamed;
    }
    if (isSame(x, y)) {
      // What has not changed may call what has, and show none of it: it prints, or keeps it.
      if (isSameFile(x.path)) levels.push(pairsOf(x.children, y.children).values());
      continue;
    }
    if (!isGivenSame(x, y)) return blamed;
    blamed = { a: x, b: y };
    levels = [pairsOf(x.children, y.children).values()];
  }
  return blamed;
}

const shownOn = (side: "a" | "b", shown: Shown) => (moment: Moment) => shown(moment, side);

function pairsOf(x: readonly Activation[], y: readonly Activation[]): Pair<Activation>[] {
  return align(...bothHave(x, y), {
    together: (one, other) =>
      !one.loading && !other.loading && (one.function === other.function || isSameSite(one, other)),
    equal: (one, other) => isSame(one, other) && isGivenSame(one, other),
  });
}

const isSameSite = ({ siteInB: x }: Activation, { siteInB: y }: Activation) => x !== undefined && x === y;

/** In place of a function that only one version has: the calls it makes. */
function bothHave(x: readonly Activation[], y: readonly Activation[]): [Activation[], Activation[]] {
  let [left, right] = [[...x], [...y]];
  for (let level = 0; level < MOST_LEVELS; level++) {
    const strangers = new Set([...strangersTo(right, left), ...strangersTo(left, right)]);
    if (strangers.size === 0) break;
    const within = (all: readonly Activation[]) =>
      all.flatMap((one) => (strangers.has(one) ? one.children : [one]));
    [left, right] = [within(left), within(right)];
  }
  return [left, right];
}

function strangersTo(known: readonly Activation[], all: readonly Activation[]): Activation[] {
  const names = namesIn(known, MOST_LEVELS);
  const sites = new Set(known.map(({ siteInB }) => siteInB));
  return all.filter(
    (one) => !names.has(one.function) && (one.siteInB === undefined || !sites.has(one.siteInB)),
  );
}

function namesIn(all: readonly Activation[], levels: number): Set<string> {
  const names = new Set(all.map((one) => one.function));
  if (levels > 0)
    for (const one of all) for (const name of namesIn(one.children, levels - 1)) names.add(name);
  return names;
}

/** Helpers in helpers; further down it is another program. */
const MOST_LEVELS = 4;

/** In place of a module's activation the calls it makes. */
const opened = (all: readonly Activation[]): Activation[] =>
  all.flatMap((one) => (one.function === MODULE ? opened(one.children) : one.loading ? [] : [one]));

const MODULE = "<module>";

function activations(
  moments: readonly Moment[],
  shown: (moment: Moment) => ReadonlyMap<string, string>,
  inB: (site: Moment["site"]) => string | undefined,
): Activation[] {
  const known = new Map<number, Activation>();
  const roots: Activation[] = [];
  for (const moment of moments) {
    const { call, parent, kind } = moment;
    if (call === undefined) continue;
    const open = known.get(call);
    if (open === undefined) {
      const { function: name, site, path } = moment;
      const given = kind === "call" ? shown(moment) : new Map<string, string>();
      const loading = moment.loading === true;
      const siteInB = inB(site);
      const one = { function: name, site, siteInB, path, given, moments: [moment], children: [], loading };
      known.set(call, one);
      (parent === undefined ? roots : (known.get(parent)?.children ?? roots)).push(one);
      continue;
    }
    open.moments.push(moment);
    if (kind !== "return" && kind !== "throw") continue;
    const values = shown(moment);
    const left = [...values].filter(([name]) => open.given.has(name) || /^(?:self|this)\./.test(name));
    const value = values.get(kind === "throw" ? THROWN : RETURNED) ?? "";
    open.end = { kind, value, left: new Map(left) };
  }
  return roots;
}

/** Comes to the same, as far as one can see. One that has not ended says nothing. */
function isSame({ end: x }: Activation, { end: y }: Activation): boolean {
  if (x === undefined || y === undefined) return x === y;
  return x.kind === y.kind && sameText(x.value, y.value) && sameShared(x.left, y.left);
}

function isGivenSame({ given: x }: Activation, { given: y }: Activation): boolean {
  if ([...x.keys()].some((name) => y.has(name))) return sameShared(x, y);
  // Under other names: by their order.
  const [left, right] = [[...x.values()], [...y.values()]];
  return left.every((value, at) => right[at] === undefined || sameText(value, right[at]));
}

function sameShared(x: ReadonlyMap<string, string>, y: ReadonlyMap<string, string>): boolean {
  for (const [name, value] of x) {
    const other = y.get(name);
    if (other !== undefined && !sameText(value, other)) return false;
  }
  return true;
}
