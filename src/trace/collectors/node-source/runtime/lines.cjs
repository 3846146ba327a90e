// Functions recorded line by line: entered and left, with a call of the recorder before each statement.
const {
  boundBy,
  children,
  clashes,
  complaintOf,
  isAsm,
  isFunction,
  isList,
  isOpaque,
  isSilent,
  nameFor,
  partsIn,
  sourceName,
  usesThis,
} = require("./tree.cjs");

const CALL = "__sonde$c";
const MODULE = "<module>";
/** Private fields of a class that are read before each line. */
const MOST_FIELDS = 20;

/**
 * @param options `plan`: the plan's lines; `at`: offset → file and line as the user knows them, if it is to be recorded;
 * `isShared`: the file's own variables are those of every other such file, and its last value is what running it gives
 * @returns the names of all its functions
 */
function instrument(edits, program, { plan, at, isShared }) {
  const derived = new Set();
  const hidden = new Map();
  const met = new Set();
  const made = { edits, at, derived, hidden };
  const isChosen = (name) => plan.functions.length === 0 || plan.functions.some((one) => matches(name, one));
  const visit = (node, name) => {
    if (node.type === "Program") {
      if (isChosen(MODULE) && !isShared) new Body(made, node, MODULE, true).program();
    } else if (isAsm(node)) {
      return;
    } else if (isFunction(node)) {
      const own = functionName(node, name, at);
      const isWanted = isChosen(own);
      if (!own.endsWith("(anonymous)") && own !== MODULE) met.add(own);
      if (isWanted || plan.depth > 0) new Body(made, node, own, isWanted).function();
    }
    if (node.body?.type === "ClassBody") hideIn(node.body.body, hidden);
    if ((node.superClass ?? null) !== null)
      for (const { kind, value } of node.body.body) if (kind === "constructor") derived.add(value);
    for (const child of children(node)) if (!isOpaque(node, child)) visit(child, nameFor(node, child, name));
  };
  visit(program, undefined);
  return [...met];
}

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
  return name ?? (node.id ? sourceName(node.id) : "(anonymous)");
}

/** By its last part or in full, a private one also without its sign; a class by its name is its constructor. */
function matches(name, asked) {
  const plain = name.replaceAll("#", "");
  return [name, plain].some(
    (one) => one === asked || one.endsWith(`.${asked}`) || one === `${asked}.constructor`,
  );
}

class Body {
  #edits;
  #at;
  #node;
  #name;
  #chosen;
  /** How its `this` is read, if it has one of its own and uses it. */
  #this = [];
  /** The recorder hears of every way out of it. */
  #isGuarded = true;
  /** Parameters and `var`s that have been passed. */
  #wide = [];

