// A program's text, with calls of the recorder put into it where the plan asks for them.
const { parse } = require("acorn");
const { Edits, Lines } = require("./edits.cjs");
const { instrument } = require("./lines.cjs");
const { placesIn } = require("./places.cjs");
const { mapOf } = require("./source-map.cjs");

const NEAREST = 3;

const FAILING = "()=>{throw 0}";

/**
 * @param text what is about to be compiled, `path` its file, `kind` "script" or "module" (a guess will do)
 * @param plan points and lines, with real paths
 * @param tell takes the messages that the reader of the trace wants: where points were bound, maps of what was edited
 */
function rewrite(text, path, kind, plan, tell) {
  const map = mapOf(text, path);
  const points = plan.points.flatMap((point, index) =>
    (map?.paths.includes(point.path) ?? false) || (map === undefined && point.path === path)
      ? [{ point, index }]
      : [],
  );
  const under = map === undefined ? [path] : map.paths.filter((one) => one !== undefined);
  const isLined = plan.lines !== undefined && under.some((one) => isUnder(one, plan.lines.under));
  if (points.length === 0 && !isLined) return text;
  const parsed = parsedAs(text, kind);
  if ("fault" in parsed) {
    const reason = `${path} cannot be read: ${parsed.fault}`;
    for (const { index } of points) tell(["b", index, { state: "unbound", reason }]);
    tell(["n", reason]);
    return text;
  }
  const lines = new Lines(text);
  const file = { text, path, map, lines, program: parsed.program, kind: parsed.kind };
  const sites = bind(file, points, tell);
  const sound = usable(file, sites, tell);
  const edits = new Edits();
  placeAll(edits, sound);
  if (isLined) addLines(edits, file, plan, sound, tell);
  if (edits.size === 0) return text;
  const edited = edits.apply(text);
  if (map === undefined) return edited;
  const shifted = map.shifted(text, edited, edits, lines);
  tell(["m", path, shifted.map]);
  return shifted.text;
}

function isUnder(path, folders) {
  if (/[\\/]node_modules[\\/]/.test(path)) return false;
  return folders.some((one) => path === one || path.startsWith(one.endsWith("/") ? one : `${one}/`));
}

/** A file without a sign of what it is may be either. */
function parsedAs(text, kind) {
  const kinds = kind === "module" ? ["module"] : ["script", "module"];
  let fault;
  for (const sourceType of kinds) {
    try {
      return { program: parseText(text, sourceType), kind: sourceType };
    } catch (error) {
      fault ??= error.message;
    }
  }
  return { fault };
}

function parseText(text, sourceType) {
  return parse(text, {
    ecmaVersion: "latest",
    sourceType,
    allowReturnOutsideFunction: sourceType === "script",
    allowHashBang: true,
    preserveParens: true,
  });
}

/** Each point at the first place of its line, or of the next line that has any. */
function bind(file, points, tell) {
  if (points.length === 0) return [];
  const places = placesIn(file.program, file.text).map((place) => ({ ...place, ...spot(file, place.at) }));
  return points.flatMap(({ point, index }) => {
    const place = placeOf(file, places, point);
    if (place !== undefined) {
      tell(["b", index, { state: "bound", line: place.line + 1 }]);
      return [{ point, index, place }];
    }
    const known = [...new Set(places.filter(({ path }) => path === point.path).map(({ line }) => line + 1))];
    const away = (line) => Math.abs(line - point.line);
    const nearest = known
      .sort((a, b) => away(a) - away(b))
      .slice(0, NEAREST)
      .sort((a, b) => a - b);
    tell(["b", index, { state: "unbound", reason: `no code at or after line ${point.line}`, nearest }]);
    return [];
  });
}

/** Where the user sees an offset: file and line from 0. */
function spot({ map, lines, path }, offset) {
  const { line, column } = lines.at(offset);
  if (map === undefined) return { path, line };
  return map.original(line, column) ?? { path: undefined, line: -1 };
}

function placeOf(file, places, point) {
  const asked = point.line - 1;
  if (file.map === undefined) return places.find(({ line }) => line >= asked);
  const known = file.map.linesOf(point.path);
  const line = Math.min(...[...known.keys()].filter((one) => one >= asked));
  const generated = known.get(line);
  if (generated === undefined) return undefined;
  const from = file.lines.offset(generated.line, generated.column);
  return places.find(({ at, path }) => at >= from && path === point.path);
}

/** What an expression is allowed to be depends on where it stands (`super`, `arguments`): those that are not fail at each hit. */
function usable(file, sites, tell) {
  const whole = sites.map((site) => ({ ...site, thunks: thunksOf(site.point) }));
  if (whole.length === 0 || compiles(file, whole)) return whole;
  return whole.map((site) => {
    const thunks = site.thunks.map((thunk) =>
      compiles(file, [{ ...site, thunks: [thunk] }]) ? thunk : FAILING,
    );
    const failing = thunks.filter((thunk) => thunk === FAILING).length;
    if (failing > 0) tell(["n", `${site.point.key}: ${failing} of its expressions cannot stand there`]);
    return { ...site, thunks };
  });
}

function compiles(file, sites) {
  const edits = new Edits();
  placeAll(edits, sites);
  try {
    parseText(edits.apply(file.text), file.kind);
    return true;
  } catch {
    return false;
  }
}

const thunksOf = ({ condition, expressions }) =>
  [...(condition === undefined ? [] : [condition]), ...expressions].map((one) => `()=>(${one})`);

function placeAll(edits, sites) {
  const byPlace = new Map();
  for (const site of sites) byPlace.set(site.place, [...(byPlace.get(site.place) ?? []), site]);
  for (const [place, here] of byPlace) {
    const calls = here.map(
      ({ index, thunks, place: { isBody } }) => `__sonde$.p(${[index, isBody ? 1 : 0, ...thunks].join(",")})`,
    );
    place.put(edits, calls.join(","));
  }
}

function addLines(edits, file, plan, sites, tell) {
  const at = (offset) => {
    const { path, line } = spot(file, offset);
    return path !== undefined && isUnder(path, plan.lines.under) ? { path, line: line + 1 } : undefined;
  };
  instrument(edits, file.program, { plan: plan.lines, at });
  try {
    parseText(edits.apply(file.text), file.kind);
  } catch (error) {
    tell(["n", `${file.path} is not recorded line by line: ${error.message}`]);
    edits.clear();
    placeAll(edits, sites);
  }
}

module.exports = { isUnder, rewrite };
