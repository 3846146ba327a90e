/** Texts that must not be in a report whatever stands around them: values of the environment, and secrets found by name elsewhere. */
import { findSecrets } from "../../util/secrets/mask.ts";
import { secretName } from "../../util/secrets/names.ts";
import { isShownName } from "../system/environment.ts";

/** A shorter one is a part of ordinary words. */
const SHORTEST = 6;
/** Of one that was found in a text, where less is certain. */
const SHORTEST_LEARNED = 8;
const LONGEST = 1024;
/** Each form of a value counts. Environments come first, so that no program's output takes their place. */
const MOST = 60_000;
/** Of forms that begin alike: whoever prints many of them does not decide how long a look takes. */
const MOST_ALIKE = 64;

export class KnownValues {
  readonly #kinds = new Map<string, string>();
  /** As they were given: most are met many times. */
  readonly #added = new Set<string>();
  /** By how they begin: the longest first, because one may begin with another. */
  readonly #byStart = new Map<string, string[]>();
  /** Which two characters they begin with, and which two come next: a look costs the same however many there are. */
  readonly #first = new Uint8Array(1 << 16);
  readonly #second = new Uint8Array(1 << 16);

  /** Values of names that are not shown, but for those that say nothing: folders, numbers, words. */
  addEnvironment(env: Readonly<Record<string, string | undefined>>): void {
    const shown = new Set(Object.keys(env).flatMap((name) => (isShownName(name) ? [env[name]] : [])));
    for (const [name, value = ""] of Object.entries(env)) {
      if (isShownName(name)) continue;
      const isSecret = secretName(name) !== undefined && !isOrdinary(value);
      const isOther = !isPublicName(name) && !shown.has(value) && !saysNothing(value);
      if (isSecret || looksRandom(value) || isOther) this.add(value, "environment");
      // Addresses with passwords, and keys among other words.
      this.learn(value);
    }
  }

  /** What is a secret here is one wherever else it stands. */
  learn(text: string): void {
    for (const { start, end, kind } of findSecrets(text)) this.addFound(text.slice(start, end), kind);
  }

