// Walking a syntax tree, and what can be told of a function from where it stands.
const { identifiersIn } = require("../../../../adapters/node/javascript/parse.cjs");

const SKIPPED = new Set(["type", "start", "end", "loc", "range", "raw", "regex"]);

function* children(node) {
  for (const key of Object.keys(node)) {
    if (SKIPPED.has(key)) continue;
    const value = node[key];
    if (Array.isArray(value)) {
      for (const item of value) if (item !== null && typeof item?.type === "string") yield item;
    } else if (value !== null && typeof value?.type === "string") yield value;
  }
}

const isFunction = (node) =>
  node.type === "FunctionDeclaration" ||
  node.type === "FunctionExpression" ||
  node.type === "ArrowFunctionExpression";

/** Without brackets around it. */
function bare(node) {
  let at = node;
  while (at?.type === "ParenthesizedExpression") at = at.expression;
  return at;
}

/** `a, b` without brackets: as one argument it needs some. */
const isList = (node) => node.type === "SequenceExpression";

/** Compiled apart from JavaScript, and only as it was written. */
function isAsm(node) {
  return isFunction(node) && node.body.type === "BlockStatement" && node.body.body.some(isAsmDirective);
}

const isAsmDirective = ({ directive }) => directive === "use asm";

/** Names are looked up in an object of the program's there: ours too. */
const isOpaque = (node, child) => node.type === "WithStatement" && child === node.body;

/** How V8 complains of what is looped over and cannot be, where its words follow from the text. */
function complaintOf(node) {
  const name = plainName(node.type === "CallExpression" ? node.callee : node);
  if (name === undefined) return undefined;
  const isCall = node.type === "CallExpression";
  return `${name} is not ${isCall ? "a function or its return value is not iterable" : "iterable"}`;
}

function plainName(node) {
  if (node.type === "Identifier") return node.name;
  if (node.type === "ThisExpression") return "this";
  if (node.type !== "MemberExpression" || node.computed || node.optional) return undefined;
  const owner = plainName(node.object);
  const { name, type } = node.property;
  return owner === undefined ? undefined : `${owner}.${type === "PrivateIdentifier" ? "#" : ""}${name}`;
}

const ENDED = new Set([
  "ExpressionStatement",
  "VariableDeclaration",
  "ReturnStatement",
  "ThrowStatement",
  "PropertyDefinition",
  "ExportDefaultDeclaration",
]);

/** Statements that only the next line ends: `found(node)` for each. */
function eachUnended(node, text, found) {
  const isBlock = node.type === "ExportDefaultDeclaration" && /Declaration$/.test(node.declaration.type);
  if (ENDED.has(node.type) && !isBlock && text[node.end - 1] !== ";") found(node);
  for (const child of children(node)) {
    // In the head of a loop a declaration is no statement.
    const isHead = /^For/.test(node.type) && child !== node.body && child.type === "VariableDeclaration";
    for (const one of isHead ? children(child) : [child]) eachUnended(one, text, found);
  }
}

/** The names a pattern declares. */
function* namesIn(pattern) {
  for (const { name } of identifiersIn(pattern)) yield name;
}

/** The same as parts of an object that has each by the name it goes by in the source. */
function* partsIn(pattern) {
  for (const { name, original } of identifiersIn(pattern))
    yield original === undefined ? name : `${original}:${name}`;
}

/** The name that an identifier goes by in the source. */
const sourceName = ({ name, original }) => original ?? name;

/** The variables that the head of a loop gives their values. */
function boundBy(left) {
  const patterns = left?.type === "VariableDeclaration" ? left.declarations.map(({ id }) => id) : [left];
  return patterns.flatMap((one) => [...partsIn(one)]);
}

/** `this` of its own, not of a function or a class inside. */
function usesThis(node) {
  if (node.type === "ThisExpression" || node.type === "Super") return true;
  if (node.type === "ClassBody" || (isFunction(node) && node.type !== "ArrowFunctionExpression"))
    return false;
  for (const child of children(node)) if (usesThis(child)) return true;
  return false;
}

