/** Two runs compared: where they first part, and then a short list of what else differs. Pure. */
import type { TraceRecord } from "../record.ts";
import { align, type Comparison, type Pair } from "./align.ts";
import { type Change, changesAfter, changesBefore, countChanges } from "./changed.ts";
import { type Activation, culprit } from "./culprit.ts";
import { isCut, upToHole } from "./cut.ts";
import { type Files, filePairs, type Sources } from "./files.ts";
import { type Further, isRun, note, timesRun } from "./further.ts";
import { type Moment, momentsOf, type Site } from "./moments.ts";
import { type Noise, noiseOf, placeKey, SILENT } from "./noise.ts";
import { isCutText, rootsOf, sameText } from "./same-text.ts";
import { Numbers, type Token } from "./tokens.ts";

export interface Side {
  path: string;
  line: number;
  function: string;
  kind: string;
  /** The line that ran before, in the same call. */
  ran?: number;
  /** The line whose running led here: of a call its caller's. */
  site: Site;
  /** Of a call: what it was given. */
  given?: [name: string, value: string][];
  seq: number;
}

export interface Divergence {
  /** `values`: same place, other values. `path`: they went on to different places. */
  kind: "values" | "path";
  a?: Side;
  b?: Side;
  /** Both go on at the same place, but one of them has so many moments more before that. */
  extra?: { side: "a" | "b"; count: number };
  /** What differs, and then what is equal there. */
  differing: { name: string; a?: string; b?: string }[];
  equal: { name: string; value: string }[];
}

/** A call, what it was given and what came of it. */
export interface Call {
  function: string;
  site: Site;
  given: [name: string, value: string][];
  /** `return` or `throw`, if it was left. */
  how?: string;
  value?: string;
}

export interface Difference {
  /** Moments that are the same in both, before the first divergence and in all. */
  before: number;
  matching: number;
  /** Of those before the first divergence: with a value of which not all was recorded, so that it may differ beyond that. */
  partly?: number;
  first?: Divergence;
  /** Of versions with many changes: the call that first gives another result though it is given the same; `first` is where they part in it. */
  call?: { a: Call; b: Call };
  /** Of two versions: lines that differ and ran before they part, the latest first; if there are none, those that ran after it. */
  changed?: Change[];
  /** Differences before the first one, while modules were loaded. */
  loading?: { count: number; place: string; what: string };
  /** Variables and lines that are left out: they differ between two runs of A too. */
  noise?: string[];
  /** Where they first go different ways, if that is later. */
  split?: Divergence;
  /** Of records with a hole: the moments before it, which is all that was compared. */
  compared?: number;
  /** The rest, by place and name (or `TIMES_RUN`), most telling first. */
  more: Further[];
}

/** @param again A second run of A: what differs between these two is no difference to B. */
export function compare(a: TraceRecord, b: TraceRecord, sources: Sources, again?: TraceRecord): Difference {
  const [whole, other] = [momentsOf(upToHole(a)), momentsOf(upToHole(b))];
  const noise = again === undefined ? SILENT : noiseIn(whole, momentsOf(upToHole(again)), sources);
  const files = filePairs(whole, other, sources);
  const pairs = paired(whole, other, files, noise, { a: isCut(a), b: isCut(b) });
  const hole = [a, b].some(({ dropped }) => dropped > 0);
  const { at, ...difference } = summed(pairs);
  const all = { a: whole, b: other };
  const blamed = difference.first === undefined ? undefined : blame(files, all, noise);
  const changed = blamed?.changed ?? changedIn(files, all, at === undefined ? undefined : pairs[at]);
  const left = [...noise.names].map((key) => key.split("\0").slice(1).join(" "));
  return {
    ...difference,
    ...blamed?.difference,
    ...(changed.length > 0 ? { changed } : {}),
    ...(noise.names.size + noise.places.size > 0 ? { noise: left } : {}),
    ...(hole ? { compared: Math.min(whole.length, other.length) } : {}),
  };
}

/** So many changed lines, and most of them have nothing to do with what differs in the end. */
const MANY_CHANGES = 8;

