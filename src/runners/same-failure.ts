/** Whether what a debugger stopped at is the failure that the runner reported: on the way to it others are thrown and caught. */
import type { Failure, Place } from "./runner.ts";

export interface Raised {
  type?: string | undefined;
  message: string;
  /** Outward from where it was raised. */
  places: Place[];
}

/**
 * `surely`: its words, or a line of it where one of them has no words. `perhaps`: a line of it with other words, as of what was caught there;
 * but an assertion on the very line is the one: runners put those into words of their own.
 */
export function likeness(failure: Failure, raised: Raised): "surely" | "perhaps" | "no" {
  const { message, places } = failure;
  const isTold = firstLine(message ?? "") !== "";
  if (places.length === 0 && !isTold) return "surely";
  if (sameWords(message ?? "", raised.message)) return "surely";
  const at = raised.places.findIndex((one) => places.some((two) => samePlace(two, one)));
  if (at < 0) return "no";
  if (!isTold || firstLine(raised.message) === "") return "surely";
  return at === 0 && isThatAssertion(failure, raised) ? "surely" : "perhaps";
}

function isThatAssertion({ type }: Failure, raised: Raised): boolean {
  const name = lastName(raised.type ?? "");
  return (
    name === "AssertionError" && (type === undefined || lastName(type.replace(/ \[\w+\]$/, "")) === name)
  );
}

/** A failure as a runner or a debugger tells it. */
export interface Telling {
  type?: string | undefined;
  message: string;
}

/**
 * Whether a failure that was seen again, in a recorder's words for it, is the one that was told: `ValueError: odd` for one is
 * `ValueError('odd')` for the other. Nothing: it is not known.
 */
export function isSameAgain(told: Telling, again: string): boolean | undefined {
  const two = takenApart(again);
  const one = withType(told, two.type);
  if (one.type !== undefined && two.type !== undefined && one.type !== two.type) return false;
  const [words, seen] = [plainWords(one.message), plainWords(two.message)];
  if (words === "" || seen === "") return undefined;
  if (FROM_SOURCE.test(words) && FROM_SOURCE.test(seen)) return undefined;
  if (isStart(words, seen) || isStart(seen, words)) return true;
  // How it was made need not be what it says; an assertion's text is.
  return two.isMade && !(two.isText && two.type === "AssertionError") ? undefined : false;
}

/** Node makes these words from the text of the assertion, which is another while it is recorded. */
const FROM_SOURCE = /^The expression evaluated to a falsy value\b|^\S{1,40} == true\b/;

interface Apart {
  type?: string;
  message: string;
  /** `OSError(2, 'gone')`: what it was made of. */
  isMade: boolean;
  /** …which is one text. */
  isText: boolean;
}

function takenApart(again: string): Apart {
  const [, maker, made = ""] = /^([\w.$]+)\((.*?)(?:,?\)|(?=…)|$)$/s.exec(again.trim()) ?? [];
  if (maker !== undefined) {
    const isText = /^(?:'(?:[^'\\]|\\.)*|"(?:[^"\\]|\\.)*)(?:['"]|….*)$/s.test(made);
    return { type: lastName(maker), message: made, isMade: true, isText };
  }
  const [, type, message = ""] = TYPED.exec(again) ?? [];
  if (type === undefined) return { message: again, isMade: false, isText: false };
  return { type: lastName(type), message, isMade: false, isText: false };
}

const TYPED = /^\s*([\w.$]+)(?: \[\w+\])?(?::\s+(.*)|\s*)$/s;

/** A message may begin with its type. */
function withType({ type, message }: Telling, seen: string | undefined): Telling {
  const known = type === undefined ? undefined : lastName(type.replace(/ \[\w+\]$/, ""));
  const [, first, rest = ""] = TYPED.exec(message) ?? [];
  if (first === undefined) return { type: known, message };
  const name = lastName(first);
  const isType = name === known || name === seen || /(?:Error|Exception)$/.test(name);
  return isType && (known ?? name) === name ? { type: name, message: rest } : { type: known, message };
}

function lastName(type: string): string {
  return type.replace(/^.*[.$](?=.)/, "");
}

/** Whether a text is the first lines of another, or all that is left of it: recorders cut long texts. */
function isStart(part: string, whole: string): boolean {
  const [start = ""] = part.split("…");
  if (start !== part) return start !== "" && whole.startsWith(start.trimEnd());
  // A recorder adds its fields: `Error: gone {code: 2}`.
  return whole === part || (whole.startsWith(part) && /^(?:\n| \{)/.test(whole.slice(part.length)));
}

/** Without quotes, colours, addresses, Node's numbers of promises and empty lines, which each writes in its own way. */
function plainWords(text: string): string {
  return (
    text
      .replace(/0x[\da-f]+/gi, "0x")
      .replace(/(?<=async_id_symbol\)\]: )\d+/g, "0")
      // A text within a text has its own escapes: `\\n`.
      .replace(/\\+/g, "\\")
      .replace(/\\n/g, "\n")
      .replace(/\\t|\\(?=["'])|["'`]/g, " ")
      .replace(/[^\S\n]+/g, " ")
      .replace(/ ?\n[ \n]*/g, "\n")
      .trim()
  );
}

/** Addresses differ from run to run. */
function firstLine(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line.replace(/0x[\da-f]+/gi, "0x").trim();
}

export function sameWords(told: string, raised: string): boolean {
  const [one, two] = [firstLine(told), firstLine(raised)];
  // A runner may say the type first.
  if (two !== "" && one.replace(/^[\w.$]+(?: \[\w+\])?: /, "") === two) return true;
  return one !== "" && two !== "" && (two.includes(one) || (two.length > 8 && one.includes(two)));
}

/** A runner's path may be relative to a folder of its own. */
function samePlace(told: Place, seen: Place): boolean {
  const file = told.file.replace(/^(\.\.?\/)+/, "");
  return told.line === seen.line && (seen.file === file || seen.file.endsWith(`/${file}`));
}
