/**
 * Bundles everything that ships into dist/. `node scripts/build.mjs [--outdir <folder>] [--docs]`.
 * Two marks are put into every bundle: the version, and the build id, a hash of what the daemon consists of.
 */
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, parse, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build as esbuild } from "esbuild";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/** Stands in for the build id until the bundles that it is a hash of exist; as long as the id itself. */
const BUILD_MARK = "@@sonde-build";

/** Bundles of dependencies in ESM still `require` node's own modules. */
const REQUIRE =
  'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);';

/** In CommonJS a module does not know its own URL, by which files that ship beside it are found. */
const OWN_URL = 'const __ownUrl = require("node:url").pathToFileURL(__filename).href;';

/** The daemon and the library import it from one bundle; the library when it is needed, by `require` too. */
const ENGINE = "src/engine/entry.ts";
/** A program that is an agent loads it when its bridge is on. */
const BRIDGE = "src/agent/library/open.ts";
const WITHOUT_ENGINE = { [ENGINE]: "./engine.mjs", [BRIDGE]: "./bridge.mjs" };

/** Every command has to read and compile cli.cjs; what a plain one does not need is a file of its own. */
const COMPLETE = "src/cli/complete.ts";

/**
 * What ships. Bundles of one group are made together: what they share is in the package once, and what is imported when it is
 * needed (an adapter, once a program of its language is started) is a file of its own.
 */
const BUNDLES = [
  {
    out: "cli.cjs",
    from: "src/cli/main.ts",
    format: "cjs",
    minify: true,
    apart: { [COMPLETE]: "./cli-complete.cjs" },
    required: true,
  },
  { out: "cli-complete.cjs", from: COMPLETE, format: "cjs", minify: true },
  { out: "engine.mjs", from: ENGINE, format: "esm", group: "engine" },
  { out: "dap-node.mjs", from: "src/adapters/node/server.ts", format: "esm", group: "engine" },
  { out: "bridge.mjs", from: BRIDGE, format: "esm", group: "engine" },
  // What runs in the caller's terminal shares most of its code with the engine.
  { out: "foreground.mjs", from: "src/foreground/main.ts", format: "esm", group: "engine" },
  { out: "daemon.cjs", from: "src/daemon/main.ts", format: "cjs", minify: true, apart: WITHOUT_ENGINE },
  { out: "index.mjs", from: "src/index.ts", format: "esm", minify: true, apart: WITHOUT_ENGINE },
  {
    out: "index.cjs",
    from: "src/index.ts",
    format: "cjs",
    minify: true,
    ownUrl: true,
    apart: WITHOUT_ENGINE,
  },
  // HTTP and `mcp install` are parts of their own: most servers need neither.
  {
    out: "mcp.mjs",
    from: "src/mcp/main.ts",
    format: "esm",
    group: "mcp",
    minify: true,
    alias: {
      ajv: "./src/mcp/no-validator.ts",
      "ajv-formats": "./src/mcp/no-validator.ts",
      // Its other form loads its parts in a way that cannot be bundled.
      "jsonc-parser": "./node_modules/jsonc-parser/lib/esm/main.js",
    },
  },
];

/** `sonde ui`, and the process that it starts. */
BUNDLES.push(
  { out: "web.mjs", from: "src/web/server/main.ts", format: "esm", group: "web", minify: true },
  { out: "web-server.mjs", from: "src/web/server/serve.ts", format: "esm", group: "web", minify: true },
);

/**
 * What adapters and collectors run elsewhere ships under the path that it has in src/ (util/own-file.ts): a file `*.entry.cjs` with all
 * that it requires, files in other languages as they are.
 */
const ELSEWHERE = ["adapters", "trace/collectors", "diagnostics"].flatMap((folder) =>
  readdirSync(join(ROOT, "src", folder), { recursive: true }).map((path) => `${folder}/${path}`),
);
const ENTRIES = ELSEWHERE.filter((path) => path.endsWith(".entry.cjs"));
const SCRIPTS = ELSEWHERE.filter((path) => /\.(py|rb|pl|java|gradle)$/.test(path));

/**
 * @param {{ outdir?: string, version?: string, replace?: Record<string, string>, generate?: boolean, only?: string[], docs?: boolean }} options
 *   `replace`: source files to take instead of others, by path from the root (tests put a small engine behind the socket).
 *   `docs`: also write the generated files that are under version control.
 *   `only`: the outputs to make, all of them unless said.
 */