  /** As it stands in a text: maybe with quotes and escapes around it. */
  addFound(found: string, kind: string): void {
    if (found.length < SHORTEST_LEARNED || this.#added.has(found)) return;
    const plain = unescaped(found);
    const inner = [...plain.matchAll(/(["'`])((?:(?!\1).)+)\1/g)].map(([, , text = ""]) => text);
    for (const value of [found, plain, ...inner])
      if (value.length >= SHORTEST_LEARNED && !isOrdinary(value)) this.add(value, kind);
  }

  add(value: string, kind: string): void {
    if (this.#added.has(value) || this.#kinds.size >= MOST) return;
    this.#added.add(value);
    for (const part of value.split(/[\r\n]+/).flatMap(pieces)) {
      if (part.length < SHORTEST) continue;
      for (const form of formsOf(part)) this.#put(form, kind);
    }
  }

  #put(form: string, kind: string): void {
    if (this.#kinds.has(form) || form.length < SHORTEST) return;
    const start = form.slice(0, SHORTEST);
    const same = this.#byStart.get(start) ?? [];
    if (same.length >= MOST_ALIKE) return;
    this.#kinds.set(form, kind);
    this.#byStart.set(
      start,
      [...same, form].sort((a, b) => b.length - a.length),
    );
    this.#first[pairAt(form, 0)] = 1;
    this.#second[pairAt(form, 2)] = 1;
  }

  /** Where they stand in `text`, of which each character is a byte. In order, apart from each other. */
  find(text: string): { start: number; end: number; kind: string }[] {
    const found: { start: number; end: number; kind: string }[] = [];
    if (this.#kinds.size === 0) return found;
    const first = this.#first;
    const last = text.length - SHORTEST;
    let pair = pairAt(text, 0);
    for (let at = 0; at <= last; at++) {
      const isStart = first[pair] === 1;
      pair = (pair >> 8) | (text.charCodeAt(at + 2) << 8);
      if (!isStart || this.#second[pairAt(text, at + 2)] === 0) continue;
      const value = this.#byStart.get(text.slice(at, at + SHORTEST))?.find((one) => text.startsWith(one, at));
      if (value === undefined) continue;
      found.push({ start: at, end: at + value.length, kind: this.#kinds.get(value) ?? "environment" });
      at += value.length - 1;
      pair = pairAt(text, at + 1);
    }
    return found;
  }
}

function pairAt(text: string, at: number): number {
  return text.charCodeAt(at) | (text.charCodeAt(at + 1) << 8);
}

function pieces(line: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < line.length; at += LONGEST) parts.push(line.slice(at, at + LONGEST));
  return parts;
}

/** As it is printed, as a string of JSON text (also one in another), in an address, in hexadecimal, and in base64. */
function formsOf(value: string): string[] {
  const quoted = (text: string) => JSON.stringify(text).slice(1, -1);
  const once = quoted(value);
  const bytes = Buffer.from(value);
  const inAddress = encodeURIComponent(bytes.toString()); // which has no half characters
  const hex = bytes.toString("hex");
  const forms = [value, once, quoted(once), inAddress, hex, hex.toUpperCase(), ...base64Forms(bytes)];
  return [...new Set(forms.map((form) => Buffer.from(form).toString("latin1")))];
}

/** Alone, and behind any other text: there the bytes begin in one of three places. Both alphabets. */
function base64Forms(bytes: Buffer): string[] {
  const behind = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    // Characters that hold bits of its neighbours are left out.
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const all = [bytes.toString("base64").replace(/=+$/, ""), ...behind];
  return [...all, ...all.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))];
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text; // it was no JSON text
  }
}

/** `true`, `undefined`, `/usr/bin/pass`, a mask: a switch, no value, the name of a tool. */
function isOrdinary(value: string): boolean {
  return (
    value.length < SHORTEST ||
    /^(?:null|none|undefined|enabled|disabled|required|optional|default)$/i.test(value) ||
    /^(?:\.{0,2}|~)\/[\w./@+-]*$/.test(value) ||
    /\[masked:[a-z-]+:\w{4}\]/.test(value)
  );
}

/** Who and where the user is, which is taken out by itself, and what npm says of a package. */
function isPublicName(name: string): boolean {
  return /^(?:USER|LOGNAME|USERNAME|HOST|HOSTNAME|HOME|PWD|OLDPWD|npm_(?:package|lifecycle)_\w+)$/.test(name);
}

/** A folder or a list of them, a number, a word, an address without a login: taken out everywhere, they would take the report with them. */
function saysNothing(value: string): boolean {
  return isOrdinary(value) || isNumber(value) || isWord(value) || isPathList(value) || isOpenAddress(value);
}

function isNumber(value: string): boolean {
  return /^v?[\d\s.,:+-]+$/.test(value);
}

/** In one case throughout, or with a capital, as words are written. */
function isWord(value: string): boolean {
  return value.length <= 20 && /^(?:[a-z]+|[A-Z]?[a-z]+|[A-Z]+)$/.test(value);
}

function isPathList(value: string): boolean {
  return value.split(":").every(isPath);
}

function isPath(value: string): boolean {
  if (!/^(?:(?:\.{0,2}|~)\/[^\s:]*|[A-Za-z._-]+(?:\/[A-Za-z._-]+)+)?$/.test(value)) return false;
  const names = value.split("/").filter((name) => name !== "");
  // A key in base64 may begin with a slash, or have some in it.
  return names.length > 3 || !names.some(looksRandom);
}

function isOpenAddress(value: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s@]+$/i.test(value)) return false;
  return !value.split(/[/?&=#]/).some(looksRandom);
}

/** Long, of one piece, and with letters and digits as nobody would choose them by hand. */
export function looksRandom(value: string): boolean {
  if (value.length < 20 || value.length > 4096 || !/^[\w+/=.~-]+$/.test(value)) return false;
  if (/^[./~]/.test(value) || value.split("/").length > 4) return false;
  const digits = value.match(/\d/g)?.length ?? 0;
  const letters = value.match(/[A-Za-z]/g)?.length ?? 0;
  return digits >= 3 && letters >= 3 && new Set(value).size >= 10;
}
