/** What is put into the program, as text: the conditions of its breakpoints, and how the recorder comes and goes. */
import { readFileSync } from "node:fs";
import { Script } from "node:vm";
import { isValueless } from "../../../adapters/node/debug/valueless.ts";
import { isModuleFile } from "../../../adapters/node/javascript/module-kind.ts";
import type { Plan } from "../../plan.ts";

/** Never true, but where the recorder is yet to come. V8 compiles it anew at each hit, so it is short. */
export function conditionOf(name: string, { points }: Plan, indices: readonly number[]): string {
  const calls = indices.map((index) => {
    const point = points[index];
    const { condition, expressions = [] } = point ?? {};
    const text = point && textOf(point.path);
    const hasNone = (expression: string) =>
      point !== undefined &&
      text !== undefined &&
      isValueless(text, point.line - 1, expression, isModuleFile(point.path));
    const thunks = [...(condition === undefined ? [] : [condition]), ...expressions].map((one) =>
      hasNone(one) ? NONE : thunk(one),
    );
    return `${name}(${[index, 0, ...thunks].join(", ")})`;
  });
  return `typeof ${name} === "undefined" || (${calls.join(", ")}, false)`;
}

/** Of what V8 would say that it is `undefined`. */
const NONE = "() => { throw 0 }";

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // gone since it was loaded: V8's word is all there is
  }
}

function thunk(expression: string): string {
  const plain = `() => (${expression})`;
  // What only some functions allow (`super.x`) would otherwise spoil the whole condition where it is not allowed.
  return isScript(plain) ? plain : `() => eval(${JSON.stringify(expression)})`;
}

function isScript(text: string): boolean {
  try {
    new Script(text);
    return true;
  } catch {
    return false;
  }
}

/** Wherever the program stands: `require` is the debugger's own, which a variable of the program may hide. */
export function entering(file: string, folder: string, name: string): string {
  const [from, to, under] = [file, folder, name].map((one) => JSON.stringify(one));
  const load = `globalThis.process?.getBuiltinModule?.("module").createRequire(${from}) ?? require`;
  return `void (${load})(${from}).enter(${to}, ${under}, globalThis)`;
}

/** Where the recorder cannot come in, no condition may ask for it again. */
export function silencing(name: string): string {
  const value = "Object.assign(() => {}, { leave() { delete globalThis[name] } })";
  return `((name) => void Object.defineProperty(globalThis, name, { value: ${value}, configurable: true }))(${JSON.stringify(name)})`;
}

export function leaving(name: string): string {
  return `typeof ${name} === "undefined" || void ${name}.leave()`;
}
