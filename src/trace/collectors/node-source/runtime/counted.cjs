// Functions whose calls are counted: entered and left, and told of where they wait.
const { functionName } = require("./bodies.cjs");
const { children, clashes, isAsm, isFunction, isOpaque, nameFor } = require("./tree.cjs");

const CALL = "__sonde$c";

/** @param at offset → file and line as the user knows them, if it is the user's code */
function instrumentCalls(edits, program, at) {
  const visit = (node, name) => {
    if (isAsm(node)) return;
    if (isFunction(node)) count(edits, node, functionName(node, name, at), at);
    for (const child of children(node)) if (!isOpaque(node, child)) visit(child, nameFor(node, child, name));
  };
  visit(program, undefined);
}

function count(edits, node, name, at) {
  const { body } = node;
  const isBlock = body.type === "BlockStatement";
  const place = at(node.start) ?? at(isBlock ? (body.body[0]?.start ?? body.start) : body.start);
  // A loader's wrapper around a whole module is no function of the user's.
  if (place === undefined || name === "<module>") return;
  const key = JSON.stringify(`${place.line} ${name}\n${place.path}`);
  const enter = `const ${CALL}=__sonde$.k(${key});try{`;
  const leave = `}finally{${CALL}.x()}`;
  if (!isBlock) {
    edits.wrap(body.start, body.end, `{${enter}return `, `${leave}}`, true);
  } else {
    const directives = body.body.filter(({ directive }) => directive !== undefined);
    const from = directives.at(-1)?.end ?? body.start + 1;
    const end = body.end - 1;
    // In a block of its own some functions would mean something else: of those only the count is had.
    if (clashes(node)) {
      const counts = `;__sonde$.K(${key});`;
      if (from === end) edits.last(end, counts, body.start);
      else edits.before(from, body.end, counts);
      return;
    }
    // In an empty body both stand at one place, in this order.
    if (from === end) edits.last(end, `;${enter}${leave}`, body.start);
    else {
      edits.before(from, body.end, `;${enter}`);
      edits.last(end, leave, body.start);
    }
  }
  waits(edits, node, body);
}

/** What runs while it waits is not its doing. `label`: the statement that names this one. */
function waits(edits, owner, node, label = node) {
  if (isFunction(node) || node.type === "ClassBody") return;
  if (node.type === "ForOfStatement" && node.await) {
    const { right, body } = node;
    edits.wrap(right.start, right.end, `${CALL}.a(`, ")");
    // It waited for the end too.
    edits.wrap(label.start, label.end, "{", `;${CALL}.v()}`, true);
    if (body.type === "BlockStatement") edits.before(body.start + 1, body.end, `${CALL}.v();`);
    else edits.wrap(body.start, body.end, `{${CALL}.v();`, "}", true);
  }
  if (node.type === "AwaitExpression" || node.type === "YieldExpression") {
    const wait = `${CALL}.${node.type === "YieldExpression" && !owner.async ? "y" : "w"}(`;
    edits.wrap(node.start, node.end, `${CALL}.v(`, ")");
    if (node.argument === null) edits.last(node.end, ` ${wait})`);
    else edits.wrap(node.argument.start, node.argument.end, wait, ")");
  }
  if (node.type === "TryStatement" && (owner.async || owner.generator)) goesOn(edits, node);
  const above = node.type === "LabeledStatement" ? label : undefined;
  for (const child of children(node)) if (!isOpaque(node, child)) waits(edits, owner, child, above ?? child);
}

/** What it waited for was thrown into it, or it is ended where it waits. */
function goesOn(edits, { handler, finalizer }) {
  for (const block of [handler?.body, finalizer])
    if (block) edits.before(block.start + 1, block.end, `${CALL}.v();`);
}

module.exports = { instrumentCalls };
