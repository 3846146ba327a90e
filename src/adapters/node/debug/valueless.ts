/**
 * What an expression names and has no value where a frame stands, by the text. V8 does not say: it answers `undefined` for a variable
 * whose declaration has not run, and for the `this` of an arrow function that does not use it.
 */
import type { ArrowFunctionExpression, FunctionExpression, Node, Program } from "acorn";
import { taken, usesThis } from "../javascript/expression.cjs";
import { childrenOf } from "../javascript/parse.cjs";
import { analysed, type Scope } from "../javascript/scopes.cjs";
import { programOf, unsetNames } from "../javascript/unset-names.ts";
import { DapError } from "./host.ts";
import type { NamesAt } from "./original-names.ts";
import type { LiveFrame } from "./pause.ts";
import { offsetOf, type ScriptTexts } from "./script-texts.ts";
import type { Scripts } from "./scripts.ts";

const ROOTS = new WeakMap<Program, Scope>();

interface Standing {
  program: Program;
  text: string;
  offset: number;
  /** Where its function begins. */
  start: number;
}

interface Tools {
  texts: ScriptTexts;
  scripts: Scripts;
}

/** Throws if the expression needs one of them. */
export async function refuseValueless(
  { texts, scripts }: Tools,
  frame: LiveFrame,
  expression: string,
  own: NamesAt | undefined,
): Promise<void> {
  const { names, usesThis: needsThis } = taken(expression);
  if (names.length === 0 && !needsThis) return;
  const at = await standing(texts, frame);
  if (at === undefined) return;
  for (const name of names)
    if (isUnset(at, own?.inScript(name) ?? name))
      throw new DapError(`ReferenceError: ${name} is not assigned yet: its declaration has not run here`);
  if (!needsThis || frame.isModule || frame.call.this.type !== "undefined") return;
  const fault = thisFault(at, scripts.get(frame.call.location.scriptId)?.isModule === true);
  if (fault !== undefined) throw new DapError(fault);
}

/**
 * The same of a line that is yet to be reached, by the text of its file; `line`: from 0. Of one on which a function begins it cannot be
 * told where V8 would stop.
 */
export function isValueless(text: string, line: number, expression: string, isModule: boolean): boolean {
  const program = programOf(text);
  const { names, usesThis: needsThis } = taken(expression);
  if (program === undefined || (names.length === 0 && !needsThis)) return false;
  const [from, to] = [offsetOf(text, line, 0), offsetOf(text, line + 1, 0)];
  const offset = from + text.slice(from, to).search(/\S|$/);
  const path = pathTo(program, offset);
  if (beginsFunction(path.findLast(({ end }) => end >= to) ?? program, offset, to)) return false;
  const start = path.findLast((node) => FUNCTION.test(node.type))?.start;
  const at = { program, text, offset, start: start ?? 0 };
  if (names.some((name) => isUnset(at, name))) return true;
  return needsThis && start !== undefined && thisFault(at, isModule) === LOST_THIS;
}

function beginsFunction(node: Node, from: number, to: number): boolean {
  return childrenOf(node).some(
    (one) =>
      one.start < to &&
      one.end > from &&
      ((FUNCTION.test(one.type) && one.start >= from) || beginsFunction(one, from, to)),
  );
}

/** Whether the text declares the name around the frame: V8 may know nothing of it all the same. */
export async function isDeclared(texts: ScriptTexts, frame: LiveFrame, name: string): Promise<boolean> {
  const at = await standing(texts, frame);
  return at !== undefined && chainOf(at).some(({ bindings }) => bindings.has(name));
}

async function standing(texts: ScriptTexts, { call }: LiveFrame): Promise<Standing | undefined> {
  const { location, functionLocation } = call;
  const text = await texts.text(location.scriptId);
  const program = programOf(text);
  if (program === undefined) return undefined;
  const at = (place: { lineNumber: number; columnNumber?: number }) =>
    offsetOf(text, place.lineNumber, place.columnNumber ?? 0);
  return { program, text, offset: at(location), start: functionLocation ? at(functionLocation) : 0 };
}

function chainOf({ program, offset }: Standing): Scope[] {
  const root = ROOTS.get(program) ?? analysed(program).root;
  ROOTS.set(program, root);
  return root.around(offset);
}

/** A variable of the frame's own. Of those around its function V8 knows. */
function isUnset(at: Standing, name: string): boolean {
  for (const scope of chainOf(at)) {
    if (scope.bindings.has(name)) return unsetNames(at.text, scope, at.offset).has(name);
    if (scope.isFunction) return false;
  }
  return false;
}

type Holder = FunctionExpression | ArrowFunctionExpression;

function thisFault({ program, start }: Standing, isModule: boolean): string | undefined {
  const path = pathTo(program, start);
  const own = path.findLast((node) => isFunctionAt(node, start));
  if (own === undefined) return undefined;
  const around = path.slice(0, path.indexOf(own));
  if (own.type === "FunctionExpression")
    return isDerived(around) ? "ReferenceError: this is not assigned yet: super() has not run" : undefined;
  if (own.type !== "ArrowFunctionExpression" || usesThis(own)) return undefined;
  // That of a module is undefined.
  if (isModule && around.every(({ type }) => !OWNERS.has(type))) return undefined;
  return LOST_THIS;
}

const LOST_THIS =
  "this is unavailable: this arrow function does not use it, so V8 did not keep it; a frame of the function around it may have it";

const FUNCTION = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

/** What has a `this` of its own. */
const OWNERS = new Set(["FunctionDeclaration", "FunctionExpression", "PropertyDefinition", "StaticBlock"]);

function pathTo(program: Program, offset: number): Node[] {
  const path: Node[] = [];
  let at: Node | undefined = program;
  while (at !== undefined) {
    path.push(at);
    at = childrenOf(at).find(({ start, end }) => start <= offset && offset < end);
  }
  return path;
}

function isFunctionAt(node: Node, offset: number): node is Holder {
  if (!FUNCTION.test(node.type)) return false;
  const { body } = node as Holder;
  return node.start <= offset && offset < body.start;
}

/** Whether what is around a function makes it the constructor of a class that has one above it. */
function isDerived(around: Node[]): boolean {
  const method = around.at(-1);
  const holder = around.at(-3);
  const isConstructor =
    method?.type === "MethodDefinition" && "kind" in method && method.kind === "constructor";
  return isConstructor && holder !== undefined && "superClass" in holder && holder.superClass !== null;
}