/** Where versions differ in many places: the call that first gives another result, and where the runs part in it. */
function blame(
  files: Files,
  all: { a: readonly Moment[]; b: readonly Moment[] },
  noise: Noise,
): { difference: Pick<Difference, "first" | "call" | "split">; changed: Change[] } | undefined {
  if (countChanges(versionsIn(files)) < MANY_CHANGES) return undefined;
  const numbers = numbersOf(files, noise);
  const shown = (moment: Moment, side: "a" | "b") => numbers.values(moment, side).shown;
  const inB = (path: string, line: number) => {
    const other = files.get(path);
    const to = other?.map.toB(line);
    return other === undefined || to === undefined ? undefined : `${other.path}:${to}`;
  };
  const changed = new Set(
    [...files].flatMap(([path, { pair }]) => (pair !== undefined && countChanges([pair]) > 0 ? [path] : [])),
  );
  const isSameFile = (path: string) => !changed.has(path);
  const found = culprit(all.a, all.b, { shown, inB, isSameFile });
  if (found === undefined) return undefined;
  const own = { a: found.a.moments, b: found.b.moments };
  const pairs = paired(own.a, own.b, files, noise);
  const { at, first, split } = summed(pairs);
  if (at === undefined || first === undefined) return undefined;
  return {
    difference: {
      first,
      call: { a: callOf(found.a), b: callOf(found.b) },
      ...(split === undefined ? {} : { split }),
    },
    changed: fewWithoutCode(changedBefore(files, all, own, pairs[at])),
  };
}

/** Of many lines without code most are prose. */
const fewWithoutCode = (changes: Change[]) =>
  changes.length > MOST_WITHOUT_CODE ? changes.filter(({ ran }) => ran) : changes;
const MOST_WITHOUT_CODE = 10;

function callOf({ function: name, site, given, end }: Activation): Call {
  return {
    function: name,
    site,
    given: [...given],
    ...(end === undefined ? {} : { how: end.kind, value: end.value }),
  };
}

const versionsIn = (files: Files) =>
  [...files.values()].flatMap((one) => (one.pair === undefined ? [] : [one.pair]));

const numbersOf = (files: Files, noise: Noise) =>
  new Numbers(rootsOf([...files].map(([path, { path: to }]) => [path, to])), noise);

interface Cut {
  a: boolean;
  b: boolean;
}

function paired(
  a: readonly Moment[],
  b: readonly Moment[],
  files: Files,
  noise: Noise,
  cut: Cut = { a: false, b: false },
): Pair<Token>[] {
  const numbers = numbersOf(files, noise);
  const ofA = a.map((moment) => {
    const token = tokenOf(moment, numbers, "a", placeInB(files, moment));
    return noise.places.has(placeKey(moment)) ? { ...token, alone: true } : token;
  });
  const noisy = new Set(
    ofA.filter(({ moment }) => noise.places.has(placeKey(moment))).map(({ place }) => place),
  );
  const ofB = b.map((moment) => {
    const token = tokenOf(moment, numbers, "b", ownPlace(moment), !reaches(files, moment));
    return noisy.has(token.place) ? { ...token, alone: true } : token;
  });
  return threadPairs(ofA, ofB).flatMap(([x, y]) => known(align(x, y, BY_NUMBERS), cut));
}

/** Without what comes after the end of a run that was cut: the other would seem to run longer. */
function known(pairs: readonly Pair<Token>[], cut: Cut): readonly Pair<Token>[] {
  const lastOf = (side: "a" | "b") =>
    cut[side] ? pairs.findLastIndex((pair) => pair[side] !== undefined) : Infinity;
  return pairs.slice(0, Math.min(lastOf("a"), lastOf("b")) + 1);
}

function noiseIn(a: readonly Moment[], again: readonly Moment[], sources: Sources): Noise {
  const same = { a: sources.a, b: sources.a };
  return noiseOf(paired(a, again, filePairs(a, again, same), SILENT), sameText);
}

