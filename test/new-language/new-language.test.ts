/**
 * A language is a folder and a line in the registry, a collector a folder that an adapter names. Both are added to a copy of the sources,
 * which is built and used; nothing else is changed.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { SCRIPTED_ADAPTER } from "../scripted-adapter/start.ts";
import { createSonde, type Sonde } from "../support/sonde.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** A program that the scripted adapter only pretends to run. */
const ADAPTER = `
import { ownFile } from "../../util/own-file.ts";
import type { Adapter } from "../adapter.ts";
import { overStdio } from "../kit/process.ts";

export const sketchAdapter: Adapter = {
  name: "sketcher",
  title: "Sketcher",
  listens: [],
  languages: ["sketch"],
  describes: [
    {
      name: "sketch",
      title: "Sketch",
      tools: ["sh"],
      sources: [".sketch"],
      defined: (name, text) => (text.includes("draw " + name) ? name : undefined),
      projects: [{ file: "sketch.toml", interpreted: true }],
      folder: { start: (folder, args) => ({ program: folder + "/first.sketch", args }) },
      interpreter: { name: /^sketch$/, plain: /^-q$/ },
    },
  ],
  configurations: [{ types: ["sketch-debug"], passes: ["ink"] }],
  helpers: [{ command: "sh", use: "draw", needing: "drawing" }],
  fileTypes: [".sketch"],
  commands: ["sketch"],
  catches: {},
  defaultCatches: [],
  unsupported: {},
  collectors: ["sketch-pad"],
  custom: [],
  recipes: [],
  byHand: "draw it yourself",
  find: async () => ({ ok: true, version: "7", path: ${JSON.stringify(SCRIPTED_ADAPTER)}, notes: [ownFile("adapters/sketch/ink.py")] }),
  async open(task, host) {
    const { plan } = task.request === "child" ? task.parent : task;
    const { cwd, env } = plan;
    const { transport } = await overStdio(host, { command: process.execPath, args: [host.found.path], cwd, env }, "sketcher");
    return { transport, request: "launch", args: { ...plan } };
  },
};
`;
const COLLECTOR = `
import type { Collector } from "../../collector.ts";

export const collector: Collector = {
  name: "sketch-pad",
  unfit: async () => undefined,
  async collect(plan, { sink }) {
    for (const [point, { line }] of plan.points.entries()) sink.bind(point, { state: "bound", line });
    sink.note("drawn by the sketch pad");
    return { how: "exited", exitCode: 0 };
  },
};
`;

let copy: string;

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), "sonde-language-"));
  for (const place of ["src", "scripts", "bin", "skills", "docs", "package.json"])
    cpSync(join(ROOT, place), join(copy, place), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  put("src/adapters/sketch/index.ts", ADAPTER);
  put("src/adapters/sketch/ink.py", "print('ink')\n");
  put("src/trace/collectors/sketch-pad/index.ts", COLLECTOR);
  const registry = readFileSync(join(copy, "src/adapters/registry.ts"), "utf8");
  const line = 'import { sketchAdapter } from "./sketch/index.ts";\n';
  put(
    "src/adapters/registry.ts",
    line + registry.replace("...otherAdapters,", "...otherAdapters,\n  sketchAdapter,"),
  );
  const { install } = await import(pathToFileURL(join(copy, "scripts/build.mjs")).href);
  await install(join(copy, "installed"), { docs: true });
  vi.stubEnv("SONDE_TEST_BIN", join(copy, "installed/bin/sonde"));
}, 120_000);

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(copy, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(copy, path)), { recursive: true });
  writeFileSync(join(copy, path), text);
}

function withSketch(): Sonde {
  const sonde = createSonde();
  sonde.write("first.sketch", "draw circle\n\n\nline\n");
  return sonde;
}

test("its files that run elsewhere are in the product", () => {
  expect(existsSync(join(copy, "installed/dist/adapters/sketch/ink.py"))).toBe(true);
});

test("it is in the lists: adapters, doctor, setup", async () => {
  const sonde = withSketch();
  expect(await sonde.text(["adapters"])).toMatch(/sketcher.*sketch.*7/);
  const doctor = await sonde.text(["doctor"]);
  expect(doctor).toMatch(/^ok +sketch +sketcher/m);
  expect(doctor).toContain("(used to draw)");
  expect((await sonde.run(["setup", "sketh"])).stderr).toContain("did you mean sketch?");
});

test("its programs are known: by file, by command line, by folder, by launch.json", async () => {
  const sonde = withSketch();
  sonde.write("sketch.toml", "");
  sonde.write(
    ".vscode/launch.json",
    JSON.stringify({
      configurations: [
        { name: "draw", type: "sketch-debug", request: "launch", program: "first.sketch", ink: "red" },
      ],
    }),
  );
  for (const words of [["first.sketch"], ["--", "sketch", "first.sketch"], ["."], ["--config", "draw"]]) {
    expect(await sonde.text(["start", "--break", "first.sketch:4", ...words])).toContain("first.sketch:4");
    expect(await sonde.text(["sessions"])).toContain("sketcher");
    await sonde.text(["stop"]);
  }
  expect((await sonde.run(["start", "--", "sketch", "frist.sketch"])).stderr).toContain(
    "did you mean first.sketch?",
  );
});

test("its collector records, and stands in the help", async () => {
  const sonde = withSketch();
  const text = await sonde.text(["trace", "--at", "first.sketch:4", "--", "sketch", "first.sketch"]);
  expect(text).toMatch(/by sketch-pad/);
  expect(text).toContain("drawn by the sketch pad");
  expect(await sonde.text(["help", "trace"])).toMatch(/--collector .*sketch-pad/);
});

test("it is in the documents", () => {
  expect(readFileSync(join(copy, "docs/adapters.md"), "utf8")).toContain(
    "| `sketcher` (Sketcher) | sketch | .sketch | sketch | experimental |",
  );
  expect(readFileSync(join(copy, "docs/commands.md"), "utf8")).toMatch(/--collector .*sketch-pad/);
});
