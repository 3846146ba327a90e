// The program's own stacks (`error.stack`) name the places of its text as it was written, and no frame of ours.
const { createHash } = require("node:crypto");
const { readFileSync, writeFileSync } = require("node:fs");
const { fileURLToPath } = require("node:url");

/** By file, then by line from 0: what was put in there, as column and length, in the order of the line. */
const files = new Map();
/** Where the thread in which older Nodes load ES modules leaves that for the others; and whether this is that thread. */
let shared = { folder: undefined, isWriter: false };

/** @param rows { line: [[column, length], …] } */
function noteColumns(path, rows, isMapped) {
  files.set(path, { rows, isMapped });
  if (shared.isWriter) writeFileSync(sharedFile(path), JSON.stringify({ rows, isMapped }));
}

function shareColumns(folder, isWriter) {
  shared = { folder, isWriter };
}

function sharedFile(path) {
  return `${shared.folder}/columns-${createHash("sha1").update(path).digest("hex")}.json`;
}

/** A frame is of code that was loaded, so whatever there is of it is there by now. */
function columnsOf(path, isModule) {
  if (files.has(path) || !isModule || shared.folder === undefined) return files.get(path);
  let found;
  try {
    found = JSON.parse(readFileSync(sharedFile(path), "utf8"));
  } catch {
    // Not edited.
  }
  files.set(path, found);
  return found;
}

function rowsOf(edits, lines) {
  const rows = {};
  for (const { at, text } of edits.sorted()) {
    const { line, column } = lines.at(at);
    rows[line] ??= [];
    rows[line].push([column, text.length]);
  }
  return rows;
}

/** Line and column from 1, as V8 counts them. */
function columnIn({ rows }, line, column) {
  let shift = 0;
  for (const [at, length] of rows[line - 1] ?? []) {
    const start = at + shift;
    if (column - 1 < start) break;
    if (column - 1 < start + length) return at + 1;
    shift += length;
  }
  return column - shift;
}

function editedFile(site) {
  const file = site.getFileName?.();
  if (typeof file !== "string") return undefined;
  const isModule = file.startsWith("file:");
  const found = columnsOf(isModule ? pathOf(file) : file, isModule);
  // Node reads the map of the edited text then.
  return found?.isMapped && process.sourceMapsEnabled === true ? undefined : found;
}

function pathOf(url) {
  try {
    return fileURLToPath(url.replace(/[?#].*$/, ""));
  } catch {
    return url;
  }
}

/** The same place of the text as it was. */
function corrected(site) {
  const file = editedFile(site);
  const [line, column] = file === undefined ? [] : [site.getLineNumber(), site.getColumnNumber()];
  if (typeof line !== "number" || typeof column !== "number") return site;
  const real = columnIn(file, line, column);
  if (real === column) return site;
  const others = {
    __proto__: null,
    getColumnNumber: () => real,
    getPosition: () => Math.max(0, site.getPosition() - (column - real)),
    toString: () => `${site}`.replace(`:${line}:${column}`, () => `:${line}:${real}`),
  };
  return new Proxy(site, {
    get(_, name) {
      if (others[name] !== undefined) return others[name];
      const value = site[name];
      return typeof value === "function" ? value.bind(site) : value;
    },
  });
}

/** So many frames of ours may stand among the first ones of a stack: each module that is loaded goes through one, and each round of a loop. */
const ROOM = 13;

/** What Node asks to write a stack, Node's own or the program's, is given the true places. Where Node has none of its own, nothing is done. */
function keepStacksTrue(own) {
  let given = Error.prepareStackTrace;
  if (typeof given !== "function") return;
  const limit = Error.stackTraceLimit;
  const wide = limit + ROOM;
  if (typeof limit === "number") Error.stackTraceLimit = wide;
  /** A stack that was taken under another limit has other frames, and keeps them. */
  const shown = (places, count) =>
    Error.stackTraceLimit === wide && count <= wide ? places.slice(0, limit) : places;
  const wrapped = new WeakMap();
  const givers = new WeakMap();
  const isOwn = (site) => site.getFileName?.()?.startsWith?.(own) === true;
  const wrapper = (prepare) => {
    const known = wrapped.get(prepare);
    if (known !== undefined) return known;
    const made = function (error, sites) {
      let places = sites;
      try {
        if (Array.isArray(sites))
          places = shown(
            sites.filter((one) => !isOwn(one)),
            sites.length,
          ).map(corrected);
      } catch {
        // No room for it: as V8 has it.
      }
      return Reflect.apply(prepare, this, [error, places]);
    };
    Object.defineProperty(made, "name", { value: prepare.name });
    wrapped.set(prepare, made);
    givers.set(made, prepare);
    return made;
  };
  Object.defineProperty(Error, "prepareStackTrace", {
    configurable: true,
    enumerable: false,
    get: () => (typeof given !== "function" || given.isOurs ? given : wrapper(given)),
    set: (value) => {
      given = givers.get(value) ?? value;
    },
  });
}

module.exports = { keepStacksTrue, noteColumns, rowsOf, shareColumns };
