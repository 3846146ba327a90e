// What an expression would mean elsewhere in its file: the names that are declared around it, and whether it is strict code. And where
// V8 would take a name of ours for that of a function of the program's.
const { children, isFunction, namesIn } = require("./tree.cjs");

/** By statement of the file: a long one may have a point on every line. */
const namesByStatement = new WeakMap();

/** Whether any of these may be declared somewhere in a statement. */
function isWithin(statement, names) {
  if (names.length === 0) return false;
  const known = namesByStatement.get(statement) ?? new Set(declaredIn(statement));
  namesByStatement.set(statement, known);
  // `eval` declares what it likes.
  return known.has("eval") || names.some((name) => known.has(name));
}

/** Wherever in it, for whatever part of it; and `eval`, if that is called. */
function* declaredIn(node) {
  if (node.type === "CallExpression" && node.callee.name === "eval") yield "eval";
  if (node.type === "VariableDeclarator") yield* namesIn(node.id);
  if (node.type === "CatchClause" && node.param !== null) yield* namesIn(node.param);
  if (isFunction(node)) for (const one of node.params) yield* namesIn(one);
  if ((isFunction(node) || /^Class/.test(node.type)) && node.id) yield node.id.name;
  for (const child of children(node)) yield* declaredIn(child);
}

/** @param chain the file's tree and what is around a place in it, the outermost first */
function isStrict(chain) {
  return chain.some((node) => {
    if (/^Class/.test(node.type)) return true;
    const body = node.type === "Program" ? node.body : isFunction(node) ? node.body.body : undefined;
    return Array.isArray(body) && body.some(({ directive }) => directive === "use strict");
  });
}

/** By the innermost function, as above. */
const namingByFunction = new WeakMap();

/**
 * Whether a statement that sets a variable gives no function a name. V8 names functions without one by what is set next in the same
 * statement, also if that stands in another function there: unless that is a method or a declared one, which it reads later, alone.
 * @param chain up to a function, with nothing in it
 */
function namesNothing(chain) {
  const inner = chain.at(-1);
  const known = namingByFunction.get(inner) ?? !isNamedLate(chain);
  namingByFunction.set(inner, known);
  return known;
}

function isNamedLate(chain) {
  for (let at = chain.length - 1; at > 0; at--) {
    const node = chain[at];
    if (!isFunction(node)) continue;
    if (node.type === "FunctionDeclaration" || isMethod(chain[at - 1])) return false;
    const statement = chain.slice(0, at).findLast(({ type }) => /(?:Statement|Declaration)$/.test(type));
    if (statement !== undefined && hasNameless(statement, node.start)) return true;
  }
  return false;
}

const isMethod = ({ type, method, kind }) =>
  type === "MethodDefinition" || (type === "Property" && (method || kind !== "init"));

/** Functions that end before an offset. Those that are a property or a variable have its name by then. */
function hasNameless(node, until) {
  for (const child of children(node)) {
    if (child.start >= until) continue;
    const isNamed = /^(?:MethodDefinition|Property|VariableDeclarator)$/.test(node.type) && !node.computed;
    if (isFunction(child) && child.end <= until && !isNamed && !child.id) return true;
    if (hasNameless(child, until)) return true;
  }
  return false;
}

module.exports = { isStrict, isWithin, namesNothing };
