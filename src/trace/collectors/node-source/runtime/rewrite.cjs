// A program's text, with calls of the recorder put into it where the plan asks for them.
const { parsedOrThrow } = require("../../../../adapters/node/javascript/parse.cjs");
const { failing, translated } = require("../../../../adapters/node/javascript/expression.cjs");
const { Lines } = require("../../../../adapters/node/names/lines.cjs");
const { Edits } = require("./edits.cjs");
const { instrumentCalls } = require("./counted.cjs");
const { isUnder } = require("./folders.cjs");
const { handed } = require("./handed.cjs");
const { instrument } = require("./lines.cjs");
const { placesIn } = require("./places.cjs");
const { mapOf } = require("./source-map.cjs");
const { children, eachUnended, isFunction } = require("./tree.cjs");
const { noteColumns, rowsOf } = require("./true-stacks.cjs");

const NEAREST = 3;
/** Functions of a file that are told of by name only. */
const MOST_NAMES = 200;

const SPOILT = "once rewritten it would not be JavaScript any more, so it runs as it is";

const FAILING = "()=>{throw 0}";

/**
 * @param text what is about to be compiled, `path` its file
 * @param kind "script" or "module" (a guess will do); for code that may run in another context than Node's own "shared", a script that
 * is no module of its own, or "loose", the body of a function
 * @param plan points and lines, with real paths
 * @param tell takes the messages that the reader of the trace wants: where points were bound, maps of what was edited
 */
function rewrite(text, path, kind, plan, tell) {
  const wide = plan.lines ?? plan.calls;
  const map = readableMap(mapOf(text, path), path, wide);
  const points = plan.points.flatMap((point, index) =>
    (map?.paths.includes(point.path) ?? false) || (map === undefined && point.path === path)
      ? [{ point, index }]
      : [],
  );
  const under = map === undefined ? [path] : map.paths.filter((one) => one !== undefined);
  const isLined = wide !== undefined && under.some((one) => isUnder(one, wide));
  if (points.length === 0 && !isLined) return text;
  const parsed = parsedAs(text, kind);
  if ("fault" in parsed)
    return unrecorded(`${path} is not recorded: it cannot be read (${parsed.fault})`, text, points, tell);
  const isShared = kind === "shared";
  const file = {
    text,
    path,
    map,
    lines: new Lines(text),
    program: parsed.program,
    kind: parsed.kind,
    isShared,
    isNodes: !isShared && kind !== "loose",
    names: map?.names(parsed.program, text),
  };
  file.names?.annotate();
  const sound = usable(file, bind(file, points, tell), tell);
  const edits = editsFor(file, sound, isLined ? plan : undefined, tell);
  if ("fault" in edits)
    return unrecorded(`${path} is not recorded: ${SPOILT} (${edits.fault})`, text, points, tell);
  if (edits.size === 0) return text;
  const edited = edits.apply();
  noteColumns(path, rowsOf(edits, file.lines), map !== undefined);
  if (map === undefined) return edited;
  const shifted = map.shifted(edited, edits, file.lines);
  tell(["m", path, shifted.map]);
  return shifted.text;
}

/** The program runs as it was written. */
function unrecorded(reason, text, points, tell) {
  for (const { index } of points) tell(["b", index, { state: "unbound", reason }]);
  tell(["n", reason]);
  return text;
}

/** Whatever was put in, it is still JavaScript: or it is left out, the lines first. */
function editsFor(file, sites, plan, tell) {
  const edits = new Edits(file.text);
  placeAll(edits, sites, file);
  if (plan !== undefined) addLines(edits, file, plan, tell);
  endStatements(edits, file);
  if (edits.size === 0) return edits;
  const fault = faultOf(edits.apply(), file.kind);
  if (fault === undefined) return edits;
  if (plan === undefined) return { fault };
  tell([
    "n",
    `${file.path} is not recorded line by line, nor the calls of its functions: ${SPOILT} (${fault})`,
  ]);
  return editsFor(file, sites, undefined, tell);
}

/** `a = b => {}` and a line that begins with a bracket are two statements; with more brackets around the first they would be one. */
function endStatements(edits, { program, text }) {
  const closings = edits.closings();
  eachUnended(program, text, ({ start, end }) => {
    if (closings.has(end)) edits.end(start, end);
  });
}

/** Packages are often shipped with maps and without what they lead to: then their own lines count. */
function readableMap(map, path, wide) {
  if (map === undefined || wide === undefined || map.paths.some((one) => one !== undefined)) return map;
  return isUnder(path, wide) && path.includes("/node_modules/") ? undefined : map;
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
  return parsedOrThrow(text, sourceType, {
    allowReturnOutsideFunction: sourceType === "script",
    allowAwaitOutsideFunction: false,
    allowSuperOutsideMethod: false,
    checkPrivateFields: true,
    preserveParens: true,
  });
}

