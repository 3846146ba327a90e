// An expression written in the source's names, in those of the script.
const { parsed } = require("./parse.cjs");
const { analysed } = require("./scopes.cjs");

/**
 * @param meaning name → `text` or `fault`
 * @param refuse makes code of a fault, or throws
 * @returns the text as it was where it is nothing that can be read
 */
function translated(text, meaning, refuse) {
  const read = expressionIn(text);
  if (read === undefined) return text;
  const { free } = analysed(read.program);
  let out = "";
  let from = 0;
  const places = free.sort((a, b) => a.node.start - b.node.start);
  for (const { node, parent } of places) {
    const start = node.start - read.shift;
    if (start < from) continue;
    const { text: other, fault } = meaning(node.name);
    const code = fault === undefined ? other : refuse(node.name, fault);
    if (code === node.name) continue;
    const isShort = parent?.type === "Property" && parent.shorthand;
    out += text.slice(from, start) + (isShort ? `${node.name}: ${code}` : code);
    from = node.end - read.shift;
  }
  return out + text.slice(from);
}

function expressionIn(text) {
  for (const [open, close, isMethod] of [
    ["(", "\n)"],
    ["", ""],
    ["({ f() { return (", "\n) } })", true],
  ]) {
    const program = parsed(`${open}${text}${close}`, "script");
    if (program !== undefined) return { program, shift: open.length, isMethod };
  }
  return undefined;
}

/** What an expression takes from where it is evaluated: variables, and `this`. */
function taken(text) {
  const read = expressionIn(text);
  if (read === undefined) return { names: [], usesThis: false };
  const { free } = analysed(read.program);
  const names = new Set(free.map(({ node }) => node.name));
  // The last way of reading puts it into a method.
  return {
    names: [...names],
    usesThis: usesThis(
      read.isMethod ? read.program.body[0].expression.properties[0].value.body : read.program,
    ),
  };
}

/** Its own `this`, not that of a function or a class within. Code that it evaluates may use it, too. */
function usesThis(node) {
  if (node.type === "ThisExpression" || node.type === "Super") return true;
  if (node.type === "CallExpression" && node.callee.name === "eval") return true;
  return Object.entries(node).some(([key, value]) =>
    (Array.isArray(value) ? value : [value]).some(
      (one) => typeof one?.type === "string" && !hasOwnThis(one, node, key) && usesThis(one),
    ),
  );
}

function hasOwnThis(node, parent, key) {
  if (
    node.type === "FunctionDeclaration" ||
    node.type === "FunctionExpression" ||
    node.type === "StaticBlock"
  )
    return true;
  return parent.type === "PropertyDefinition" && key === "value";
}

/** Fails where it is evaluated, with the reason. */
const failing = (name, fault) =>
  `(()=>{throw new ReferenceError(${JSON.stringify(`${name} is not available here: ${fault}`)})})()`;

module.exports = { failing, taken, translated, usesThis };
