// Functions recorded line by line: entered and left, with a call of the recorder before each statement.
const { CALL, MODULE, functionName, guard, guarded, hideIn, matches, thisOf } = require("./bodies.cjs");
const { Around } = require("./captured.cjs");
const { nearIn } = require("./toward.cjs");
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
} = require("./tree.cjs");
const { LEAVES, LOSES, hasEffect, isAllOn, joined } = require("./told.cjs");
const { putWaits } = require("./waits.cjs");

/**
 * @param options `plan`: the plan's lines; `at`: offset → file and line as the user knows them, if it is to be recorded;
 * `isShared`: the file's own variables are those of every other such file, and its last value is what running it gives
 * @returns the names of all its functions
 */
function instrument(edits, program, { plan, at, isShared }) {
  const derived = new Set();
  const hidden = new Map();
  const met = new Set();
  const around = new Around();
  const near = nearIn(program, at, plan.toward);
  const made = { edits, at, derived, hidden, around, near };
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
    const leave = around.enter(node);
    for (const child of children(node)) if (!isOpaque(node, child)) visit(child, nameFor(node, child, name));
    leave();
  };
  visit(program, undefined);
  return [...met];
}

class Body {
  #edits;
  #at;
  #node;
  #name;
  /** See `enter` of calls.cjs. */
  #flags;
  /** How its `this` is read, if it has one of its own and uses it. */
  #this = [];
  /** How variables of the functions around it are read, as far as it names them. */
  #captured = [];
  /** The recorder hears of every way out of it. */
  #isGuarded = true;
  /** Parameters and `var`s that have been passed. */
  #wide = [];
  /** The lines that declare its variables. */
  #born = new Map();

  constructor({ edits, at, derived, hidden, around, near }, node, name, isChosen) {
    this.#edits = edits;
    this.#at = at;
    const captured = isFunction(node) ? around.capturedBy(node) : [];
    this.#captured = guarded(captured);
    this.#this = thisOf(node, derived, hidden);
    this.#node = node;
    this.#name = name;
    this.#flags = (isChosen ? 1 : 0) | (near.get(node) ?? 0);
  }

  program() {
    const { body } = this.#node;
    const statements = body.filter(({ directive }) => directive === undefined);
    const [first] = statements;
    const place = this.#place(statements);
    if (place === undefined) return;
    this.#isGuarded = false;
    this.#edits.before(first.start, Number.POSITIVE_INFINITY, `${this.#enter(place, [], false)};`);
    const { scope } = this.#list(statements, [], undefined);
    const end = body.at(-1).end;
    this.#edits.last(end, `;${this.#leave(this.#lineBefore(end) ?? place.line, "void 0", scope)};`, -1);
    putWaits(this.#edits, this.#node, this.#node);
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
    putWaits(this.#edits, body, this.#node);
  }

  #block(enter, statements, place) {
    const { body } = this.#node;
    const end = body.end - 1;
    const directives = body.body.length - statements.length;
    const from = directives === 0 ? body.start + 1 : body.body[directives - 1].end;
    const open = `;${enter};${this.#isGuarded ? "try{" : ""}`;
    // In an empty body all of it stands at one place, in this order.
    if (from !== end) this.#edits.before(from, body.end, open);
    const { scope } = this.#list(statements, [], undefined);
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
    return `const ${CALL}=__sonde$.n(${key},${this.#flags},()=>({${names.join(",")}})${isLoose ? ",1" : ""})`;
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
    return `()=>({${[...this.#captured, ...this.#this, ...names].join(",")}})`;
  }

  /**
   * The statements of a block, in a copy of the scope around it.
   * @param last the line that is known to be told last when they begin
   * @returns what the scope has become at its end, and the line told last there
   */
  #list(statements, around, last) {
    const scope = [...around];
    let at = last;
    for (const [index, one] of statements.entries()) {
      if (LOSES.test(one.type)) this.#parting(one, scope, { last: at, before: statements[index - 1] });
      at = this.#statement(one, scope, { listed: true, last: at ?? undefined });
      this.#declare(one.declaration?.type === "VariableDeclaration" ? one.declaration : one, scope);
    }
    return { scope, last: at };
  }