export async function build(options = {}) {
  const outdir = resolve(ROOT, options.outdir ?? "dist");
  const version = options.version ?? JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version;
  const entries = ENTRIES.map((path) => ({ out: path, from: `src/${path}`, format: "cjs" }));
  const bundles = [...BUNDLES, ...entries].filter(({ out }) => options.only?.includes(out) ?? true);
  const groups = [...new Set(bundles.map(({ out, group = out }) => group))].map((name) =>
    bundles.filter(({ out, group = out }) => group === name),
  );
  const made = await Promise.all(groups.map((group) => bundle(group, version, options.replace ?? {})));
  const outputs = made.flatMap(({ files }) => files);

  if (options.only === undefined) outputs.push(...(await page(made)));
  for (const name of SCRIPTS) outputs.push({ name, text: readFileSync(join(ROOT, "src", name), "utf8") });
  const parts = new Set(made.flatMap(({ partsOf }) => [...partsOf("daemon.cjs"), ...partsOf("engine.mjs")]));
  const ofTheDaemon = outputs.filter(({ name }) => parts.has(name) || ELSEWHERE.includes(name));
  const hash = createHash("sha256").update(version);
  for (const { name, text } of ofTheDaemon) hash.update(name).update(text);
  const id = hash.digest("hex").slice(0, BUILD_MARK.length);

  outputs.push({ name: "THIRD-PARTY-NOTICES.txt", text: notices(made.flatMap(({ inputs }) => inputs)) });
  outputs.push({ name: "fast.pl", text: readFileSync(join(ROOT, "src/cli/fast.pl"), "utf8") });
  mkdirSync(outdir, { recursive: true });
  for (const { name, text } of outputs) write(join(outdir, name), text.replaceAll(BUILD_MARK, id));
  sweep(outdir, new Set(outputs.map(({ name }) => name)));
  if (options.generate ?? true) await generate(outdir, version, options.docs ?? false);
  return { outdir, version, build: id };
}

async function bundle(group, version, replace) {
  const [
    {
      out: first,
      group: name,
      format,
      minify = false,
      ownUrl = false,
      required = false,
      alias = {},
      apart = {},
    },
  ] = group;
  const { outputFiles, metafile } = await esbuild({
    absWorkingDir: ROOT,
    entryPoints: Object.fromEntries(group.map(({ out, from }) => [withoutType(out), from])),
    outdir: join(ROOT, "dist"),
    outExtension: { ".js": parse(first).ext },
    splitting: name !== undefined,
    alias,
    chunkNames: `${name ?? parse(first).name}-[hash]`,
    write: false,
    metafile: true,
    bundle: true,
    platform: "node",
    target: "node20",
    format,
    minify,
    // V8 keeps the text of what it runs: without blanks and in one byte a character it is a third of the size.
    minifyWhitespace: true,
    minifySyntax: true,
    // Most of the package; what runs inside programs keeps its names.
    minifyIdentifiers: minify || name === "engine",
    // Node prints the line that threw.
    lineLimit: 160,
    charset: "ascii",
    // What is apart is CommonJS too: `import()` would load the machinery of ES modules for it.
    supported: required ? { "dynamic-import": false } : {},
    legalComments: "none",
    logLevel: "warning",
    define: {
      __SONDE_VERSION__: JSON.stringify(version),
      __SONDE_BUILD__: JSON.stringify(BUILD_MARK),
      ...(format === "cjs"
        ? { "import.meta.dirname": "__dirname", "import.meta.url": ownUrl ? "__ownUrl" : "__filename" }
        : {}),
    },
    banner: { js: format === "esm" ? REQUIRE : ownUrl ? OWN_URL : "" },
    plugins: [replacement(replace), leftApart(apart)],
  });
  const files = outputFiles.map(({ path, text }) => ({ name: relative(join(ROOT, "dist"), path), text }));
  return { files, inputs: Object.keys(metafile.inputs), partsOf: (one) => partsOf(one, metafile) };
}

/** The page: one script at first, what a view needs when it is opened; `index.html` names the script and the styles. */
async function page(made) {
  const { outputFiles, metafile } = await esbuild({
    absWorkingDir: ROOT,
    entryPoints: { app: "src/web/page/main.tsx" },
    outdir: join(ROOT, "dist/page"),
    entryNames: "[name]",
    chunkNames: "part-[hash]",
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
  });
  made.push({ files: [], inputs: Object.keys(metafile.inputs), partsOf: () => [] });
  const files = outputFiles.map(({ path, text }) => ({ name: relative(join(ROOT, "dist"), path), text }));
  const index = readFileSync(join(ROOT, "src/web/page/index.html"), "utf8");
  return [...files, { name: "page/index.html", text: index }];
}

