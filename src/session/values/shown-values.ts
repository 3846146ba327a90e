/**
 * The values of a frame that a reader is shown, wherever that is: arguments and locals, those that its line is about first; of wider
 * scopes (closures, the module, globals) only names that the source there mentions, because a module can hold hundreds; and fields
 * that the line reads. Functions are left out: the source shows them better.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { DapRequestError } from "../../dap/request-error.ts";
import type { Debuggee } from "../debuggee.ts";
import type { Session } from "../session.ts";
import type { Frame } from "../stack/frames.ts";
import { type About, about, byNearness } from "./about.ts";
import { isFunction, toLine, type ValueLine } from "./value-line.ts";

type Variable = DebugProtocol.Variable;

export interface Wanted {
  /** The frame's source. */
  lines: readonly string[] | undefined;
  /** Names of wider scopes that are shown too: those of the lines around, of its line alone, or none. */
  wider: "around" | "here" | "none";
  limits: { valueChars: number; variables: number };
  /** What the next stop is read by, too. */
  again?: true;
}

export interface Shown {
  line: ValueLine;
  /** Its text before it was cut. */
  whole: string;
  /** Of the function itself. */
  own: boolean;
}

const OWN = new Set(["locals", "arguments", "returnValue"]);

export async function shownValues(
  session: Session,
  debuggee: Debuggee,
  frame: Frame,
  { lines, wider, limits, again }: Wanted,
): Promise<{ values: Shown[]; more: number }> {
  const what = about(lines, frame.line);
  const scopes = (await session.reads.scopes(debuggee, frame.adapterId)).filter(
    (scope) => isShown(scope) && (wider !== "none" || isOwn(scope)),
  );
  const references = scopes.map((scope) => scope.variablesReference);
  if (again) session.reads.took(debuggee, frame.adapterId, references);
  const lists = await Promise.all(
    scopes.map(async (scope) => ({
      scope,
      variables: await session.reads.variables(debuggee, scope.variablesReference),
    })),
  );
  const names = wider === "around" ? what.around : what.here;
  const chosen = new Map<string, { name: string; variable: Variable; scope: DebugProtocol.Scope }>();
  for (const { scope, variables } of lists)
    for (const variable of variables) {
      const { name } = variable;
      if (chosen.has(name) || isFunction(variable) || variable.presentationHint?.kind === "virtual") continue;
      if (isOwn(scope) || (names.has(name) && !/^class\b/.test(variable.value)))
        chosen.set(name, { name, variable, scope });
    }
  const all = [...chosen.values()];
  const isReturned = ({ scope }: (typeof all)[number]) => scope.presentationHint === "returnValue";
  // What a call has just given back is what a step out of it was for.
  const ordered = [
    ...all.filter(isReturned),
    ...byNearness(
      all.filter((one) => !isReturned(one)),
      what,
    ),
  ];
  const rows: Shown[] = [];
  let variables = 0;
  for (const { variable, scope } of ordered) {
    // Fields that the line reads have rows too.
    if (rows.length >= limits.variables) break;
    variables++;
    const own = isOwn(scope);
    rows.push(shown(session, debuggee, variable, { chars: limits.valueChars, own, scope: scope.name }));
    const reading = { what, locals: chosen, chars: limits.valueChars };
    for (const field of await fieldsRead(session, debuggee, frame, variable, reading))
      rows.push(shown(session, debuggee, field, { chars: limits.valueChars, own, scope: scope.name }));
  }
  return { values: rows.slice(0, limits.variables), more: ordered.length - variables };
}

function shown(
  session: Session,
  debuggee: Debuggee,
  variable: Variable,
  { chars, own, scope }: { chars: number; own: boolean; scope: string },
): Shown {
  const line = toLine(session, debuggee, variable, chars);
  return { line: own ? line : { ...line, scope }, whole: variable.value, own };
}

function isOwn({ presentationHint }: DebugProtocol.Scope): boolean {
  return OWN.has(presentationHint ?? "");
}

function isShown({
  expensive,
  presentationHint,
  namedVariables,
  indexedVariables,
}: DebugProtocol.Scope): boolean {
  const empty = namedVariables === 0 && !indexedVariables;
  return !expensive && !empty && presentationHint !== "registers";
}

interface Reading {
  what: About;
  locals: ReadonlyMap<string, unknown>;
  /** How much of a value's text is shown. */
  chars: number;
}

/** Fields of this variable that the line reads and its own text does not show. A field that cannot be read is left out. */
async function fieldsRead(
  session: Session,
  debuggee: Debuggee,
  frame: Frame,
  variable: Variable,
  { what, locals, chars }: Reading,
): Promise<Variable[]> {
  const paths = what.paths.filter(([base]) => base === variable.name).map(([, ...rest]) => rest);
  // A method of C++ names the fields of `this` as they are.
  const bare = isThisPointer(variable) ? [...what.here].filter((name) => !locals.has(name)) : [];
  if (variable.variablesReference <= 0 || paths.length + bare.length === 0) return [];
  const joint = isThisPointer(variable) ? "->" : ".";
  const found = new Map<string, Variable>();
  for (const rest of [...paths, ...bare.map((name) => [name])]) {
    const field = await unlessRefused(fieldOf(session, debuggee, frame, variable, rest));
    if (
      field === undefined ||
      isFunction(field) ||
      isIn(variable.value.slice(0, chars - 1), rest, field.value)
    )
      continue;
    const name = `${variable.name}${joint}${rest.join(".")}`;
    found.set(name, { ...field, name });
  }
  return [...found.values()];
}

async function unlessRefused<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof DapRequestError) return undefined;
    throw error;
  }
}

function isThisPointer({ name, type = "" }: Variable): boolean {
  return name === "this" && /\*\s*(?:const)?$/.test(type);
}

/** `total=10`, `total: 10` */
function isIn(text: string, path: readonly string[], value: string): boolean {
  const name = path.at(-1) ?? "";
  return ["=", ": ", ":", " = "].some((between) => text.includes(`${name}${between}${value}`));
}

async function fieldOf(
  session: Session,
  debuggee: Debuggee,
  frame: Frame,
  base: Variable,
  path: readonly string[],
): Promise<Variable | undefined> {
  const { fieldExpression } = session.adapter;
  if (fieldExpression !== undefined) {
    const expression = path.reduce(fieldExpression, base.name);
    const asked = { expression, context: "watch", frameId: frame.adapterId };
    const { result, ...rest } = await debuggee.client.request("evaluate", asked);
    return { ...rest, name: "", value: result };
  }
  let here: Variable | undefined = base;
  for (const name of path) {
    if (here.variablesReference <= 0) return undefined;
    here = await partOf(session, debuggee, here, name);
    if (here === undefined) return undefined;
  }
  return here;
}

async function partOf(
  session: Session,
  debuggee: Debuggee,
  { variablesReference, indexedVariables = 0 }: Variable,
  name: string,
): Promise<Variable | undefined> {
  if (indexedVariables > 0) return undefined;
  const parts = await session.reads.variables(debuggee, variablesReference);
  const [only] = parts;
  // What a pointer leads to.
  if (parts.length === 1 && only && only.variablesReference > 0 && /^(\*.*)?$/.test(only.name))
    return partOf(session, debuggee, only, name);
  // One that is computed when it is asked for is the program's own code.
  return parts.find((part) => part.name === name && !part.presentationHint?.lazy);
}
