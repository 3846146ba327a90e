/**
 * Which variables of optimised code have a value that can be trusted. Instructions of several lines are interleaved there: where a line
 * begins, what another line sets may be set already, or not yet. Only what is set once, and is in a register or known for good, is the
 * same whichever of them have run.
 */
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { AT, TAG } from "../dwarf/constants.ts";
import { Cursor } from "../dwarf/cursor.ts";
import type { Entry, Unit } from "../dwarf/entries.ts";
import { listedPlaces, locationAt } from "../dwarf/lists.ts";
import type { NativeCode, Scope, Variable } from "./code.ts";
import { instanceOf, type Spot } from "./places.ts";

/** Its variables move, or are gone, while it runs. */
export function isOptimised(code: NativeCode, unit: Unit, instance: Scope): boolean {
  if (/ -O(?!0)/.test(code.producer(unit))) return true;
  let whole = instance;
  while (whole.outer) whole = whole.outer;
  const isOwn = ownIn(code, unit);
  if ([instance, whole].some((one) => scopesIn(one, isOwn).some((scope) => hasMoving(code, scope))))
    return true;
  const sign = signs.get(unit) ?? signOf(code, unit, isOwn);
  signs.set(unit, sign);
  return sign === "marks" ? isMarked(whole) : sign;
}

/** Of a unit: whether its functions are, or that each of them says so itself. */
const signs = new WeakMap<Unit, boolean | "marks">();

/**
 * A library's generic functions are compiled with the program's own options, but from a form in which calls were merged before: of those
 * variables may move in code that is not optimised. So the unit's own functions count, and others where there are none with variables.
 */
function signOf(code: NativeCode, unit: Unit, isOwn: (scope: Scope) => boolean): boolean | "marks" {
  const functions = code.functions(unit);
  if (!isGnu(code, unit) && functions.some(isMarked)) return "marks";
  const count = (all: readonly Scope[]) =>
    placesIn(
      code,
      all.flatMap((one) => scopesIn(one, isOwn)),
    );
  const places = count(functions.filter(isOwn));
  // Without optimising, an argument is put into memory first.
  if (!isGnu(code, unit) && places.registers > 0) return true;
  const { fixed, moving } = places.fixed + places.moving > 0 ? places : count(functions);
  return moving > fixed;
}

/** Whether a function was written in the folder of the unit's source, or below. */
function ownIn(code: NativeCode, unit: Unit): (scope: Scope) => boolean {
  const folder = `${dirname(code.sourceOf(unit))}/`;
  return ({ entry }) => code.declaredIn(entry).startsWith(folder);
}

/** It names its options, and marks also functions that call nothing. */
function isGnu(code: NativeCode, unit: Unit): boolean {
  return code.producer(unit).startsWith("GNU ");
}

/** DW_AT_call_all_calls and what came before it: LLVM describes all calls only of what it optimises. rustc never does. */
const CALLS_DESCRIBED = [0x7a, 0x2117];

function isMarked({ entry }: Scope): boolean {
  return CALLS_DESCRIBED.some((one) => entry.has(one));
}

/** One without any place is of no size, or a constant: that is so without optimising too. */
function isMoving(code: NativeCode, { entry, parameter }: Variable): boolean {
  if (!entry.has(AT.location) || entry.block(AT.location) !== undefined) return false;
  return !(parameter && listedPlaces(code.info, entry).every(({ expression }) => isByPointer(expression)));
}

const [FIRST_BASE, LAST_BASE, DEREFERENCE] = [0x70, 0x8f, 0x06];
/** DW_OP_entry_value, and what came before it. */
const ON_ENTRY = [0xa3, 0xf3];

/** A large argument of Rust's stays where its caller has put it, and the pointer to it moves: also in code that is not optimised. */
function isByPointer(place: Buffer | undefined): boolean {
  const [op = 0] = place ?? [];
  if (place === undefined || place.length === 0 || ON_ENTRY.includes(op)) return true;
  if (op < FIRST_BASE || op > LAST_BASE) return false;
  const cursor = new Cursor(place, 1);
  const isHeld = cursor.signed() === 0 && cursor.at === place.length;
  return isHeld || (cursor.at === place.length - 1 && place.at(-1) === DEREFERENCE);
}

/** With its blocks, and copies of the unit's own functions: those of others were perhaps compiled in another way. */
function scopesIn(scope: Scope, isOwn: (scope: Scope) => boolean): Scope[] {
  const inner = scope.inner.filter((one) => one.kind === "block" || isOwn(one));
  return [scope, ...inner.flatMap((one) => scopesIn(one, isOwn))];
}