/** In a block a function may not share its name with a `var`, a parameter or another function; in a function's body it may. */
function clashes({ params, body }) {
  const names = body.body.flatMap((one) => (one.type === "FunctionDeclaration" ? [one.id.name] : []));
  const functions = new Set(names);
  if (functions.size === 0) return false;
  const given = params.flatMap((one) => [...namesIn(one)]);
  if (functions.size < names.length || [...given, "arguments"].some((name) => functions.has(name)))
    return true;
  const hasVar = (node) => {
    if (isFunction(node)) return false;
    // It may declare what it likes.
    if (node.type === "CallExpression" && node.callee.name === "eval") return true;
    if (node.type === "VariableDeclaration" && node.kind === "var")
      if (node.declarations.some(({ id }) => [...namesIn(id)].some((name) => functions.has(name))))
        return true;
    return [...children(node)].some(hasVar);
  };
  return hasVar(body);
}

/** Declares without doing anything when it is reached. */
function isSilent({ type, declarations }) {
  if (type === "VariableDeclaration") return declarations.every(({ init }) => init === null);
  return /^(Empty|FunctionDecl|ImportDecl|ExportAll)/.test(type);
}

function keyName(node) {
  if (node.computed && node.key.type !== "Literal") return undefined;
  if (node.key.type === "PrivateIdentifier") return `#${node.key.name}`;
  return node.key.type === "Identifier" ? node.key.name : String(node.key.value);
}

/** `a.b.c` as it is written, without `this`, `prototype` and what a module exports by. */
function memberName(node) {
  const target = bare(node);
  if (target.type === "Identifier") return target.name;
  if (target.type === "ThisExpression") return "";
  if (target.type !== "MemberExpression" || (target.computed && target.property.type !== "Literal"))
    return undefined;
  const owner = memberName(target.object);
  const own =
    target.property.type === "Literal" ? String(target.property.value) : (target.property.name ?? "");
  if (owner === undefined) return own;
  if (own === "prototype" || (owner === "module" && own === "exports"))
    return owner === "module" ? "" : owner;
  return owner === "" || owner === "exports" ? own : `${owner}.${own}`;
}

/** Bundlers that change names keep the old one in a call: `__name(() => {}, "work")`. */
function keptName(node) {
  const [, name] = node.arguments;
  return node.callee.type === "Identifier" && /^__name\d*$/.test(node.callee.name) && name?.type === "Literal"
    ? String(name.value)
    : undefined;
}

/**
 * The name that code inside `child` goes by, from the node around it: a class or an object gives its own to what it holds.
 * `undefined`: no name.
 */
function nameFor(node, child, inherited) {
  switch (node.type) {
    case "VariableDeclarator":
      return child === node.init && node.id.type === "Identifier" ? sourceName(node.id) : undefined;
    case "AssignmentExpression":
      return child === node.right ? memberName(node.left) || (inherited ?? memberName(node.left)) : undefined;
    case "AssignmentPattern":
      return child === node.right && node.left.type === "Identifier" ? node.left.name : undefined;
    case "MethodDefinition":
    case "PropertyDefinition":
    case "Property":
      if (child !== node.value) return undefined;
      return [inherited, keyName(node)].filter((part) => part !== undefined && part !== "").join(".");
    case "CallExpression":
      return child === node.arguments[0] ? (keptName(node) ?? undefined) : undefined;
    case "ParenthesizedExpression":
    case "ObjectExpression":
    case "ClassBody":
      return inherited;
    case "ClassDeclaration":
    case "ClassExpression":
      return child === node.body ? (node.id ? sourceName(node.id) : inherited) : undefined;
    case "ExportDefaultDeclaration":
      return "default";
    case "LogicalExpression":
    case "ConditionalExpression":
      return inherited;
    default:
      return undefined;
  }
}

module.exports = {
  bare,
  boundBy,
  children,
  clashes,
  complaintOf,
  eachUnended,
  isAsm,
  isFunction,
  isList,
  isOpaque,
  isSilent,
  nameFor,
  namesIn,
  partsIn,
  sourceName,
  usesThis,
};
