// The source map that comes with a text: which files it was made from, and the map of the text once it has been edited.
const { readFileSync, statSync } = require("node:fs");
const { pathToFileURL } = require("node:url");
const {
  decodedMappings,
  eachMapping,
  encodedMap,
  originalPositionFor,
  TraceMap,
} = require("@jridgewell/trace-mapping");
const { existingFile, MAP_LIMIT, mapPlace } = require("../../../../adapters/node/javascript/map-places.cjs");
const { Names } = require("../../../../adapters/node/names/names.cjs");

const COMMENT = /\/[/*][#@][ \t]*sourceMappingURL=([^\s'"]+)[^\n]*/g;

/** The last one counts. */
function commentIn(text) {
  let found;
  for (const match of text.matchAll(COMMENT)) found = match;
  return found;
}

/** Undefined if it has none that can be read: then its own lines count. */
function mapOf(text, path) {
  if (!text.includes("sourceMappingURL=")) return undefined;
  const comment = commentIn(text);
  if (comment === undefined) return undefined;
  try {
    const { text: json, url } = fetchMap(comment[1], path);
    const map = JSON.parse(json);
    return new Mapped(new TraceMap(map, url), url, comment, map.scopes);
  } catch {
    // A map that is broken or was not shipped is as if there were none.
    return undefined;
  }
}

function fetchMap(mapUrl, path) {
  const { text, file, url } = mapPlace(mapUrl, pathToFileURL(path).href);
  if (file === undefined) return { text, url };
  const found = statSync(file);
  if (!found.isFile() || found.size > MAP_LIMIT) throw new Error("not a map");
  return { text: readFileSync(file, "utf8"), url };
}

class Mapped {
  #map;
  #comment;
  #scopes;
  /** By index of the source; undefined where it is not on this disk. */
  paths;

  constructor(map, url, comment, scopes) {
    this.#map = map;
    this.#comment = comment;
    this.#scopes = scopes;
    this.paths = map.resolvedSources.map((name) => existingFile(name ?? "", url));
  }

  /** Lines and columns from 0. */
  original(line, column) {
    const found = originalPositionFor(this.#map, { line: line + 1, column });
    if (found.source === null) return undefined;
    const path = this.paths[this.#map.resolvedSources.indexOf(found.source)];
    return path === undefined ? undefined : { path, line: found.line - 1 };
  }

  /** It has more than one place a line: a function without any is not from the source. */
  get isFine() {
    const lines = decodedMappings(this.#map).filter((segments) => segments.length > 0);
    return lines.reduce((sum, segments) => sum + segments.length, 0) >= 2 * lines.length;
  }

  /** Whether anything between two places of the text comes from a source. */
  hasPart(from, to) {
    const isIn = (line, column) =>
      (line > from.line || column >= from.column) && (line < to.line || column < to.column);
    const mappings = decodedMappings(this.#map);
    for (let line = from.line; line <= to.line; line++)
      if ((mappings[line] ?? []).some((one) => one.length >= 4 && isIn(line, one[0]))) return true;
    return false;
  }

  /** Of the text that it is the map of, as it was parsed. */
  names(program, text) {
    return new Names(program, text, {
      mappings: decodedMappings(this.#map),
      names: this.#map.names,
      scopes: this.#scopes,
      textOf: (index) => this.#map.sourcesContent?.[index] ?? fileText(this.paths[index]),
    });
  }

  /** Original line (from 0) of this file → the first code made from it. */
  linesOf(path) {
    const lines = new Map();
    eachMapping(this.#map, ({ source, originalLine, generatedLine, generatedColumn }) => {
      if (source === null || this.paths[this.#map.resolvedSources.indexOf(source)] !== path) return;
      const line = originalLine - 1;
      if (!lines.has(line)) lines.set(line, { line: generatedLine - 1, column: generatedColumn });
    });
    return lines;
  }

  /** The edited text with a map that fits it, so that the program's own stack traces stay right. */
  shifted(edited, edits, lines) {
    const inserted = new Map();
    const { index } = this.#comment;
    let before = 0;
    for (const { at, text: added } of edits.sorted()) {
      const { line, column } = lines.at(at);
      // A loader's wrapper ends behind the comment.
      if (at <= index) before += added.length;
      inserted.set(line, [...(inserted.get(line) ?? []), { column, length: added.length }]);
    }
    const mappings = decodedMappings(this.#map).map((segments, line) => {
      const here = inserted.get(line);
      return here === undefined ? segments : segments.map((segment) => moved(segment, here));
    });
    const { names, resolvedSources, sourcesContent } = this.#map;
    const whole = { version: 3, names, sources: resolvedSources, sourcesContent, mappings };
    const map = encodedMap(new TraceMap(whole));
    const url = `data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString("base64")}`;
    const at = index + before;
    const comment = this.#comment[0].replace(this.#comment[1], () => url);
    return {
      text: edited.slice(0, at) + comment + edited.slice(at + this.#comment[0].length),
      map: JSON.stringify({ ...map, sourcesContent: undefined }),
    };
  }
}

function fileText(path) {
  try {
    return path === undefined ? undefined : readFileSync(path, "utf8");
  } catch {
    return undefined; // gone, or not to be read: the map's own names serve
  }
}

function moved(segment, inserted) {
  const by = inserted.reduce((sum, { column, length }) => (column <= segment[0] ? sum + length : sum), 0);
  return [segment[0] + by, ...segment.slice(1)];
}

const mapUrlIn = (text) => commentIn(text)?.[1];

module.exports = { mapOf, mapUrlIn };
