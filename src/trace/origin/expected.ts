/**
 * A value that a test expects and did not get, where the code under test has it: on a line that did not run, below a condition that did.
 * And a text that it got and did not expect: the line that has the text's own words. Pure.
 */
import type { Activation } from "./activations.ts";
import { CONDITIONAL, indentOf } from "./conditions.ts";
import type { Moment } from "./moments.ts";
import { isHead, statementOf } from "./reading.ts";
import { isTelling, plain } from "./values.ts";

/** Code that would have made the expected value, and the line that decided that it did not run. */
export interface Unmet {
  value: string;
  function: string;
  path: string;
  line: number;
  /** The same line where both stand on one. */
  decided: number;
}

export interface Differing {
  expected: readonly string[];
  actual: readonly string[];
}

const MOST = 2;
/** Moments of one line. */
const MOST_MOMENTS = 3;

/** From a list of differences, `-` before what was expected and `+` before what came; as node:assert, pytest, jest and chai write it. */
export function differingIn(said: string): Differing {
  const after = (sign: string) =>
    said
      .split("\n")
      .filter((line) => line.trimStart().startsWith(`${sign} `))
      .map((line) => line.trimStart().slice(1).trim().replace(/,$/, ""))
      .filter((text) => /^(?:-?\d[\d.]*|".*"|'.*'|`.*`)$/s.test(text));
  return { expected: after("-"), actual: after("+") };
}

export function unmetIn(
  all: readonly Activation[],
  expected: readonly string[],
  { source, beside }: { source(path: string): readonly string[]; beside: string | undefined },
): Unmet[] {
  const values = [...new Set(expected)].filter((value) => isTelling(value) && plain(value).length > 1);
  if (values.length === 0) return [];
  const found = new Map<string, Unmet>();
  /** Values that stand in code that ran, as far as is known. */
  const met = new Set<string>();
  for (const [path, active] of byPath(all, beside)) {
    const lines = source(path);
    const ran = new Set(active.flatMap((one) => one.lines.map(({ line }) => line)));
    for (const [at, text] of lines.entries()) {
      const line = at + 1;
      const value = values.find((one) => stands(one, text));
      if (value === undefined || isHead(text) || isComment(text)) continue;
      const { first, last } = statementOf(lines, line);
      const isRun = [...ran].some((one) => one >= first && one <= last);
      const decided = isRun ? onOneLine(active, line, text, value) : deciding(lines, ran, line);
      if (isRun && decided === undefined)
        for (const one of values.filter((other) => stands(other, text))) met.add(one);
      const where = active.findLast((one) => one.lines.some((some) => some.line === decided));
      if (decided === undefined || where === undefined) continue;
      found.set(`${path}:${line}`, { value, path, line, decided, function: where.function });
    }
  }
  const unmet = [...found.values()].filter(({ value }) => !met.has(value));
  // What stands in many places says nothing of one.
  return unmet.length > MOST ? [] : unmet;
}

/** The last moments at which these lines decided. */
export function decisions(all: readonly Activation[], unmet: readonly Unmet[]): Moment[] {
  return unmet.flatMap(({ path, decided }) => lastAt(all, path, decided));
}

/** The last moments of the lines whose own words are in these texts: of `${name} is late` for "ann is late". */
export function madeBy(
  all: readonly Activation[],
  actual: readonly string[],
  { source, beside }: { source(path: string): readonly string[]; beside: string | undefined },
): Moment[] {
  const texts = [...new Set(actual)].map(plain).filter((text) => /\p{L}{2}/u.test(text));
  if (texts.length === 0) return [];
  const found: Moment[] = [];
  for (const [path, active] of byPath(all, beside)) {
    const lines = source(path);
    const ran = new Set(active.flatMap((one) => one.lines.map(({ line }) => line)));
    for (const line of ran) {
      const forms = formsIn(lines[line - 1] ?? "");
      if (forms.some((form) => texts.some((text) => form.test(text))))
        found.push(...lastAt(active, path, line));
    }
  }
  return found;
}

/** The code under test, by its files. */
function byPath(all: readonly Activation[], beside: string | undefined): Map<string, Activation[]> {
  const found = new Map<string, Activation[]>();
  for (const one of all) {
    if (one.path === beside) continue;
    const some = found.get(one.path);
    if (some === undefined) found.set(one.path, [one]);
    else some.push(one);
  }
  return found;
}

function lastAt(all: readonly Activation[], path: string, line: number): Moment[] {
  const moments: Moment[] = [];
  for (const active of all.toReversed()) {
    if (moments.length >= MOST_MOMENTS) break;
    if (active.path !== path) continue;
    const index = active.lines.findLastIndex((ran) => ran.line === line);
    if (index >= 0) moments.push({ active, index });
  }
  return moments;
}

/** As a literal of its own. */
function stands(value: string, text: string): boolean {
  const own = plain(value).replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  const isNumber = /^-?\d[\d.]*$/.test(value);
  const form = isNumber ? String.raw`(?<![\w$.'"-])${own}(?![\w$.'"])` : String.raw`(["'\x60])${own}\1`;
  return new RegExp(form).test(text);
}

