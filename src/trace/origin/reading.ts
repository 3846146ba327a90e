/** What a statement reads and writes, by its text: asked only of lines that are known to have run. Pure. */
import { statementAt } from "../callees.ts";

export interface Statement {
  /** Its first and its last line, from 1. */
  first: number;
  last: number;
  /** Names that stand alone, in order. */
  names: string[];
  /** Fields and keys that it reads: of `self.total` and `order["total"]`, `total`. */
  fields: string[];
  /** What it calls by a name that stands alone, which may be a variable. */
  called: string[];
  text: string;
}

const NAME = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
/** Not a field; what follows `...` is a name. */
const LONE = new RegExp(`(?<![\\p{L}\\p{N}_$])(?<!(?<!\\.)\\.)(${NAME})(?!\\s*\\()`, "gu");
const CALLED = new RegExp(`(?<![\\p{L}\\p{N}_$])(?<!(?<!\\.)\\.)(${NAME})(?=\\s*\\()`, "gu");
const FIELD = new RegExp(`(?:\\.|->)#?(${NAME})(?!\\s*\\(|[\\p{L}\\p{N}_$])`, "gu");
/** After what has keys; otherwise it is a list of one text. */
const KEY = /(?<=[\p{L}\p{N}_$)\]]|\?\.)\[\s*["']([^"']+)["']\s*\]/gu;

export function statementOf(lines: readonly string[], line: number): Statement {
  const { text, first, last } = statementAt(lines, line - 1);
  const whole = lines.slice(first, last + 1).join("\n");
  const read = `${text}\n${filledIn(whole)}`;
  return {
    first: first + 1,
    last: last + 1,
    names: found(read, LONE),
    fields: [...found(read, FIELD), ...found(whole, KEY)],
    called: found(read, CALLED),
    text: whole,
  };
}

