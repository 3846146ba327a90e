/**
 * Takes out of text what must not leave the machine: secrets by shape and by name, known values, and who and where the user is. One
 * redactor is for one report: a secret has the same number wherever it stands in it, so that two values can still be compared, and
 * nothing about it can be learned from the number.
 */
import { createHash } from "node:crypto";
import { findSecrets } from "../../util/secrets/mask.ts";
import { regExpText } from "../../util/text.ts";
import type { KnownValues } from "./known-values.ts";

export interface Identity {
  /** The home folder. */
  home: string;
  users: readonly string[];
  hosts: readonly string[];
}

export interface Span {
  start: number;
  end: number;
  kind: string;
  /** What stands there instead. */
  by(text: string): string;
  isSecret: boolean;
}

/** How often what was taken out, by kind. */
export type Removals = Record<string, number>;

/** They say nothing of a person, and stand in many words. */
const NOBODY = new Set([
  "root",
  "user",
  "admin",
  "node",
  "runner",
  "ubuntu",
  "debian",
  "vagrant",
  "nobody",
  "build",
  "app",
]);
const NOWHERE = new Set(["localhost", "localhost.localdomain", "debian", "ubuntu"]);
const MOST_NUMBERED = 0xffff;

export class Redactor {
  readonly #known: KnownValues;
  readonly #identity: readonly { pattern: RegExp; kind: string; by: string }[];
  readonly #numbers = new Map<string, number>();

  constructor(known: KnownValues, { home, users, hosts }: Identity) {
    this.#known = known;
    const folder = home.replace(/\/+$/, "");
    this.#identity = [
      ...(folder === "" ? [] : [{ pattern: wholeName([folder], "-"), kind: "home-folder", by: "~" }]),
      ...named(users, NOBODY, "user-name", "[user]"),
      ...named([...hosts, ...hosts.map((one) => one.split(".")[0] ?? "")], NOWHERE, "host-name", "[host]"),
    ];
  }

  /** `text`: each character is a byte, so that bytes that are no text stay as they are. In order, apart from each other. */
  spans(text: string): Span[] {
    const secrets: Span[] = findSecrets(text).map(({ start, end, kind, quote = "" }) =>
      this.#secret(start, end, kind, quote),
    );
    for (const { start, end, kind } of this.#known.find(text))
      secrets.push(this.#secret(start, end, kind, ""));
    const others = this.#identity.flatMap(({ pattern, kind, by }) =>
      [...text.matchAll(pattern)].map(
        ({ 0: found, index }): Span => ({
          start: index,
          end: index + found.length,
          kind,
          by: () => by,
          isSecret: false,
        }),
      ),
    );
    return apart([...secrets, ...others]);
  }

  #secret(start: number, end: number, kind: string, quote: string): Span {
    return { start, end, kind, isSecret: true, by: (secret) => quote + this.#mask(secret, kind) + quote };
  }

  #mask(secret: string, kind: string): string {
    const hash = createHash("sha256").update(secret, "latin1").digest("base64");
    let number = this.#numbers.get(hash);
    if (number === undefined) {
      number = Math.min(this.#numbers.size + 1, MOST_NUMBERED);
      if (number < MOST_NUMBERED) this.#numbers.set(hash, number);
    }
    return `[masked:${kind}:${number.toString(16).padStart(4, "0")}]`;
  }

  /** Short text, whole. */
  text(text: string): string {
    const bytes = Buffer.from(text).toString("latin1");
    return Buffer.from(replaced(bytes, this.spans(bytes), {}), "latin1").toString();
  }
}

export function replaced(text: string, spans: readonly Span[], removals: Removals): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, kind, by } of spans) {
    parts.push(text.slice(from, start), by(text.slice(start, end)));
    removals[kind] = (removals[kind] ?? 0) + 1;
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

/** Where two overlap, a secret counts before the rest, and covers both. */
function apart(spans: Span[]): Span[] {
  const sorted = spans.sort(
    (a, b) => a.start - b.start || Number(b.isSecret) - Number(a.isSecret) || b.end - a.end,
  );
  const kept: Span[] = [];
  for (const span of sorted) {
    const last = kept.at(-1);
    if (last === undefined || span.start >= last.end) kept.push(span);
    else if (span.isSecret || last.isSecret) {
      const main = last.isSecret ? last : span;
      kept[kept.length - 1] = { ...main, start: last.start, end: Math.max(last.end, span.end) };
    }
  }
  return kept;
}

function named(names: readonly string[], unsaid: ReadonlySet<string>, kind: string, by: string) {
  const all = [...new Set(names)].filter((name) => name.length >= 3 && !unsaid.has(name.toLowerCase()));
  return all.length === 0 ? [] : [{ pattern: wholeName(all), kind, by }];
}

/** Not as a part of a longer name. `more`: other characters that such a name may go on with. */
function wholeName(names: readonly string[], more = ""): RegExp {
  const all = names
    .map((name) => Buffer.from(name).toString("latin1"))
    .sort((a, b) => b.length - a.length)
    .map(regExpText);
  return new RegExp(
    `(?<![A-Za-z0-9_\\x80-\\xff])(?:${all.join("|")})(?![A-Za-z0-9_\\x80-\\xff${more}])`,
    "g",
  );
}
