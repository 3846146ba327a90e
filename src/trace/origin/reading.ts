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
  text: string;
}

const NAME = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
const LONE = new RegExp(`(?<![\\p{L}\\p{N}_$.])(${NAME})(?!\\s*\\()`, "gu");
const FIELD = new RegExp(`(?:\\.|->)#?(${NAME})(?!\\s*\\(|[\\p{L}\\p{N}_$])`, "gu");
const KEY = /\[\s*["']([^"'\]]+)["']\s*\]/g;

export function statementOf(lines: readonly string[], line: number): Statement {
  const { text, first, last } = statementAt(lines, line - 1);
  const whole = lines.slice(first, last + 1).join("\n");
  return {
    first: first + 1,
    last: last + 1,
    names: found(text, LONE),
    fields: [...found(text, FIELD), ...found(whole, KEY)],
    text: whole,
  };
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
  return [field, key, literal, before].some((form) => form.test(text));
}

/** The same of a name that stands alone: one of a class's body, a module's, a function's. */
export function writesName(name: string, text: string): boolean {
  const own = escaped(name);
  return new RegExp(
    String.raw`(?:^|[;{}])\s*(?:(?:export|const|let|var|static|public|private|readonly|auto|int|long|double|float|bool|char)\s+)*${own}\s*(?::[^=]+)?(?:\[[^\]]*\])*\s*(?:[-+*/%&|^]?=(?![=>])|:=|\+\+|--)`,
  ).test(text);
}

function escaped(name: string): string {
  return name.replaceAll("$", "\\$");
}
