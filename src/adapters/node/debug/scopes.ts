/** The variables a frame sees, in the order a reader wants them: its own first, the program's last. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Protocol } from "devtools-protocol";
import { parameterNames } from "../javascript/parameters.ts";
import { unsetNames } from "../javascript/unset-names.ts";
import type { Cdp } from "../target.ts";
import type { Ahead, FrameRead } from "./ahead.ts";
import { type Kit, PAUSE_GROUP } from "./kit.ts";
import type { DescribedMember, Members } from "./kit-source.ts";
import type { NamesAt, OriginalNames } from "./original-names.ts";
import type { LiveFrame, Pause } from "./pause.ts";
import { offsetOf, type ScriptTexts } from "./script-texts.ts";

type ScopeType = Protocol.Debugger.Scope["type"];

/** What Node's CommonJS wrapper adds to every module. */
export const WRAPPER_NAMES = ["exports", "require", "module", "__filename", "__dirname"];

const TITLES: Partial<Record<ScopeType, string>> = {
  local: "Local",
  block: "Block",
  catch: "Catch",
  closure: "Closure",
  module: "Module",
  script: "Script",
  global: "Global",
  with: "With",
  eval: "Eval",
  "wasm-expression-stack": "Wasm stack",
};

/** Learnt when the scopes of a frame are first asked for. */
const PARAMETERS = new WeakMap<LiveFrame, string[]>();

export function learnParameters(frame: LiveFrame, functionText: string): void {
  if (frame.isModule || PARAMETERS.has(frame)) return;
  PARAMETERS.set(frame, parameterNames(functionText) ?? []);
}

interface Part {
  /** Its place in V8's chain, for setVariableValue. */
  number: number;
  objectId: string;
}

interface Place {
  title: string;
  type: ScopeType;
  frame: LiveFrame;
  parts: Part[];
  isLocal: boolean;
  only?: string[];
  hidden: string[];
}

interface Tools {
  kit: Kit;
  cdp: Cdp;
  pause: Pause;
  /** To tell which variables have a value yet; not needed where only their names are. */
  texts?: ScriptTexts;
  names: OriginalNames;
  /** Not needed where something has run anyway. */
  ahead?: Ahead;
}

export class Scope {
  readonly title: string;
  readonly type: ScopeType;
  readonly frame: LiveFrame;
  readonly parts: Part[];
  readonly hint: "locals" | "arguments" | undefined;
  readonly #kit: Kit;
  readonly #cdp: Cdp;
  readonly #pause: Pause;
  readonly #texts: ScriptTexts | undefined;
  readonly #names: OriginalNames;
  readonly #ahead: Ahead | undefined;
  readonly #self: Protocol.Runtime.CallArgument | undefined;
  /** Of the variables V8 has here, those that are shown; all, if undefined. */
  readonly #only: string[] | undefined;
  readonly #hidden: string[];

  constructor(tools: Tools, place: Place, self: Protocol.Runtime.RemoteObject | undefined) {
    this.#kit = tools.kit;
    this.#cdp = tools.cdp;
    this.#pause = tools.pause;
    this.#texts = tools.texts;
    this.#names = tools.names;
    this.#ahead = tools.ahead;
    this.title = place.title;
    this.type = place.type;
    this.frame = place.frame;
    this.parts = place.parts;
    this.hint = place.only !== undefined ? "arguments" : place.isLocal ? "locals" : undefined;
    this.#only = place.only;
    this.#hidden = place.hidden;
    this.#self = self === undefined ? undefined : argumentOf(self);
  }

  async list(limit: number, hex: boolean): Promise<Members> {
    const ahead = this.#readAhead(limit, hex);
    // While what was read is under way.
    const unset = this.hint === "locals" ? await this.#unset() : [];
    const rename = await this.#renaming();
    const members = (await ahead) ?? (await this.#read(limit, hex));
    const list = members.list.map((member) => {
      const [at, name] = splitKey(String(member.k));
      if (member.k === "this" || !unset[at]?.has(name)) return member;
      const { n, r, k, p } = member;
      return { n, v: "<uninitialized>", t: "", r, k, ...(p === undefined ? {} : { p }) };
    });
    return { ...members, list: rename?.(list) ?? list };
  }

  async #read(limit: number, hex: boolean): Promise<Members> {
    return this.#kit.scope(await this.#objects(), this.#hidden, limit, hex, this.#self);
  }