/** What stands in the gaps of strings: of `f"{name}: {total}"` name and total. */
function filledIn(text: string): string {
  const strings = text.matchAll(/\b[fF]["'](?:[^"'\\]|\\.)*["']|`(?:[^`\\]|\\.)*`/g);
  const gaps = [...strings].flatMap(([one]) => [...one.matchAll(/\{([^{}]*)\}/g)]);
  return gaps.map(([, gap = ""]) => `(${gap.replace(/"[^"]*"|'[^']*'|[:!][^:!\])]*$/g, "")})`).join("\n");
}

/** What of a statement gives one part of a value: of `return { before, ink: free("ink") }` for `ink`, `free("ink")`. */
export interface Wanted {
  key: string;
  /** Its place among several, as in `one, two = both()`. */
  at: number;
}

/** The part alone, where the statement makes a value of several; otherwise all of it. */
export function partOf(statement: Statement, { key, at }: Wanted): Statement {
  const [, made = ""] = /^\s*return\b\s*(.*?);?\s*$/s.exec(statement.text) ?? [];
  const isObject = /^\(?\{.*\}\)?$/s.test(made);
  const parts = partsOf(isObject ? made.replace(/^\(?\{|\}\)?$/g, "") : made);
  if (parts.length < 2) return statement;
  const own = escaped(key);
  const named = isObject
    ? parts.find((part) => new RegExp(String.raw`^(?:${own}$|["']?${own}["']?\s*:)`).test(part))
    : parts[at];
  const other = isObject ? parts.filter((part) => part.startsWith("...")).join(", ") : undefined;
  const text = named?.replace(new RegExp(String.raw`^["']?(?:[\w$]+|${own})["']?\s*:(?!:)`), "") ?? other;
  if (text === undefined || text === "") return statement;
  return {
    ...statement,
    text,
    names: found(text, LONE),
    fields: [...found(text, FIELD), ...found(text, KEY)],
    called: found(text, CALLED),
  };
}

/** Which part of what its calls return this statement gives to a name: `{ one, two } =`, `one, two =`. */
export function wantedBy(name: string, { text }: Statement): Wanted | undefined {
  const [, left = ""] = /^(.*?)(?<![=!<>])=(?![=>])/s.exec(text) ?? [];
  const bare = left.replace(/^\s*(?:const|let|var)\s/, "").trim();
  const parts = partsOf(bare.replace(/^[{[(]|[}\])]$/g, ""));
  const at = parts.findIndex((part) => new RegExp(String.raw`(?:^|[:\s*.])${escaped(name)}$`).test(part));
  if (at < 0 || (parts.length < 2 && !/^[{[(]/.test(bare))) return undefined;
  return { key: /^["']?([\w$]+)["']?\s*:/.exec(parts[at] ?? "")?.[1] ?? name, at };
}

/** At the commas that are in no bracket and no string. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (const match of text.matchAll(
    /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[([{]|[)\]}]|,/gs,
  )) {
    if (/^[([{]$/.test(match[0])) depth++;
    else if (/^[)\]}]$/.test(match[0])) depth--;
    else if (match[0] === "," && depth === 0) {
      parts.push(text.slice(from, match.index));
      from = match.index + 1;
    }
  }
  return [...parts, text.slice(from)].map((part) => part.trim()).filter((part) => part !== "");
}

function found(text: string, form: RegExp): string[] {
  return [...new Set([...text.matchAll(form)].map(([, name = ""]) => name))];
}

/** Methods of collections that change what they are called on. */
const CHANGING =
  "append|appendleft|extend|insert|push|pushBack|push_back|push_front|unshift|shift|pop|popleft|pop_back|add|remove|delete|discard|clear|update|setdefault|set|sort|reverse|splice|fill|emplace|emplace_back|insert_or_assign";

/** Whether this line gives a field or key of this name a value, or changes what is in it. */
export function writes(name: string, text: string): boolean {
  const own = escaped(name);
  const changed = String.raw`(?:\s*\[[^\]]*\])*\s*(?:=(?![=>])|(?:[-+*/%&|^]|\*\*|\/\/|<<|>>|\?\?|\|\||&&)=|\+\+|--|\.(?:${CHANGING})\()`;
  const field = new RegExp(String.raw`(?:\.|->)#?${own}(?![\w$])${changed}`);
  const key = new RegExp(String.raw`\[\s*["']${own}["']\s*\]${changed}|["']${own}["']\s*:`);
  const literal = new RegExp(String.raw`[{,(]\s*${own}\s*(?::(?!:)|=(?!=))`);
  const before = new RegExp(String.raw`(?:\+\+|--)[\w$.>-]*(?:\.|->)${own}(?![\w$])`);
  const deleted = new RegExp(String.raw`\b(?:del|delete)\s+[\w$.]*\.${own}(?![\w$])`);
  return [field, key, literal, before, deleted].some((form) => form.test(text));
}

/** Whether this line gives a name a value that has nothing of what it had before. */
export function assigns(name: string, text: string): boolean {
  const [, left = "", right = ""] = /^(.*?)(?<![-+*/%&|^=!<>?])=(?![=>])(.*)$/s.exec(text) ?? [];
  if (new RegExp(String.raw`(?<![\w$.])${escaped(name)}(?![\w$])`).test(right)) return false;
  return new RegExp(String.raw`(?<![\w$.])${escaped(name)}(?=\s*(?:$|[:,)\]}]))`).test(left.trimEnd());
}

/** Whether a statement is there to give this name a value, and does not read it: `got = …`, `got, ok := …`. */
export function isOnlySet(name: string, text: string): boolean {
  const word = String.raw`[\w$]+\s*,\s*`;
  const left = new RegExp(
    String.raw`^\s*(?:(?:const|let|var|auto)\s+)?(?:${word})*${escaped(name)}\s*(?:,\s*[\w$]+\s*)*:?=(?![=>])`,
  );
  return left.test(text) && assigns(name, text);
}

/** Whether this line gives a field or an element of what a name stands for a value: `order.total = …`, `counts[key] += …`. */
export function assignsPart(name: string, text: string): boolean {
  const part = String.raw`(?:\s*\[[^\]]*\]|\.#?[\w$]+)+`;
  const given = String.raw`\s*(?:=(?![=>])|(?:[-+*/%&|^]|\*\*|\/\/|<<|>>|\?\?|\|\||&&)=)`;
  return new RegExp(String.raw`(?<![\w$.])${escaped(name)}${part}${given}`).test(text);
}

/** Whether this line changes what a name that stands alone stands for, in whole or in part. */
export function changesName(name: string, text: string): boolean {
  if (writesName(name, text)) return true;
  const own = escaped(name);
  const part = String.raw`(?:\s*\[[^\]]*\]|\.[\w$]+)`;
  const changed = String.raw`\s*(?:=(?![=>])|(?:[-+*/%&|^]|\*\*|\/\/|<<|>>|\?\?|\|\||&&)=|\+\+|--|\.(?:${CHANGING})\()`;
  const deleted = String.raw`\b(?:del|delete)\s+${own}(?![\w$])`;
  return new RegExp(String.raw`(?<![\w$.])${own}${part}*?${changed}|${deleted}`).test(text);
}

/** Whether this line changes what a pointer leads to: `*to = x`, `to[i] = x`, `to->size++`. */
export function writesThrough(name: string, text: string): boolean {
  const own = escaped(name);
  const part = String.raw`(?:\s*\[[^\]]*\]|(?:\.|->)[\w$]+)`;
  const changed = String.raw`\s*(?:=(?![=>])|(?:[-+*/%&|^]|<<|>>)=|\+\+|--)`;
  const star = String.raw`(?:^|[;{}(]|\belse|\))\s*(?:\*\s*${own}|\(\s*\*\s*${own}\s*\)${part}*)${changed}`;
  return new RegExp(String.raw`(?<![\w$.>])${own}${part}+${changed}|${star}`).test(text);
}

/** The same of a name that stands alone: one of a class's body, a module's, a function's. */
export function writesName(name: string, text: string): boolean {
  const own = escaped(name);
  if (isStreamed(name, text)) return true;
  return new RegExp(
    String.raw`(?:^|[;{}])\s*(?:(?:export|const|let|var|static|public|private|readonly|auto|int|long|double|float|bool|char)\s+)*${own}\s*(?::[^=]+)?(?:\[[^\]]*\])*\s*(?:[-+*/%&|^]?=(?![=>])|:=|\+\+|--)`,
  ).test(text);
}

/** `out << total;`: as a statement it is C++ that writes to a stream. */
function isStreamed(name: string, text: string): boolean {
  return new RegExp(String.raw`^\s*${escaped(name)}\s*<<(?!=)`).test(text);
}

const HEAD =
  /^\s*(?:@|(?:(?:export|default|pub|public|private|protected|static|final|abstract|async)\s+)*(?:def|class|function|fn|func|interface|struct|enum)\b)/;

/** Where a function or class begins: it runs nothing of what is in it. */
export function isHead(text: string): boolean {
  return HEAD.test(text);
}

/** A key may have any characters. */
function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** Names of a statement that a failure's message has: those that differ, where it lists what does. */
export function pointedAt({ names, fields }: Statement, said: string): string[] | undefined {
  const differing = said.split("\n").filter((line) => /^\s*[-+] {2,}/.test(line));
  const text = differing.length > 0 ? differing.join("\n") : (said.split("\n")[0] ?? "");
  const words = new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);
  const found = [...names, ...fields].filter((name) => words.has(name));
  return found.length === 0 ? undefined : found;
}
