// Which variable each name in a program's text means. Plain CommonJS: what runs inside a traced program uses it, too.

const SKIPPED = new Set(["type", "start", "end", "loc", "range", "raw", "regex"]);
const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
const BLOCK = /^(BlockStatement|For(In|Of)?Statement|SwitchStatement|CatchClause|StaticBlock)$/;

class Scope {
  bindings = new Map();
  inner = [];

  constructor(node, parent, isFunction) {
    this.start = node.start;
    this.end = node.end;
    this.parent = parent;
    this.isFunction = isFunction;
    parent?.inner.push(this);
  }

  /** From the innermost around an offset outwards. V8 may stop right behind a function without braces. */
  around(offset) {
    let at = this;
    for (;;) {
      const next = at.inner.findLast(({ start, end }) => start <= offset && offset < end);
      if (next === undefined) break;
      at = next;
    }
    const chain = [];
    for (let one = at; one !== undefined; one = one.parent) chain.push(one);
    return chain;
  }

  holds(other) {
    for (let at = other; at !== undefined; at = at.parent) if (at === this) return true;
    return false;
  }
}

/** `places`: every identifier that means it, each with the scope in which it is written; declarations among them. */
class Binding {
  places = [];
  declared = [];

  constructor(name, scope) {
    this.name = name;
    this.scope = scope;
  }
}

/** @returns the outermost scope, the names that nothing here declares, and what is written `a.b` */
function analysed(program) {
  const root = new Scope(program, undefined, true);
  const walk = new Walk(root);
  for (const one of program.body) walk.visit(one, root);
  return { root, ...walk.resolved() };
}

class Walk {
  #used = [];
  #members = [];

  constructor(root) {
    this.root = root;
  }

  resolved() {
    const free = [];
    for (const { node, scope, parent } of this.#used) {
      const binding = lookUp(scope, node.name);
      if (binding === undefined) free.push({ node, parent });
      else binding.places.push({ node, scope });
    }
    return { free, members: this.#members };
  }

  #declare(node, scope, home) {
    const known = scope.bindings.get(node.name) ?? new Binding(node.name, scope);
    scope.bindings.set(node.name, known);
    known.declared.push(node);
    known.places.push({ node, scope: home });
  }

  /** Names that a pattern declares; what its defaults use. */
  #pattern(node, scope, home) {
    switch (node?.type) {
      case "Identifier":
        this.#declare(node, scope, home);
        break;
      case "ObjectPattern":
        for (const one of node.properties) {
          if (one.computed) this.visit(one.key, home);
          this.#pattern(one.type === "Property" ? one.value : one.argument, scope, home);
        }
        break;
      case "ArrayPattern":
        for (const one of node.elements) this.#pattern(one, scope, home);
        break;
      case "AssignmentPattern":
        this.#pattern(node.left, scope, home);
        this.visit(node.right, home, node);
        break;
      case "RestElement":
        this.#pattern(node.argument, scope, home);
    }
  }

  visit(node, scope, parent) {
    if (FUNCTION.test(node.type)) return this.#function(node, scope);
    if (BLOCK.test(node.type)) return this.#block(node, scope);
    switch (node.type) {
      case "Identifier":
        this.#used.push({ node, scope, parent });
        return;
      case "VariableDeclaration":
        for (const { id, init } of node.declarations) {
          this.#pattern(id, node.kind === "var" ? functionOf(scope) : scope, scope);
          if (init) this.visit(init, scope, node);
        }
        return;
      case "ClassDeclaration":
      case "ClassExpression":
        return this.#class(node, scope);
      case "ImportDeclaration":
        for (const { local } of node.specifiers) this.#declare(local, scope, scope);
        return;
      case "ExportSpecifier":
        if (node.local.type === "Identifier") this.visit(node.local, scope, node);
        return;
      case "MemberExpression":
        if (!node.computed && node.object.type === "Identifier") this.#members.push({ node, scope });
    }
    this.#children(node, scope);
  }

  #children(node, scope) {
    for (const key of Object.keys(node)) {
      if (SKIPPED.has(key) || isName(node, key)) continue;
      const value = node[key];
      for (const one of Array.isArray(value) ? value : [value])
        if (typeof one?.type === "string") this.visit(one, scope, node);
    }
  }

  #function(node, scope) {
    if (node.type === "FunctionDeclaration" && node.id) this.#declare(node.id, scope, scope);
    const named = node.type === "FunctionExpression" && node.id ? new Scope(node, scope, false) : scope;
    if (named !== scope) this.#declare(node.id, named, named);
    const own = new Scope(node, named, true);
    for (const param of node.params) this.#pattern(param, own, own);
    if (node.body.type === "BlockStatement")
      for (const one of node.body.body) this.visit(one, own, node.body);
    else this.visit(node.body, own, node);
  }

  #block(node, scope) {
    const own = new Scope(node, scope, node.type === "StaticBlock");
    if (node.type === "CatchClause") {
      if (node.param) this.#pattern(node.param, own, own);
      for (const one of node.body.body) this.visit(one, own, node.body);
    } else this.#children(node, own);
  }

  #class(node, scope) {
    const own = new Scope(node, scope, false);
    if (node.id) this.#declare(node.id, node.type === "ClassDeclaration" ? scope : own, scope);
    if (node.superClass) this.visit(node.superClass, own, node);
    this.visit(node.body, own, node);
  }
}

/** A word that is no variable: a member's, a label's. */
function isName(node, key) {
  switch (node.type) {
    case "MemberExpression":
      return key === "property" && !node.computed;
    case "Property":
    case "MethodDefinition":
    case "PropertyDefinition":
      return key === "key" && !node.computed;
    case "LabeledStatement":
    case "BreakStatement":
    case "ContinueStatement":
      return key === "label";
    case "MetaProperty":
      return true;
    default:
      return false;
  }
}

function functionOf(scope) {
  let at = scope;
  while (!at.isFunction) at = at.parent;
  return at;
}

function lookUp(scope, name) {
  for (let at = scope; at !== undefined; at = at.parent) {
    const found = at.bindings.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

module.exports = { analysed, lookUp };
