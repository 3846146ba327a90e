/**
 * Values through gdb's variable objects, made anew at each stop. The adapter keeps its own for as long as a call lasts: they stay
 * with the block they were made in, so a name that an inner block declares again would keep the outer value.
 */
import { dirname } from "node:path";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { asUnset } from "../../dap/unset.ts";
import { ownFile } from "../../util/own-file.ts";
import type { Wire } from "../kit/dialect.ts";
import { execute, type FramePlace, miString, passed, textOf, valueText } from "./mi.ts";

/** Values whose whole text is asked for, at most, in one list. */
const MOST_TEXTS = 60;
/** Far from the adapter's own references, which its registers keep. */
const FIRST_REFERENCE = 1 << 24;
/** C++ members stand below one of these, which is no part of the program. */
const ACCESS = new Set(["public", "protected", "private"]);

/** Of our part in gdb. */
const SCRIPTS = ["cdt-gdb/gdb_unset.py", "native/native_unset.py"];

interface Unset {
  names: string[];
  why?: string | undefined;
}

/** gdb's answer about a variable object. */
interface VarObject {
  name: string;
  exp?: string;
  numchild?: string;
  value?: string;
  type?: string;
}

/** A value that can be opened. */
interface Opened {
  object: string;
  place: FramePlace | undefined;
  /** Asking gdb for it again does nothing to the program. */
  plain: boolean;
}

interface Shown extends Omit<Opened, "object"> {
  name: string;
  /** As the program would name it, where its whole text is wanted. */
  path: string | undefined;
}

export class Values {
  readonly #frames = new Map<number, FramePlace>();
  /** Scopes of local variables, and their frames. */
  readonly #locals = new Map<number, number>();
  readonly #opened = new Map<number, Opened>();
  #nextReference = FIRST_REFERENCE;
  /** Our part in gdb has been loaded. */
  #python: Promise<DebugProtocol.Response> | undefined;
  /** What gdb holds for this stop, and for earlier ones. */
  #roots: string[] = [];
  #stale: string[] = [];

  /** The program has moved. */
  clear(): void {
    this.#frames.clear();
    this.#locals.clear();
    this.#opened.clear();
    this.#stale.push(...this.#roots);
    this.#roots = [];
  }

  addFrame(id: number, place: FramePlace): void {
    this.#frames.set(id, place);
  }

  scopes(frameId: number, scopes: readonly DebugProtocol.Scope[]): DebugProtocol.Scope[] {
    return scopes.map((scope) => {
      const registers = scope.name === "Registers";
      if (!registers) this.#locals.set(scope.variablesReference, frameId);
      return { ...scope, presentationHint: registers ? "registers" : "locals" };
    });
  }

  async variables(args: DebugProtocol.VariablesArguments, wire: Wire): Promise<unknown> {
    const frameId = this.#locals.get(args.variablesReference);
    if (frameId !== undefined) return this.#localsOf(frameId, args, wire);
    const opened = this.#opened.get(args.variablesReference);
    return opened ? this.#parts(opened, args, wire) : passed("variables", args, wire);
  }

