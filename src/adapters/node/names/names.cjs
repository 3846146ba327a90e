// Names as they stand in the source that a script was made from, and the variables of the script that they mean. A compiler that moves
// code into other scopes renames what would clash; its map says what each identifier was called, by a name or by the place it came from.
const { Lines } = require("./lines.cjs");
const { mapScopes } = require("./map-scopes.cjs");
const { parsed } = require("../javascript/parse.cjs");
const { analysed, lookUp } = require("../javascript/scopes.cjs");

const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const KEYWORD =
  /^(?:await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|import|in|instanceof|new|null|return|super|switch|this|throw|true|try|typeof|var|void|while|with|let|async|static|get|set|of|yield|public|private|protected|readonly)$/;
const QUIET = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;

class Names {
  #root;
  #members;
  /** What is written in front of a dot, with the word behind it. */
  #owners;
  #script;
  #map;
  #scopes;
  #sources = new Map();

  /**
   * @param program the script's syntax tree; `text` its text
   * @param map `mappings`: decoded, by line; `names`; `textOf(source)`: of a source by its index, if it is known; `scopes`: the
   *   map's field of that name, which goes before all that is guessed from the mappings
   */
  constructor(program, text, map) {
    const { root, members } = analysed(program);
    this.#root = root;
    this.#members = members;
    this.#owners = new Map(members.map(({ node }) => [node.object, node.property.name]));
    this.#script = new Text(text);
    this.#map = map;
    this.#scopes = mapScopes(map.scopes, map.names);
  }

