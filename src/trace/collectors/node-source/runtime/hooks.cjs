// Where Node loads code: each text passes through `edit` on its way to V8.
const Module = require("node:module");
const { realpathSync } = require("node:fs");
const { fileURLToPath } = require("node:url");
const vm = require("node:vm");

/** Code that has been here: a text may pass both ways into Node's loaders. */
const MARK = "__sonde$";
/** Scripts whose variables are global, and whose last value is what they give. */
const SHARED = "shared";
/** The body of a function that runs in whatever context it was made for. */
const LOOSE = "loose";

/**
 * @param edit (text, path, kind) → text; `edit.wants` is asked first
 * @param asset this program's own file, for the thread in which older Nodes load ES modules
 * @param equip gives a global object what edited code calls; those of other contexts less than Node's own
 */
function install(edit, asset, equip) {
  equip(globalThis, true);
  hookVm(edit, equip);
  const compile = Module.prototype._compile;
  Module.prototype._compile = function _compile(content, filename, ...rest) {
    return compile.call(this, edited(edit, content, filename, rest[0]), filename, ...rest);
  };
  if (typeof Module.registerHooks === "function") stayOutermost("registerHooks", hookHere(edit));
  else if (typeof Module.register === "function") stayOutermost("register", hookElsewhere(asset));
}

/** Test runners load the files under test by themselves. */
function hookVm(edit, equip) {
  const { createContext, runInThisContext, compileFunction, Script } = vm;
  const changed = (code, options, format = SHARED) => {
    const name = typeof options === "string" ? options : options?.filename;
    if (typeof name !== "string") return code;
    const path = name.startsWith("file:") ? pathOf(name) : name;
    return path.startsWith("/") ? edited(edit, code, path, format) : code;
  };
  vm.Script = class extends Script {
    constructor(code, options) {
      super(changed(code, options), options);
    }
  };
  Object.defineProperty(vm.Script, "name", { value: "Script" });
  vm.runInThisContext = (code, options) => runInThisContext(changed(code, options), options);
  vm.compileFunction = (code, params, options) =>
    compileFunction(changed(code, options, LOOSE), params, options);
  vm.createContext = (...args) => {
    const context = createContext(...args);
    try {
      equip(context, false);
    } catch {
      // One that takes nothing more: what runs in it finds the recorder missing, as it would anything else.
    }
    return context;
  };
}

/** Those that come later are asked first, and we want what they have made of a file: so after each of them we come again. */
function stayOutermost(name, hook) {
  const original = Module[name];
  let leave = hook(original);
  Module[name] = function (...args) {
    const result = original.apply(this, args);
    leave();
    leave = hook(original);
    return result;
  };
  Module.syncBuiltinESMExports();
}

function hookHere(edit) {
  return (register) => {
    const hooks = register({ load: (url, context, next) => loaded(edit, url, next(url, context)) });
    return () => hooks.deregister();
  };
}

/** Node 20 has one thread for the hooks; an older registration of ours there steps back when a newer one comes. */
function hookElsewhere(asset) {
  let count = 0;
  return (register) => {
    const source = `globalThis.__sonde$hooks=${++count};
import { createRequire } from "node:module";
const { hooks } = createRequire(${JSON.stringify(asset)})(${JSON.stringify(asset)});
export const load = hooks(${count});`;
    register(`data:text/javascript,${encodeURIComponent(source)}`);
    return () => {};
  };
}

/** The load hook of that thread. */
function remoteHook(edit, number) {
  return async (url, context, next) => {
    const result = await next(url, context);
    return number === globalThis.__sonde$hooks ? loaded(edit, url, result) : result;
  };
}

function loaded(edit, url, result) {
  const { source, format } = result;
  if (source === null || source === undefined || !url.startsWith("file:")) return result;
  if (!/^(?:(?:module|commonjs)(?:-typescript)?|typescript)$/.test(format ?? "")) return result;
  const given = typeof source === "string" ? source : Buffer.from(source).toString();
  const made = edited(edit, given, fileURLToPath(url), format);
  return made === given ? result : { ...result, format: format.replace("-typescript", ""), source: made };
}

/** What comes back is JavaScript, or the text as it was given. */
function edited(edit, content, filename, format) {
  // Some loaders compile bytes, or what they like.
  if (typeof content !== "string" || content.includes(MARK)) return content;
  const path = real(filename.replace(/\?.*$/, ""));
  if (!edit.wants(content, path)) return content;
  const text = /typescript$/.test(format ?? "") ? withoutTypes(content) : content;
  const isOfVm = format === SHARED || format === LOOSE;
  const kind = isOfVm ? format : /^module/.test(format ?? "") ? "module" : "script";
  const made = edit(text, path, kind);
  return made === text ? content : made;
}

/** Positions stay. That this is an experiment of Node's concerns only us. */
function withoutTypes(text) {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return Module.stripTypeScriptTypes(text, { mode: "strip" });
  } catch {
    return text; // Node will say what is wrong with it
  } finally {
    process.emitWarning = emitWarning;
  }
}

function pathOf(url) {
  try {
    return fileURLToPath(url);
  } catch {
    return url; // a name like another, to the program
  }
}

function real(path) {
  try {
    return realpathSync.native(path);
  } catch {
    return path; // code that is in no file
  }
}

module.exports = { install, remoteHook };
