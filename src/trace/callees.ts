/** What a line leads to: the functions it calls, or that gave the names in it their values. By the text alone. */
import type { Language as Described, Statement as Told } from "../adapters/language.ts";
import { isSourceOf, LANGUAGES } from "../adapters/languages.ts";

/** One of which is known how it defines functions. */
export type Language = Pick<Described, "sources"> & Required<Pick<Described, "defined">>;

const KNOWN = LANGUAGES.filter((one): one is Described & Language => one.defined !== undefined);

export function languageOf(path: string): Language | undefined {
  return KNOWN.find((one) => isSourceOf(one, path));
}

/** Of any language there is, or of this one. */
export function isSource(path: string, language?: Pick<Language, "sources">): boolean {
  return (language === undefined ? LANGUAGES : [language]).some((one) => isSourceOf(one, path));
}

/** Nothing where it is not known how to tell them. */
export function statementsOf(path: string, lines: readonly string[]): Told[] | undefined {
  return LANGUAGES.find((one) => isSourceOf(one, path))?.statements?.(lines);
}

/** Before a bracket these are no functions. */
const WORDS = new Set(
  "if for while switch catch return assert not and or in is await yield new function def func class lambda with elif else except raise throw typeof delete case print super".split(
    " ",
  ),
);
const NAME = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
const CALL = new RegExp(`(${NAME})\\s*\\(`, "gu");
const LONE = new RegExp(`(?<![\\p{L}\\p{N}_$.])(${NAME})(?!\\s*[\\p{L}\\p{N}_$(:])`, "gu");
/** A statement of more lines, and a function of more, is not followed. */
const STATEMENT_LINES = 12;
const FUNCTION_LINES = 80;
/** `total = sum(parts)`, and `parts = split(text)` before it. */
const STEPS_BACK = 2;

/** A statement's calls. */
export interface Calling {
  /** Its first and its last line, from 1. */
  first: number;
  last: number;
  /** Called functions, the outermost first. */
  names: string[];
}

/** The statement of this line, counted from 1, then those that gave the names in it their values: the nearest first. */
export function callsFor(lines: readonly string[], line: number): Calling[] {
  const found: Calling[] = [];
  let from = [statementAt(lines, line - 1)];
  for (let step = 0; step <= STEPS_BACK && from.length > 0; step++) {
    found.push(...from.map(calling));
    from = from.flatMap(({ text, first }) =>
      [...new Set(matches(text, LONE))].flatMap((name) => assignment(lines, first, name) ?? []),
    );
  }
  return found;
}

/** Whether a name that this line's statement reads was given its value by a line above, in the same function. */
export function isMadeHere(lines: readonly string[], line: number): boolean {
  const { text, first } = statementAt(lines, line - 1);
  return matches(text, LONE).some((name) => assignment(lines, first, name) !== undefined);
}

/** Functions whose calls gave this line's statement its values, in it or on lines above that every way to it passes. */
export function surelyCalled(lines: readonly string[], line: number): string[] {
  const isPassed = ({ first }: Calling) => {
    const indent = indentOf(lines[first - 1]);
    return lines.slice(first, line).every((text) => text.trim() === "" || indentOf(text) >= indent);
  };
  return [
    ...new Set(
      callsFor(lines, line)
        .filter(isPassed)
        .flatMap(({ names }) => names),
    ),
  ];
}

/** Those of this line's statement alone. */
export function callsAt(lines: readonly string[], line: number): Calling {
  return calling(statementAt(lines, line - 1));
}

function calling({ text, first, last }: Statement): Calling {
  return { first: first + 1, last: last + 1, names: [...new Set(calls(text))] };
}

interface Statement {
  text: string;
  /** The indexes of its lines. */
  first: number;
  last: number;
}

/** With the lines before and after that its brackets need. */
export function statementAt(lines: readonly string[], at: number): Statement {
  let first = at;
  let text = code(lines[at]);
  while (first > 0 && at - first < STATEMENT_LINES && (open(text) < 0 || /^\s*[.)\]}]/.test(text)))
    text = `${code(lines[--first])}\n${text}`;
  let last = at;
  while (open(text) > 0 && last + 1 < lines.length && last + 1 - at < STATEMENT_LINES)
    text += `\n${code(lines[++last])}`;
  return { text, first, last };
}

/** Without strings and comments. */
function code(line = ""): string {
  return line
    .replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g, '""')
    .replace(/(#|\/\/).*$/, "");
}

function open(text: string): number {
  const round = text.match(/\(/g)?.length ?? 0;
  return round - (text.match(/\)/g)?.length ?? 0);
}

function calls(text: string): string[] {
  return matches(text, CALL).filter((name) => !WORDS.has(name));
}

function matches(text: string, form: RegExp): string[] {
  return [...text.matchAll(form)].map(([, name = ""]) => name);
}

/** The nearest line above, in the same function, that gives this name a value: what is on its right side. */
function assignment(lines: readonly string[], before: number, name: string): Statement | undefined {
  const target = new RegExp(`(?<![\\p{L}\\p{N}_$.])${name.replaceAll("$", "\\$")}(?![\\p{L}\\p{N}_$(])`, "u");
  for (let at = before - 1; at >= 0 && before - at < FUNCTION_LINES; at--) {
    const line = code(lines[at]);
    if (/^\s*(async )?(def|func|function|export) |=> \{\s*$/.test(line)) return undefined;
    const [, left = "", right] = /^(.*?)(?:(?<![=!<>]):?=(?![=>]))(.*)$/.exec(line) ?? [];
    if (right === undefined || !target.test(left)) continue;
    const { text, ...place } = statementAt(lines, at);
    return { text: text.slice(text.indexOf(right)), ...place };
  }
  return undefined;
}

function indentOf(line = ""): number {
  return line.search(/\S|$/);
}
