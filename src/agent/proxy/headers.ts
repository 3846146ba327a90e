/** Headers on their way through: as they were written and in their order, but for those that belong to one connection. */

const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** By it a client that cannot keep a secret in its base URL shows that it is ours. */
export const TOKEN_HEADER = "x-sonde-token";

/** The number of a call, for an upstream of ours; no other gets to see it. */
export const CALL_HEADER = "x-sonde-call";

type Raw = readonly string[];

export interface RequestChange {
  host: string;
  /** Of the body that is sent. */
  length?: number;
  /** The answer is asked for as it is, not compressed. */
  identity?: boolean;
  /** The body is not compressed, whatever the client's was. */
  plain?: boolean;
}

/** Name and value in turn, as Node gives and takes them. */
export function requestHeaders(raw: Raw, { host, length, identity, plain }: RequestChange): string[] {
  const replaced: Record<string, string | undefined> = {
    host,
    [TOKEN_HEADER]: undefined,
    expect: undefined,
    ...(plain ? { "content-encoding": undefined } : {}),
    ...(length === undefined ? {} : { "content-length": String(length) }),
    ...(identity ? { "accept-encoding": "identity" } : {}),
  };
  const given = kept(raw, replaced);
  for (const [name, value] of Object.entries(replaced))
    if (value !== undefined && !has(given, name)) given.push(name, value);
  return given;
}

/** `length`: of a body that is not the one the header spoke of; null if it is not known. `plain`: it was unpacked. */
export function responseHeaders(raw: Raw, length?: number | null, plain = false): string[] {
  return kept(raw, {
    ...(length === undefined ? {} : { "content-length": length === null ? undefined : String(length) }),
    ...(plain ? { "content-encoding": undefined } : {}),
  });
}

/** Undefined drops a header. */
function kept(raw: Raw, replaced: Readonly<Record<string, string | undefined>>): string[] {
  const named = namedByConnection(raw);
  const result: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? "";
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || named.has(lower)) continue;
    const value = lower in replaced ? replaced[lower] : raw[at + 1];
    if (value !== undefined) result.push(name, value);
  }
  return result;
}

function has(raw: Raw, name: string): boolean {
  return raw.some((one, at) => at % 2 === 0 && one.toLowerCase() === name);
}

function namedByConnection(raw: Raw): Set<string> {
  const named = new Set<string>();
  for (let at = 0; at + 1 < raw.length; at += 2)
    if (raw[at]?.toLowerCase() === "connection")
      for (const name of (raw[at + 1] ?? "").split(",")) named.add(name.trim().toLowerCase());
  return named;
}
