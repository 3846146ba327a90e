/** Expressions and assignments: what LLDB takes, and its refusals without the compiler's drawing. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { asUnset } from "../../dap/unset.ts";
import type { Asked, Wire } from "../kit/dialect.ts";
import { command, passed } from "./ask.ts";
import type { Scopes } from "./scopes.ts";
import { readableType } from "./types.ts";

/** An expression that has no value, such as a call of a void function, is refused with these words. */
const NO_VALUE = /^unknown error$/;

const MOVED = "the program has moved on";

/** As lldb-dap calls what a function has returned. */
const RETURNED = "(Return Value)";

export class Values {
  readonly #scopes: Scopes;
  readonly #rust: boolean;
  #moves = 0;
  /** By frame: its address in the program. */
  readonly #places = new Map<number, string>();
  /** By address: names of variables that are not set yet. */
  readonly #unsetAt = new Map<string, string[]>();

  constructor(scopes: Scopes, { rust }: { rust: boolean }) {
    this.#scopes = scopes;
    this.#rust = rust;
  }

  /** Called before any move. */
  moving(): void {
    this.#moves++;
    this.#places.clear();
  }

  /** Where frames are: what is unset there is the same each time. */
  placed(frames: readonly DebugProtocol.StackFrame[]): void {
    for (const { id, instructionPointerReference: place } of frames)
      if (place !== undefined) this.#places.set(id, place);
  }

