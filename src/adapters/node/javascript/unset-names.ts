/**
 * Which variables of a scope have no value yet where a frame stands, by the text. V8 does not say: it keeps plain locals in registers,
 * and before their declaration has run these hold `undefined`, or what the round before left there.
 */
import type {
  ArrowFunctionExpression,
  FunctionExpression,
  Node,
  Program,
  Statement,
  VariableDeclaration,
} from "acorn";
import { childrenOf, identifiersIn, parsed } from "./parse.cjs";

/** Offsets of the text. */
export interface Range {
  start: number;
  end: number;
}

/** Longer texts are bundles: reading one takes longer than anybody waits for a value. */
const LONGEST = 1_000_000;
const KEPT = 8;

/** The frames of a stack are of few files, and are asked for one after the other. */
const programs = new Map<string, Program | undefined>();

/** What stands in each scope that was asked for, by its range. */
const found = new WeakMap<Program, Map<string, readonly Statement[]>>();

/** `scope` as V8 has it: a block, a function from its parameters on, or the whole text. `offset`: where the frame stands. */
export function unsetNames(text: string, scope: Range, offset: number): Set<string> {
  const program = programOf(text);
  if (program === undefined) return new Set();
  const isWhole = scope.start === 0 && scope.end >= program.end;
  const statements = isWhole ? program.body : knownStatements(program, scope, offset);
  return new Set(statements.flatMap((one) => unsetBy(one, offset)));
}

export function programOf(text: string, longest = LONGEST): Program | undefined {
  if (text.length > longest) return undefined;
  if (programs.has(text)) return programs.get(text);
  const program = parsed(text, "script") ?? parsed(text, "module");
  if (programs.size >= KEPT) programs.clear();
  programs.set(text, program);
  return program;
}

type Listed = Program["body"][number];

function knownStatements(program: Program, scope: Range, offset: number): readonly Statement[] {
  const known = found.get(program) ?? new Map<string, readonly Statement[]>();
  found.set(program, known);
  const key = `${scope.start}-${scope.end}`;
  const statements = known.get(key) ?? statementsOf(program, scope, offset);
  known.set(key, statements);
  return statements;
}

/** What stands in the scope itself, not in a block within it. `offset` is in it. */
function statementsOf(program: Program, scope: Range, offset: number): Statement[] {
  let at: Node | undefined = program;
  let found: Statement[] = [];
  while (at !== undefined) {
    found = listIn(at, scope) ?? found;
    at = childrenOf(at).find(({ start, end }) => start <= offset && offset < end);
  }
  return found;
}

function listIn(node: Node, scope: Range): Statement[] | undefined {
  // The parser's types for a node that may be any.
  const one = node as Statement | FunctionExpression | ArrowFunctionExpression;
  const isSame = one.start === scope.start && one.end === scope.end;
  switch (one.type) {
    case "BlockStatement":
      return isSame ? one.body : undefined;
    case "SwitchStatement":
      return isSame ? one.cases.flatMap(({ consequent }) => consequent) : undefined;
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression": {
      const isFunction = one.end === scope.end && one.start <= scope.start && scope.start < one.body.start;
      return isFunction && one.body.type === "BlockStatement" ? one.body.body : undefined;
    }
    default:
      return undefined;
  }
}

function unsetBy(statement: Listed, offset: number): string[] {
  const declared =
    statement.type === "ExportNamedDeclaration" ? (statement.declaration ?? statement) : statement;
  if (declared.type === "ClassDeclaration") return offset < declared.start ? [declared.id.name] : [];
  return declared.type === "VariableDeclaration" && declared.kind !== "var" ? unsetIn(declared, offset) : [];
}

/** A value is made before it is taken apart, from the left. */
function unsetIn({ declarations }: VariableDeclaration, offset: number): string[] {
  return declarations.flatMap(({ id, init, start, end }) => {
    const isMaking = init ? init.start <= offset && offset < init.end : false;
    const isUnset = offset < start || isMaking || (id.type === "Identifier" && offset < end);
    return [...identifiersIn(id)].flatMap((one) => (isUnset || offset < one.start ? [one.name] : []));
  });
}
