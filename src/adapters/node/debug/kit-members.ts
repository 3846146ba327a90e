/** The kit's lists: the members of a value or a scope, page by page, and the way back to each. See kit-source.ts. */
export const KIT_MEMBERS = String.raw`
/** Above this length an array's own names are not asked for: that alone would build a string for every element. */
const NAMES_LIMIT = 10000;
const FUNCTION_NAMES = new Set(["length", "name", "prototype", "arguments", "caller"]);

function indexedCount(value) {
  if (types.isProxy(value)) return undefined;
  if (isArray(value) || types.isArgumentsObject(value)) return lookup(value, "length") >>> 0;
  if (types.isTypedArray(value)) return lengthOfTyped(value);
  if (types.isMap(value)) return sizeOfMap(value);
  if (types.isSet(value)) return sizeOfSet(value);
  return undefined;
}

function isInternal(value) {
  return types.isProxy(value) || types.isPromise(value) || types.isWeakMap(value) || types.isWeakSet(value) ||
    types.isGeneratorObject(value) || types.isMapIterator(value) || types.isSetIterator(value);
}

function hasMembers(value, count) {
  if (isInternal(value)) return true;
  if (typeof value === "function") return ownKeys(value).some((key) => !FUNCTION_NAMES.has(key));
  if (count !== undefined && count > 0) return true;
  if (isArray(value) || types.isTypedArray(value)) return false;
  if (types.isDate(value) || types.isRegExp(value)) return false;
  return ownKeys(value).length > 0 || hasPrivates(value) || accessors(value).length > 0;
}

/** Private fields are invisible from here; the class's text tells whether to ask V8 for them. */
function hasPrivates(value) {
  for (let at = value, i = 0; at !== null && i < 10; at = prototypeOf(at), i++) {
    if (types.isProxy(at)) return false;
    const made = descriptor(at, "constructor");
    if (made !== undefined && typeof made.value === "function" && !types.isProxy(made.value)) {
      const text = slice(functionText(made.value), 0, 20000);
      if (/^class\b/.test(text) && /[\s{;]#[\w$]+/.test(text)) return true;
    }
  }
  return false;
}

/** Getters that instances inherit: part of what an object "has", unlike its methods. */
function accessors(value) {
  const found = [];
  if (typeof value === "function" || isError(value)) return found;
  for (let at = prototypeOf(value), i = 0; at !== null && at !== Object.prototype && i < 10; at = prototypeOf(at), i++) {
    if (types.isProxy(at)) break;
    const made = descriptor(at, "constructor");
    if (made === undefined || typeof made.value !== "function" || types.isProxy(made.value)) continue;
    if (/\[native code\]/.test(slice(functionText(made.value), 0, 200))) continue;
    for (const key of ownKeys(at)) {
      if (typeof key !== "string" || key === "__proto__") continue;
      const one = descriptor(at, key);
      if (one.get && !found.includes(key) && !descriptor(value, key)) found.push(key);
      if (found.length > 50) return found;
    }
  }
  return found;
}

function pathOf(key) {
  if (typeof key !== "string") return undefined;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? "." + key : "[" + JSON.stringify(key) + "]";
}

function member(name, value, reach, key, path, hex) {
  const out = describe(value, hex);
  out.n = name;
  out.r = reach;
  out.k = key;
  if (path !== undefined) out.p = path;
  return out;
}

function property(object, key, reach, token, hex) {
  const name = typeof key === "symbol" ? slice(symbolText(key), 0, 200) : slice(String(key), 0, 500);
  const path = reach === "property" && typeof key === "number" ? "[" + key + "]" : reach === "property" ? pathOf(key) : undefined;
  let found;
  try {
    found = descriptor(object, key);
  } catch {
    return { n: name, v: "<uninitialized>", t: "", r: reach, k: token };
  }
  if (found === undefined) return { n: name, v: "<empty>", t: "undefined", r: reach, k: token };
  if (found.get) return { n: name, v: "(getter)", t: "accessor", r: reach, k: token, g: 1, e: 1, p: path };
  if (found.set) return { n: name, v: "(setter)", t: "accessor", r: reach, k: token };
  return member(name, found.value, reach, token, path, hex);
}

function keyPath(key) {
  const simple = key === null || ["string", "number", "boolean", "undefined"].includes(typeof key);
  return simple && !(typeof key === "string" && key.length > 200) ? ".get(" + (typeof key === "string" ? JSON.stringify(key) : String(key)) + ")" : undefined;
}

function indexedMembers(object, start, end, hex) {
  const list = [];
  if (types.isMap(object)) {
    const entries = entriesOf(object);
    for (let i = 0; i < end; i++) {
      const { value: pair } = entries.next();
      if (i >= start) list.push(member(show(pair[0], 1, 60), pair[1], "entry", i, keyPath(pair[0]), hex));
    }
  } else if (types.isSet(object)) {
    const items = valuesOf(object);
    for (let i = 0; i < end; i++) {
      const { value } = items.next();
      if (i >= start) list.push(member(String(i), value, "entry", i, undefined, hex));
    }
  } else {
    for (let i = start; i < end; i++) list.push(property(object, i, "property", i, hex));
  }
  return list;
}

function namedKeys(object, count) {
  if (types.isTypedArray(object)) return [];
  if (isArray(object) && count > NAMES_LIMIT) return ["length"];
  const keys = ownKeys(object);
  if (typeof object === "function") return keys.filter((key) => !FUNCTION_NAMES.has(key));
  if (count === undefined) return keys;
  return keys.filter((key) => typeof key !== "string" || !/^(0|[1-9]\d*)$/.test(key));
}

/** The members of an object. filter: "indexed", "named" or both; a page holds at most limit of them. */
function members(object, filter, start, limit, hex) {
  const out = { list: [], indexed: 0, more: 0 };
  if (isInternal(object)) out.internal = 1;
  if (types.isProxy(object)) return out;
  const count = indexedCount(object);
  out.indexed = count ?? 0;
  let room = limit;
  if (count !== undefined && filter !== "named") {
    const first = Math.min(start, count);
    const end = Math.min(count, first + room);
    out.list = indexedMembers(object, first, end, hex);
    room -= out.list.length;
    if (filter !== "indexed" || limit < Infinity) out.more += count - end;
  }
  if (filter === "indexed") return out;
  const skip = filter === "named" || count === undefined ? start : 0;
  const keys = namedKeys(object, count);
  const inherited = count === undefined ? accessors(object) : [];
  const all = keys.length + inherited.length;
  let long = false;
  for (let i = skip; i < all && room > 0; i++, room--) {
    const key = i < keys.length ? keys[i] : inherited[i - keys.length];
    if (i >= keys.length) out.list.push({ n: key, v: "(getter)", t: "accessor", r: "property", k: key, g: 1, e: 1, p: pathOf(key) });
    else if (typeof key === "symbol") out.list.push(property(object, key, "symbol", i, hex));
    else out.list.push(property(object, key, "property", key, hex));
    const last = out.list[out.list.length - 1];
    if (last.t === "string" && last.v.length > STRING_LIMIT) long = true;
  }
  out.more += Math.max(0, all - skip - limit);
  if (!long && skip === 0 && all < 1000 && typeof object !== "function" && hasPrivates(object)) out.internal = 1;
  return out;
}

/** Variables of one scope that are read before anybody asks; where there are more, they are asked for. */
const FRAME_LIMIT = 200;

/** Variables of one or more scope objects, the innermost first; left out are shadowed names, and the global object as this. */
function scope(parts, hidden, limit, hex, self) {
  const out = { list: [], indexed: 0, more: 0 };
  const seen = new Set(hidden);
  if (self !== undefined && self.value !== globalThis)
    out.list.push(member("this", self.value, "scope", "this", "this", hex));
  parts.forEach((part, at) => {
    for (const key of ownKeys(part)) {
      if (typeof key !== "string" || seen.has(key)) continue;
      seen.add(key);
      if (out.list.length >= limit) out.more++;
      else {
        const one = property(part, key, "scope", at + ":" + key, hex);
        one.p = key;
        out.list.push(one);
      }
    }
  });
  return out;
}

/** What a frame holds: its this, or nothing, and each of its scopes alone. */
function frame(self, hasSelf, parts) {
  const own = scope([], [], FRAME_LIMIT, false, hasSelf ? { value: self } : undefined);
  return [own, ...parts.map((part) => scope([part], [], FRAME_LIMIT, false))];
}

/** As JSON, which is read in a fraction of the time; nothing where the program has a say in that. */
function frameText(self, hasSelf, parts) {
  if ("toJSON" in Object.prototype || "toJSON" in Array.prototype) return undefined;
  return toJson(frame(self, hasSelf, parts));
}

/** The value a member stood for, by reference. Data properties only: a getter goes through thunk. */
function child(object, reach, key) {
  if (reach === "symbol") return descriptor(object, namedKeys(object, indexedCount(object))[key])?.value;
  if (reach === "entry") {
    const items = types.isMap(object) ? entriesOf(object) : valuesOf(object);
    for (let i = 0; i < key; i++) items.next();
    const { value } = items.next();
    return types.isMap(object) ? value[1] : value;
  }
  return descriptor(object, key)?.value;
}

/** A call that reads an accessor: run by the adapter under a time limit. */
function thunk(object, reach, key) {
  const name = reach === "symbol" ? namedKeys(object, indexedCount(object))[key] : key;
  return () => ({ __proto__: null, v: object[name] });
}

/** Names for completion, the nearest first; nothing is read. */
function names(object, prefix, limit) {
  const found = [];
  const seen = new Set();
  if (object === null || object === undefined) return found;
  for (let at = Object(object), i = 0; at !== null && i < 10; at = prototypeOf(at), i++) {
    if (types.isProxy(at)) break;
    if (types.isTypedArray(at) || (isArray(at) && (lookup(at, "length") >>> 0) > NAMES_LIMIT)) continue;
    for (const key of ownKeys(at)) {
      if (typeof key !== "string" || seen.has(key) || !key.startsWith(prefix) || /^\d/.test(key)) continue;
      seen.add(key);
      const one = descriptor(at, key);
      found.push({ n: key, f: typeof one.value === "function" ? 1 : 0 });
      if (found.length >= limit) return found;
    }
  }
  return found;
}

/** An error and the errors that caused it, outermost first. */
function cause(error) {
  const chain = [];
  for (let at = error; at !== undefined && at !== null && chain.length < 10; ) {
    if (typeof at !== "object" || types.isProxy(at) || !isError(at)) {
      chain.push({ name: typeOf(at), message: show(at, 0, ROOM), stack: "" });
      break;
    }
    const message = lookup(at, "message");
    // Not the outermost's: V8 has told it, and once it is read some Nodes (22) lose an error that they are about to throw again.
    const stack = chain.length === 0 ? undefined : descriptor(at, "stack");
    const line = errorLine(at, STRING_LIMIT);
    const colon = line.indexOf(":");
    chain.push({
      name: colon < 0 ? line : line.slice(0, colon),
      message: typeof message === "string" ? slice(message, 0, STRING_LIMIT) : "",
      stack: stack !== undefined && typeof stack.value === "string" ? slice(stack.value, 0, 8192) : "",
    });
    at = lookup(at, "cause");
  }
  return chain;
}
`;