  /** The same, of what was read when the program stopped. */
  async #readAhead(limit: number, hex: boolean): Promise<Members | undefined> {
    if (hex || this.#pause.dirty) return undefined;
    const found = await this.#ahead?.of(this.frame.call);
    const parts = found === undefined ? undefined : this.#partsOf(found);
    if (found === undefined || parts === undefined) return undefined;
    const seen = new Set(this.#hidden);
    const list = this.#self === undefined ? [] : [...found.self.list];
    parts.forEach((members, at) => {
      for (const member of members) {
        const [, name] = splitKey(String(member.k));
        if (seen.has(name)) continue;
        seen.add(name);
        list.push({ ...member, k: `${at}:${name}` });
      }
    });
    return { list: list.slice(0, limit), indexed: 0, more: Math.max(0, list.length - limit) };
  }

  #partsOf({ byObject }: FrameRead): DescribedMember[][] | undefined {
    const only = this.#only;
    const lists: DescribedMember[][] = [];
    for (const { objectId } of this.parts) {
      const members = byObject.get(objectId)?.list;
      if (members === undefined) return undefined;
      const chosen = only?.flatMap((name) => members.filter(({ n }) => n === name));
      lists.push(chosen ?? members);
    }
    return lists;
  }

  /** To the names of the source; nothing where the script is the source. */
  async #renaming(): Promise<((list: DescribedMember[]) => DescribedMember[]) | undefined> {
    const { location, scopeChain } = this.frame.call;
    const names = this.type === "global" ? undefined : await this.#names.at(location);
    if (names === undefined) return undefined;
    const ends = await Promise.all(
      this.parts.map(({ number }) => this.#names.offset(scopeChain[number]?.endLocation)),
    );
    return (list) => renamed(list, names, ends);
  }

  /** The variables of each part that have no value yet. */
  async #unset(): Promise<Set<string>[]> {
    const { location, scopeChain } = this.frame.call;
    const text = await this.#texts?.text(location.scriptId);
    if (text === undefined) return [];
    const at = (place: Protocol.Debugger.Location) =>
      offsetOf(text, place.lineNumber, place.columnNumber ?? 0);
    return this.parts.map(({ number }) => {
      const { startLocation: start, endLocation: end } = scopeChain[number] ?? {};
      if (start?.scriptId !== location.scriptId || end === undefined) return new Set();
      return unsetNames(text, { start: at(start), end: at(end) }, at(location));
    });
  }

  async child(member: DescribedMember): Promise<string> {
    if (member.k === "this") return this.#self?.objectId ?? "";
    const [at, name] = splitKey(String(member.k));
    const part = (await this.#objects())[at] ?? "";
    return this.#kit.unwrap(await this.#kit.child(part, "property", name));
  }

  /** The part of V8's chain that holds a variable, and its name there. */
  async holding(variable: string): Promise<{ number: number; name: string } | undefined> {
    const { list } = await this.list(10_000, false);
    const found = list.find((member) => member.n === variable && member.k !== "this");
    if (found === undefined) return undefined;
    const [at, name] = splitKey(String(found.k));
    const part = this.parts[at];
    return part && { number: part.number, name };
  }

  async #objects(): Promise<string[]> {
    const ids = await Promise.all(this.parts.map(({ objectId }) => this.#chosen(objectId)));
    if (!this.#pause.dirty || this.type === "global") return ids;
    return Promise.all(ids.map((id) => this.#fresh(id)));
  }

  /** An object with the chosen variables alone. */
  async #chosen(objectId: string): Promise<string> {
    if (this.#only === undefined) return objectId;
    const { result } = await this.#cdp.send("Runtime.callFunctionOn", {
      objectId,
      functionDeclaration:
        "function (...names) { const o = { __proto__: null }; for (const name of names) if (name in this) o[name] = this[name]; return o }",
      arguments: this.#only.map((value) => ({ value })),
      objectGroup: PAUSE_GROUP,
      silent: true,
    });
    return result.objectId ?? objectId;
  }

  /** V8's scope objects are copies made at the pause. After a change, the names are read again in the frame itself. */
  async #fresh(objectId: string): Promise<string> {
    const { list } = await this.#kit.scope([objectId], [], 1000, false);
    const names = list
      .map((member) => member.n)
      .filter((name) => /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name));
    const reads = names.map((name) => `try { o.${name} = ${name} } catch { o.${name} = undefined }`);
    const answer = await this.#cdp.send("Debugger.evaluateOnCallFrame", {
      callFrameId: this.frame.call.callFrameId,
      expression: `(() => { const o = { __proto__: null }; ${reads.join("; ")}; return o })()`,
      objectGroup: PAUSE_GROUP,
      silent: true,
    });
    return answer.result.objectId ?? objectId;
  }
}

