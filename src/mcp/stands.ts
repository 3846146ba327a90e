/** From a command and its arguments back to the action that asks for it: what each of them is called here. */
import { isPlaceholder } from "../surface/words.ts";
import type { Name } from "./arguments.ts";

/** Arguments of an action as advice shows them: a value may be a placeholder such as `<seconds>`. */
export type Spoken = Partial<Record<Name, unknown>>;

export interface Stands {
  command: string;
  /** Undefined if the command is given something that the action cannot say. */
  as(args: Readonly<Record<string, unknown>>): Spoken | undefined;
}

type Said = Name | ((value: unknown) => Spoken | undefined);

/** By argument of the command; `always` comes with it. One that is not named cannot be said. */
export function stands(
  command: string,
  table: Readonly<Record<string, Said>> = {},
  always: Spoken = {},
): Stands {
  return {
    command,
    as: (args) => {
      const spoken: Spoken = { ...always };
      for (const [key, value] of Object.entries(args)) {
        if (value === undefined) continue;
        const how = table[key];
        const piece =
          typeof how === "function" ? how(value) : how === undefined ? undefined : { [how]: value };
        if (piece === undefined) return undefined;
        Object.assign(spoken, piece);
      }
      return spoken;
    },
  };
}

/** A list that may be said as one name. */
export function names(name: Name): (value: unknown) => Spoken | undefined {
  return (value) => ({ [name]: Array.isArray(value) && value.length === 1 ? value[0] : value });
}

/** `file:line`, as text or in angle brackets. */
export function place(value: unknown): Spoken | undefined {
  const text = String(value).replace(/^<file:line>/, "<file>:<line>");
  const [, file, line, column, condition] =
    /^(.+?):(\d+|<?line>?)(?::(\d+|<?column>?))?(?: if (.+))?$/s.exec(text) ?? [];
  if (file === undefined || line === undefined) return undefined;
  const number = (part: string, name: string) => (/^\d/.test(part) ? Number(part) : `<${name}>`);
  return {
    file: file === "file" ? "<file>" : file,
    line: number(line, "line"),
    ...(column === undefined ? {} : { column: number(column, "column") }),
    ...(condition === undefined ? {} : { condition }),
  };
}

/** Words as the one text that `command` is. */
export function commandText(value: unknown): Spoken | undefined {
  if (!Array.isArray(value)) return undefined;
  const quoted = (word: string) =>
    /^[\w@%+=:,./-]+$/.test(word) || isPlaceholder(word)
      ? word
      : `'${word.replaceAll("'", String.raw`'\''`)}'`;
  return { command: value.map((word) => quoted(String(word))).join(" ") };
}