  /** It leaves what its own line has set and no event has told. */
  #parting(node, scope, { last, before }) {
    const line = this.#at(node.start)?.line;
    const isOn = (offset) => this.#at(offset)?.line === line;
    if (line === undefined || line !== last) return;
    if ((before === undefined || !isOn(before.start)) && !scope.some((name) => this.#born.get(name) === line))
      return;
    this.#edits.before(node.start, node.end, `${CALL}.o(${this.#values(scope)});`);
  }

  #declare(node, scope) {
    if (node?.type !== "VariableDeclaration" || this.#at(node.start) === undefined) return;
    for (const { id } of node.declarations)
      for (const part of partsIn(id)) {
        // A `var` with another name than in the source was the own of a block.
        const isWide = node.kind === "var" && !part.includes(":");
        (isWide ? this.#wide : scope).push(part);
        this.#born.set(part, this.#at(node.start).line);
      }
  }

  /** What a block declares is gone when the next line is told: what it holds by then is told with that line. */
  #inner({ body, start, end }, around, last, { scope = around, isLast = false } = {}) {
    const ending = this.#list(body, scope, last);
    if (body.length > 0 && (isLast || ending.scope.length > around.length))
      this.#kept(body.at(-1), ending, end - 1, start);
    return ending.last;
  }

  #kept(node, { scope }, offset, start) {
    if (!LEAVES.test(node.type) && this.#at(node.start) !== undefined)
      this.#edits.last(offset, `;${CALL}.o(${this.#values(scope)});`, start);
  }

  /** @returns the line that is told last when it ends */
  #nested(body, scope, last) {
    if (body === null) return last;
    if (body.type === "BlockStatement") return this.#inner(body, scope, last);
    return this.#statement(body, scope, { listed: false, last });
  }