  /**
   * What is asked in advance at a stop may be followed by a step before all of it is answered. A second question about it would reach LLDB
   * while the program runs: LLDB would halt it, and lose sight of where the step was to end.
   */
  #atThisStop(wire: Wire): Wire {
    const began = this.#moves;
    const gone: Asked = {
      seq: 0,
      type: "response",
      request_seq: 0,
      command: "",
      success: false,
      message: MOVED,
    };
    return {
      emit: (event, body) => wire.emit(event, body),
      askClient: (command, args) => wire.askClient(command, args),
      ask: async (command, args, withinMs) =>
        this.#moves === began ? wire.ask(command, args, withinMs) : gone,
    };
  }

  /** Sets of registers are summed up like structures, which says nothing; older versions put a blank before a text. */
  async variables(args: DebugProtocol.VariablesArguments, any: Wire): Promise<unknown> {
    const wire = this.#atThisStop(any);
    const asked: DebugProtocol.VariablesArguments = this.#scopes.asked(args, wire);
    const read = await summedUp(wire, asked);
    const body = markUnset(read, await this.#unset(args, wire));
    const scope = this.#scopes.known(args.variablesReference)?.name;
    const isKnown = await this.#isReturnKnown(args, body, wire);
    const sets = scope === "Registers";
    const value = (one: DebugProtocol.Variable) => (sets ? "" : readable(one.value.trimStart()));
    const shown = body.variables
      .filter(({ name }) => (scope !== "Globals" || !isLibrarys(name)) && (isKnown || name !== RETURNED))
      .map((one) => typed({ ...one, value: value(one) }));
    const texts = await readTexts(shown, wire);
    return { variables: shown.map((one, index) => ({ ...one, value: texts[index] ?? one.value })) };
  }

  /** Of C++ LLDB shows what is in registers, also where the function has put its value elsewhere: lldb_returned.py. */
  async #isReturnKnown(
    { variablesReference }: DebugProtocol.VariablesArguments,
    { variables }: DebugProtocol.VariablesResponse["body"],
    wire: Wire,
  ): Promise<boolean> {
    const frameId = this.#scopes.known(variablesReference)?.frameId;
    if (this.#rust || frameId === undefined || !variables.some(({ name }) => name === RETURNED)) return true;
    const said = await command(wire, `script lldb_returned.known(${frameId})`).catch(() => "");
    return !/^sonde false$/m.test(said);
  }

  /** Rust's variables are not in scope before they are set. */
  async #unset({ variablesReference }: DebugProtocol.VariablesArguments, wire: Wire): Promise<string[]> {
    const scope = this.#scopes.known(variablesReference);
    if (scope?.name !== "Locals" || this.#rust) return [];
    const place = this.#places.get(scope.frameId);
    if (place === undefined) return (await unsetIn(scope.frameId, wire)) ?? [];
    const known = this.#unsetAt.get(place) ?? (await unsetIn(scope.frameId, wire));
    if (known !== undefined) this.#unsetAt.set(place, known);
    return known ?? [];
  }

  /** Without a frame `repl` is a command of LLDB's; with one an expression, whatever commands there are by its first word. */
  async evaluate(args: DebugProtocol.EvaluateArguments, any: Wire): Promise<unknown> {
    const wire = this.#atThisStop(any);
    const { expression, context, frameId } = args;
    if (context !== "repl") return this.#expressed(wire, args);
    if (frameId === undefined || expression.startsWith("`")) {
      const result = await command(wire, expression.replace(/^`/, ""));
      return { result: result.trimEnd(), variablesReference: 0 };
    }
    try {
      return await this.#expressed(wire, { ...args, context: "watch" });
    } catch (error) {
      if (error instanceof Error && NO_VALUE.test(error.message))
        return { result: "(no value)", variablesReference: 0 };
      throw error;
    }
  }

  /** It takes numbers only; anything else is left to an assignment in the frame. */
  async setVariable(args: DebugProtocol.SetVariableArguments, wire: Wire): Promise<unknown> {
    const asked = this.#scopes.asked(args, wire);
    const answer = await wire.ask("setVariable", asked);
    if (answer.success) return answer.body;
    const frameId = this.#scopes.known(args.variablesReference)?.frameId;
    if (frameId === undefined) return passed(wire, "setVariable", asked);
    return this.setExpression({ expression: args.name, value: args.value, frameId }, wire);
  }

  async setExpression(args: DebugProtocol.SetExpressionArguments, wire: Wire): Promise<unknown> {
    const { expression, value, frameId } = args;
    const where = frameId === undefined ? {} : { frameId };
    const assignment = { expression: `${expression} = ${value}`, context: "watch", ...where };
    const { result, ...rest } = await this.#expressed(wire, assignment);
    return { ...rest, value: result };
  }

  /** Found by lldb_evaluate.py, shown by lldb-dap: by itself it would correct an expression and answer another question. */
  async #expressed(wire: Wire, args: DebugProtocol.EvaluateArguments) {
    const { expression, frameId } = args;
    if (frameId === undefined) return expressed(wire, args);
    const text = Buffer.from(expression).toString("hex");
    const words = `script lldb_evaluate.evaluate("${text}", ${this.#rust ? "True" : "False"}, ${frameId})`;
    const said = await command(wire, words).catch(() => "");
    const found = /^sonde (\{.*\})$/m.exec(said)?.[1];
    if (found === undefined) return expressed(wire, args);
    const { show, why } = JSON.parse(found) as { show?: string; why?: string };
    if (why !== undefined) throw new Error(plainRefusal(why) + this.#uncallable(expression));
    if (show === undefined) throw new Error("unknown error");
    // It is only a name by now: to ask for it twice runs nothing twice.
    const asked = { ...args, expression: show };
    let shown = await expressed(wire, asked);
    for (let tries = 0; tries < MOST_TRIES && isCutForTime({ value: String(shown.result) }); tries++)
      shown = await expressed(wire, asked);
    return shown;
  }

  /** The names of a frame's arguments, which it lists among the locals. */
  async arguments({ frameId }: { frameId: number }, wire: Wire): Promise<{ names: string[] }> {
    const said = await command(wire, `script lldb_evaluate.arguments(${frameId})`);
    const found = /^sonde (\[.*\])$/m.exec(said)?.[1];
    if (found === undefined) throw new Error("LLDB does not report the arguments of this frame");
    return { names: JSON.parse(found) as string[] };
  }

  #uncallable(expression: string): string {
    return this.#rust && /\w\s*\(/.test(expression)
      ? "; LLDB cannot call Rust functions: read fields, elements and `.len()` instead"
      : "";
  }
}

/** Names as lldb-dap writes them; nothing if that cannot be asked: then all are shown. */
async function unsetIn(frameId: number, wire: Wire): Promise<string[] | undefined> {
  const said = await command(wire, `script lldb_evaluate.unset(${frameId})`).catch(() => "");
  const found = /^sonde (\[.*\])$/m.exec(said)?.[1];
  return found === undefined
    ? undefined
    : (JSON.parse(found) as [name: string, line: number][]).map(([name]) => name);
}

/** One that hid another of its name no longer does. */
export function markUnset({ variables }: { variables: DebugProtocol.Variable[] }, unset: readonly string[]) {
  if (unset.length === 0) return { variables };
  const isSet = ({ name }: { name: string }) => !unset.includes(name);
  const plain = ({ name }: { name: string }) => name.replace(/ @ \S+:\d+$/, "");
  const isOnly = (one: DebugProtocol.Variable) =>
    variables.filter((other) => isSet(other) && plain(other) === plain(one)).length === 1;
  const marked = (one: DebugProtocol.Variable) =>
    !isSet(one) ? asUnset(one) : isOnly(one) ? { ...one, name: plain(one) } : one;
  return { variables: variables.map(marked) };
}

/**
 * lldb-dap has ten milliseconds to sum up a value, and ends it with dots when they are over, as it does with one that is too long. Asked
 * again it has the parts at hand.
 */
async function summedUp(wire: Wire, args: DebugProtocol.VariablesArguments) {
  let body: DebugProtocol.VariablesResponse["body"] = await passed(wire, "variables", args);
  for (let tries = 0; tries < MOST_TRIES && body.variables.some(isCutForTime); tries++)
    body = await passed(wire, "variables", args);
  return body;
}

const MOST_TRIES = 3;
/** What is longer has no more added to it. */
const LONGEST_SUMMARY = 32;

export function isCutForTime({ value }: Pick<DebugProtocol.Variable, "value">): boolean {
  const summary = /^(?:0x[0-9a-f]+ )?(\{.*?)(?:, )?\.\.\.\}$/s.exec(value)?.[1];
  return summary !== undefined && summary.length <= LONGEST_SUMMARY;
}

/** A pointer that leads nowhere is an address and nothing else, whatever LLDB makes of what would be there. */
export function readable(told: string): string {
  const value = told.replace(LETTER, "$1").replace(WIDE, "$1");
  const [, address, rest = ""] = /^(0x[0-9a-f]{6,}) (→ <|\{)/.exec(value) ?? [];
  if (address === undefined) return value;
  const place = BigInt(address);
  if (place === 0n) return address;
  return rest !== "{" || place < FIRST_PAGE || place > LAST ? `${address} (not readable)` : value;
}

/** As it was told, and the name of its type. */
type Told = Pick<DebugProtocol.Variable, "value" | "type">;

/** To LLDB, memory that is not there is an empty text, and a structure in which there is nothing else. */
async function readTexts(all: readonly Told[], wire: Wire): Promise<string[]> {
  const doubtful = all.flatMap((one) => doubtfulPlace(one) ?? []);
  if (doubtful.length === 0) return all.map(({ value }) => value);
  // If that cannot be asked, the answer is LLDB's.
  const said = await command(wire, `script lldb_values.missing(${doubtful.join(", ")})`).catch(() => "");
  const gone = new Set<bigint>(
    (JSON.parse(/^sonde (\[.*\])$/m.exec(said)?.[1] ?? "[]") as string[]).map((one) => BigInt(one)),
  );
  return all.map((one) => {
    const address = doubtfulPlace(one);
    return address !== undefined && gone.has(BigInt(address)) ? `${address} (not readable)` : one.value;
  });
}

/**
 * Where a pointer leads of which nothing is told that must have been read. lldb-dap has ten milliseconds to open one: on a busy machine
 * it tells the address alone. The recorder inside LLDB asks the same (lldb_trace_values.py).
 */
function doubtfulPlace({ value, type = "" }: Told): string | undefined {
  const [, address, content] = DOUBTFUL.exec(value) ?? [];
  if (address === undefined || BigInt(address) === 0n) return undefined;
  return content !== undefined || TO_ONE.test(type) ? address : undefined;
}

const DOUBTFUL = /^(0x[0-9a-f]{6,})( ""| \{(?:\w+:""(?:, )?)+(?:\.\.\.)?\})?$/;
/** A pointer to a thing: not to a pointer, a function, or nothing that has a type. */
const TO_ONE = /^(?!.*\bvoid \*$)[^*&()]+\*$/;

/** Some of g++'s types LLDB makes nothing of. */
export function typed(one: DebugProtocol.Variable): DebugProtocol.Variable {
  const { type, ...rest } = one;
  if (type === undefined) return one;
  // Of Rust; in C nothing can be of this type.
  if (type === "void" && /^<error: could not get size/.test(one.value))
    return { ...rest, type: "()", value: "()" };
  if (type !== "<no-type>" || !/^<error: Invalid type/.test(one.value))
    return { ...rest, type: readableType(type) };
  return { ...rest, value: "(LLDB cannot read its type)" };
}

/** C++ keeps these names for its library and its compilers; what a function of the program needs of them it names itself. */
function isLibrarys(name: string): boolean {
  return /^(::)?(std|__\w+)::/.test(name);
}

/** A letter of more than 8 bits, said two or three times over. */
const LETTER = /(?:U\+(?:0x[0-9a-f]{8}|[0-9a-f]{4}) )+[Uu]('(?:[^'\\]|\\.[^']*)')/gu;
/** One of C's wide letters, after its four bytes. */
const WIDE = /^(?:\\x[0-9a-f]{2}|\\[^x]|[^\\]){4} L('(?:[^'\\]|\\.[^']*)')$/u;

const FIRST_PAGE = 4096n;
/** What programs can have: above it processors take no address, or a kernel's. */
const LAST = process.arch === "x64" ? (1n << 56n) - 1n : (1n << 64n) - 1n;

async function expressed(wire: Wire, args: unknown) {
  try {
    const body = await passed(wire, "evaluate", args);
    if (typeof body.result !== "string") return body;
    const type = typeof body.type === "string" ? { type: readableType(body.type) } : {};
    const [result] = await readTexts([{ value: readable(body.result), ...type }], wire);
    return { ...body, ...type, result };
  } catch (error) {
    throw new Error(plainRefusal(error instanceof Error ? error.message : String(error)));
  }
}

/** Of the compiler's report, what is wrong; not where in a text that the reader has just typed. */
export function plainRefusal(whole: string): string {
  // What follows a colon is what it speaks of.
  const text = whole.replace(/:\n\s+(?=\S)(?!\d* \|)/g, ": ").replace(/^Expression evaluation in .*\n?/m, "");
  if (/couldn't read its memory/.test(text)) return "there is no memory to read at that address";
  const told = [...text.matchAll(/error: (?:<user expression \d+>:\d+:\d+: )?([^\n]+)/g)].map(
    ([, one]) => one,
  );
  const missing = /Couldn't look up symbols: (?:\$__lldb_func::\w+:\w+:)?(\S+)/.exec(text)?.[1];
  if (missing !== undefined) return `the program contains no code for ${missing}, so it cannot be called`;
  return told.length > 0 ? [...new Set(told)].join("; ") : text.trim();
}
