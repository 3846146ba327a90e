/**
 * Who may speak to the page's server. A key opens one browser once, within a minute. What it opens has two halves: a cookie, which the browser
 * sends to every port of this machine, and a secret, which only pages of this address can read. Neither counts without the other.
 */
import { randomBytes } from "node:crypto";
import { isToken } from "../../util/loopback.ts";

const KEY_MS = 60_000;
/** Keys that nobody has used yet, and tabs and browsers of one server: more are somebody's mistake, and the oldest go. */
const MOST_KEYS = 100;
const MOST_GRANTS = 1_000;

export interface Grant {
  cookie: string;
  secret: string;
  readOnly: boolean;
}

export class Keys {
  readonly #now: () => number;
  #keys: { key: string; readOnly: boolean; until: number }[] = [];
  #grants: Grant[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  issue(readOnly: boolean): string {
    const key = token();
    this.#keys = [...this.#keys, { key, readOnly, until: this.#now() + KEY_MS }].slice(-MOST_KEYS);
    return key;
  }

  /** `cookie`: the one that the browser has already, from another link. */
  redeem(key: string, cookie: string | undefined): Grant | undefined {
    const found = this.#keys.find((one) => isToken(key, one.key));
    if (found === undefined) return undefined;
    this.#keys = this.#keys.filter((one) => one !== found);
    if (found.until < this.#now()) return undefined;
    const known = this.#grants.find((one) => isToken(cookie ?? "", one.cookie));
    const grant = { cookie: known?.cookie ?? token(), secret: token(), readOnly: found.readOnly };
    this.#grants = [...this.#grants, grant].slice(-MOST_GRANTS);
    return grant;
  }

  check(cookie: string | undefined, secret: string | undefined): Grant | undefined {
    if (cookie === undefined || secret === undefined) return undefined;
    return this.#grants.find((one) => isToken(cookie, one.cookie) && isToken(secret, one.secret));
  }
}

function token(): string {
  return randomBytes(32).toString("base64url");
}