function hasMoving(code: NativeCode, scope: Scope): boolean {
  return scope.variables.some((one) => isMoving(code, one));
}

/** How many variables have one place, how many have lists of places, and how many arguments are in a register from beginning to end. */
function placesIn(code: NativeCode, scopes: readonly Scope[]) {
  const count = { fixed: 0, moving: 0, registers: 0 };
  for (const scope of scopes)
    for (const one of scope.variables) {
      if (!one.entry.has(AT.location)) continue;
      const [op = 0] = one.entry.block(AT.location) ?? [];
      count[isMoving(code, one) ? "moving" : "fixed"]++;
      if (one.parameter && op >= 0x50 && op < 0x70) count.registers++;
    }
  return count;
}

/** Set once in a call, before the line, and held where nothing else is put while it lives. */
export function isSettled(code: NativeCode, spot: Spot, variable: Variable): boolean {
  const instance = instanceOf(spot.scope);
  // A copy may be in a loop of its caller's, whose rounds overlap.
  if (instance.kind !== "function" || !code.isFile(variable.path, pathOf(code, instance))) return false;
  if (!isNumber(code, variable.entry) || !isHeld(code, spot, variable)) return false;
  const body = bodyOf(code, spot.unit, instance);
  return body !== undefined && isSetOnce(body, variable, (name) => takesValues(code, name));
}

/** What is shown of others is read from memory, which may not have been written yet. */
function isNumber(code: NativeCode, entry: Entry): boolean {
  let one: Entry | undefined = entry;
  for (let steps = 0; one !== undefined && steps < 8; steps++) {
    if (one.tag === TAG.baseType || one.tag === ENUMERATION) return true;
    if (one.tag !== TAG.variable && one.tag !== TAG.formalParameter && !ALIASES.has(one.tag)) return false;
    const next: number | undefined = typeOf(code, one);
    one = next === undefined ? undefined : code.info.at(next);
  }
  return false;
}

function typeOf(code: NativeCode, entry: Entry): number | undefined {
  const origin = entry.reference(AT.origin);
  return entry.reference(AT.type) ?? (origin === undefined ? undefined : typeOf(code, code.info.at(origin)));
}

const ENUMERATION = 0x04;
/** Names and qualifications of a type: typedef, const, volatile. */
const ALIASES: ReadonlySet<number> = new Set([TAG.typedef, 0x26, 0x35]);

/** In a register, or a number. */
function isHeld(code: NativeCode, { address }: Spot, { entry }: Variable): boolean {
  if (entry.block(AT.location) !== undefined) return false;
  const expression = locationAt(code.info, entry, address);
  if (expression === undefined) return !entry.has(AT.location) && entry.has(AT.constValue);
  const [op = 0] = expression;
  if (op >= 0x50 && op < 0x70) return expression.length === 1;
  if (op < 0x08 || op > 0x4f || (op > 0x11 && op < 0x30)) return false;
  const cursor = new Cursor(expression, 1);
  if (op < 0x10) cursor.at += 1 << ((op - 0x08) >> 1);
  else if (op < 0x30) cursor.signed();
  return cursor.at === expression.length - 1 && expression.at(-1) === 0x9f;
}

/** A function's source, without comments and texts. */
interface Body {
  language: "c" | "cpp" | "rust";
  name: string;
  /** The number of the first line. */
  first: number;
  lines: string[];
}

const bodies = new WeakMap<Scope, { body: Body | undefined }>();

function bodyOf(code: NativeCode, unit: Unit, instance: Scope): Body | undefined {
  const known = bodies.get(instance);
  if (known) return known.body;
  const body = readBody(code, unit, instance);
  bodies.set(instance, { body });
  return body;
}

function readBody(code: NativeCode, unit: Unit, instance: Scope): Body | undefined {
  const path = pathOf(code, instance);
  const first = code.number(instance.entry, AT.declarationLine);
  const name = code.text(instance.entry, AT.name);
  const text = path === "" || first === undefined ? undefined : plainText(code.here(path));
  if (text === undefined || first === undefined || name === undefined) return undefined;
  const language = /\.rs$/.test(path) ? "rust" : /\.c$/.test(path) ? "c" : "cpp";
  const own = code
    .pieces(unit)
    .filter(
      (one) => one.path === path && instance.ranges.some(({ from, to }) => one.from >= from && one.from < to),
    )
    .filter((one) => code.scopeAt(unit, one.from)?.kind !== "inlined");
  const last = Math.max(...own.map(({ line }) => line));
  const rest = text.split("\n").slice(first - 1);
  const length = closing(rest);
  // Where its end is not found it is taken to be the file's: more is seen that might set a variable, not less.
  const lines = length === undefined || first + length - 1 < last ? rest : rest.slice(0, length);
  return { language, name: name.replace(/<.*/s, ""), first, lines };
}

