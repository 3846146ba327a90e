// Where a function that is recorded line by line waits, and where it goes on.
const { CALL } = require("./bodies.cjs");
const { children, isFunction, isOpaque } = require("./tree.cjs");

/** Its callers run meanwhile: what they call then is not called by this. `of`: the function around it. */
function putWaits(edits, node, of) {
  if (isFunction(node) || node.type === "ClassBody") return;
  if (node.type === "ForOfStatement" && node.await) putInLoop(edits, node);
  if (node.type === "TryStatement" && waits(node.block)) putAfter(edits, node);
  if (node.type === "AwaitExpression" || node.type === "YieldExpression") {
    const isAsked = node.type === "YieldExpression" && !of.async;
    const wait = `${CALL}.${isAsked ? "y" : "w"}(`;
    edits.wrap(node.start, node.end, `${CALL}.v(`, ")");
    if (node.argument === null) edits.last(node.end, ` ${wait})`);
    else edits.wrap(node.argument.start, node.argument.end, wait, ")");
  }
  for (const child of children(node)) if (!isOpaque(node, child)) putWaits(edits, child, of);
}

function putInLoop(edits, { right, body }) {
  edits.wrap(right.start, right.end, `${CALL}.a(`, ")");
  if (body.type === "BlockStatement") edits.before(body.start + 1, body.end, `${CALL}.v();`);
  else edits.wrap(body.start, body.end, `{${CALL}.v();`, "}", true);
}

const waits = (node) =>
  !isFunction(node) &&
  (/^(?:Await|Yield)/.test(node.type) || node.await === true || [...children(node)].some(waits));

/** What it waits for may throw, or ask it to return: it goes on there. */
function putAfter(edits, { handler, finalizer }) {
  for (const block of [handler?.body, finalizer])
    if (block) edits.before(block.start + 1, block.end, `${CALL}.v();`);
}

module.exports = { putWaits };