/** One that another hides there keeps that of the script. `ends`: where the scope of each part ends. */
function renamed(
  list: DescribedMember[],
  names: NamesAt,
  ends: readonly (number | undefined)[],
): DescribedMember[] {
  const taken = new Set(list.map(({ n }) => n));
  return list.map((member) => {
    if (member.k === "this") return member;
    const [at, name] = splitKey(String(member.k));
    const original = names.original(name, ends[at] ?? 0);
    const isMeant = names.means(original, name);
    if (original === name) return isMeant ? member : withoutPath(member);
    if (!isMeant && taken.has(original)) return withoutPath(member);
    taken.add(original);
    const shown = { ...member, n: original };
    return isMeant ? { ...shown, p: original } : withoutPath(shown);
  });
}

/** It cannot be asked for by its name here. */
function withoutPath({ p: _, ...member }: DescribedMember): DescribedMember {
  return member;
}

function splitKey(key: string): [number, string] {
  const colon = key.indexOf(":");
  return [Number(key.slice(0, colon)), key.slice(colon + 1)];
}

export function argumentOf(object: Protocol.Runtime.RemoteObject): Protocol.Runtime.CallArgument {
  if (object.objectId !== undefined) return { objectId: object.objectId };
  if (object.unserializableValue !== undefined) return { unserializableValue: object.unserializableValue };
  return object.type === "undefined" ? {} : { value: object.value };
}

export function scopesOf(tools: Tools, frame: LiveFrame): Scope[] {
  const chain = frame.call.scopeChain.map((scope, number) => ({ scope, number }));
  const hasLocal = chain.some(({ scope }) => scope.type === "local");
  const localAt = chain.findIndex(({ scope }) => scope.type === (hasLocal ? "local" : "module"));
  const scopes: Scope[] = [];
  const add = (
    type: ScopeType,
    title: string,
    members: typeof chain,
    choice: { self?: Protocol.Runtime.RemoteObject | undefined; only?: string[]; hidden?: string[] } = {},
  ) => {
    const parts = members.flatMap(({ scope, number }) =>
      scope.object.objectId === undefined ? [] : [{ number, objectId: scope.object.objectId }],
    );
    const isLocal =
      type === "block" || type === "local" || type === "catch" || (!hasLocal && type === "module");
    const { self, hidden = [], only } = choice;
    const place = { title, type, frame, parts, isLocal, hidden, ...(only === undefined ? {} : { only }) };
    if (parts.length > 0) scopes.push(new Scope(tools, place, self));
  };
  // Blocks within each other are one thing to a reader; the innermost name wins, also over one of a `catch` further out.
  const inner = chain.slice(0, Math.max(0, localAt));
  let blocks: typeof chain = [];
  for (const one of [...inner, undefined]) {
    if (one?.scope.type === "block") blocks.push(one);
    else {
      if (blocks.length > 0) add("block", "Block", blocks);
      blocks = [];
      if (one !== undefined) add(one.scope.type, titleOf(one.scope), [one]);
    }
  }
  const parameters = PARAMETERS.get(frame) ?? [];
  for (const one of chain.slice(Math.max(0, localAt))) {
    const isOwn = one.number === localAt;
    const isFunction = isOwn && hasLocal && !frame.isModule;
    if (isFunction && parameters.length > 0) add("local", "Arguments", [one], { only: parameters });
    const hidden = isFunction
      ? parameters
      : frame.isModule && one.scope.type === "local"
        ? WRAPPER_NAMES
        : [];
    add(one.scope.type, titleOf(one.scope), [one], { self: isOwn ? selfOf(frame) : undefined, hidden });
  }
  return scopes;
}

function titleOf(scope: Protocol.Debugger.Scope): string {
  const title = TITLES[scope.type] ?? scope.type;
  return scope.type === "closure" && scope.name ? `${title} (${scope.name})` : title;
}

/** Whether it is the global object, which tells nothing, only the kit can say: any class may be called `Window` or `global`. */
function selfOf(frame: LiveFrame): Protocol.Runtime.RemoteObject | undefined {
  const self = frame.call.this;
  return frame.isModule || self.type === "undefined" ? undefined : self;
}

export function scopeBody(scope: Scope, variablesReference: number): DebugProtocol.Scope {
  return {
    name: scope.title,
    variablesReference,
    expensive: scope.type === "global",
    ...(scope.hint === undefined ? {} : { presentationHint: scope.hint }),
  };
}
