/**
 * Advice for the page: it stays data, so that a call in it can be a button. Each call also has the line that one would type for the same.
 */
import { Advice, Blank, type Call, type Doing, isCall, type Told, type Words } from "./advice.ts";

/** A call, as data. Values that the reader has to fill in are named in `blanks` and are not in `args`. */
export interface CallPart {
  do: "call";
  command: string;
  args: Record<string, unknown>;
  session?: string;
  line: string;
  blanks?: string[];
  following?: CallPart;
}

/** Anything else that stands in a sentence, as text. */
export interface TextPart {
  do: "text";
  text: string;
}

export type PagePart = string | CallPart | TextPart;

/** A sentence, in parts. */
export type PageTold = string | { say: PagePart[] };

export function toldToPage(told: Told, words: Words): PageTold {
  return typeof told === "string" ? told : { say: told.say.map((one) => partOf(one, words)) };
}

function partOf(one: string | Doing, words: Words): PagePart {
  if (typeof one === "string") return one;
  return one.do === "call" ? callPart(one, words) : { do: "text", text: words.part(one) };
}

function callPart(call: Call, words: Words): CallPart {
  const blanks = Object.keys(call.args).filter((key) => hasBlank(call.args[key]));
  const args = Object.entries(call.args).filter(([key]) => !blanks.includes(key));
  return {
    do: "call",
    command: call.command,
    args: Object.fromEntries(args),
    ...(call.session === undefined ? {} : { session: call.session }),
    line: words.line(call),
    ...(blanks.length === 0 ? {} : { blanks }),
    ...(call.following === undefined ? {} : { following: callPart(call.following, words) }),
  };
}

function hasBlank(value: unknown): boolean {
  return value instanceof Blank || (Array.isArray(value) && value.some(hasBlank));
}

/** The same in data: every advice and every call in it. What holds none is not copied. */
export function pageWithin(data: unknown, words: Words): unknown {
  if (typeof data !== "object" || data === null) return data;
  if (data instanceof Advice) return toldToPage(data, words);
  if (isCall(data)) return callPart(data, words);
  if (Array.isArray(data)) {
    const all: unknown[] = data.map((one) => pageWithin(one, words));
    return all.some((one, index) => one !== data[index]) ? all : data;
  }
  let copy: Record<string, unknown> | undefined;
  for (const [key, value] of Object.entries(data)) {
    const shown = pageWithin(value, words);
    if (shown === value) continue;
    copy ??= { ...data };
    copy[key] = shown;
  }
  return copy ?? data;
}
