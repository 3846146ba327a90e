/** What a line leads to: the functions it calls, or that gave the names in it their values. By the text alone. */
import type { Language as Described } from "../adapters/language.ts";
import { isSourceOf, LANGUAGES } from "../adapters/languages.ts";

/** One of which is known how it defines functions. */
export type Language = Pick<Described, "sources"> & Required<Pick<Described, "defined">>;

const KNOWN = LANGUAGES.filter((one): one is Described & Language => one.defined !== undefined);

export function languageOf(path: string): Language | undefined {
  return KNOWN.find((one) => isSourceOf(one, path));
}

export function languageCalled(name: string): Language | undefined {
  return KNOWN.find((one) => one.name === name);
}

/** Of any language there is, or of this one. */
export function isSource(path: string, language?: Pick<Language, "sources">): boolean {
  return (language === undefined ? LANGUAGES : [language]).some((one) => isSourceOf(one, path));
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

/** Names of called functions, the nearest to the line first. */
export function calledFor(lines: readonly string[], line: number): string[] {
  return [...new Set(callsFor(lines, line).flatMap(({ names }) => names))];
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
function statementAt(lines: readonly string[], at: number): Statement {
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

/** What `handlers[type](event)`, `pick(kind)(event)`, `done?.(event)`, `$step($event)` and `step.call(event)` call, no name tells. */
const COMPUTED = /[\])]\(|\?\.\(|(?<![\w$])\$\w+\(|\.(?:call|apply|send|public_send)\b/;
const BARE = new RegExp(`(?<![\\p{L}\\p{N}_$.>:])(${NAME})\\s*\\(`, "gu");
const PARAMETER = new RegExp(`[({\\[,*&]\\s*(${NAME})(?=\\s*[,):=}\\]]|\\s+\\S)`, "gu");
const ASSIGNED = new RegExp(
  `(?:^[ \\t]*|\\bfor\\b[ \\t]*\\(?[ \\t]*)(?:(?:const|let|var|auto)[ \\t]+)?(${NAME})[ \\t]*(?::?=(?![=>])|(?:of|in)\\b)`,
  "gmu",
);
/** A definition's own lines, up to its body. */
const HEAD_LINES = 4;

/** Whether the function of this name, as `text` defines it, calls something through a table or a variable: names lead past it. */
export function callsUnnamed(name: string, text: string, language: Language): boolean {
  const lines = text.split("\n");
  const own = name.replace(/^.*\./, "");
  const begins = (at: number) =>
    (lines[at] ?? "").includes(own) &&
    language.defined(own, lines.slice(at, at + HEAD_LINES).join("\n")) !== undefined;
  let first = lines.findIndex((_, at) => begins(at));
  if (first < 0) return false;
  // A call just above the definition is no part of it.
  while (begins(first + 1)) first++;
  const { text: head, last } = statementAt(lines, first);
  const from = head.slice(head.indexOf(own));
  const end = parametersEnd(from);
  const body = [from.slice(end), ...bodyBelow(lines, first, last)].join("\n");
  const variables = new Set([...matches(from.slice(0, end), PARAMETER), ...matches(body, ASSIGNED)]);
  return (
    COMPUTED.test(body) ||
    matches(body, BARE).some((one) => variables.has(one) && language.defined(one, text) === undefined)
  );
}

/** Behind the first pair of brackets; of `name = value => …`, behind its arrow. */
function parametersEnd(head: string): number {
  const begin = head.indexOf("(");
  const arrow = head.indexOf("=>");
  if (arrow >= 0 && (begin < 0 || arrow < begin)) return arrow + 2;
  let end = begin + 1;
  while (end < head.length && open(head.slice(begin, end)) > 0) end++;
  return end;
}

/** What is indented more than the definition, as every formatter leaves it. */
function bodyBelow(lines: readonly string[], first: number, last: number): string[] {
  const depth = indentOf(lines[first]);
  const below = lines.slice(last + 1, last + 1 + FUNCTION_LINES).map(code);
  const end = below.findIndex((line) => line.trim() !== "" && line.trim() !== "{" && indentOf(line) <= depth);
  return end < 0 ? below : below.slice(0, end);
}

function indentOf(line = ""): number {
  return line.search(/\S|$/);
}
