/**
 * Secrets that are known by how they look. Nothing in a pattern may be required after a part without a limit: a text that almost
 * matches at many places must not cost more than one that does not.
 */

interface Shape {
  kind: string;
  pattern: string;
  /** Decides about what was found, where a pattern cannot. */
  accept?(found: string): boolean;
}

/** Not in the middle of a word; a line break that is written as an escape is no part of one. */
const START = String.raw`(?:(?<![A-Za-z0-9_+/-])|(?<=\\[nrtbf]))`;
const WORD = "[A-Za-z0-9_-]";

const SHAPES: readonly Shape[] = [
  { kind: "anthropic-key", pattern: `sk-ant-${WORD}{8,}` },
  {
    kind: "api-key",
    pattern: `${START}sk-${WORD}{16,}`,
    accept: (found) => /\d/.test(found) && /[A-Za-z]{2}/.test(found.slice(3)),
  },
  { kind: "stripe-key", pattern: `(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9+/=]{10,}` },
  { kind: "github-token", pattern: `gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{20,}` },
  { kind: "gitlab-token", pattern: `gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-${WORD}{16,}` },
  { kind: "slack-token", pattern: `xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}` },
  { kind: "slack-webhook", pattern: `hooks\\.slack\\.com/services/[A-Za-z0-9/]{20,}` },
  { kind: "aws-key-id", pattern: `${START}A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}(?![A-Za-z0-9])` },
  { kind: "google-key", pattern: `${START}AIza${WORD}{35}` },
  { kind: "google-token", pattern: `ya29\\.${WORD}{20,}|GOCSPX-${WORD}{20,}|1//0${WORD}{30,}` },
  {
    kind: "jwt",
    pattern: `eyJ${WORD}{8,}(?:\\.${WORD}*){0,4}`,
    accept: (found) => /^[^.]+\.[^.]{8,}/.test(found),
  },
  {
    kind: "private-key",
    pattern: String.raw`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-"'\\]|\\{1,8}[nrt/]|-(?!-)){0,32768}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?`,
  },
  { kind: "npm-token", pattern: `npm_[A-Za-z0-9]{30,}` },
  { kind: "pypi-token", pattern: `pypi-AgE${WORD}{20,}` },
  { kind: "huggingface-token", pattern: `${START}hf_[A-Za-z0-9]{30,}` },
  {
    kind: "api-key",
    pattern: `${START}(?:gsk_|xai-|r8_|pplx-|lin_api_|ntn_|figd_|PMAK-|dop_v1_|doo_v1_|shp(?:at|ca|pa|ss)_|dckr_pat_|hv[sb]\\.|dapi|sbp_|rubygems_|AGE-SECRET-KEY-1|SG\\.)[A-Za-z0-9_.-]{24,}`,
    accept: (found) => /\d/.test(found),
  },
  { kind: "telegram-token", pattern: `(?<![0-9])[0-9]{8,10}:AA${WORD}{33}` },
  // A scheme before a credential, in a header or anywhere else.
  {
    kind: "bearer",
    pattern: `(?<=[Bb](?:earer|EARER) )[A-Za-z0-9._~+/=-]{12,}`,
    accept: (found) => /[0-9]/.test(found) || found.length >= 24,
  },
  {
    kind: "basic",
    pattern: `(?<=[Bb](?:asic|ASIC) )[A-Za-z0-9+/]{8,}={0,2}(?![A-Za-z0-9+/])`,
    accept: isUserAndPassword,
  },
  // The password of an address: user:password@host.
  {
    kind: "url-password",
    pattern: `(?<=://[^\\s/@:"'\\\\]{0,128}:)[^\\s/@:"'\\\\<>$\${}]{1,256}(?=@[A-Za-z0-9[])`,
  },
];

export const SHAPE_KINDS: readonly string[] = SHAPES.map(({ kind }) => kind);

/** One pass over the text for all of them; group n is shape n - 1. */
export const ANY_SHAPE: string = SHAPES.map(({ pattern }) => `(${pattern})`).join("|");

export function acceptsShape(index: number, found: string): boolean {
  return SHAPES[index]?.accept?.(found) ?? true;
}

function isUserAndPassword(found: string): boolean {
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(found, "base64").toString("latin1"));
}
