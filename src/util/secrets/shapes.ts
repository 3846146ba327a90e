/** Secrets that are known by how they begin. */
import { type CharacterSet, characterSet, isWordStart, runEnd, WORD } from "./characters.ts";
import type { SecretSpan } from "./mask.ts";

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

/** By the rare character. */
const BY_ANCHOR: readonly (readonly Anchored[] | undefined)[] = (() => {
  const table: Anchored[][] = [];
  for (const shape of SHAPES) {
    // The last but one for `AKIA` and its like; any will do that is in the prefix.
    const anchor = [...shape.prefix].findIndex((char, at) => at > 0 && RARE[char.charCodeAt(0)] === 1);
    const code = shape.prefix.charCodeAt(anchor);
    table[code] ??= [];
    table[code].push({ ...shape, anchor });
  }
  return table;
})();

/** For each rare character, which characters stand before it in some prefix. */
const BEFORE: readonly (CharacterSet | undefined)[] = BY_ANCHOR.map((list) =>
  list === undefined ? undefined : characterSet(list.map((one) => one.prefix[one.anchor - 1]).join("")),
);

export const SHAPE_ANCHORS: readonly number[] = [...BY_ANCHOR.keys()].filter((code) => BY_ANCHOR[code]);

/** The secret around the rare character at `at`. */
export function shapeAt(text: string, at: number): SecretSpan | undefined {
  const code = text.charCodeAt(at);
  if (BEFORE[code]?.[text.charCodeAt(at - 1)] !== 1) return undefined;
  for (const { kind, prefix, set, least, apart, accept, anchor } of BY_ANCHOR[code] ?? []) {
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
