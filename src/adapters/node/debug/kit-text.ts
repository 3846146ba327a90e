/** The kit's formatter: one value → one line of text. See kit-source.ts. */
export const KIT_TEXT = String.raw`
const sizeOfMap = getter(Map.prototype, "size");
const sizeOfSet = getter(Set.prototype, "size");
const lengthOfTyped = getter(prototypeOf(Uint8Array.prototype), "length");
const lengthOfBuffer = getter(ArrayBuffer.prototype, "byteLength");
const lengthOfShared = getter(SharedArrayBuffer.prototype, "byteLength");
const sourceOf = getter(RegExp.prototype, "source");
const flagsOf = getter(RegExp.prototype, "flags");
const entriesOf = call(Map.prototype.entries);
const valuesOf = call(Set.prototype.values);
const isoOf = call(Date.prototype.toISOString);
const timeOf = call(Date.prototype.getTime);
const functionText = call(Function.prototype.toString);
const symbolText = call(Symbol.prototype.toString);
const slice = call(String.prototype.slice);

const STRING_LIMIT = 1024, NESTED_STRING = 80, ROOM = 240, DEPTH = 3, DIGITS = 60;

function quote(value, limit) {
  if (value.length <= limit) return JSON.stringify(value);
  return JSON.stringify(slice(value, 0, limit) + "…") + " (" + value.length + " chars)";
}

/** The value of a data property anywhere on the chain; undefined rather than run a getter or a trap. */
function lookup(object, name) {
  for (let at = object, i = 0; at !== null && i < 100; at = prototypeOf(at), i++) {
    if (types.isProxy(at)) return undefined;
    const found = descriptor(at, name);
    if (found !== undefined) return found.value;
  }
  return undefined;
}

/** The name of the nearest constructor; null for an object without a prototype. */
function classOf(object) {
  if (prototypeOf(object) === null) return null;
  const made = lookup(object, "constructor");
  if (typeof made === "function" && !types.isProxy(made)) {
    const name = descriptor(made, "name");
    if (name !== undefined && typeof name.value === "string" && name.value !== "") return slice(name.value, 0, 100);
  }
  return "Object";
}

function typeOf(value) {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  if (types.isProxy(value)) return "Proxy";
  return classOf(value) ?? "Object";
}

function nameOf(fn) {
  const name = descriptor(fn, "name");
  return name !== undefined && typeof name.value === "string" ? slice(name.value, 0, 100) : "";
}

function parameters(text) {
  const arrow = /^(?:async\s+)?([\w$]+)\s*=>/.exec(text);
  if (arrow) return arrow[1];
  const open = text.indexOf("(");
  if (open < 0) return "";
  for (let i = open, deep = 0; i < text.length; i++) {
    const c = text[i];
    if (c === "(" || c === "[" || c === "{") deep++;
    else if ((c === ")" || c === "]" || c === "}") && --deep === 0) return text.slice(open + 1, i).replace(/\s+/g, " ");
  }
  return "…";
}

function functionLine(fn) {
  if (types.isProxy(fn)) return "Proxy(function)";
  const text = slice(functionText(fn), 0, 300);
  const name = nameOf(fn);
  if (/^class\b/.test(text)) return "class " + (name || "(anonymous)");
  const kind = /^(async\s*)?(function\s*)?\*/.test(text) || /^(async\s+)?function\s*\*/.test(text) ? "ƒ* " : "ƒ ";
  return (/^async\b/.test(text) ? "async " : "") + kind + (name || "(anonymous)") + "(" + slice(parameters(text), 0, 80) + ")";
}

function bigintText(value) {
  const hex = value.toString(16);
  return hex.length <= 400 ? cutDigits(value.toString()) + "n" : "0x" + slice(hex, 0, 40) + "…n (" + hex.length + " hex digits)";
}
function cutDigits(text) {
  return text.length <= DIGITS * 4 ? text : slice(text, 0, DIGITS) + "… (" + text.length + " digits)";
}

function promiseLine(promise, name) {
  const text = util.inspect(promise, { depth: 0, customInspect: false, maxArrayLength: 0, maxStringLength: 10, breakLength: Infinity });
  const state = text.includes("{ <pending>") ? "pending" : text.includes("{ <rejected>") ? "rejected" : "fulfilled";
  return name + " <" + state + ">";
}

function isError(value) {
  if (types.isNativeError(value)) return true;
  for (let at = prototypeOf(value), i = 0; at !== null && i < 50; at = prototypeOf(at), i++) {
    if (types.isProxy(at)) return false;
    if (at === Error.prototype) return true;
  }
  return false;
}

function errorLine(error, limit) {
  const given = lookup(error, "name");
  const made = classOf(error) ?? "Error";
  const name = typeof given === "string" && given !== "" && given !== "Error" ? given : made;
  const message = lookup(error, "message");
  const text = typeof message === "string" ? message : "";
  return name + (text === "" ? "" : ": " + (text.length > limit ? slice(text, 0, limit) + "…" : text));
}

/** Joins items while they fit; says how many were left out. */
function joined(open, close, total, room, item) {
  let out = "";
  let shown = 0;
  while (shown < total && shown < 100) {
    const left = room - out.length;
    if (shown > 0 && left < 8) break;
    const text = item(shown, left);
    if (text === undefined) break;
    if (shown > 0 && out.length + text.length > room) break;
    out += (shown ? ", " : "") + text;
    shown++;
  }
  const more = total - shown;
  if (more > 0) out += (shown ? ", " : "") + "… " + more + " more";
  return { text: open + out + close, cut: more > 0 };
}

function listLine(list, length, name, depth, room, read) {
  const body = joined("[", "]", length, room, (i, left) => read(i, left));
  const plain = name === "Array" && !body.cut;
  return (plain ? "" : name + "(" + length + ") ") + body.text;
}

function own(object, key, depth, room) {
  let found;
  try {
    found = descriptor(object, key);
  } catch {
    return "<uninitialized>";
  }
  if (found === undefined) return "<empty>";
  if (found.get || found.set) return found.get ? "(getter)" : "(setter)";
  return show(found.value, depth, room);
}

function keyText(key) {
  if (typeof key === "symbol") return "[" + slice(symbolText(key), 0, 80) + "]";
  return /^[A-Za-z_$][\w$]*$/.test(key) ? slice(key, 0, 80) : JSON.stringify(slice(key, 0, 80));
}

function fieldsLine(object, depth, room, keys) {
  const names = keys ?? Object.keys(object);
  return joined("{", "}", names.length, room, (i, left) => {
    const key = keyText(names[i]);
    return key + ": " + own(object, names[i], depth + 1, left - key.length);
  }).text;
}

function boxed(value) {
  for (const kind of [Number, String, Boolean, BigInt, Symbol]) {
    try {
      return "[" + kind.name + ": " + show(kind.prototype.valueOf.call(value), 1, 80) + "]";
    } catch {}
  }
  return "[boxed]";
}

function objectLine(value, depth, room) {
  if (types.isProxy(value)) return "Proxy";
  const name = classOf(value);
  const tag = name ?? "[null prototype]";
  if (isArray(value) || types.isArgumentsObject(value)) {
    const length = lookup(value, "length") >>> 0;
    const label = isArray(value) ? (name ?? "Array") : "Arguments";
    if (depth >= DEPTH) return length === 0 ? "[]" : label + "(" + length + ")";
    return listLine(value, length, label, depth, room, (i, left) => own(value, i, depth + 1, left));
  }
  if (types.isTypedArray(value)) {
    const length = lengthOfTyped(value);
    return listLine(value, length, tag, depth, Math.min(room, 100), (i) => String(value[i]) + (typeof value[i] === "bigint" ? "n" : ""));
  }
  if (types.isMap(value)) {
    const size = sizeOfMap(value);
    if (depth >= DEPTH) return tag + "(" + size + ")";
    const entries = entriesOf(value);
    return tag + "(" + size + ") " + joined("{", "}", size, room, (i, left) => {
      const { value: pair } = entries.next();
      const key = show(pair[0], depth + 1, Math.min(left, 40));
      return key + " → " + show(pair[1], depth + 1, left - key.length);
    }).text;
  }
  if (types.isSet(value)) {
    const size = sizeOfSet(value);
    if (depth >= DEPTH) return tag + "(" + size + ")";
    const items = valuesOf(value);
    return tag + "(" + size + ") " + joined("{", "}", size, room, (i, left) => show(items.next().value, depth + 1, left)).text;
  }
  if (types.isDate(value)) return Number.isNaN(timeOf(value)) ? "Invalid Date" : isoOf(value);
  if (types.isRegExp(value)) return slice("/" + sourceOf(value) + "/" + flagsOf(value), 0, 300);
  if (types.isPromise(value)) return promiseLine(value, tag);
  if (isError(value)) {
    const line = errorLine(value, depth === 0 ? STRING_LIMIT : NESTED_STRING);
    const extra = Object.keys(value);
    return extra.length > 0 && depth < 2 ? line + " " + fieldsLine(value, depth, Math.max(40, room - line.length), extra) : line;
  }
  if (types.isArrayBuffer(value)) return tag + "(" + lengthOfBuffer(value) + ")";
  if (types.isSharedArrayBuffer(value)) return tag + "(" + lengthOfShared(value) + ")";
  if (types.isWeakMap(value) || types.isWeakSet(value) || types.isGeneratorObject(value) || types.isExternal(value)) return tag;
  if (types.isBoxedPrimitive(value)) return boxed(value);
  const prefix = types.isModuleNamespaceObject(value) ? "[module] " : name === "Object" ? "" : tag + " ";
  const keys = Object.keys(value);
  if (keys.length === 0) return prefix + "{}";
  if (depth >= DEPTH || room < 12) return prefix + "{…}";
  return prefix + fieldsLine(value, depth, room, keys);
}

function show(value, depth, room) {
  switch (typeof value) {
    case "string": return quote(value, depth === 0 ? STRING_LIMIT : Math.max(12, Math.min(NESTED_STRING, room)));
    case "number": return Object.is(value, -0) ? "-0" : String(value);
    case "bigint": return bigintText(value);
    case "symbol": return slice(symbolText(value), 0, 200);
    case "function": return functionLine(value);
    case "object":
      try {
        return value === null ? "null" : objectLine(value, depth, room);
      } catch (error) {
        return "<cannot be shown: " + errorLine(error, 60) + ">";
      }
    default: return String(value);
  }
}

function hexText(value) {
  const sign = value < 0 ? "-" : "";
  const digits = (value < 0 ? -value : value).toString(16);
  return sign + "0x" + slice(digits, 0, 400) + (typeof value === "bigint" ? "n" : "");
}

/** Text, type and size of one value. */
function describe(value, hex) {
  const isNumber = typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));
  const out = { v: hex && isNumber ? hexText(value) : show(value, 0, ROOM), t: typeOf(value) };
  if (value !== null && (typeof value === "object" || typeof value === "function")) {
    const count = indexedCount(value);
    if (count !== undefined) out.i = count;
    if (hasMembers(value, count)) out.e = 1;
  }
  return out;
}

/** For log messages: strings bare, the rest as shown. */
function log(value) {
  return typeof value === "string" ? slice(value, 0, 4096) : show(value, 0, ROOM);
}

/** A string in full up to a limit, for copying out. */
function whole(value, limit) {
  return typeof value === "string" ? slice(value, 0, limit) : show(value, 0, limit);
}
`;