  async #localsOf(
    frameId: number,
    { start = 0, count = 0 }: DebugProtocol.VariablesArguments,
    wire: Wire,
  ): Promise<unknown> {
    const place = this.#frames.get(frameId);
    // A name that an inner block has taken is listed for what it hides too.
    const { names: unset } = await this.#unset(place, wire);
    const there = (await this.#there(frameId, wire)).map(({ name }) => name);
    const names = [...new Set(there)];
    const asked = names.slice(start, count > 0 ? start + count : undefined);
    const found = asked.map(async (name, index) => {
      const made = await this.#make(name, place, wire);
      if ("error" in made) return { name, value: `<${made.error}>`, variablesReference: 0 };
      const how = { name, place, plain: true, path: index < MOST_TEXTS ? name : undefined };
      const shown = await this.#show(made, how, wire);
      return unset.includes(name) ? asUnset(shown) : shown;
    });
    return { variables: await Promise.all(found) };
  }

  async #parts(
    opened: Opened,
    { start = 0, count = 0 }: Partial<DebugProtocol.VariablesArguments>,
    wire: Wire,
  ): Promise<unknown> {
    // Its parts as they are now, not as they were when it was first shown.
    if (opened.plain) await execute(wire, `-var-update ${opened.object}`);
    const children = await childrenOf(opened.object, count > 0 ? ` ${start} ${start + count}` : "", wire);
    const members = children.map(async (child) =>
      ACCESS.has(child.exp ?? "") && child.type === undefined ? childrenOf(child.name, "", wire) : [child],
    );
    const parts = (await Promise.all(members)).flat();
    const [only] = parts;
    if (parts.length === 1 && only?.exp?.startsWith("*") && Number(only.numchild) > 0)
      return this.#parts({ ...opened, object: only.name }, {}, wire);
    const shown = parts.map(async (part, index) => {
      const { exp = "" } = part;
      const name = /^\d+$/.test(exp) ? `[${exp}]` : exp;
      const path = index < MOST_TEXTS && hasParts(part) ? await pathOf(part.name, wire) : undefined;
      return this.#show(part, { ...opened, name, path }, wire);
    });
    return { variables: await Promise.all(shown) };
  }

  async evaluate(args: DebugProtocol.EvaluateArguments, wire: Wire): Promise<unknown> {
    const { expression, frameId } = args;
    if (frameId === undefined)
      return args.context === "repl" ? consoleCommand(expression, wire) : passed("evaluate", args, wire);
    const place = this.#frames.get(frameId);
    const { why } = await this.#unset(place, wire, expression);
    if (why !== undefined) throw new Error(why);
    if (place && hasEffects(expression)) return evaluatedOnce(expression, place, wire);
    const made = await this.#make(expression, place, wire);
    if ("error" in made) throw new Error(made.error);
    const plain = isPlain(expression);
    const how = { name: expression, place, plain, path: plain ? expression : undefined };
    const { value, type, variablesReference } = await this.#show(made, how, wire);
    return { result: value, type, variablesReference };
  }

  async setVariable(args: DebugProtocol.SetVariableArguments, wire: Wire): Promise<unknown> {
    const frameId = this.#locals.get(args.variablesReference);
    if (frameId === undefined) return passed("setVariable", args, wire);
    return this.setExpression({ expression: args.name, value: args.value, frameId }, wire);
  }

  async setExpression(args: DebugProtocol.SetExpressionArguments, wire: Wire): Promise<unknown> {
    const { expression, value, frameId = -1 } = args;
    const place = this.#frames.get(frameId);
    if (place === undefined) throw new Error("there is no such frame");
    const done = await valueText(wire, `${expression} = ${value}`, place);
    if ("error" in done) throw new Error(done.error);
    const { result, ...rest } = (await this.evaluate({ expression, frameId }, wire)) as { result: string };
    return { ...rest, value: result };
  }

  /** Variables that have no value yet, and why an expression has none if it is because of them; nothing where gdb has no Python. */
  async #unset(place: FramePlace | undefined, wire: Wire, expression = ""): Promise<Unset> {
    if (place === undefined) return { names: [] };
    const python = (words: string, where = "") =>
      execute(wire, `-interpreter-exec ${where} console ${miString(`python ${words}`)}`);
    const folders = SCRIPTS.map((file) => dirname(ownFile(`adapters/${file}`)));
    this.#python ??= python(`import sys; sys.path[:0] = ${JSON.stringify(folders)}; import gdb_unset`);
    if (!(await this.#python).success) return { names: [] };
    const text = Buffer.from(expression).toString("hex");
    const { success, body } = await python(`gdb_unset.say("${text}")`, option(place));
    const said = success ? /^sonde (\{.*\})$/m.exec((body?.console ?? []).join(""))?.[1] : undefined;
    const { names, why } = JSON.parse(said ?? '{"names":[]}') as { names: string[]; why?: string | null };
    return { names, why: why ?? undefined };
  }

  /** The names of a frame's arguments, which gdb lists among the locals. */
  async arguments({ frameId }: { frameId: number }, wire: Wire): Promise<{ names: string[] }> {
    const there = await this.#there(frameId, wire);
    return { names: there.filter(({ arg }) => arg === "1").map(({ name }) => name) };
  }

  async #there(frameId: number, wire: Wire): Promise<{ name: string; arg?: string }[]> {
    const place = this.#frames.get(frameId);
    if (place === undefined) return [];
    const answer = await execute(wire, `-stack-list-variables ${option(place)} --no-values`);
    if (!answer.success) throw new Error(textOf(answer));
    return answer.body?.result?.variables ?? [];
  }

  async #make(
    expression: string,
    place: FramePlace | undefined,
    wire: Wire,
  ): Promise<VarObject | { error: string }> {
    for (const name of this.#stale.splice(0)) void execute(wire, `-var-delete ${name}`);
    const where = place ? `${option(place)} - *` : "- @";
    const answer = await execute(wire, `-var-create ${where} ${miString(expression)}`);
    if (!answer.success) return { error: await reasonFor(expression, place, answer, wire) };
    const object: VarObject = answer.body.result;
    this.#roots.push(object.name);
    if (object.value !== "" || Number(object.numchild) > 0 || place === undefined) return object;
    // It is there, and has no value: gdb tells why only who asks for that.
    const text = await valueText(wire, expression, place);
    return "error" in text ? text : { ...object, value: text.value };
  }

  async #show(object: VarObject, how: Shown, wire: Wire): Promise<DebugProtocol.Variable> {
    const { name, place, plain, path } = how;
    const { type = "", value = type } = object;
    const shown = { name, type, value, variablesReference: 0 };
    if (Number(object.numchild) > 0) {
      shown.variablesReference = this.#nextReference++;
      this.#opened.set(shown.variablesReference, { object: object.name, place, plain });
    }
    // gdb's own text for an object with parts is `{...}`.
    if (path === undefined || place === undefined || !hasParts(object)) return shown;
    const text = await valueText(wire, path, place);
    return "value" in text ? { ...shown, value: text.value } : shown;
  }
}

