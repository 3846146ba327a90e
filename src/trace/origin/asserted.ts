/** Assertions of what one call returns, and of nothing else: `assert not f(x)`. By the text alone; pure. */
import { plain } from "./values.ts";

/** How it begins; what is asserted follows, to the end or in brackets. */
const BEGINNINGS = [/^\s*assert\s+(?=[\w!$])/, /^\s*(?:\w+\.)*(?:assert|ok|assertTrue|assertFalse)\s*\(\s*/];
const FALSE = /^(?:|none|null|nil|undefined|false|-?0(?:\.0+)?|\[\]|\{\}|\(\)|nan|set\(\))$/i;

/** Whether the assertion fails because of a call that returned this: nothing but that call is asserted, or denied. */
export function failsBy(statement: string, returned: string | undefined): boolean {
  const beginning = BEGINNINGS.map((one) => one.exec(statement)?.[0]).find((one) => one !== undefined);
  if (beginning === undefined || returned === undefined) return false;
  const asserted = statement.slice(beginning.length);
  const denial = /^(?:not\s+|!\s*)*/.exec(asserted)?.[0] ?? "";
  if (!isOneCall(asserted.slice(denial.length))) return false;
  const denials = (denial.match(/not|!/g) ?? []).length + (/assertFalse/.test(beginning) ? 1 : 0);
  return FALSE.test(plain(returned)) === (denials % 2 === 0);
}

/** A name and its brackets, before the end, a message or the assertion's own bracket. */
function isOneCall(text: string): boolean {
  const name = /^(?:await\s+)?[\w$.]+\(/.exec(text)?.[0];
  if (name === undefined) return false;
  const end = closing(text, name.length);
  return end !== undefined && /^\s*(?:$|[,);#]|\/\/)/.test(text.slice(end + 1));
}

/** Where the bracket that was opened before `from` is closed. */
function closing(text: string, from: number): number | undefined {
  let deep = 1;
  let quote: string | undefined;
  for (let at = from; at < text.length; at++) {
    const letter = text[at] ?? "";
    if (quote !== undefined) {
      if (letter === "\\") at += 1;
      else if (letter === quote) quote = undefined;
    } else if (/["'`]/.test(letter)) quote = letter;
    else if (/[([{]/.test(letter)) deep += 1;
    else if (/[)\]}]/.test(letter) && --deep === 0) return at;
  }
  return undefined;
}