  constructor({ edits, at, derived, hidden }, node, name, isChosen) {
    this.#edits = edits;
    this.#at = at;
    if (isFunction(node) && node.type !== "ArrowFunctionExpression" && usesThis(node.body))
      this.#this = [
        derived.has(node) ? "...__sonde$.s(()=>this)" : "this:this",
        ...fieldsOfThis(hidden.get(node) ?? []),
      ];
    this.#node = node;
    this.#name = name;
    this.#chosen = isChosen;
  }

  program() {
    const { body } = this.#node;
    const statements = body.filter(({ directive }) => directive === undefined);
    const [first] = statements;
    const place = this.#place(statements);
    if (place === undefined) return;
    this.#isGuarded = false;
    this.#edits.before(first.start, Number.POSITIVE_INFINITY, `${this.#enter(place, [], false)};`);
    const scope = this.#list(statements, [], undefined);
    const end = body.at(-1).end;
    this.#edits.last(end, `;${this.#leave(this.#lineBefore(end) ?? place.line, "void 0", scope)};`, -1);
    this.#awaits(this.#node);
  }

  function() {
    const { body, params } = this.#node;
    for (const param of params) this.#wide.push(...partsIn(param));
    const given = [...this.#this, ...this.#wide];
    const isBlock = body.type === "BlockStatement";
    const statements = isBlock ? body.body.filter(({ directive }) => directive === undefined) : [];
    const place = this.#at(this.#node.start) ?? this.#place(isBlock ? statements : [body]);
    if (place === undefined) return;
    this.#isGuarded = !isBlock || !clashes(this.#node);
    const enter = this.#enter(place, given, !this.#isGuarded);
    if (isBlock) this.#block(enter, statements, place);
    else this.#expression(enter, place);
    this.#awaits(body);
  }

  #block(enter, statements, place) {
    const { body } = this.#node;
    const end = body.end - 1;
    const directives = body.body.length - statements.length;
    const from = directives === 0 ? body.start + 1 : body.body[directives - 1].end;
    const open = `;${enter};${this.#isGuarded ? "try{" : ""}`;
    // In an empty body all of it stands at one place, in this order.
    if (from !== end) this.#edits.before(from, body.end, open);
    const scope = this.#list(statements, [], undefined);
    const leave = `;${this.#leave(this.#lineBefore(end) ?? place.line, "void 0", scope)};`;
    const close = leave + (this.#isGuarded ? `}${guard()}` : "");
    this.#edits.last(end, from === end ? open + close : close, body.start);
  }

  #expression(enter, place) {
    const { body } = this.#node;
    const line = this.#at(body.start)?.line ?? place.line;
    const open = `{${enter};try{${this.#event(line, [])};return ${CALL}.r(${line},`;
    this.#edits.wrap(body.start, body.end, open, `,${this.#values([])})}${guard()}}`, true);
  }

  /** Where the first of these is that the user knows. */
  #place(nodes) {
    for (const { start } of nodes) {
      const place = this.#at(start);
      if (place !== undefined) return place;
    }
    return undefined;
  }

  #lineBefore(offset) {
    return this.#at(Math.max(0, offset - 1))?.line;
  }

  #enter({ path, line }, names, isLoose) {
    const key = JSON.stringify(`${line} ${this.#name}\n${path}`);
    return `const ${CALL}=__sonde$.n(${key},${this.#chosen ? 1 : 0},()=>({${names.join(",")}})${isLoose ? ",1" : ""})`;
  }

  get #returns() {
    return `${CALL}.${this.#isGuarded ? "r" : "q"}`;
  }

  #leave(line, value, scope) {
    return `${this.#returns}(${line},${value},${this.#values(scope)})`;
  }

  /** `isAgain`: at the head of a loop, whose own variables are away only until the next round. */
  #event(line, scope, isAgain = false) {
    return `${CALL}.l(${line},${this.#values(scope)}${isAgain ? ",1" : ""})`;
  }

  #values(scope, without = []) {
    const names = new Set([...this.#wide, ...scope]);
    for (const name of without) names.delete(name);
    return `()=>({${[...this.#this, ...names].join(",")}})`;
  }

  /** The statements of a block, in a copy of the scope around it; what that has become at its end. */
  #list(statements, around, header) {
    const scope = [...around];
    let last = header;
    for (const one of statements) {
      this.#statement(one, scope, { listed: true, last });
      this.#declare(one.declaration?.type === "VariableDeclaration" ? one.declaration : one, scope);
      if (!isSilent(one)) last = this.#at(one.start)?.line ?? last;
    }
    return scope;
  }

  #declare(node, scope) {
    if (node?.type !== "VariableDeclaration" || this.#at(node.start) === undefined) return;
    for (const { id } of node.declarations)
      for (const part of partsIn(id)) {
        // A `var` with another name than in the source was the own of a block.
        const isWide = node.kind === "var" && !part.includes(":");
        (isWide ? this.#wide : scope).push(part);
      }
  }

  /** @returns what the scope has become at its end */
  #nested(body, scope, header) {
    if (body?.type === "BlockStatement") return this.#list(body.body, scope, header);
    if (body !== null) this.#statement(body, scope, { listed: false, last: header });
    return scope;
  }

  /** The line it is told under, if it is: not one that was told just before. */
  #newLine(offset, last) {
    const line = this.#at(offset)?.line;
    return line === last ? undefined : line;
  }

  #before(node, scope, { listed, last }) {
    const line = this.#newLine(node.start, last);
    if (line === undefined) return;
    const event = this.#event(line, scope);
    if (listed) this.#edits.before(node.start, node.end, `${event};`);
    else this.#edits.wrap(node.start, node.end, `{${event};`, "}", true);
  }

  #inside(expression, scope, last, isAgain = false) {
    const line = this.#newLine(expression.start, last);
    if (line !== undefined)
      this.#edits.wrap(expression.start, expression.end, `(${this.#event(line, scope, isAgain)},`, ")");
  }

  #statement(node, scope, where) {
    if (isSilent(node)) return;
    const header = this.#at(node.start)?.line;
    switch (node.type) {
      case "ExportNamedDeclaration":
        if (node.declaration !== null && !isFunction(node.declaration)) this.#before(node, scope, where);
        break;
      case "ExportDefaultDeclaration":
        if (!isFunction(node.declaration)) this.#before(node, scope, where);
        break;
      case "BlockStatement":
        this.#list(node.body, scope, where.last);
        break;
      case "LabeledStatement":
        this.#before(node, scope, where);
        this.#statement(node.body, scope, { listed: false, last: this.#at(node.body.start)?.line });
        break;
      case "IfStatement":
        this.#inside(node.test, scope, where.last);
        this.#nested(node.consequent, scope, header);
        this.#nested(node.alternate, scope, this.#at(node.test.start)?.line);
        break;
      case "SwitchStatement":
        this.#before(node, scope, where);
        for (const { consequent } of node.cases) this.#list(consequent, scope, header);
        break;
      case "TryStatement":
        this.#list(node.block.body, scope, header);
        if (node.handler !== null)
          this.#list(node.handler.body.body, [...scope, ...partsIn(node.handler.param)], undefined);
        this.#nested(node.finalizer, scope, undefined);
        break;
      case "ReturnStatement":
        this.#before(node, scope, where);
        this.#return(node, scope);
        break;
      default:
        if (/^(For|While|DoWhile)/.test(node.type)) this.#loop(node, scope, where, header);
        else this.#before(node, scope, where);
    }
  }

  /** Told when it is entered, and again before each further round. */
  #loop(node, scope, where, header) {
    if (node.type === "WhileStatement" || node.type === "DoWhileStatement") {
      this.#inside(node.test, scope, undefined, true);
      const ending = this.#nested(node.body, scope, node.type === "WhileStatement" ? header : undefined);
      this.#endOfRound(node.body, scope, ending, header);
      return;
    }
    this.#before(node, scope, where);
    const inner = [...scope];
    const declared = node.type === "ForStatement" ? node.init : node.left;
    this.#declare(declared, inner);
    const again = node.type === "ForStatement" ? (node.update ?? node.test) : null;
    if (again !== null) this.#inside(again, inner, undefined, true);
    if (node.type === "ForOfStatement" && !node.await && header !== undefined) {
      const words = complaintOf(node.right);
      const close = `,()=>(${this.#event(header, scope, true)}),1${words === undefined ? "" : `,${JSON.stringify(words)}`})`;
      this.#edits.wrap(node.right.start, node.right.end, "__sonde$.e(", close);
    }
    this.#round(node.body, { around: scope, scope: inner, header, bound: boundBy(declared) });
  }

  /** Where a body begins on the line of the head, no line of its own tells what the round has bound. */
  #round(body, { around, scope, header, bound }) {
    if (this.#isOn(header, body)) {
      const begin = `${CALL}.b(${header},${body.start},${this.#values(around, bound)},${this.#values(scope)});`;
      if (body.type === "BlockStatement") this.#edits.before(body.start + 1, body.end, begin);
      else this.#edits.wrap(body.start, body.end, `{${begin}`, "}", true);
    }
    this.#endOfRound(body, scope, this.#nested(body, scope, header), header);
  }

  /** …nor what it has declared. */
  #endOfRound(body, scope, ending, header) {
    if (ending.length > scope.length && this.#isOn(header, body))
      this.#edits.last(body.end - 1, `;${CALL}.o(${this.#values(ending)});`, body.start);
  }

  /** Whether what a body does first is on this line. */
  #isOn(line, body) {
    const first = (body.type === "BlockStatement" ? body.body[0] : undefined) ?? body;
    return line !== undefined && this.#at(first.start)?.line === line;
  }

  #return(node, scope) {
    const line = this.#at(node.start)?.line;
    if (line === undefined) return;
    const { argument } = node;
    if (argument === null) {
      this.#edits.last(node.start + "return".length, ` ${this.#leave(line, "void 0", scope)}`);
      return;
    }
    const [open, close] = isList(argument) ? ["(", ")"] : ["", ""];
    const before = `${this.#returns}(${line},${open}`;
    this.#edits.wrap(argument.start, argument.end, before, `${close},${this.#values(scope)})`);
  }

  #awaitedLoop({ right, body }) {
    this.#edits.wrap(right.start, right.end, `${CALL}.a(`, ")");
    if (body.type === "BlockStatement") this.#edits.before(body.start + 1, body.end, `${CALL}.v();`);
    else this.#edits.wrap(body.start, body.end, `{${CALL}.v();`, "}", true);
  }

  /** Its callers run meanwhile: what they call then is not called by this. */
  #awaits(node) {
    if (isFunction(node) || node.type === "ClassBody") return;
    if (node.type === "ForOfStatement" && node.await) this.#awaitedLoop(node);
    if (node.type === "AwaitExpression" || node.type === "YieldExpression") {
      const isAsked = node.type === "YieldExpression" && !this.#node.async;
      const wait = `${CALL}.${isAsked ? "y" : "w"}(`;
      this.#edits.wrap(node.start, node.end, `${CALL}.v(`, ")");
      if (node.argument === null) this.#edits.last(node.end, ` ${wait})`);
      else this.#edits.wrap(node.argument.start, node.argument.end, wait, ")");
    }
    for (const child of children(node)) if (!isOpaque(node, child)) this.#awaits(child);
  }
}

const guard = () => `catch(__sonde$e){${CALL}.t(__sonde$e);throw __sonde$e}finally{${CALL}.x()}`;

/** A method may be called on anything: on what has no such fields there is nothing to read. */
function fieldsOfThis(names) {
  if (names.length === 0) return [];
  const fields = names.map((name) => `${JSON.stringify(`this.#${name}`)}:this.#${name}`);
  return [`...__sonde$.h(()=>({${fields.join(",")}}))`];
}

module.exports = { functionName, instrument };