/** Each point at the first place of its line, or of the next line that has any. */
function bind(file, points, tell) {
  if (points.length === 0) return [];
  const places = placesIn(file.program, file.text, file.isShared).map((place) => ({
    ...place,
    ...spot(file, place.at),
  }));
  const linesOf = linesByPath(places);
  return points.flatMap(({ point, index }) => {
    const place = placeOf(file, places, point);
    if (place?.line === point.line - 1) {
      tell(["b", index, { state: "bound", line: point.line }]);
      return [{ point, index, place }];
    }
    const nearest = nearestTo(point.line, linesOf.get(point.path) ?? []);
    if (place !== undefined) {
      tell(["b", index, { state: "bound", line: place.line + 1, nearest }]);
      return [{ point, index, place }];
    }
    tell(["b", index, { state: "unbound", reason: `no code at or after line ${point.line}`, nearest }]);
    return [];
  });
}

/** Lines with code, as the user counts them, each once. */
function linesByPath(places) {
  const found = new Map();
  for (const { path, line } of places) {
    const lines = found.get(path) ?? new Set();
    found.set(path, lines.add(line + 1));
  }
  return found;
}

function nearestTo(asked, lines) {
  const away = (line) => Math.abs(line - asked);
  return [...lines]
    .sort((a, b) => away(a) - away(b))
    .slice(0, NEAREST)
    .sort((a, b) => a - b);
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
  const whole = sites.map((site) => ({ ...site, thunks: thunksOf(file, site, tell) }));
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
  const edits = new Edits(file.text);
  placeAll(edits, sites, file);
  endStatements(edits, file);
  return faultOf(edits.apply(), file.kind) === undefined;
}

/** Why it is not JavaScript, if it is not. */
function faultOf(text, kind) {
  try {
    parseText(text, kind);
    return undefined;
  } catch (error) {
    return error.message;
  }
}

function thunksOf({ names }, { point: { key, condition, expressions }, place }, tell) {
  const refuse = (name, fault) => {
    tell(["n", `${key}: ${name} cannot be had there: ${fault}`]);
    return failing(name, fault);
  };
  const meaning = (name) => names.meaning(name, place.at);
  const own = (one) => (names === undefined ? one : translated(one, meaning, refuse));
  return [...(condition === undefined ? [] : [condition]), ...expressions].map((one) => `()=>(${own(one)})`);
}

/**
 * See points.cjs: with the variables given to the expressions, or with expressions that see them. V8 gives up some of what it does for
 * a loop if it comes by a call or a property that has never been used, also where that is never reached. It does not for a global
 * variable that is set, so these are what hands the values over.
 * @returns what is put there, and a function that it needs at the top of the file
 */
function callAt({ program, isNodes }, { index, thunks, place: { at, isBody, put } }) {
  const head = `${index},${isBody ? 1 : 0}`;
  const handing = handed(program, at, head, thunks);
  if (handing === undefined) return { call: `__sonde$.p(${[head, ...thunks].join(",")})` };
  const { usesThis, given, reader, isMovable, maySet } = handing;
  // Test runners copy the variables of Node's own context to theirs, each in its way: nothing can be set there for sure. The function
  // stays in the call: V8 forgets the last one before a call, which would be one of the program's, when it gives functions their names.
  if (!isNodes || !maySet || !put.isStatement)
    return { call: `__sonde$.q(${usesThis ? "this" : "void 0"},[${given.join(",")}],function${reader})` };
  const name = `__sonde$r${index}`;
  const steps = [...(usesThis ? ["__sonde$t=this"] : []), ...given.map((one) => `__sonde$a=${one}`)];
  return isMovable
    ? { call: [...steps, `__sonde$q=${name}`].join(","), top: `function ${name}${reader}` }
    : { call: [...steps, `__sonde$q=function${reader}`].join(",") };
}

function placeAll(edits, sites, file) {
  const byPlace = new Map();
  for (const site of sites) byPlace.set(site.place, [...(byPlace.get(site.place) ?? []), site]);
  const first = file.program.body.find(({ directive }) => directive === undefined);
  for (const [place, here] of byPlace) {
    const made = here.map((site) => callAt(file, site));
    place.put(edits, made.map(({ call }) => call).join(","));
    for (const { top } of made)
      if (top !== undefined) edits.before(first.start, Number.POSITIVE_INFINITY, top);
  }
}

/** Functions that a tool put in, such as one for each export: nothing of their text is from the source. */
function madeIn({ map, program, lines }) {
  if (map?.isFine !== true) return [];
  const found = [];
  const visit = (node) => {
    if (isFunction(node) && !map.hasPart(lines.at(node.start), lines.at(node.end))) found.push(node);
    else for (const child of children(node)) visit(child);
  };
  visit(program);
  return found;
}

function addLines(edits, file, plan, tell) {
  const wide = plan.lines ?? plan.calls;
  const made = madeIn(file);
  const at = (offset) => {
    if (made.some(({ start, end }) => start <= offset && offset < end)) return undefined;
    const { path, line } = spot(file, offset);
    return path !== undefined && isUnder(path, wide) ? { path, line: line + 1 } : undefined;
  };
  if (plan.lines === undefined) {
    instrumentCalls(edits, file.program, at);
    return;
  }
  const names = instrument(edits, file.program, { plan: plan.lines, at, isShared: file.isShared });
  if (names.length > 0) tell(["d", names.slice(0, MOST_NAMES)]);
}

module.exports = { endStatements, rewrite };
