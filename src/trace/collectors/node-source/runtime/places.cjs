// Where V8 would stop: for each such place of a program, its offset and how to run something there first.
const { bare, children, complaintOf, isAsm, isFunction, isList, isOpaque } = require("./tree.cjs");

const SIMPLE = new Set([
  "ExpressionStatement",
  "ReturnStatement",
  "ThrowStatement",
  "BreakStatement",
  "ContinueStatement",
  "DebuggerStatement",
  "IfStatement",
  "SwitchStatement",
]);

/**
 * Every place, in the order of the text. `put(edits, calls)` makes the program evaluate these there, one or more calls
 * with commas between them; `put.isStatement`: as a statement of their own. `isBody`: of the file itself, not of a function in it.
 * `isValued`: the last value of the file is what running it gives.
 */
function placesIn(program, text, isValued) {
  const places = [];
  const add = (at, put, rank, isBody) => places.push({ at, put, rank, isBody });
  visit(program, { text, add, isBody: true, isValued });
  return places.sort((a, b) => a.at - b.at || a.rank - b.rank);
}

function visit(node, context) {
  if (isAsm(node)) return;
  if (isFunction(node)) {
    inFunction(node, { ...context, isBody: false });
    return;
  }
  if (node.type === "PropertyDefinition" || node.type === "StaticBlock") {
    const inner = { ...context, isBody: false };
    if (node.type === "PropertyDefinition") field(node, inner);
    for (const child of children(node)) visitChild(node, child, inner);
    if (node.type === "StaticBlock") ending(node, inner);
    return;
  }
  here(node, context);
  for (const child of children(node)) visitChild(node, child, context);
}

/** Statements need to know whether more of them can stand beside them. */
function visitChild(node, child, { outer, ...context }) {
  if (isOpaque(node, child)) return;
  const isHead = /^For/.test(node.type) && child !== node.body;
  if (isHead || !/Statement$|^VariableDeclaration$/.test(child.type)) {
    visit(child, node.type.startsWith("Export") ? { ...context, outer } : context);
    return;
  }
  // `export` belongs to the statement it precedes, a label to its loop.
  const isPart = node.type.startsWith("Export") || node.type === "LabeledStatement";
  const whole = isPart ? (outer ?? { node, isListed: true }) : { node: child, isListed: inList(node) };
  if (child.type !== "LabeledStatement") statement(child, whole, context);
  visit(child, { ...context, outer: whole });
}

const inList = ({ type }) => ["Program", "BlockStatement", "StaticBlock", "SwitchCase"].includes(type);

const asStatement = (put) => Object.assign(put, { isStatement: true });

function beforeStatement({ node, isListed }, isValued) {
  return asStatement((edits, call) => {
    // A block that only declares has no value, and leaves that of the statement before it.
    const own = isValued ? `{let __sonde$v=(${call})}` : `${call};`;
    if (isListed) edits.before(node.start, node.end, own);
    else edits.wrap(node.start, node.end, `{${own}`, "}", true);
  });
}

const before = (node) => (edits, call) => edits.wrap(node.start, node.end, `(${call},`, ")");
/** With the value at hand, before it is used. */
const after = (node) => (edits, call) =>
  isList(node)
    ? edits.wrap(node.start, node.end, "__sonde$.v((", `),${call})`)
    : edits.wrap(node.start, node.end, "__sonde$.v(", `,${call})`);

function statement(node, whole, { add, isBody, isValued }) {
  const put = beforeStatement(whole, isBody && isValued);
  if (node.directive !== undefined) return;
  if (SIMPLE.has(node.type)) add(node.start, put, 0, isBody);
  if (node.type === "ReturnStatement" && node.argument !== null)
    add(node.end, after(node.argument), 2, isBody);
  if (node.type === "ForStatement" && node.init !== null) {
    const first = node.init.type === "VariableDeclaration" ? node.init.declarations[0].init : node.init;
    add(first?.start ?? node.init.start, put, 0, isBody);
  }
  if (node.type === "VariableDeclaration") declaration(node, put, { add, isBody });
}

function declaration(node, put, { add, isBody }) {
  const first = node.declarations.findIndex(({ init }) => init !== null);
  if (first < 0) {
    if (node.kind === "let") add(node.start, put, 0, isBody);
    return;
  }
  const canHold = node.kind === "var" || node.kind === "let" || node.kind === "const";
  node.declarations.slice(first).forEach((one, index) => {
    if (one.init === null) return;
    const further = canHold ? beforeDeclarator(one) : before(one.init);
    add(one.init.start, index === 0 ? put : further, 0, isBody);
  });
}

/** One more, which declares nothing: the value stands alone, so it has its name, and V8's words for what is wrong with it. */
const beforeDeclarator = (node) => (edits, call) =>
  edits.before(node.start, node.end, `{}=__sonde$.z(${call}),`);

/** A function or class without a name takes that of its variable, but only if it stands there alone. */
function takesName(node) {
  const inner = bare(node);
  return (isFunction(inner) || inner.type === "ClassExpression") && (inner.id ?? null) === null;
}

