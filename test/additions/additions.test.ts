/**
 * A language is a folder and a line in the registry, a collector a folder that an adapter names, a command a file and its line in the
 * index. All three are added to a copy of the sources, which is built and used; nothing else is changed.
 */
import { execFile } from "node:child_process";
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
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startMcp } from "../mcp/mcp.ts";
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

const COMMAND = `
import * as z from "zod";
import { advice, call } from "../../advice/advice.ts";
import { lines } from "../answers/text.ts";
import { command } from "../define.ts";

export const greet = command({
  name: "greet",
  summary: "say hello to somebody",
  group: "session",
  skill: true,
  needs: "nothing",
  effect: "reads",
  args: z.object({
    who: z.string().describe("whom to greet").meta({ mcp: "person", brief: "whom" }),
    oftenEnough: z.number().int().positive().default(1).describe("how many times"),
  }),
  result: z.object({ said: z.array(z.string()) }),
  cli: { positionals: ["who"] },
  mcp: { tool: "inspect", action: "greet", takes: ["who", "oftenEnough"], brief: "person." },
  examples: ["sonde greet Ada"],
  run: async (_, { who, oftenEnough }) => ({ said: Array.from({ length: oftenEnough }, () => "hello " + who) }),
  text: ({ said }, { say }) =>
    lines(said, say(advice\`again: \${call("sessions")}, or with \${{ do: "option", args: { oftenEnough: 2 } }}\`)),
});
`;

/** One that has a method: nothing but this says so. */
const METHOD = `
import * as z from "zod";
import { lines } from "../answers/text.ts";
import { command } from "../define.ts";

export const wave = command({
  name: "wave",
  summary: "wave to a session",
  group: "session",
  needs: "session",
  effect: "reads",
  args: z.object({
    how: z.string().describe("in which way"),
    hands: z.number().int().positive().default(1).describe("how many"),
  }),
  result: z.object({ waved: z.string() }),
  cli: { positionals: ["how"] },
  library: { name: "session.gestures.wave", given: ["how"] },
  run: async ({ session }, { how, hands }) => ({ waved: session.name + " " + how + " " + hands }),
  text: ({ waved }) => lines(waved),
});
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
  put("src/commands/sessions/greet.ts", COMMAND);
  put("src/commands/sessions/wave.ts", METHOD);
  const index = readFileSync(join(copy, "src/commands/index.ts"), "utf8");
  put(
    "src/commands/index.ts",
    'import { greet } from "./sessions/greet.ts";\nimport { wave } from "./sessions/wave.ts";\n' +
      index.replace("export const REGISTERED: readonly Command[] = [", "$&\n  greet,\n  wave,"),
  );
  const { build, install } = await import(pathToFileURL(join(copy, "scripts/build.mjs")).href);
  await build({ outdir: join(copy, "generated"), only: [], docs: true }); // npm run generate
  await install(join(copy, "installed"));
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

describe("a command", () => {
  test("is typed, and stands in the help and in completion", async () => {
    const sonde = createSonde();
    expect(await sonde.text(["greet", "Ada", "--often-enough", "2"])).toBe(
      "hello Ada\nhello Ada\nagain: `sonde sessions`, or with --often-enough 2\n",
    );
    expect(await sonde.ask("greet Ada")).toMatchObject({ said: ["hello Ada"] });
    expect(await sonde.text(["help"])).toContain("greet");
    expect(await sonde.text(["help", "greet"])).toMatch(/sonde greet <who>[\s\S]*--often-enough/);
    expect((await sonde.run(["greet"])).stderr).toContain("greet needs <who>");
  });

  test("is an action of its tool, listed with its arguments, and answers in words of tools", async () => {
    const mcp = await startMcp(createSonde());
    const { tools } = await mcp.client.listTools();
    const inspect = tools.find(({ name }) => name === "inspect");
    expect(inspect?.description).toContain("greet: person.");
    expect(inspect?.inputSchema.properties).toMatchObject({
      person: { type: "string", description: "whom" },
      often_enough: { type: "integer" },
    });
    const { text } = await mcp.ok("inspect", { action: "greet", person: "Ada", often_enough: "1" });
    expect(text).toBe('hello Ada\nagain: `inspect {"action":"sessions"}`, or with `often_enough: 2`\n');
    expect((await mcp.refused("inspect", { action: "greet" })).message).toBe("greet needs `person`");
    expect((await mcp.refused("inspect", { action: "greet", person: "Ada", often_enough: 0 })).message).toBe(
      "greet `often_enough`: `0` is too small: it must be more than 0",
    );
  });

  test("is reached from a program, with its types", async () => {
    const sonde = createSonde();
    sonde.write(
      "hello.mjs",
      `import { createSonde } from ${JSON.stringify(join(copy, "installed/dist/index.mjs"))};
      const own = createSonde();
      console.log(JSON.stringify(await own.call("greet", { who: "Ada" })));
      await own.call("greet", {}).catch(({ message }) => console.log(message));
      await own.close();`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, ["hello.mjs"], {
      cwd: sonde.project,
      env: sonde.env,
    });
    expect(stdout).toBe('{"said":["hello Ada"]}\ngreet needs `who`\n');
    const types = readFileSync(join(copy, "installed/dist/index.d.cts"), "utf8");
    expect(types).toMatch(/interface GreetArguments \{[^}]*who: string/);
    expect(types).toMatch(/interface GreetResult \{[^}]*said: string\[\]/);
  });

  test("has a method of a session if it names one", async () => {
    const sonde = createSonde();
    sonde.write("app.js", "let n = 1;\nn += 1;\n");
    sonde.write(
      "wave.mjs",
      `import { launch } from ${JSON.stringify(join(copy, "installed/dist/index.mjs"))};
      const session = await launch({ program: "app.js", breakpoints: ["app.js:2"], name: "shop" });
      console.log(JSON.stringify(await session.gestures.wave("slowly", { hands: 2 })));
      await session.stop();`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, ["wave.mjs"], {
      cwd: sonde.project,
      env: sonde.env,
    });
    expect(stdout).toBe('{"waved":"shop slowly 2"}\n');
    const types = readFileSync(join(copy, "installed/dist/index.d.cts"), "utf8");
    expect(types).toContain("readonly gestures: SessionGestures;");
    expect(types).toContain(
      'wave(how: string, options?: Options<"wave", "how">): Promise<CommandResults["wave"]>;',
    );
    expect(readFileSync(join(copy, "docs/library.md"), "utf8")).toContain(
      "### session.gestures.wave(how, options)",
    );
  });

  test("is in the documents and in the skills", () => {
    expect(readFileSync(join(copy, "docs/commands.md"), "utf8")).toContain("Say hello to somebody");
    expect(readFileSync(join(copy, "docs/library.md"), "utf8")).toContain('"greet", { who, oftenEnough }');
    expect(readFileSync(join(copy, "docs/answers.schema.json"), "utf8")).toContain('"greet"');
    const skill = readFileSync(join(copy, "skills/debugger-python/reference.md"), "utf8");
    expect(skill).toContain("`sonde greet <who>`: say hello to somebody");
  });
});
