/** Texts that must not be in a report whatever stands around them: values of the environment, and secrets found by name elsewhere. */
import { findSecrets } from "../../util/secrets/mask.ts";
import { secretName } from "../../util/secrets/names.ts";
import { regExpText } from "../../util/text.ts";
import { isShownName } from "../system/environment.ts";

/** A shorter one is a part of ordinary words. */
const SHORTEST = 6;
const LONGEST = 1024;
const MOST = 2000;

export class KnownValues {
  readonly #kinds = new Map<string, string>();
  #pattern: RegExp | undefined;

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
    for (const { start, end, kind } of findSecrets(text)) {
      const value = text.slice(start, end);
      if (!isOrdinary(value)) this.add(value, kind);
    }
  }

  add(value: string, kind: string): void {
    for (const part of value.split(/[\r\n]+/).flatMap(pieces)) {
      if (part.length < SHORTEST) continue;
      for (const form of formsOf(part)) this.#put(form, kind);
    }
  }

  #put(form: string, kind: string): void {
    if (this.#kinds.size >= MOST || this.#kinds.has(form)) return;
    this.#kinds.set(form, kind);
    this.#pattern = undefined;
  }

  /** Where they stand in `text`, of which each character is a byte. */
  *find(text: string): Generator<{ start: number; end: number; kind: string }> {
    if (this.#kinds.size === 0) return;
    // The longest first: one may begin with another.
    const all = [...this.#kinds.keys()].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
    this.#pattern ??= new RegExp(all.map(regExpText).join("|"), "g");
    for (const { 0: value, index } of text.matchAll(this.#pattern))
      yield { start: index, end: index + value.length, kind: this.#kinds.get(value) ?? "environment" };
  }
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
  const forms = [value, once, quoted(once), encodeURIComponent(wellFormed(value))];
  const base64 = Buffer.from(value).toString("base64").replace(/=+$/, "");
  return [...new Set([...forms, base64].map((form) => Buffer.from(form).toString("latin1")))];
}

function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** `true`, `8080`, `/usr/bin/pass`, `ssh-agent`: the name of a tool or a switch, and no secret. */
function isOrdinary(value: string): boolean {
  return (
    value.length < SHORTEST ||
    /^(?:true|false|null|none|undefined|enabled|disabled|required|optional|default)$/i.test(value) ||
    /^(?:\.{0,2}|~)\/[\w./@+-]*$/.test(value)
  );
}

/** Long, of one piece, and with the letters and digits that nobody would choose by hand. */
export function looksRandom(value: string): boolean {
  if (value.length < 20 || value.length > 4096 || !/^[\w+/=.~-]+$/.test(value)) return false;
  if (/^[./~]/.test(value) || value.split("/").length > 4) return false;
  const digits = value.match(/\d/g)?.length ?? 0;
  const letters = value.match(/[A-Za-z]/g)?.length ?? 0;
  const different = new Set(value).size;
  return digits >= 3 && letters >= 3 && different >= 10;
}
