/**
 * Who may speak to the page's server. A key opens one browser once, within a minute. What it opens has two halves: a cookie, which the browser
 * sends to every port of this machine, and a secret, which only pages of this address can read. Neither counts without the other.
 */
import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { isToken } from "../../util/loopback.ts";
import type { Opener } from "./control.ts";

const KEY_MS = 60_000;
/** Keys that nobody has used yet: more are somebody's mistake, and the oldest go. A used one is forgotten: it is refused as one that never was. */
const MOST_KEYS = 100;
/** What links have opened: more go unused, and of those the one that was unused longest goes. */
const MOST_GRANTS = 100;
/** A laptop that slept over night still has its page. */
const GRANT_MS = 12 * 3_600_000;

export interface Grant {
  cookie: string;
  secret: string;
  readOnly: boolean;
  from: Opener;
}

interface Kept {
  grant: Grant;
  usedAt: number;
  /** Tabs that are open with it now. */
  tabs: number;
}

export class Keys {
  readonly #now: () => number;
  #keys: { key: string; readOnly: boolean; from: Opener; until: number }[] = [];
  #grants: Kept[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  issue(readOnly: boolean, from: Opener): string {
    const key = token();
    const now = this.#now();
    const live = this.#keys.filter(({ until }) => until >= now);
    const one = { key, readOnly, from: this.#known(from), until: now + KEY_MS };
    this.#keys = [...live, one].slice(-MOST_KEYS);
    return key;
  }

  /** `cookie`: the one that the browser has already, from another link. */
  redeem(key: string, cookie: string | undefined): Grant | undefined {
    const found = this.#keys.find((one) => isToken(key, one.key));
    if (found === undefined) return undefined;
    this.#keys = this.#keys.filter((one) => one !== found);
    if (found.until < this.#now()) return undefined;
    this.#expire();
    const known = this.#grants.find(({ grant }) => isToken(cookie ?? "", grant.cookie))?.grant;
    const { readOnly, from } = found;
    const grant = { cookie: known?.cookie ?? token(), secret: token(), readOnly, from };
    while (this.#grants.length >= MOST_GRANTS) this.#forget();
    this.#grants.push({ grant, usedAt: this.#now(), tabs: 0 });
    return grant;
  }

  /** How many browsers and tabs may speak to the server. */
  get size(): number {
    return this.#grants.length;
  }

  #expire(): void {
    const since = this.#now() - GRANT_MS;
    this.#grants = this.#grants.filter(({ tabs, usedAt }) => tabs > 0 || usedAt >= since);
  }

  /** Those with open tabs last. */
  #forget(): void {
    const [first] = this.#grants.toSorted(
      (a, b) => Math.sign(a.tabs) - Math.sign(b.tabs) || a.usedAt - b.usedAt,
    );
    this.#grants = this.#grants.filter((one) => one !== first);
  }

  /** A tab is open with it, until the returned function is called. */
  opened(grant: Grant): () => void {
    const kept = this.#grants.find((one) => one.grant === grant);
    if (kept === undefined) return () => {};
    kept.tabs += 1;
    return () => {
      kept.tabs -= 1;
      kept.usedAt = this.#now();
    };
  }

  /** An environment may be large, and most links are asked for from the same shell: it is kept once. */
  #known(from: Opener): Opener {
    const all = [...this.#keys, ...this.#grants.map(({ grant }) => grant)];
    const same = all.find((one) => isDeepStrictEqual(one.from, from));
    return same?.from ?? from;
  }

  check(cookie: string | undefined, secret: string | undefined): Grant | undefined {
    if (cookie === undefined || secret === undefined) return undefined;
    this.#expire();
    const found = this.#grants.find(
      ({ grant }) => isToken(cookie, grant.cookie) && isToken(secret, grant.secret),
    );
    if (found) found.usedAt = this.#now();
    return found?.grant;
  }
}

function token(): string {
  return randomBytes(32).toString("base64url");
}