function withoutType(out) {
  return out.slice(0, -parse(out).ext.length);
}

/** The names of an output and of all that it imports. */
function partsOf(name, { outputs }) {
  const found = new Set();
  const add = (path) => {
    if (found.has(path) || outputs[path] === undefined) return;
    found.add(path);
    for (const one of outputs[path].imports) add(one.path);
  };
  add(`dist/${name}`);
  return [...found].map((path) => basename(path));
}

/** The licences of the packages whose files are in the bundles. */
function notices(inputs) {
  const folders = inputs.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
    const file = readdirSync(join(ROOT, folder)).find((one) => /^licen[cs]e/i.test(one));
    if (file === undefined) throw new Error(`${name} is bundled and has no licence file`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(ROOT, folder, file), "utf8").trim()}\n`;
  });
  const rule = `\n${"-".repeat(80)}\n\n`;
  return `Sonde contains parts of these packages.\n${rule}${texts.join(rule)}`;
}

/** Sources that are not bundled but imported from a bundle of their own. */
function leftApart(apart) {
  return {
    name: "apart",
    setup({ onResolve }) {
      for (const [from, to] of Object.entries(apart))
        onResolve(
          { filter: new RegExp(`${basename(from).replace(/\W/g, "\\$&")}$`) },
          ({ path, resolveDir }) =>
            resolve(resolveDir, path) === resolve(ROOT, from) ? { path: to, external: true } : undefined,
        );
    },
  };
}

function replacement(replace) {
  return {
    name: "replace",
    setup({ onResolve }) {
      for (const [from, to] of Object.entries(replace)) {
        const target = resolve(ROOT, from);
        onResolve(
          { filter: new RegExp(`${basename(from).replace(/\W/g, "\\$&")}$`) },
          ({ path, resolveDir }) =>
            resolve(resolveDir, path) === target ? { path: resolve(ROOT, to) } : undefined,
        );
      }
    },
  };
}

/** What is derived from the command declarations; with `docs` also the files under version control. */
async function generate(outdir, version, docs) {
  const scratch = join(outdir, `.generate-${process.pid}.mjs`);
  const source = { out: "generate.mjs", from: "src/generate/main.ts", format: "esm" };
  const { files } = await bundle([source], version, {});
  writeFileSync(scratch, files[0].text);
  try {
    const generator = await import(pathToFileURL(scratch).href);
    await generator.generate({ root: ROOT, outdir, version });
    if (docs)
      for (const [path, text] of Object.entries(generator.generatedFiles(ROOT)))
        write(join(ROOT, path), text);
  } finally {
    rmSync(scratch);
  }
}

/** Aside, then renamed: a command that runs meanwhile finds the old file or the new one. */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

/** Parts of builds before; a daemon that was started a moment ago may still want them. */
function sweep(outdir, now) {
  const old = Date.now() - 3_600_000;
  const parts = [
    ...readdirSync(outdir),
    ...(existsSync(join(outdir, "page")) ? readdirSync(join(outdir, "page")) : []).map(
      (one) => `page/${one}`,
    ),
  ];
  for (const name of parts.filter(
    (one) => /^((engine|sonde|mcp|daemon|index|web)-\w+\.mjs|page\/.+)$/.test(one) && !now.has(one),
  ))
    if (statSync(join(outdir, name)).mtimeMs < old) rmSync(join(outdir, name));
}

/** A whole installation somewhere else: launcher and bundles, as the tests run it. */
export async function install(folder, options = {}) {
  mkdirSync(join(folder, "bin"), { recursive: true });
  cpSync(join(ROOT, "bin/sonde"), join(folder, "bin/sonde"));
  cpSync(join(ROOT, "skills"), join(folder, "skills"), { recursive: true });
  return build({ ...options, outdir: join(folder, "dist") });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf("--outdir");
  const began = performance.now();
  const docs = process.argv.includes("--docs");
  const made = await build(at === -1 ? { docs } : { docs, outdir: process.argv[at + 1] });
  console.log(`sonde ${made.version} build ${made.build} in ${Math.round(performance.now() - began)} ms`);
}