function here(node, { add, text, isBody }) {
  switch (node.type) {
    case "WhileStatement":
    case "DoWhileStatement":
      add(positionOf(node.test, text), before(node.test), 0, isBody);
      break;
    case "ForStatement":
      for (const part of [node.test, node.update])
        if (part !== null) add(positionOf(part, text), before(part), 0, isBody);
      break;
    case "ForOfStatement":
    case "ForInStatement":
      loop(node, { add, text, isBody });
      break;
    case "CallExpression":
    case "NewExpression":
      add(positionOf(node, text), beforeCall(node), 1, isBody);
      break;
    case "TaggedTemplateExpression":
    case "AwaitExpression":
    case "YieldExpression":
      add(node.start, before(node), 1, isBody);
      break;
    case "MethodDefinition":
      if (node.computed) add(positionOf(node.key, text), before(node.key), 0, isBody);
      break;
    case "ExportDefaultDeclaration":
      if (!isFunction(node.declaration) && !/^Class/.test(node.declaration.type))
        add(positionOf(node.declaration, text), beforeNamed(node.declaration, "default"), 0, isBody);
  }
}

/** V8 stops at the variable before each round. */
function loop(node, { add, text, isBody }) {
  const left = node.left.type === "VariableDeclaration" ? node.left.declarations[0].id : node.left;
  const { body } = node;
  const isCounted = node.type === "ForOfStatement" && !node.await;
  const words = complaintOf(node.right);
  const complaint = words === undefined ? "" : `,${JSON.stringify(words)}`;
  const eachRound = (edits, call) =>
    edits.wrap(node.right.start, node.right.end, "__sonde$.e(", `,()=>(${call}),0${complaint})`);
  const inBody = asStatement((edits, call) => {
    if (body.type === "BlockStatement") edits.before(body.start + 1, body.end, `${call};`);
    else edits.wrap(body.start, body.end, `{${call};`, "}", true);
  });
  add(left.start, isCounted ? eachRound : inBody, 0, isBody);
  add(positionOf(node.right, text), before(node.right), 1, isBody);
}

/** Once its arguments are known. */
function beforeCall(node) {
  const last = node.arguments.at(-1);
  if (last !== undefined) return after(last.type === "SpreadElement" ? last.argument : last);
  // `new Thing`, `new (Thing)`
  if (node.callee.end === node.end) return before(node);
  return (edits, call) => edits.last(node.end - 1, `...__sonde$.z(${call})`);
}

/** What takes its name from where it stands takes the same from a property. */
function beforeNamed(node, name) {
  if (name === undefined || !takesName(node)) return before(node);
  const key = JSON.stringify(name);
  return (edits, call) => edits.wrap(node.start, node.end, `(${call},{[${key}]:`, `}[${key}])`);
}

function field(node, { add, text }) {
  if (node.computed) add(positionOf(node.key, text), before(node.key), 0, false);
  if (node.value === null || (node.computed && takesName(node.value))) return;
  const { name, value } = node.key;
  const own = node.key.type === "PrivateIdentifier" ? `#${name}` : (name ?? String(value));
  add(node.value.start, beforeNamed(node.value, node.computed ? undefined : own), 0, false);
}

function inFunction(node, context) {
  for (const param of node.params) visit(param, context);
  const { body } = node;
  if (body.type !== "BlockStatement") {
    context.add(positionOf(body, context.text), before(body), 0, false);
    context.add(node.end, after(body), 2, false);
    visit(body, context);
    return;
  }
  visit(body, context);
  ending(body, context);
}

/** The brace at which a body returns, if it gets there. */
function ending(body, { add }) {
  const end = body.end - 1;
  if (!body.body.some(endsAbruptly))
    add(
      end,
      asStatement((edits, call) => edits.last(end, `;${call};`, body.start)),
      0,
      false,
    );
}

/** Whether what follows it is never reached, as far as V8 sees. */
function endsAbruptly(node) {
  switch (node?.type) {
    case "ReturnStatement":
    case "ThrowStatement":
      return true;
    case "BlockStatement":
      return node.body.some(endsAbruptly);
    case "IfStatement":
      return endsAbruptly(node.consequent) && endsAbruptly(node.alternate);
    case "TryStatement":
      if (endsAbruptly(node.finalizer)) return true;
      return endsAbruptly(node.block) && (node.handler === null || endsAbruptly(node.handler.body));
    default:
      return false;
  }
}

/** Where V8 says an expression is: a call at the name that is called, an addition at its sign. */
function positionOf(node, text) {
  const inner = bare(node);
  switch (inner.type) {
    case "BinaryExpression": {
      const sign = text.indexOf(inner.operator, inner.left.end);
      return sign < 0 || sign > inner.right.start ? inner.start : sign;
    }
    case "MemberExpression":
      return inner.property.start;
    case "CallExpression": {
      const callee = bare(inner.callee);
      return callee.type === "MemberExpression" ? callee.property.start : inner.start;
    }
    case "ChainExpression":
      return positionOf(inner.expression, text);
    default:
      return inner.start;
  }
}

module.exports = { placesIn };
