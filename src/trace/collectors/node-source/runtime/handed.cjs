// Expressions at a point that are given the variables they read, rather than seeing them. A function that sees a variable makes V8 keep
// that one apart for every call of the code around it, also where the point is never reached; and one that only stands in a loop makes
// it copy the loop's variables each round. So the function is moved to the top of the file where it means the same there.
const { parsed } = require("../../../../adapters/node/javascript/parse.cjs");
const { isStrict, isWithin, namesNothing } = require("./outer-names.cjs");
const { children, isFunction, namesIn } = require("./tree.cjs");

const THUNK = /^\(\)=>\(([\s\S]*)\)$/;
/** What means something else, or nothing, in a function of its own. */
const OWN = new Set([
  "AssignmentExpression",
  "UpdateExpression",
  "Super",
  "MetaProperty",
  "AwaitExpression",
  "YieldExpression",
  "ImportExpression",
]);

/**
 * @param thunks the expressions as `()=>(…)`
 * @returns `usesThis`; `given`, the variables; `reader`, a function's parameters and body, which makes of them what `head` says and the
 * expressions; `isMovable`: it means the same at the top of the file; `maySet`: statements there may set variables. Nothing if they
 * must see for themselves
 */
function handed(program, at, head, thunks) {
  const texts = thunks.map((thunk) => THUNK.exec(thunk)?.[1]);
  const reads = texts.map(readIn);
  if (reads.some((one) => one === undefined)) return undefined;
  const usesThis = reads.some((one) => one.usesThis);
  const names = [...new Set(reads.flatMap((one) => one.names))];
  if (names.length === 0 && !usesThis) return undefined;
  const inner = functionAt(program, at);
  if (inner === undefined || (usesThis && !inner.hasThis)) return undefined;
  const known = names.map((name) => [name, inner.state(name)]);
  if (known.some(([, state]) => state === "unset")) return undefined;
  const given = known.flatMap(([name, state]) => (state === "set" ? [name] : []));
  if (given.length === 0 && !usesThis) return undefined;
  const others = known.flatMap(([name, state]) => (state === undefined ? [name] : []));
  const strict = isStrict(inner.chain) ? '"use strict";' : "";
  return {
    usesThis,
    given,
    reader: `(${given.join(",")}){${strict}return[${head},[${thunks.join(",")}]]}`,
    // A private name is known only in its class.
    isMovable: !texts.some((text) => text.includes("#")) && !isWithin(inner.chain[1], others),
    maySet: namesNothing(inner.functions),
  };
}

/** The names in an expression, as far as they may be the program's variables. */
function readIn(text) {
  const program = text === undefined ? undefined : parsed(`(${text}\n)`, "script");
  const statement = program?.body[0];
  if (program?.body.length !== 1 || statement.type !== "ExpressionStatement") return undefined;
  const names = new Set();
  let usesThis = false;
  const visit = (node) => {
    if (OWN.has(node.type)) return false;
    if (node.type === "UnaryExpression" && node.operator === "delete") return false;
    if (node.type === "ThisExpression") usesThis = true;
    if (node.type === "Identifier") {
      if (node.name === "arguments" || node.name === "eval") return false;
      names.add(node.name);
    }
    return [...children(node)].every((child) => isNameOf(node, child) || visit(child));
  };
  return visit(statement.expression) ? { names: [...names], usesThis } : undefined;
}

/** A property's name is no variable. */
function isNameOf(node, child) {
  if (node.type === "MemberExpression") return child === node.property && !node.computed;
  return node.type === "Property" && child === node.key && !node.computed && !node.shorthand;
}

/** The innermost function that a place is in the body of, and which of its variables are there by then. */
function functionAt(program, at) {
  const chain = [program];
  for (let next = inside(program, at); next !== undefined; next = inside(next, at)) {
    if (next.type === "WithStatement" || next.type === "StaticBlock") return undefined;
    chain.push(next);
  }
  const from = chain.findLastIndex(isFunction);
  const inner = chain[from];
  if (inner === undefined || chain[from + 1] !== inner.body) return undefined;
  const scopes = chain
    .slice(from + 1)
    .reverse()
    .map((node) => scopeOf(node, inner, at));
  scopes.push(new Map([...parameters(inner), ...varsOf(inner)].map((name) => [name, "set"])));
  return {
    chain,
    functions: chain.slice(0, from + 1),
    hasThis: inner.type !== "ArrowFunctionExpression" && !isConstructor(chain, from),
    /** Of a name that is no variable of this function: nothing. */
    state: (name) => scopes.find((scope) => scope.has(name))?.get(name),
  };
}

function inside(node, at) {
  for (const child of children(node)) if (child.start <= at && at < child.end) return child;
  return undefined;
}

/** Before `super` there is no `this`. */
function isConstructor(chain, at) {
  return chain[at - 1]?.kind === "constructor";
}

const parameters = ({ params }) => params.flatMap((one) => [...namesIn(one)]);

/** What a block or a loop declares for itself, by whether that has been done at this place. */
function scopeOf(node, owner, at) {
  const scope = new Map();
  const put = (names, isSet) => {
    for (const name of names) scope.set(name, isSet ? "set" : "unset");
  };
  const declared = (statement, isSet) => {
    if (statement?.type === "VariableDeclaration" && statement.kind !== "var")
      put(
        statement.declarations.flatMap(({ id }) => [...namesIn(id)]),
        isSet,
      );
    if (statement?.type === "ClassDeclaration") put([statement.id.name], isSet);
    if (statement?.type === "FunctionDeclaration") put([statement.id.name], node === owner.body);
  };
  if (Array.isArray(node.body)) for (const one of node.body) declared(one, one.end <= at);
  for (const { consequent } of node.cases ?? []) for (const one of consequent) declared(one, false);
  const isInBody = node.body?.start <= at;
  if (/^For/.test(node.type)) declared(node.init ?? node.left, isInBody);
  if (node.type === "CatchClause" && node.param !== null) put(namesIn(node.param), isInBody);
  if (/^Class/.test(node.type) && node.id) put([node.id.name], false);
  return scope;
}

/** By function: a long one may have a point on every line. */
const varsByFunction = new WeakMap();

function varsOf(inner) {
  const names = varsByFunction.get(inner) ?? varsIn(inner.body);
  varsByFunction.set(inner, names);
  return names;
}

function varsIn(node) {
  if (isFunction(node)) return [];
  const own =
    node.type === "VariableDeclaration" && node.kind === "var"
      ? node.declarations.flatMap(({ id }) => [...namesIn(id)])
      : [];
  return [...own, ...[...children(node)].flatMap(varsIn)];
}

module.exports = { handed };
