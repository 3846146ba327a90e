/** Changing a variable, a property, an element or a map's entry. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Protocol } from "devtools-protocol";
import type { Cdp } from "../target.ts";
import type { Current } from "./current.ts";
import { runExpression, thrownText } from "./evaluation.ts";
import { DapError, reasonOf } from "./host.ts";
import { PAUSE_GROUP } from "./kit.ts";
import type { OriginalNames } from "./original-names.ts";
import type { LiveFrame } from "./pause.ts";
import { argumentOf, type Scope, scopesOf } from "./scopes.ts";
import type { Container, Values } from "./values.ts";

interface Tools {
  cdp: Cdp;
  current: Current;
  values: Values;
  names: OriginalNames;
}

const SET_MS = 5000;
const ASSIGN = `function (kit, reach, key, value) {
  "use strict";
  if (reach === "entry" && this instanceof Map) { let i = 0; for (const k of this.keys()) if (i++ === key) { this.set(k, value); return } }
  if (reach === "entry") throw new TypeError("the items of a set cannot be replaced");
  this[key] = value;
}`;

export async function setVariable(
  tools: Tools,
  args: DebugProtocol.SetVariableArguments,
): Promise<DebugProtocol.SetVariableResponse["body"]> {
  const { current, values } = tools;
  const pause = current.need();
  const container = values.containers.get(args.variablesReference);
  if (container.kind === "getter")
    throw new DapError("a getter's value cannot be set; set the property itself");
  if (container.kind === "result") throw new DapError("a return value cannot be set");
  const frame = container.kind === "scope" ? container.scope.frame : topFrame(tools);
  if (container.kind === "scope") await setInScope(tools, container.scope, args.name, args.value);
  else await setMember(tools, container, args.name, args.value, frame);
  pause.dirty = true;
  const path = container.kind === "scope" ? args.name : undefined;
  return readBack(tools, container, args.name, path);
}

export async function setExpression(
  tools: Tools,
  args: DebugProtocol.SetExpressionArguments,
): Promise<DebugProtocol.SetExpressionResponse["body"]> {
  const { cdp, current, values } = tools;
  const pause = current.need();
  const frame = args.frameId === undefined ? topFrame(tools) : current.live(args.frameId);
  const plan = { sideEffects: true, timeoutMs: SET_MS, running: false, callFrameId: frame.call.callFrameId };
  const [target, whole] = [args.expression, `${args.expression} = (${args.value}\n)`].map((text) =>
    inScript(tools, text, frame),
  );
  try {
    await runExpression(cdp, { ...plan, expression: (await whole) ?? "" });
  } catch (error) {
    // V8 itself may change a constant, by name.
    if (!/constant variable/.test(reasonOf(error))) throw error;
    const scope = await scopeHolding(tools, frame, args.expression.trim());
    if (scope === undefined) throw error;
    await setInScope(tools, scope, args.expression.trim(), args.value);
  }
  pause.dirty = true;
  const outcome = await runExpression(cdp, { ...plan, expression: (await target) ?? "" });
  if ("value" in outcome) return values.remote(outcome.value);
  const { result, ...rest } = await values.held(outcome.holder, args.expression);
  return { value: result, ...rest };
}

async function setInScope(tools: Tools, scope: Scope, name: string, text: string): Promise<void> {
  const { cdp } = tools;
  const { callFrameId } = scope.frame.call;
  const held = await scope.holding(name);
  if (held === undefined)
    throw new DapError(name === "this" ? "`this` cannot be set" : `no variable ${name} in this scope`);
  const newValue = argumentOf(await evaluateIn(tools, text, scope.frame));
  try {
    await cdp.send("Debugger.setVariableValue", {
      scopeNumber: held.number,
      variableName: held.name,
      newValue,
      callFrameId,
    });
  } catch {
    // Not every kind of scope takes it (global, module): assign as the program would.
    await runExpression(cdp, {
      expression: `${held.name} = (${await inScript(tools, text, scope.frame)}\n)`,
      sideEffects: true,
      timeoutMs: SET_MS,
      running: false,
      callFrameId,
    });
  }
}

async function setMember(
  { cdp, values, ...tools }: Tools,
  container: Container & { kind: "object" },
  name: string,
  text: string,
  frame: LiveFrame,
): Promise<void> {
  const objectId = await container.id();
  const { list } = await values.kit.members(objectId, "", 0, 1000, false);
  const member = list.find((one) => one.n === name);
  const isIndex = /^\d+$/.test(name);
  if (member === undefined && !isIndex) throw new DapError(`no member ${name}`);
  if (member?.r === "symbol") throw new DapError("a property named by a symbol cannot be set here; use eval");
  const value = await evaluateIn({ cdp, values, ...tools }, text, frame);
  const { exceptionDetails } = await cdp.send("Runtime.callFunctionOn", {
    objectId,
    functionDeclaration: ASSIGN,
    arguments: [
      {},
      { value: member?.r ?? "property" },
      { value: member?.k ?? Number(name) },
      argumentOf(value),
    ],
    silent: true,
  });
  if (exceptionDetails !== undefined) throw new DapError(thrownText(exceptionDetails));
}

/** The user's words in the script's own names. */
async function inScript({ names }: Tools, text: string, frame: LiveFrame): Promise<string> {
  return (await names.at(frame.call.location))?.expression(text) ?? text;
}

async function evaluateIn(
  tools: Tools,
  text: string,
  frame: LiveFrame,
): Promise<Protocol.Runtime.RemoteObject> {
  const { cdp } = tools;
  const { result, exceptionDetails } = await cdp.send("Debugger.evaluateOnCallFrame", {
    callFrameId: frame.call.callFrameId,
    expression: `(${await inScript(tools, text, frame)}\n)`,
    objectGroup: PAUSE_GROUP,
    silent: true,
    timeout: SET_MS,
  });
  if (exceptionDetails !== undefined) throw new DapError(thrownText(exceptionDetails));
  return result;
}

async function readBack(
  { values }: Tools,
  container: Container,
  name: string,
  path: string | undefined,
): Promise<DebugProtocol.SetVariableResponse["body"]> {
  const page =
    /^\d+$/.test(name) && container.kind === "object"
      ? { filter: "indexed" as const, start: Number(name), count: 1 }
      : { filter: "" as const, start: 0, count: 0 };
  const list = await values.members(container, { ...page, hex: false });
  const {
    name: _,
    evaluateName: __,
    ...rest
  } = list.find((one) => one.name === name) ?? { name, value: path ?? "", variablesReference: 0 };
  return rest;
}

function topFrame({ current }: Tools): LiveFrame {
  const top = current.need().frames[0]?.frame;
  if (top?.kind !== "live") throw new DapError("there is no frame to evaluate in");
  return top;
}

async function scopeHolding(
  { cdp, current, values, names }: Tools,
  frame: LiveFrame,
  name: string,
): Promise<Scope | undefined> {
  for (const scope of scopesOf({ kit: values.kit, cdp, pause: current.need(), names }, frame)) {
    if (scope.type !== "global" && (await scope.holding(name)) !== undefined) return scope;
  }
  return undefined;
}