function option({ threadId, level }: FramePlace): string {
  return `--thread ${threadId} --frame ${level}`;
}

function hasParts({ numchild, type = "" }: VarObject): boolean {
  return Number(numchild) > 0 && !/[*&]\s*(const)?$|\(\*/.test(type);
}

/** A call or an assignment: gdb would do it again to show its parts, and does not tell why it failed. */
function hasEffects(expression: string): boolean {
  return /[\w\])>]\s*\(|[^=!<>]=(?!=)|\+\+|--/.test(expression);
}

async function evaluatedOnce(expression: string, place: FramePlace, wire: Wire): Promise<unknown> {
  const text = await undisturbed(wire, () => valueText(wire, expression, place));
  if ("error" in text) throw new Error(withReason(text.error));
  // Asks for the type alone, and runs nothing.
  const asked = `-interpreter-exec ${option(place)} console ${miString(`whatis ${expression}`)}`;
  const answer = await execute(wire, asked);
  const type = /^type = (.*)$/m.exec((answer.body?.console ?? []).join(""))?.[1];
  return { result: text.value, ...(type === undefined ? {} : { type }), variablesReference: 0 };
}

/** gdb's words for a processor that is newer than it is. */
function withReason(error: string): string {
  if (!/^Couldn't write extended state status/.test(error)) return error;
  return `${error} (this gdb does not know the registers of this processor, so it cannot call functions; a newer gdb or LLDB can)`;
}

/** A function that is called must come to its end: one that stops inside leaves the program where nobody put it. */
async function undisturbed<T>(wire: Wire, evaluate: () => Promise<T>): Promise<T> {
  await execute(wire, "-gdb-set unwindonsignal on");
  const answer = await execute(wire, "-break-list");
  const there: { number: string; enabled: string }[] = answer.body?.result?.BreakpointTable?.body ?? [];
  const enabled = there.filter((one) => one.enabled === "y").map((one) => one.number);
  if (enabled.length === 0) return evaluate();
  await execute(wire, `-break-disable ${enabled.join(" ")}`);
  try {
    return await evaluate();
  } finally {
    await execute(wire, `-break-enable ${enabled.join(" ")}`);
  }
}

/** Neither a call nor an assignment: it can be asked for twice. */
function isPlain(expression: string): boolean {
  return /^[\w.[\]>*&: -]+$/.test(expression) && !/--|\+\+/.test(expression);
}

async function childrenOf(object: string, range: string, wire: Wire): Promise<VarObject[]> {
  const answer = await execute(wire, `-var-list-children --all-values ${object}${range}`);
  if (!answer.success) throw new Error(textOf(answer));
  return answer.body?.result?.children ?? [];
}

/** How the program would name it. */
async function pathOf(object: string, wire: Wire): Promise<string | undefined> {
  const answer = await execute(wire, `-var-info-path-expression ${object}`);
  return answer.success ? answer.body?.result?.path_expr : undefined;
}

/** gdb says no more than that it could not make the object; asked for the value, it says why. */
async function reasonFor(
  expression: string,
  place: FramePlace | undefined,
  answer: DebugProtocol.Response,
  wire: Wire,
): Promise<string> {
  if (place === undefined || !/unable to create variable object/i.test(textOf(answer))) return textOf(answer);
  const again = await valueText(wire, expression, place);
  return "error" in again ? again.error : textOf(answer);
}

/** A command of gdb's own, as its user would type it. */
async function consoleCommand(command: string, wire: Wire): Promise<unknown> {
  const answer = await execute(wire, `-interpreter-exec console ${miString(command)}`);
  if (!answer.success) throw new Error(textOf(answer));
  return { result: (answer.body?.console ?? []).join(""), variablesReference: 0 };
}