  /** Gives each declared identifier of the tree what it was called: `original`. */
  annotate() {
    const each = (scope) => {
      for (const binding of scope.bindings.values())
        for (const node of binding.declared) {
          const told = this.#toldName(binding, node.start) ?? this.#toldName(binding, scope.end - 1);
          const name = told ?? this.#wordAt(node.start)?.name;
          if (name !== undefined && name !== node.name) node.original = name;
        }
      for (const one of scope.inner) each(one);
    };
    each(this.#root);
  }

  /**
   * What a name of the source means at an offset of the script.
   * @returns `text` to write instead, or `fault`: why it cannot be told
   */
  meaning(name, offset) {
    const chain = this.#root.around(offset);
    const told = this.#toldValue(name, offset, chain);
    if (told !== undefined) return told;
    const source = this.#segmentBefore(offset)?.[1];
    if (source === undefined) return { text: name };
    const found = this.#declaring(name, source, chain);
    const lost = this.#lost(name, source, offset, found.binding);
    if (lost !== undefined) return { fault: lost };
    if (found.isUnclear) return { fault: "the compiled code has several variables that were called so" };
    const { binding } = found;
    if (binding !== undefined) {
      if (lookUp(chain[0], binding.name) === binding) return { text: binding.name };
      return {
        fault: `the compiled code hides it here behind another variable that it calls ${binding.name}`,
      };
    }
    return this.#undeclared(name, source, chain);
  }

  /** What a variable of the script was called; `end`: of the scope that holds it, to tell it from others of that name. */
  original(name, offset, end) {
    const source = this.#segmentBefore(offset)?.[1];
    const holding = this.#root.around(offset).filter(({ bindings }) => bindings.has(name));
    const [scope] = holding.sort((a, b) => Math.abs(a.end - end) - Math.abs(b.end - end));
    const binding = scope?.bindings.get(name);
    const told = binding && this.#toldName(binding, offset);
    if (told !== undefined) return told;
    const [first] = binding === undefined || source === undefined ? [] : this.#calledIn(binding, source);
    return first ?? name;
  }

  /** What the map's scopes say of a name. */
  #toldValue(name, offset, chain) {
    for (const found of this.#scopes?.at(this.#script.at(offset)) ?? []) {
      if (found.name !== name) continue;
      if (found.isParted)
        return { fault: "its source map gives it in parts, in a way that has not been settled yet" };
      if (found.value === undefined) return { fault: "the compiler left it out of the code" };
      const used = plainlyUsed(found.value);
      if (used === undefined) return { fault: `its source map would run code for it: ${found.value}` };
      const hidden = used.find((one) => this.#in(found.range, one, chain) !== lookUp(chain[0], one));
      if (hidden !== undefined)
        return { fault: `the compiled code hides it here behind another variable that it calls ${hidden}` };
      return { text: used[0] === found.value ? found.value : `(${found.value})` };
    }
    return undefined;
  }

  /** How a variable of the script is called by those scopes at a place. */
  #toldName(binding, offset) {
    if (this.#scopes === undefined) return undefined;
    const chain = this.#root.around(offset);
    for (const { name, value, range } of this.#scopes.at(this.#script.at(offset)))
      if (value === binding.name && this.#in(range, value, chain) === binding) return name;
    return undefined;
  }

  /** The variable that a name means all over a range of the code, whatever hides it further inside. */
  #in({ end }, name, chain) {
    const last = this.#script.offset(end.line, end.column);
    const outside = chain.find((scope) => scope.end > last);
    const own = chain.findLast((scope) => scope.end <= last && scope.bindings.has(name));
    return own?.bindings.get(name) ?? (outside && lookUp(outside, name));
  }

  /** The variable of that name that is nearest; a `var` that was renamed was a block's own. */
  #declaring(name, source, chain) {
    let best;
    let isUnclear = false;
    for (const scope of chain)
      for (const binding of scope.bindings.values()) {
        if (!this.#calledIn(binding, source).has(name)) continue;
        const home = binding.name === name ? scope : homeOf(binding);
        if (!chain.includes(home)) continue;
        const depth = chain.indexOf(home);
        if (best !== undefined && best.depth < depth) continue;
        isUnclear = best?.depth === depth;
        best = { binding, depth };
      }
    return { binding: best?.binding, isUnclear };
  }

  #undeclared(name, source, chain) {
    const same = lookUp(chain[0], name);
    const member = this.#memberFor(name, source, chain);
    if (same === undefined) return { text: member ?? name };
    const called = this.#calledIn(same, source);
    const isMade = called.size === 0 && this.#used(same).length === 0;
    if (isMade) return { text: name };
    if (member !== undefined && called.size === 0) return { text: member };
    const [other] = called;
    const what = other === undefined ? "a variable of another file" : `\`${other}\``;
    return { fault: `there is none of that name here; the compiled code calls ${what} so` };
  }

  /** An import that became a member of its module: `name` is written `module_1.name`. */
  #memberFor(name, source, chain) {
    for (const { node, scope } of this.#members) {
      if (node.object.name === name) continue;
      const at = this.#wordAt(node.start);
      if (at?.name !== name || at.source !== source) continue;
      const owner = lookUp(scope, node.object.name);
      const isSame = lookUp(chain[0], node.object.name) === owner;
      if (isSame && (owner === undefined || this.#isOutermost(owner.scope, source)))
        return `${node.object.name}.${node.property.name}`;
    }
    return undefined;
  }

  /** All around it was put there by a tool: nothing of the source is declared in it. */
  #isOutermost(scope, source) {
    for (let at = scope.parent; at !== undefined; at = at.parent)
      for (const binding of at.bindings.values())
        if (this.#declaredIn(binding, source).length > 0) return false;
    return true;
  }

  /** By what names a source knows a variable. */
  #calledIn(binding, source) {
    binding.called ??= new Map();
    const known = binding.called.get(source);
    if (known !== undefined) return known;
    const declared = this.#declaredIn(binding, source);
    const used = () => this.#used(binding).flatMap((word) => (word.source === source ? [word.name] : []));
    const found = new Set(declared.length > 0 ? declared : used());
    binding.called.set(source, found);
    return found;
  }

  #declaredIn(binding, source) {
    return binding.declared
      .map((node) => this.#wordAt(node.start))
      .flatMap((word) => (word?.source === source ? [word.name] : []));
  }

  /** The words at its uses. A helper of the compiler's stands where another variable's word is: `__name(main, "main")`. */
  #used(binding) {
    return binding.places.flatMap(({ node, scope }) => {
      const word = this.#wordAt(node.start);
      if (word === undefined || this.#isPart(node)) return [];
      const other = lookUp(scope, word.name);
      if (other === undefined || other === binding) return [word];
      const owned = this.#declaredIn(other, word.source);
      return owned.length === 0 || owned.includes(word.name) ? [] : [word];
    });
  }

  /** The word in the source is for `module_1.name` as a whole, not for the module: no such member follows it there. */
  #isPart(node) {
    const member = this.#owners.get(node);
    const [, source, line, column] = this.#segmentAt(node.start) ?? [];
    if (member === undefined || source === undefined) return false;
    return this.#textOf(source)?.readsOf(line, column, member) === false;
  }

  /** What stands in the source where an identifier comes from. The map's own name serves where the source is not known. */
  #wordAt(offset) {
    const segment = this.#segmentAt(offset);
    if (segment === undefined || segment.length < 4) return undefined;
    const [, source, line, column, index] = segment;
    const word = this.#textOf(source)?.wordAt(line, column);
    const name = word ?? (index === undefined ? undefined : this.#map.names[index]);
    return name === undefined || KEYWORD.test(name) ? undefined : { source, name };
  }

  /** A declaration in the source around this place that the compiler left out: what is found then is another variable. */
  #lost(name, source, offset, binding) {
    const text = this.#textOf(source);
    if (text === undefined) return undefined;
    const [, , line, column] = this.#segmentBefore(offset);
    const here = text.offset(line, column);
    const kept = (binding?.declared ?? []).flatMap((node) => {
      const segment = this.#segmentAt(node.start);
      return segment?.[1] === source ? [text.offset(segment[2], segment[3])] : [];
    });
    for (const at of text.declarations(name)) {
      if (this.#isMapped(source, text.at(at))) continue;
      const block = text.blockAround(at);
      const isInside = (one) => block.start <= one && one <= block.end;
      if (isInside(here) && !kept.some(isInside)) return "the compiler left it out of the code";
    }
    return undefined;
  }

