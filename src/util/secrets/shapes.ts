/** Secrets that are known by how they begin. */
import { CharacterPairs, type CharacterSet, characterSet, isWordStart, runEnd, WORD } from "./characters.ts";
import type { SecretSpan } from "./span.ts";

interface Shape {
  kind: string;
  /** How it begins. */
  prefix: string;
  /** Which characters follow, and how many at least. */
  set: CharacterSet;
  least: number;
  /** Only at the beginning of a word: what it begins with may be a part of one. */
  apart?: boolean;
  /** Decides by what follows, where the characters alone do not. */
  accept?(rest: string): boolean;
}

const ALPHANUMERIC = characterSet("A-Za-z0-9");
const DOTTED = characterSet("A-Za-z0-9_.-");
const AWS_ID = characterSet("A-Z2-7");
const PATH = characterSet("A-Za-z0-9/");

const hasDigit = (rest: string) => /\d/.test(rest);

function shapes(kind: string, prefixes: string, shape: Omit<Shape, "kind" | "prefix">): Shape[] {
  return prefixes.split(" ").map((prefix) => ({ kind, prefix, ...shape }));
}

const SHAPES: readonly Shape[] = [
  ...shapes("anthropic-key", "sk-ant-", { set: WORD, least: 8 }),
  ...shapes("api-key", "sk-", { set: WORD, least: 16, apart: true, accept: hasDigit }),
  ...shapes("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ whsec_", { set: ALPHANUMERIC, least: 10 }),
  ...shapes("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", { set: ALPHANUMERIC, least: 16 }),
  ...shapes("github-token", "github_pat_", { set: WORD, least: 20 }),
  ...shapes("gitlab-token", "glpat- gldt- glrt- glptt- glft- glsoat- glcbt- glagent-", {
    set: WORD,
    least: 16,
  }),
  ...shapes("slack-token", "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-", { set: WORD, least: 10 }),
  ...shapes("slack-webhook", "hooks.slack.com/services/", { set: PATH, least: 20 }),
  ...shapes("aws-key-id", "AKIA ASIA ABIA ACCA", { set: AWS_ID, least: 16, apart: true }),
  ...shapes("google-key", "AIza", { set: WORD, least: 35, apart: true }),
  ...shapes("google-token", "ya29. GOCSPX-", { set: WORD, least: 20 }),
  ...shapes("jwt", "eyJ", {
    set: DOTTED,
    least: 20,
    apart: true,
    accept: (rest) => /^[\w-]{8,}\.[\w-]{8,}/.test(rest),
  }),
  ...shapes("npm-token", "npm_", { set: ALPHANUMERIC, least: 30 }),
  ...shapes("pypi-token", "pypi-", { set: WORD, least: 30, apart: true, accept: hasDigit }),
  ...shapes("huggingface-token", "hf_", { set: ALPHANUMERIC, least: 30, apart: true }),
  ...shapes(
    "api-key",
    "gsk_ xai- r8_ pplx- lin_api_ ntn_ figd_ PMAK- dop_v1_ doo_v1_ shpat_ shpca_ shppa_ shpss_ dckr_pat_ hvs. hvb. sbp_ rubygems_ AGE-SECRET-KEY- SG.",
    { set: DOTTED, least: 24, apart: true, accept: hasDigit },
  ),
];

/** Of a prefix, the character that is looked for: a rare one, so that ordinary text is passed over quickly. */
const RARE = characterSet("-_.KSBCzJ");
/** As much of what follows as decides. */
const LOOKED_AT = 1024;

interface Anchored extends Shape {
  /** Where in the prefix the rare character stands. */
  anchor: number;
}

function anchored(shape: Shape): Anchored {
  const anchor = [...shape.prefix].findIndex((char, at) => at > 0 && RARE[char.charCodeAt(0)] === 1);
  return { ...shape, anchor };
}

/** The rare character with the one before it. */
function pairOf({ prefix, anchor }: Anchored): string {
  return prefix.slice(anchor - 1, anchor + 1);
}

const ANCHORED = SHAPES.map(anchored);
const PAIRS = new CharacterPairs(ANCHORED.map(pairOf).join(" "));
/** Made in one pass: each with each is enough work for V8 to optimise it, for megabytes that an idle daemon would keep. */
const BY_PAIR = new Map<string, Anchored[]>();
for (const shape of ANCHORED) {
  const pair = pairOf(shape);
  const same = BY_PAIR.get(pair);
  if (same) same.push(shape);
  else BY_PAIR.set(pair, [shape]);
}

export const SHAPE_ANCHORS: string = [...new Set(ANCHORED.map((shape) => pairOf(shape).slice(1)))].join("");

/** The secret around the rare character at `at`. */
export function shapeAt(text: string, at: number): SecretSpan | undefined {
  if (at === 0 || !PAIRS.has(text.charCodeAt(at - 1), text.charCodeAt(at))) return undefined;
  for (const { kind, prefix, set, least, apart, accept, anchor } of BY_PAIR.get(text.slice(at - 1, at + 1)) ??
    []) {
    const start = at - anchor;
    if (start < 0 || !text.startsWith(prefix, start)) continue;
    const from = start + prefix.length;
    if (apart && !isWordStart(text, start)) continue;
    if (runEnd(text, from, set, from + least) < from + least) continue;
    if (accept !== undefined && !accept(text.slice(from, runEnd(text, from, set, from + LOOKED_AT))))
      continue;
    return { start, end: runEnd(text, from, set), kind };
  }
  return undefined;
}