function pathOf(code: NativeCode, { entry }: Scope): string {
  return code.declaredIn(entry);
}

function plainText(path: string): string | undefined {
  try {
    const blank = (text: string) => text.replace(/[^\n]/g, " ");
    return readFileSync(path, "utf8").replace(
      /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\[\s\S]|[^"\\])*"|'(?:\\.[^'\n]*|[^'\\\n])'/g,
      blank,
    );
  } catch {
    return undefined; // moved or gone
  }
}

/** How many lines it takes to the brace that closes the first. */
function closing(lines: readonly string[]): number | undefined {
  let depth = 0;
  for (const [at, line] of lines.entries())
    for (const one of line) {
      if (one === "{") depth++;
      else if (one === "}" && --depth <= 0) return at + 1;
    }
  return undefined;
}

/** Beside loops in the language's own words, macros that may be some. */
const LOOP = /\b(for|while|do|loop)\b|\b(?!(?:if|switch|match|else)\b)\w+\s*!?\s*\([^{};]*\)\s*\{/;
const JUMPS = /\b(goto|asm|__asm__?|setjmp|sigsetjmp|co_await|await)\b/;

function isSetOnce(
  { language, name, first, lines }: Body,
  variable: Variable,
  takes: (name: string) => boolean,
): boolean {
  const whole = lines.join("\n");
  const inside = whole.slice(whole.indexOf("{") + 1);
  // A call of itself may have been made a loop.
  if (JUMPS.test(inside) || new RegExp(`\\b${name}\\b\\s*(::<[^>]*>)?\\s*\\(`).test(inside)) return false;
  if (!variable.parameter) {
    const before = lines.slice(0, variable.line - first + 1).join("\n");
    if (variable.line < first || LOOP.test(before.slice(before.indexOf("{") + 1))) return false;
  }
  const declared = { text: lines[variable.line - first] ?? "", own: !variable.parameter };
  return language === "rust"
    ? !new RegExp(`\\bmut\\s+${variable.name}\\b`).test(whole) &&
        sets(inside, variable.name) <= own(declared, variable)
    : !isChanged(inside, variable, { declared, language, takes });
}

/** How often it is set, as far as one can see. */
function sets(text: string, name: string): number {
  const after = `(?<![\\w.]|->)${name}\\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)`;
  const once = `(?<![\\w.]|->)${name}\\s*(?:\\+\\+|--)|(?:\\+\\+|--)\\s*${name}\\b`;
  return [...text.matchAll(new RegExp(`${after}|${once}`, "g"))].length;
}

/** Where it is declared it is set. */
function own({ text, own: declares }: { text: string; own: boolean }, { name }: Variable): number {
  return declares && new RegExp(`\\b${name}\\s*(:[^=]*)?=(?!=)`).test(text) ? 1 : 0;
}

function isChanged(text: string, variable: Variable, { declared, language, takes }: Seen): boolean {
  const { name } = variable;
  if (sets(text, name) > own(declared, variable)) return true;
  // Its address is taken, or something that is not told by its looks is done to it.
  if (new RegExp(`(&|>>)\\s*\\(*\\s*${name}\\b`).test(text)) return true;
  if (language === "cpp" && /\[\s*&|\w\s*&&?\s*\w+\s*[={(]/.test(text)) return true;
  // A reference, or a macro, can change what it is given.
  const given = [...text.matchAll(new RegExp(`[({,]\\s*${name}\\s*(?=[,)}])`, "g"))];
  return given.some(({ index }) => !takes(callee(text, index)));
}

interface Seen {
  declared: { text: string; own: boolean };
  language: "c" | "cpp";
  takes: (name: string) => boolean;
}

/** Whose argument it is. */
function callee(text: string, at: number): string {
  let depth = 0;
  for (let index = at; index >= 0; index--) {
    const one = text[index];
    if (one === ")") depth++;
    else if (one === "(" && --depth < 0) return /(\w+)\s*$/.exec(text.slice(0, index))?.[1] ?? "";
    else if (one === ";" || one === "{") break;
  }
  return "";
}

const KNOWN =
  /^(if|while|switch|for|return|sizeof|v?[fsnd]*printf|puts|putchar|f?putc|abs|labs|exit|malloc|free|sqrt|pow)$/;

/** It cannot change what it is given: it is no macro, and takes no references. */
function takesValues(code: NativeCode, name: string): boolean {
  return KNOWN.test(name) || code.takesValues(name) === true;
}