  #isMapped(source, { line, column }) {
    const text = this.#textOf(source);
    text.mapped ??= new Set(
      this.#map.mappings.flatMap((segments) =>
        segments.flatMap((one) => (one[1] === source ? [`${one[2]}:${one[3]}`] : [])),
      ),
    );
    return text.mapped.has(`${line}:${column}`);
  }

  #textOf(source) {
    if (!this.#sources.has(source)) {
      const text = this.#map.textOf(source);
      this.#sources.set(source, text === undefined ? undefined : new Text(text));
    }
    return this.#sources.get(source);
  }

  #segmentAt(offset) {
    const { line, column } = this.#script.at(offset);
    const segments = this.#map.mappings[line] ?? [];
    const at = lastUpTo(segments, column);
    return segments[at]?.[0] === column ? segments[at] : undefined;
  }

  #segmentBefore(offset) {
    const { line, column } = this.#script.at(offset);
    for (let row = line; row >= 0; row--) {
      const segments = this.#map.mappings[row] ?? [];
      for (let at = row === line ? lastUpTo(segments, column) : segments.length - 1; at >= 0; at--)
        if (segments[at].length >= 4) return segments[at];
    }
    return undefined;
  }
}

/** The variables that an expression reads; undefined unless reading is all it does. */
function plainlyUsed(expression) {
  const body = parsed(`(${expression}\n)`, "script")?.body;
  const used = [];
  const isPlain = (node) => {
    if (node.type === "Identifier") used.push(node.name);
    if (node.type === "MemberExpression")
      return isPlain(node.object) && (!node.computed || isPlain(node.property));
    if (node.type === "UnaryExpression")
      return /^([-+!~]|void)$/.test(node.operator) && isPlain(node.argument);
    if (node.type === "TemplateLiteral") return node.expressions.length === 0;
    return /^(Identifier|Literal|ThisExpression)$/.test(node.type);
  };
  return body?.length === 1 && body[0].type === "ExpressionStatement" && isPlain(body[0].expression)
    ? used
    : undefined;
}

/** The smallest scope in which all of a variable's places lie. */
function homeOf({ places, scope }) {
  let home = places[0].scope;
  while (home !== scope && !places.every((one) => home.holds(one.scope))) home = home.parent ?? scope;
  return home;
}

/** The last of these that begins no later than the column. */
function lastUpTo(segments, column) {
  let low = -1;
  let high = segments.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (segments[middle][0] <= column) low = middle;
    else high = middle - 1;
  }
  return low;
}

class Text {
  #text;
  #lines;
  #quiet;

  constructor(text) {
    this.#text = text;
    this.#lines = new Lines(text);
  }

  at(offset) {
    return this.#lines.at(offset);
  }

  offset(line, column) {
    const found = this.#lines.offset(line, column);
    return found === Number.POSITIVE_INFINITY ? this.#text.length + column : found;
  }

  wordAt(line, column) {
    WORD.lastIndex = this.offset(line, column);
    return WORD.exec(this.#text)?.[0];
  }

  /** Whether a member of this name is read of the word there. */
  readsOf(line, column, member) {
    const from = this.offset(line, column) + (this.wordAt(line, column)?.length ?? 0);
    const behind = /^[\s!)]*(?:\?\.|\.|\[)[\s["'`]*([\p{ID_Continue}$]*)/u.exec(
      this.#text.slice(from, from + 400),
    );
    return behind?.[1] === member;
  }

  /** Without comments and the insides of strings. */
  get quiet() {
    this.#quiet ??= this.#text.replace(QUIET, (one) => one.replace(/[^\n]/g, " "));
    return this.#quiet;
  }

  /** Where the name is declared, as far as that is plain. */
  declarations(name) {
    const word = name.replace(/\$/g, "\\$");
    const plain = new RegExp(
      `(?<!\\bdeclare\\s+)\\b(?:let|const|var|class|function\\s*\\*?)\\s+(?=${word}(?![\\p{ID_Continue}$]))`,
      "gu",
    );
    const found = [...this.quiet.matchAll(plain)].map((one) => one.index + one[0].length);
    const inside = new RegExp(`(?<![\\p{ID_Continue}$.])${word}(?![\\p{ID_Continue}$])(?!\\s*:)`, "gu");
    for (const one of this.quiet.matchAll(/\b(?:let|const|var)\s*([{[][^;=]*[}\]])\s*=/g)) {
      const from = one.index + one[0].indexOf(one[1]);
      for (const { index } of one[1].matchAll(inside)) found.push(from + index);
    }
    return found;
  }

  /** By its braces; the whole text, if there are none. */
  blockAround(offset) {
    const { quiet } = this;
    let start = offset;
    for (let depth = 0; start >= 0; start--) {
      if (quiet[start] === "}") depth++;
      else if (quiet[start] === "{" && depth-- === 0) break;
    }
    let end = offset;
    for (let depth = 0; end < quiet.length; end++) {
      if (quiet[end] === "{") depth++;
      else if (quiet[end] === "}" && depth-- === 0) break;
    }
    return { start, end };
  }
}

module.exports = { Names };
