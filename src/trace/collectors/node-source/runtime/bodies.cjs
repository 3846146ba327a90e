// What a function that is recorded line by line goes by, and how its `this` and its variables are read.
const { isFunction, sourceName, usesThis } = require("./tree.cjs");

/** The call that runs, in the text of its function. */
const CALL = "__sonde$c";
const MODULE = "<module>";
/** Private fields of a class that are read before each line. */
const MOST_FIELDS = 20;

/** Private fields are members of `this` that nothing outside the class can read: by its methods. */
function hideIn(members, hidden) {
  const fieldsOf = (isStatic) =>
    members.flatMap((one) =>
      one.type === "PropertyDefinition" && one.static === isStatic && one.key.type === "PrivateIdentifier"
        ? [one.key.name]
        : [],
    );
  for (const one of members)
    if (one.type === "MethodDefinition") hidden.set(one.value, fieldsOf(one.static).slice(0, MOST_FIELDS));
}

function functionName(node, name, at) {
  // A loader's wrapper around a whole module has no place of its own.
  if (at(node.start) === undefined && node.params.length === 0 && name === undefined) return MODULE;
  // All that a module gives has no name in it; V8 calls it by where it is put.
  if (name === "" || name === "exports") return node.id ? sourceName(node.id) : "module.exports";
  return name ?? (node.id ? sourceName(node.id) : "(anonymous)");
}

/** By its last part or in full, a private one also without its sign; a class by its name is its constructor. */
function matches(name, asked) {
  const plain = name.replaceAll("#", "");
  return [name, plain].some(
    (one) => one === asked || one.endsWith(`.${asked}`) || one === `${asked}.constructor`,
  );
}

/** However it is left, the recorder hears of it. */
const guard = () => `catch(__sonde$e){${CALL}.t(__sonde$e);throw __sonde$e}finally{${CALL}.x()}`;

/** How a function's own `this` is read, if it has one and uses it. */
function thisOf(node, derived, hidden) {
  if (!isFunction(node) || node.type === "ArrowFunctionExpression" || !usesThis(node.body)) return [];
  const own = derived.has(node) ? "...__sonde$.s(()=>this)" : "this:this";
  return [own, ...fieldsOfThis(hidden.get(node) ?? [])];
}

/** A method may be called on anything: on what has no such fields there is nothing to read. */
function fieldsOfThis(names) {
  return guarded(names.map((name) => `${JSON.stringify(`this.#${name}`)}:this.#${name}`));
}

/** Each may not have its value yet, which says nothing of the others: if they cannot be read at once, they are read one by one. */
function guarded(parts) {
  if (parts.length === 0) return [];
  const each = parts.map((one) => `()=>({${one}})`);
  return [
    parts.length === 1
      ? `...__sonde$.h(${each[0]})`
      : `...__sonde$.h(()=>({${parts.join(",")}}),()=>[${each.join(",")}])`,
  ];
}

module.exports = { CALL, MODULE, functionName, guard, guarded, hideIn, matches, thisOf };
