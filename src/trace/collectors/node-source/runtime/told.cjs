// Which line is told last where a statement begins or ends, as far as the text alone shows it.
const { children, isFunction, isSilent } = require("./tree.cjs");

/** Nothing behind it runs. */
const LEAVES = /^(?:Return|Throw|Break|Continue)/;
/** …and it says nothing of the values it leaves. */
const LOSES = /^(?:Throw|Break|Continue)/;

/** What is known to be last after either of two ways; one that does not end this way has no say. */
function joined(one, other) {
  if (one === null) return other;
  return other === null || one === other ? one : undefined;
}

/** Whether all that is told of a statement is told under this line. */
function isAllOn(line, node, at) {
  if (isFunction(node) || node.type === "ClassBody") return true;
  const heads = [node.test, node.update].filter((one) => one?.type !== undefined);
  const told = TOLD.test(node.type) && !isSilent(node) ? [node, ...heads] : heads;
  if (told.some(({ start }) => (at(start)?.line ?? line) !== line)) return false;
  for (const child of children(node)) if (!isAllOn(line, child, at)) return false;
  return true;
}

const TOLD = /^(?!Block|Labeled|Try).*(?:Statement|Declaration)$/;

/** Reading it may change something, as far as the text shows. */
function hasEffect(node) {
  if (isFunction(node)) return false;
  return EFFECT.test(node.type) || [...children(node)].some(hasEffect);
}

const EFFECT = /^(?:Call|New|Assignment|Update|Await|Yield|TaggedTemplate)/;

module.exports = { LEAVES, LOSES, hasEffect, isAllOn, joined };