  /** The line it is told under, if it is: not one that was told just before. */
  #newLine(offset, last) {
    const line = this.#at(offset)?.line;
    return line === last ? undefined : line;
  }

  /** @returns the line that is told last then */
  #before(node, scope, { listed, last }, offset = node.start) {
    const line = this.#newLine(offset, last);
    if (line === undefined) return last;
    const event = this.#event(line, scope);
    if (listed) this.#edits.before(node.start, node.end, `${event};`);
    else this.#edits.wrap(node.start, node.end, `{${event};`, "}", true);
    return line;
  }

  #inside(expression, scope, last, isAgain = false) {
    const line = this.#newLine(expression.start, last);
    if (line === undefined) return last;
    this.#edits.wrap(expression.start, expression.end, `(${this.#event(line, scope, isAgain)},`, ")");
    return line;
  }

  /** @returns the line that is told last when it ends and the next begins; undefined: not known, null: it does not end so */
  #statement(node, scope, where) {
    if (isSilent(node)) return where.last;
    switch (node.type) {
      case "ExportNamedDeclaration":
      case "ExportDefaultDeclaration":
        if ((node.declaration ?? null) === null || isFunction(node.declaration)) return where.last;
        return this.#before(node, scope, where);
      case "BlockStatement":
        return this.#inner(node, scope, where.last);
      case "LabeledStatement":
        return this.#labelled(node, scope, where);
      case "IfStatement": {
        const last = this.#inside(node.test, scope, where.last);
        return joined(this.#nested(node.consequent, scope, last), this.#nested(node.alternate, scope, last));
      }
      case "SwitchStatement":
        return this.#switch(node, scope, where);
      case "TryStatement":
        return this.#try(node, scope, where.last);
      case "ReturnStatement":
        this.#before(node, scope, where);
        this.#return(node, scope);
        return null;
      default:
        if (/^(For|While|DoWhile)/.test(node.type)) return this.#only(this.#loop(node, scope, where), node);
        this.#before(node, scope, where);
        return LEAVES.test(node.type) ? null : (this.#at(node.start)?.line ?? where.last);
    }
  }

  /** A line that is told last however a statement is left, because all of it is on that line. */
  #only(line, node) {
    return line !== undefined && isAllOn(line, node, this.#at) ? line : undefined;
  }

  /** A loop has to stand behind its label: it is told before that. */
  #labelled(node, scope, where) {
    let { body } = node;
    while (body.type === "LabeledStatement") body = body.body;
    const isFor = /^For/.test(body.type);
    const last = isFor ? this.#before(node, scope, where, body.start) : where.last;
    const ending = this.#statement(body, scope, { listed: false, last });
    return this.#only(ending === null ? this.#at(body.start)?.line : ending, body);
  }

  #switch(node, scope, where) {
    const head = this.#before(node, scope, where) ?? undefined;
    let last = head;
    for (const { test, consequent, start } of node.cases) {
      if (test !== null && hasEffect(test)) this.#inside(test, scope, head);
      const isAsked = test !== null && this.#at(test.start)?.line !== head;
      const ending = this.#list(consequent, scope, isAsked ? undefined : (joined(head, last) ?? undefined));
      if (ending.scope.length > scope.length)
        this.#kept(consequent.at(-1), ending, consequent.at(-1).end, start);
      last = ending.last;
    }
    return this.#only(head, node);
  }

  #try({ block, handler, finalizer }, scope, before) {
    const ran = this.#inner(block, scope, before);
    const line = ran ?? (block.body.length > 0 ? this.#at(block.body[0].start)?.line : undefined);
    // Where all of it is on one line, an exception comes from that line.
    const thrown = this.#only(line, block);
    let last = ran;
    if (handler !== null) {
      const inner = [...scope, ...partsIn(handler.param)];
      for (const name of partsIn(handler.param)) this.#born.set(name, thrown);
      last = joined(ran, this.#inner(handler.body, scope, thrown, { scope: inner }));
    }
    if (finalizer === null) return last;
    const isSame = ran === null || ran === thrown;
    const known = isSame ? this.#only(thrown, handler ?? block) : undefined;
    // The function may be on its way out, and no line follows.
    return this.#inner(finalizer, scope, known, { isLast: true });
  }

  /**
   * Told when it is entered, and again before each further round.
   * @returns the line of its head
   */
  #loop(node, scope, where) {
    const header = this.#at(node.start)?.line;
    if (node.type === "WhileStatement") {
      const last = this.#inside(node.test, scope, undefined, true);
      this.#nested(node.body, scope, last);
      return last;
    }
    if (node.type === "DoWhileStatement") {
      const last = this.#nested(node.body, scope, undefined);
      const line = last ?? this.#at(node.body.start)?.line;
      return this.#inside(
        node.test,
        scope,
        last === undefined ? undefined : this.#only(line, node.body),
        true,
      );
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
    const isUnheard = node.type === "ForInStatement" || node.await === true;
    this.#round(node.body, { around: scope, scope: inner, header, bound: boundBy(declared), isUnheard });
    return header;
  }

  /** Where a body begins on the line of the head, no line of its own tells what the round has bound. `isUnheard`: nor does the head. */
  #round(body, { around, scope, header, bound, isUnheard }) {
    if (this.#isOn(header, body) || (isUnheard && header !== undefined)) {
      const begin = `${CALL}.b(${header},${body.start},${this.#values(around, bound)},${this.#values(scope)});`;
      if (body.type === "BlockStatement") this.#edits.before(body.start + 1, body.end, begin);
      else this.#edits.wrap(body.start, body.end, `{${begin}`, "}", true);
    }
    this.#nested(body, scope, header);
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
}

module.exports = { instrument };
