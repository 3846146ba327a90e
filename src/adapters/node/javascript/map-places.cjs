// Where a source map is, and which files it speaks of. For the debugger and for the recorder inside the program.
const { existsSync, realpathSync } = require("node:fs");
const { dirname, resolve } = require("node:path");
const { fileURLToPath } = require("node:url");

/** A program may name anything as its map: what is larger, or no plain file, is not read. */
const MAP_LIMIT = 64 << 20;

/** The map's text, if its URL holds it, or its file. */
function mapPlace(mapUrl, scriptUrl) {
  if (!mapUrl.startsWith("data:")) {
    const url = new URL(mapUrl, scriptUrl);
    if (url.protocol !== "file:") throw new Error(`maps are read from files, not from ${url.protocol}`);
    return { file: fileURLToPath(url), url: url.href };
  }
  const comma = mapUrl.indexOf(",");
  const payload = mapUrl.slice(comma + 1);
  const isBase64 = mapUrl.slice(0, comma).endsWith(";base64");
  return {
    text: isBase64 ? Buffer.from(payload, "base64").toString() : decodeURIComponent(payload),
    url: scriptUrl,
  };
}

/** Bundlers write paths in many ways; a file counts only if it is there. */
function existingFile(name, mapUrl) {
  for (const candidate of candidates(name, mapUrl))
    if (existsSync(candidate)) return realpathSync.native(candidate);
  return undefined;
}

function* candidates(name, mapUrl) {
  if (name.startsWith("file:")) {
    try {
      yield fileURLToPath(name);
    } catch {
      // A path that is not a proper URL is taken as written below.
    }
    yield name.slice("file://".length);
    return;
  }
  if (name.startsWith("/")) yield name;
  const virtual = /^(?:webpack|webpack-internal|rollup|vite|turbopack):\/\/(?:\/|[^/]*\/)?(.*)$/.exec(name);
  const relative = (virtual?.[1] ?? name).replace(/\?.*$/, "");
  if (!mapUrl.startsWith("file:")) return;
  // webpack names sources from the project's root: look in the folders above the bundle.
  let folder = dirname(fileURLToPath(mapUrl));
  for (let up = 0; up < 6 && folder !== dirname(folder); up++, folder = dirname(folder))
    yield resolve(folder, relative);
}

module.exports = { existingFile, MAP_LIMIT, mapPlace };
