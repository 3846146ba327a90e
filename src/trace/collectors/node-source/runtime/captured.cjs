// Variables of the functions around one, as far as it names them: what a callback works on.
const { identifiersIn } = require("../../../../adapters/node/javascript/parse.cjs");
const { bare, children, isFunction } = require("./tree.cjs");

const MOST_CAPTURED = 8;

/** What can be seen on the way down a tree, in functions only: what a module declares is not told in each of them. */
class Around {
  /** Innermost last; each a set of names, of a function or a block. */
  #scopes = [];
  #functions = 0;

  /** @returns how it is left */
  enter(node) {
    const isInner = isFunction(node);
    if (isInner) this.#functions++;
    const names = this.#functions === 0 ? undefined : declaredBy(node);
    if (names !== undefined) this.#scopes.push(names);
    return () => {
      if (isInner) this.#functions--;
      if (names !== undefined) this.#scopes.pop();
    };
  }

  /** As parts of an object, each by its name in the source. */
  capturedBy(node) {
    if (this.#scopes.length === 0) return [];
    const own = new Set([node.id?.name, "arguments"]);
    for (const name of declaredIn(node)) own.add(name);
    const found = new Map();
    for (const one of references(node.body)) {
      if (own.has(one.name) || found.has(one.name)) continue;
      const scope = this.#scopes.findLast((names) => names.has(one.name));
      if (scope?.get(one.name) === true) found.set(one.name, one);
    }
    const parts = [...found.values()].map(({ name, original }) =>
      original === undefined ? name : `${original}:${name}`,
    );
    return parts.slice(0, MOST_CAPTURED);
  }
}

/** Of a function, a block or the head of a loop: its names, and whether they are variables with values of their own. */
function declaredBy(node) {
  const names = new Map();
  const add = (pattern, isValue) => {
    for (const { name } of identifiersIn(pattern)) names.set(name, isValue);
  };
  const declare = (one, kinds) => {
    const statement = one?.declaration ?? one;
    if (/^(?:Function|Class)Declaration$/.test(statement?.type) && statement.id)
      names.set(statement.id.name, false);
    if (statement?.type === "VariableDeclaration" && kinds.includes(statement.kind))
      for (const { id, init } of statement.declarations) add(id, !isCode(init));
  };
  const BLOCK = ["let", "const", "using"];
  if (isFunction(node)) {
    for (const one of node.params) add(one, true);
    for (const one of vars(node.body)) declare(one, ["var"]);
  } else if (node.type === "BlockStatement") for (const one of node.body) declare(one, BLOCK);
  else if (/^For/.test(node.type)) declare(node.init ?? node.left, BLOCK);
  else if (node.type === "CatchClause" && node.param) add(node.param, true);
  else if (node.type === "SwitchStatement")
    for (const { consequent } of node.cases) for (const one of consequent) declare(one, BLOCK);
  return names.size === 0 ? undefined : names;
}

const isCode = (init) => {
  const made = init ? bare(init) : undefined;
  return made !== undefined && (isFunction(made) || made.type === "ClassExpression");
};

function* vars(node) {
  if (isFunction(node) || node.type === "ClassBody") return;
  if (node.type === "VariableDeclaration") yield node;
  for (const child of children(node)) yield* vars(child);
}

/** Everything that is declared anywhere in it, but in functions inside. */
function* declaredIn(node, isOutermost = true) {
  if (isFunction(node) && !isOutermost) {
    if (node.type === "FunctionDeclaration" && node.id) yield node.id.name;
    return;
  }
  if (node.type === "ClassDeclaration" && node.id) yield node.id.name;
  yield* (declaredBy(node) ?? new Map()).keys();
  for (const child of children(node)) yield* declaredIn(child, false);
}

/** Identifiers that stand for a value; not those that are only called. */
function* references(node) {
  if (isFunction(node) || node.type === "ClassBody") return;
  switch (node.type) {
    case "Identifier":
      yield node;
      return;
    case "MemberExpression":
      yield* references(node.object);
      if (node.computed) yield* references(node.property);
      return;
    case "Property":
      if (node.computed) yield* references(node.key);
      yield* references(node.value);
      return;
    case "CallExpression":
      if (bare(node.callee).type !== "Identifier") yield* references(node.callee);
      for (const one of node.arguments) yield* references(one);
      return;
    case "BreakStatement":
    case "ContinueStatement":
      return;
    case "LabeledStatement":
      yield* references(node.body);
      return;
    default:
      for (const child of children(node)) yield* references(child);
  }
}

module.exports = { Around };