function isComment(text: string): boolean {
  return /^\s*(?:\/\/|\/?\*|#)/.test(text);
}

/**
 * `if (late) return 403;` and `return late ? 403 : 200;`, where all calls that ran the line returned something else. What a call is
 * given, or is thrown, does not show in what is returned.
 */
function onOneLine(
  active: readonly Activation[],
  line: number,
  text: string,
  value: string,
): number | undefined {
  if (!returnsBare(text, value)) return undefined;
  const through = active.filter(({ lines }) => lines.some((ran) => ran.line === line));
  return through.every(({ ended }) => isOther(ended, value)) ? line : undefined;
}

function isOther(ended: Activation["ended"], value: string): boolean {
  if (ended?.how === "throw") return true;
  // Of a long value not all is known, and of a promise nothing.
  const returned = ended?.value ?? "…";
  return !/…|\.\.\.|promise|coroutine|generator/i.test(returned) && !returned.includes(plain(value));
}

const LITERAL = String.raw`(?:-?\d[\d.]*|"[^"]*"|'[^']*'|\x60[^\x60$]*\x60)`;
const ENTRY = String.raw`[\w$]+: ${LITERAL}`;
/** `403`, `{ code: 403 }`. */
const BARE = new RegExp(`^(?:${LITERAL}|\\{ ?${ENTRY}(?:, ${ENTRY})*,? ?\\})$`);
const WAY_OUT = /^\s*((?:\}\s*)?(?:else )?(?:if|elif)\b.*[):{;]\s*)?return\b(.*)$/;

/** Whether it stands once on the line, and is by itself what one way through the line returns. */
function returnsBare(text: string, value: string): boolean {
  const [, condition, returned] = WAY_OUT.exec(text) ?? [];
  const [, given, ...more] = text.split("=>");
  const isArrow = returned === undefined && more.length === 0 && !/\breturn\b/.test(text);
  const arms = armsOf(returned ?? (isArrow ? (given ?? "") : ""));
  if (arms.length < 2 && condition === undefined) return false;
  const others = arms.reduce((rest, arm) => (stands(value, arm) ? rest.replace(arm, "") : rest), text);
  return arms.some((arm) => stands(value, arm) && BARE.test(arm)) && !stands(value, others);
}

/** Of `a ? b : c` both, of anything else itself: up to where the expression ends. */
function armsOf(text: string): string[] {
  const arms: string[] = [];
  let [depth, from, at] = [0, 0, 0];
  for (; at < text.length && depth >= 0; at++) {
    const letter = text[at] ?? "";
    if (/["'`]/.test(letter)) {
      const end = text.indexOf(letter, at + 1);
      if (end < 0) return [];
      at = end;
    } else if (/[([{]/.test(letter)) depth++;
    else if (/[)\]}]/.test(letter)) depth--;
    else if (depth === 0 && (/[;,]/.test(letter) || /^(?:\/\/|#)/.test(text.slice(at)))) break;
    else if (depth === 0 && /^\?[.?]/.test(text.slice(at))) at++;
    else if (depth === 0 && letter === "?") from = at + 1;
    else if (depth === 0 && letter === ":") {
      arms.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  const last = text.slice(from, depth < 0 ? at - 1 : at).trim();
  // In brackets as a whole.
  const [, inner] = arms.length === 0 ? (/^\((.*)\)$/s.exec(last) ?? []) : [];
  return inner === undefined ? [...arms, last] : armsOf(inner);
}

/** The nearest line around it that is a condition and ran; none where what is around it did not run either. */
function deciding(lines: readonly string[], ran: ReadonlySet<number>, line: number): number | undefined {
  let indent = indentOf(lines[line - 1]);
  for (let at = line - 1; at >= 1 && indent > 0; at--) {
    const text = lines[at - 1] ?? "";
    if (text.trim() === "" || indentOf(text) >= indent) continue;
    const isRun = ran.has(at);
    if (isRun && CONDITIONAL.test(text)) return at;
    // What is neither a condition nor another branch of one begins something of its own.
    if (!CONDITIONAL.test(text) && !BRANCH.test(text)) return undefined;
    indent = indentOf(text) + (/^\s*(?:\}\s*)?el/.test(text) ? 1 : 0);
  }
  return undefined;
}

const BRANCH = /^\s*(?:\}\s*)?(?:else|default|try|except|catch|finally)\b/;

const GAP = "\0";
/** Letters of its own that a text must have to be known again. */
const OWN_LETTERS = 3;

/** Texts with gaps, as patterns: template literals, Python's f-strings. */
function formsIn(text: string): RegExp[] {
  const templates = [...text.matchAll(/`((?:[^`\\]|\\.)*)`/g)].map(([, one = ""]) => gaps(one, "${"));
  const fs = [...text.matchAll(/\b[fF](["'])((?:(?!\1)[^\\]|\\.)*)\1/g)].map(([, , one = ""]) =>
    gaps(one, "{"),
  );
  return [...templates, ...fs].flatMap((one) => {
    const own = one.replaceAll(GAP, "");
    if (!one.includes(GAP) || (own.match(/\p{L}/gu)?.length ?? 0) < OWN_LETTERS) return [];
    const pattern = one.split(GAP).map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
    return [new RegExp(`^${pattern.join(".*")}$`, "s")];
  });
}

/** What is filled in, with brackets inside it, as a gap. */
function gaps(text: string, open: string): string {
  let made = "";
  for (let at = 0; at < text.length; at++) {
    if (!text.startsWith(open, at)) {
      made += text[at];
      continue;
    }
    let depth = 0;
    for (at += open.length - 1; at < text.length; at++) {
      if (text[at] === "{") depth++;
      if (text[at] === "}" && --depth === 0) break;
    }
    made += GAP;
  }
  return made;
}
