/** The package as it is published: from ES modules and CommonJS, on every Node, packed and installed, with its types. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { marker } from "../support/markers.ts";
import { nodes } from "../support/nodes.ts";
import { binary, createSonde, type Sonde } from "../support/sonde.ts";
import { createProject, distFolder, ROOT, run } from "./package.ts";

const LOOP = 'for (let i = 0; i < 3; i++)\n  console.log("turn", i);\n';

const USE = `
  const session = await launch({ program: "loop.js", breakpoints: ["loop.js:2 if i == 1"] });
  say([session.opened.state, (await session.print("i")).value]);
  await session.stop();
  const { watchpoints } = await getRuntimeFeedback({ cmd: [process.execPath, "loop.js"], watchpoints: [{ var: "i", logLocation: "loop.js:2" }] });
  say(watchpoints["loop.js:2"].map((one) => one.value));
  const shared = createSonde({ mode: "daemon" });
  say((await shared.sessions()).sessions);
  await shared.close();`;
const SAID = [["stopped", "1"], ["0", "1", "2"], []];

describe.each(nodes)("on Node $version", ({ path: node }) => {
  test("as an ES module", async () => {
    const sonde = createProject();
    sonde.write("loop.js", LOOP);
    const code = `import { createSonde, getRuntimeFeedback, launch } from "sonde";\n${USE}`;
    expect(await run(sonde, code, { node })).toEqual(SAID);
  });

  test("as CommonJS", async () => {
    const sonde = createProject();
    sonde.write("loop.js", LOOP);
    const code = `const { createSonde, getRuntimeFeedback, launch } = require("sonde");\n(async () => {${USE}})();`;
    expect(await run(sonde, code, { node, type: "cjs" })).toEqual(SAID);
  });
});

test("from CommonJS too, what ships beside it is found: a Python program", async () => {
  const sonde = createProject();
  const file = sonde.fixture("python/loop_stdin.py");
  const at = `loop_stdin.py:${marker(file, "body")}`;
  const said = await run(
    sonde,
    `const { getRuntimeFeedback, launch } = require("sonde");
    (async () => {
      const session = await launch({ program: "loop_stdin.py", breakpoints: ["${at}"], stdin: "3" });
      say([session.opened.state, (await session.print("acc")).value]);
      await session.stop();
      const { watchpoints } = await getRuntimeFeedback({ cmd: ["python3", "loop_stdin.py"], stdin: "3", watchpoints: [{ var: "acc", logLocation: "${at}" }] });
      say(watchpoints["${at}"].map((one) => one.value));
    })();`,
    { type: "cjs" },
  );
  expect(said).toEqual([
    ["stopped", "1"],
    ["1", "1", "2"],
  ]);
});

test("both have the same names, and those that the types promise", async () => {
  const sonde = createProject();
  const code = `import * as esm from "sonde";
    import { createRequire } from "node:module";
    const cjs = createRequire(import.meta.url)("sonde");
    say(Object.keys(esm).filter((name) => name !== "default" && name !== "module.exports").sort());
    say(Object.keys(cjs).sort());`;
  const [esm, cjs] = await run(sonde, code);
  expect(esm).toEqual(cjs);
  const types = readFileSync(join(distFolder(), "index.d.cts"), "utf8");
  const values = [...types.matchAll(/^declare (?:class|function) (\w+)/gm)].map(([, name]) => name);
  expect(esm).toEqual(values.sort());
});

test("packed and installed into an empty folder, without a network", { timeout: 120_000 }, async () => {
  const sonde = createSonde();
  const stage = join(sonde.project, "stage");
  mkdirSync(stage);
  const { files } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { files: string[] };
  for (const name of ["package.json", ...files])
    if (name !== "dist" && existsSync(join(ROOT, name)))
      cpSync(join(ROOT, name), join(stage, name), { recursive: true });
  cpSync(distFolder(), join(stage, "dist"), { recursive: true });
  const npm = (cwd: string, ...args: string[]) =>
    execFileSync("npm", ["--offline", "--ignore-scripts", "--loglevel=error", ...args], {
      cwd,
      env: { ...sonde.env, npm_config_cache: join(sonde.home, "npm") },
      encoding: "utf8",
    }).trim();
  const packed = npm(stage, "pack").split("\n").at(-1) ?? "";
  expect(statSync(join(stage, packed)).size).toBeLessThan(1_650_000);
  sonde.write("package.json", "{}");
  npm(sonde.project, "install", "--no-audit", "--no-fund", join(stage, packed));
  sonde.write("loop.js", LOOP);
  const code = `const { createSonde, getRuntimeFeedback, launch } = require("sonde");\n(async () => {${USE}})();`;
  expect(await run(sonde, code, { type: "cjs" })).toEqual(SAID);
  const help = execFileSync(join(sonde.project, "node_modules/.bin/sonde"), ["--version"], {
    env: sonde.env,
  });
  expect(String(help)).toContain("0.1.0");
  const empty = join(sonde.project, "empty");
  mkdirSync(empty);
  expect(npm(empty, "exec", "--yes", "--package", join(stage, packed), "--", "sonde", "sessions")).toContain(
    "no sessions",
  );
});

test("the licences of all that is bundled are in it", () => {
  const notices = readFileSync(join(distFolder(), "THIRD-PARTY-NOTICES.txt"), "utf8");
  for (const name of ["zod", "acorn", "smol-toml", "jsonc-parser", "@modelcontextprotocol/sdk"])
    expect(notices).toMatch(new RegExp(`^${name} \\d[\\w.-]* \\(.+\\)$`, "m"));
});

describe("the types", () => {
  const CONSUMER = `
    import { createSonde, getRuntimeFeedback, launch, SondeError, DapClient, connectSocket } from "sonde";
    import type { CommandResults, DebugProtocol, MoveResult, Session } from "sonde";
    type IsAny<T> = 0 extends 1 & T ? true : false;
    type AnyOf<T> = { [K in keyof T]: IsAny<T[K]> }[keyof T];
    export const noAny: AnyOf<CommandResults> = false;
    export const noAnyInSession: AnyOf<Session> = false;
    export async function use(signal: AbortSignal): Promise<string | undefined> {
      const sonde = createSonde({ mode: "daemon" });
      const session = await sonde.launch({ program: "a.js", breakpoints: ["a.js:3"], env: { A: "1" }, stdin: new Uint8Array() });
      const moved: MoveResult = await session.continue({ timeout: 3, signal });
      session.on("stopped", (event) => event.hits.map(({ id }) => id.toFixed()));
      // @ts-expect-error there is no such argument
      await session.next({ bogus: 1 });
      // @ts-expect-error there is no such command
      await sonde.call("nonsense", {});
      // @ts-expect-error a location is text
      await session.until(3);
      // @ts-expect-error there is no such event
      session.on("nonsense", () => {});
      const { threads } = await sonde.call("threads", {}, { session: session.name, signal });
      const { watchpoints } = await getRuntimeFeedback({ cmd: ["a"], watchpoints: [{ var: "i", logLocation: "a.c:3" }] });
      const seen: { var: string; value: string }[] | undefined = watchpoints["a.c:3"];
      const source: DebugProtocol.Source = { name: threads[0]?.name ?? "" };
      const client = new DapClient(await connectSocket({ host: "::1", port: 1 }, { timeoutMs: 1 }), { requestTimeoutMs: 1 });
      const { stackFrames } = await client.request("stackTrace", { threadId: 1 });
      console.log(seen, source, launch, stackFrames[0]?.line, new SondeError("TIMEOUT", "late").hint);
      return moved.state === "stopped" ? moved.snapshot.values[0]?.value : moved.session;
    }`;

  function check(sonde: Sonde, compiler: string): string {
    try {
      return execFileSync(process.execPath, [join(ROOT, "node_modules", compiler, "bin/tsc"), "-p", "."], {
        cwd: sonde.project,
        encoding: "utf8",
        stdio: "pipe",
      });
    } catch (error) {
      return String((error as { stdout?: string }).stdout);
    }
  }

  test.each(["typescript", "typescript5"])(
    "hold for an ES module and for CommonJS, by %s",
    { timeout: 90_000 },
    (compiler) => {
      const sonde = createProject();
      for (const name of ["@types", "undici-types"])
        symlinkSync(join(ROOT, "node_modules", name), join(sonde.project, "node_modules", name));
      sonde.write("esm.mts", CONSUMER);
      sonde.write("cjs.cts", CONSUMER);
      const compilerOptions = {
        target: "ES2022",
        lib: ["ES2023", "ESNext.Disposable"],
        module: "Node16",
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        types: ["node"],
      };
      sonde.write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["esm.mts", "cjs.cts"] }));
      expect(check(sonde, compiler)).toBe("");
    },
  );
});

test("the protocol's client drives an adapter without a session", async () => {
  const sonde = createProject();
  const said = await run(
    sonde,
    `import { DapClient, startAdapter } from "sonde";
    const { transport, process: adapter } = await startAdapter({ command: ${JSON.stringify(binary())}, args: ["dap", "node"] });
    const client = new DapClient(transport, { requestTimeoutMs: 10_000 });
    const capabilities = await client.request("initialize", { adapterID: "node" });
    say(capabilities.supportsConfigurationDoneRequest);
    const refused = await client.request("stackTrace", { threadId: 99 }).catch((error) => error);
    say([refused.name, refused.code]);
    const given = await client.request("threads", undefined, { signal: AbortSignal.abort() }).catch((error) => error.code);
    say(given);
    client.close();
    say(await adapter.ended);`,
  );
  expect(said).toEqual([
    true,
    ["SondeError", "REQUEST_FAILED"],
    "CANCELLED",
    expect.stringContaining("exited"),
  ]);
});

test("an error of the one form is an error to the other", async () => {
  const sonde = createProject();
  const code = `import * as esm from "sonde";
    import { createRequire } from "node:module";
    const cjs = createRequire(import.meta.url)("sonde");
    say(new cjs.SondeError("TIMEOUT", "x") instanceof esm.SondeError);
    say(new esm.SondeError("TIMEOUT", "x") instanceof cjs.SondeError);
    say(new Error("x") instanceof esm.SondeError);`;
  expect(await run(sonde, code)).toEqual([true, true, false]);
});
