/**
 * What to do next, as data: sentences with calls in them. Whoever shows it writes the calls in words of its own: a command line, a
 * tool call, a method, a button. `client` and `cli` import this file, so it loads nothing.
 */
import type { CommandArguments } from "./commands.generated.ts";

/** Stands for a value that the reader has to fill in: `<seconds>`. */
export class Blank {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
  toString(): string {
    return `<${this.name}>`;
  }
}

/** By this a call in an answer is told from data of others that has the same words: what a model sent, what a program holds. */
const OURS = Symbol("call");

/** A command with its arguments. */
export interface Call {
  do: "call";
  readonly [OURS]?: true;
  command: string;
  args: Readonly<Record<string, unknown>>;
  session?: string;
  /** What is to be done after it. */
  following?: Call;
}

/** Arguments alone: of `command`, or of the command that was asked. Without a value only the name is meant. */
export interface Option {
  do: "option";
  command?: string;
  args: Readonly<Record<string, unknown>>;
}

/** A line that only a shell can run. */
export interface ShellLine {
  do: "shell";
  line: string;
}

/** What a command is called. */
export interface Name {
  do: "name";
  command: string;
}

/** How a command is called, and what it takes. */
export interface Usage {
  do: "usage";
  command: string;
}

/** Where all of the answer is: `--json`. */
export interface Whole {
  do: "whole";
}

export type Doing = Call | Option | ShellLine | Name | Usage | Whole;

/** A sentence, in parts. */
export class Advice {
  readonly say: readonly (string | Doing)[];
  readonly #lasting: Told | undefined;
  constructor(say: readonly (string | Doing)[], lasting?: Told) {
    this.say = say;
    this.#lasting = lasting;
  }
  /** What of it holds where no session is left to ask. */
  get lasting(): Told {
    return this.#lasting ?? this;
  }
  /** For logs: nobody is known who reads it. */
  toString(): string {
    return said(this, PLAIN);
  }
  toJSON(): string {
    return String(this);
  }
}

/** Something we say to the caller. */
export type Told = string | Advice;

type Piece = Told | number | Doing | Blank;

/** advice`${call("pause")} stops it` */
export function advice(texts: TemplateStringsArray, ...pieces: readonly Piece[]): Advice {
  return composed(pieces, (all) =>
    texts.flatMap((text, index) => [text, ...(index < all.length ? partsOf(all[index] ?? "") : [])]),
  );
}

/** What holds without a session is made of what of its pieces does. */
function composed(
  pieces: readonly Piece[],
  say: (pieces: readonly Piece[]) => readonly (string | Doing)[],
): Advice {
  const lasting = pieces.map((one) => (one instanceof Advice ? one.lasting : one));
  const isSame = lasting.every((one, index) => one === pieces[index]);
  return new Advice(say(pieces), isSame ? undefined : new Advice(say(lasting)));
}

function partsOf(piece: Piece): readonly (string | Doing)[] {
  if (piece instanceof Advice) return piece.say;
  return [typeof piece === "object" && !(piece instanceof Blank) ? piece : String(piece)];
}

/** Several, one after the other. */
export function joined(all: readonly (Told | Doing)[], separator: string): Advice {
  return composed(all, (pieces) =>
    pieces.flatMap((one, index) => [...(index > 0 ? [separator] : []), ...partsOf(one)]),
  );
}

/** A sentence, and what to do about it in the session: `inSession("thread 2 stopped too", advice`; ${call("thread", { number: 2 })} …`)`. */
export function inSession(told: Told, then: Advice): Advice {
  return new Advice([...partsOf(told), ...then.say], told);
}

type Blankable<T> = T | Blank | (T extends readonly (infer One)[] ? readonly (One | Blank)[] : never);
type ArgumentsOf<Name extends keyof CommandArguments> = {
  readonly [Key in keyof CommandArguments[Name]]?: Blankable<CommandArguments[Name][Key]>;
};

export function call<Name extends keyof CommandArguments>(
  command: Name,
  args: ArgumentsOf<Name> = {},
  session?: string,
): Call {
  return { do: "call", [OURS]: true, command, args, ...(session === undefined ? {} : { session }) };
}

/** Options of the command that was asked: `option({ timeout: blank("seconds") })`. */
export function option(args: Readonly<Record<string, unknown>>): Option {
  return { do: "option", args };
}

export function optionOf<Name extends keyof CommandArguments>(
  command: Name,
  args: ArgumentsOf<Name>,
): Option {
  return { do: "option", command, args };
}

/** The name alone of an argument of the command that was asked. */
export function named(key: string): Option {
  return { do: "option", args: { [key]: undefined } };
}

export function shell(line: string): ShellLine {
  return { do: "shell", line };
}

export function blank(name: string): Blank {
  return new Blank(name);
}

export const WHOLE: Whole = { do: "whole" };

/** How one kind of caller is told what to do. */
export interface Words {
  /** A part of a sentence, in quotes where it needs them. */
  part(doing: Doing): string;
  /** A call that stands alone. */
  line(call: Call): string;
}

export function said(told: Told, words: Words): string {
  if (typeof told === "string") return told;
  return told.say.map((one) => (typeof one === "string" ? one : words.part(one))).join("");
}

/** The same in data: every advice in it as text. What holds none is not copied. */
export function saidWithin(data: unknown, words: Words): unknown {
  if (typeof data !== "object" || data === null) return data;
  if (data instanceof Advice) return said(data, words);
  if (isCall(data)) return words.line(data);
  if (Array.isArray(data)) {
    const all: unknown[] = data.map((one) => saidWithin(one, words));
    return all.some((one, index) => one !== data[index]) ? all : data;
  }
  let copy: Record<string, unknown> | undefined;
  for (const [key, value] of Object.entries(data)) {
    const text = saidWithin(value, words);
    if (text === value) continue;
    copy ??= { ...data };
    copy[key] = text;
  }
  return copy ?? data;
}

export function isCall(data: object): data is Call {
  return OURS in data;
}

/** Without knowledge of what commands take. */
const PLAIN: Words = {
  part: (doing) => {
    if (doing.do === "call") return `\`${PLAIN.line(doing)}\``;
    if (doing.do === "option") return optionsText(doing.args);
    if (doing.do === "shell") return `\`${doing.line}\``;
    return doing.do === "whole" ? "--json" : doing.command;
  },
  line: ({ command, args, following }) =>
    `${["sonde", command, optionsText(args)].filter(Boolean).join(" ")}${following ? `; ${PLAIN.line(following)}` : ""}`,
};

function optionsText(args: Readonly<Record<string, unknown>>): string {
  return Object.entries(args)
    .map(([key, value]) => (value === undefined ? `--${key}` : `--${key} ${String(value)}`))
    .join(" ");
}