/** Those that ran before a pair; if there are none, those that ran after it. */
function changedIn(
  files: Files,
  all: { a: readonly Moment[]; b: readonly Moment[] },
  pair: Pair<Token> | undefined,
): Change[] {
  const before = changedBefore(files, all, all, pair);
  if (before.length > 0 || pair === undefined) return before;
  return changesAfter(versionsIn(files), all, { a: pair.a?.moment, b: pair.b?.moment });
}

/** The changes that ran among these moments before a pair, which may be of any thread. */
function changedBefore(
  files: Files,
  all: { a: readonly Moment[]; b: readonly Moment[] },
  of: { a: readonly Moment[]; b: readonly Moment[] },
  pair: Pair<Token> | undefined,
): Change[] {
  const upTo = (moments: readonly Moment[], token: Token | undefined) =>
    token === undefined ? undefined : moments.findIndex(({ seq }) => seq >= token.moment.seq);
  const [a, b] = [upTo(of.a, pair?.a), upTo(of.b, pair?.b)];
  const before = pair === undefined ? of : { a: of.a.slice(0, a ?? b ?? 0), b: of.b.slice(0, b ?? a ?? 0) };
  return changesBefore(versionsIn(files), all, before);
}

const BY_NUMBERS: Comparison<Token> = {
  together: (x, y) => x.moment.kind === y.moment.kind && (x.place === y.place || x.anywhere || y.anywhere),
  equal: sameValues,
  alone: (one) => one.alone,
};

function placeInB(files: Files, moment: Moment): string | undefined {
  const { path, line } = moment;
  const other = files.get(path);
  if (other !== undefined && !isRun(moment)) return functionPlace(other.path, moment);
  const to = other?.map.toB(line);
  return other === undefined || to === undefined ? undefined : `${other.path}:${to}`;
}

/** The first line with code may be another one in each version: a call is its function's, and so is its end. */
const functionPlace = (path: string, { function: name }: Moment) => `${path} ${name}`;

const ownPlace = (moment: Moment) =>
  isRun(moment) ? `${moment.path}:${moment.line}` : functionPlace(moment.path, moment);

function tokenOf(
  moment: Moment,
  numbers: Numbers,
  side: "a" | "b",
  place: string | undefined,
  unreached = false,
): Token {
  const free = moment.key === undefined && moment.kind === "line";
  return {
    moment,
    place: moment.key === undefined ? (place === undefined ? -1 : numbers.of(place)) : numbers.of(moment.key),
    anywhere: moment.key === undefined && moment.line === 0,
    alone: free && (place === undefined || unreached),
    ...numbers.values(moment, side),
  };
}

function reaches(files: Files, { path, line }: Moment): boolean {
  for (const one of files.values()) if (one.path === path && one.map.reaches(line)) return true;
  return false;
}

/** The main thread first; a thread of one run goes with the thread that came at the same turn in the other. */
function threadPairs(a: readonly Token[], b: readonly Token[]): [Token[], Token[]][] {
  const [x, y] = [byThread(a), byThread(b)];
  return Array.from({ length: Math.max(x.length, y.length) }, (_, at) => [x[at] ?? [], y[at] ?? []]);
}

function byThread(tokens: readonly Token[]): Token[][] {
  const all = new Map<string, Token[]>();
  for (const one of tokens) {
    const list = all.get(one.moment.thread) ?? [];
    all.set(one.moment.thread, list);
    list.push(one);
  }
  return [...all.values()];
}

/** By the names both have: a variable that only one version has is no difference in itself. */
function sameValues(x: Token, y: Token): boolean {
  if (x.values === y.values) return true;
  if (x.names === y.names && !hasCutValue(x) && !hasCutValue(y)) return false;
  for (const [name, value] of x.shown) {
    const other = y.shown.get(name);
    if (other !== undefined && !sameText(other, value)) return false;
  }
  return true;
}

function hasCutValue({ shown }: Token): boolean {
  for (const value of shown.values()) if (isCutText(value)) return true;
  return false;
}

/** Differences while modules are loaded are only counted, unless there are no others. */
function summed(all: readonly Pair<Token>[]): Difference & { at?: number } {
  const found = parted(all, (moment) => moment.loading === true);
  return found.first === undefined && found.loading !== undefined ? parted(all, () => false) : found;
}

