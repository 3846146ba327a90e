/** Texts that must not be in a report whatever stands around them: values of the environment, and secrets found by name elsewhere. */
import { findSecrets } from "../../util/secrets/mask.ts";
import { secretName } from "../../util/secrets/names.ts";
import { isShownName } from "../system/environment.ts";

/** A shorter one is a part of ordinary words. */
const SHORTEST = 6;
/** Of one that was found in a text, where less is certain. */
const SHORTEST_LEARNED = 8;
const LONGEST = 1024;
const MOST = 5000;

export class KnownValues {
  readonly #kinds = new Map<string, string>();
  /** By how they begin: the longest first, because one may begin with another. */
  readonly #byStart = new Map<string, string[]>();
  /** Which two characters they begin with, and which two come next: a look costs the same however many there are. */
  readonly #first = new Uint8Array(1 << 16);
  readonly #second = new Uint8Array(1 << 16);

  /** Values of names that are not shown, if the name says that it is a secret, or the value looks like one. */
  addEnvironment(env: Readonly<Record<string, string | undefined>>): void {
    for (const [name, value = ""] of Object.entries(env)) {
      if (isShownName(name)) continue;
      const isSecret = secretName(name) !== undefined && !isOrdinary(value);
      if (isSecret || looksRandom(value)) this.add(value, "environment");
      // Addresses with passwords, and keys among other words.
      else this.learn(value);
    }
  }

  /** What is a secret here is one wherever else it stands. */
  learn(text: string): void {
    for (const { start, end, kind } of findSecrets(text)) this.addFound(text.slice(start, end), kind);
  }

  /** As it stands in a text: maybe with quotes and escapes around it. */
  addFound(found: string, kind: string): void {
    const plain = unescaped(found);
    const inner = [...plain.matchAll(/(["'`])((?:(?!\1).)+)\1/g)].map(([, , text = ""]) => text);
    for (const value of [found, plain, ...inner])
      if (value.length >= SHORTEST_LEARNED && !isOrdinary(value)) this.add(value, kind);
  }

  add(value: string, kind: string): void {
    for (const part of value.split(/[\r\n]+/).flatMap(pieces)) {
      if (part.length < SHORTEST) continue;
      for (const form of formsOf(part)) this.#put(form, kind);
    }
  }

  #put(form: string, kind: string): void {
    if (this.#kinds.size >= MOST || this.#kinds.has(form) || form.length < SHORTEST) return;
    this.#kinds.set(form, kind);
    const start = form.slice(0, SHORTEST);
    const same = [...(this.#byStart.get(start) ?? []), form].sort((a, b) => b.length - a.length);
    this.#byStart.set(start, same);
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

/** As it is printed, as a string of JSON text (also one in another), in an address, and in base64. */
function formsOf(value: string): string[] {
  const quoted = (text: string) => JSON.stringify(text).slice(1, -1);
  const once = quoted(value);
  const inAddress = encodeURIComponent(Buffer.from(value).toString()); // which has no half characters
  const base64 = Buffer.from(value).toString("base64").replace(/=+$/, "");
  const forms = [value, once, quoted(once), inAddress, base64];
  return [...new Set(forms.map((form) => Buffer.from(form).toString("latin1")))];
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

/** Long, of one piece, and with letters and digits as nobody would choose them by hand. */
export function looksRandom(value: string): boolean {
  if (value.length < 20 || value.length > 4096 || !/^[\w+/=.~-]+$/.test(value)) return false;
  if (/^[./~]/.test(value) || value.split("/").length > 4) return false;
  const digits = value.match(/\d/g)?.length ?? 0;
  const letters = value.match(/[A-Za-z]/g)?.length ?? 0;
  return digits >= 3 && letters >= 3 && new Set(value).size >= 10;
}