function parted(
  pairs: readonly Pair<Token>[],
  isFolded: (moment: Moment) => boolean,
): Difference & { at?: number } {
  const more = new Map<string, Further>();
  const runs = timesRun(pairs);
  let first: Divergence | undefined;
  let firstAt: number | undefined;
  let split: Divergence | undefined;
  let loading: Difference["loading"];
  let before = 0;
  let matching = 0;
  let partly = 0;
  for (const [at, pair] of pairs.entries()) {
    const { a, b } = pair;
    if (a && b && sameValues(a, b)) {
      matching++;
      if (first === undefined) before++;
      if (first === undefined && hasCutValue(a)) partly++;
      continue;
    }
    const only = a && b ? undefined : (a ?? b);
    if (only?.alone) continue;
    const moment = (a ?? b)?.moment;
    if (first === undefined && moment !== undefined && isFolded(moment)) {
      loading = { ...(loading ?? foldedAt(pair, moment)), count: (loading?.count ?? 0) + 1 };
      continue;
    }
    if (first === undefined) {
      first = divergence(pairs, at);
      firstAt = at;
      continue;
    }
    note(more, pair, runs);
    if (only && split === undefined && first.kind === "values") split = divergence(pairs, at);
  }
  return {
    before,
    matching,
    ...(partly === 0 ? {} : { partly }),
    ...(first === undefined ? {} : { first }),
    ...(firstAt === undefined ? {} : { at: firstAt }),
    ...(loading === undefined ? {} : { loading }),
    ...(split === undefined ? {} : { split }),
    more: [...more.values()].sort((x, y) => y.count - x.count),
  };
}

function foldedAt({ a, b }: Pair<Token>, { site }: Moment): { place: string; what: string } {
  const { differing } = valuesOf(a, b);
  return { place: `${site.path}:${site.line}`, what: differing.map(({ name }) => name).join(", ") };
}

function divergence(pairs: readonly Pair<Token>[], at: number): Divergence {
  const { a, b } = pairs[at] ?? {};
  // Each side's own next step: one of them may be further on.
  const nextA = a ?? pairs.slice(at).find((pair) => pair.a)?.a;
  const nextB = b ?? pairs.slice(at).find((pair) => pair.b)?.b;
  const same = nextA !== undefined && nextB !== undefined && BY_NUMBERS.together(nextA, nextB);
  const { differing, equal } = valuesOf(nextA, nextB);
  const sides = {
    ...(nextA === undefined ? {} : { a: sideOf(nextA.moment) }),
    ...(nextB === undefined ? {} : { b: sideOf(nextB.moment) }),
  };
  // Other values at the same place explain whatever comes after them.
  if (same && differing.length > 0) return { kind: "values", ...sides, differing, equal };
  const side = a ? "a" : "b";
  const others = pairs.slice(at).findIndex((pair) => pair[side === "a" ? "b" : "a"] !== undefined);
  const extra = { side, count: others < 0 ? pairs.length - at : others } as const;
  return { kind: "path", ...(same ? { extra } : {}), ...sides, differing: [], equal };
}

function valuesOf(a: Token | undefined, b: Token | undefined): Pick<Divergence, "differing" | "equal"> {
  const known = a ?? b;
  if (a === undefined || b === undefined)
    return { differing: [], equal: [...(known?.shown ?? [])].map(([name, value]) => ({ name, value })) };
  const both = [...a.shown].flatMap(([name, value]) => {
    const other = b.shown.get(name);
    return other === undefined ? [] : [{ name, a: value, b: other, same: sameText(value, other) }];
  });
  return {
    differing: both.filter((one) => !one.same).map(({ name, a: x, b: y }) => ({ name, a: x, b: y })),
    equal: both.filter((one) => one.same).map(({ name, a: value }) => ({ name, value })),
  };
}

function sideOf({ path, line, function: name, kind, ran, seq, site, values }: Moment): Side {
  return {
    path,
    line,
    function: name,
    kind,
    seq,
    site,
    ...(ran === undefined ? {} : { ran }),
    ...(kind === "call" ? { given: [...values] } : {}),
  };
}
