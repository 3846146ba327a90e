/** Code that was compiled from something else: tsx, tsc output, bundles; before it runs and while it runs. */
import { execFileSync } from "node:child_process";
import { truncateSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, transformSync } from "esbuild";
import { expect, test } from "vitest";
import { debug, marker, project } from "./debuggee.ts";

const TSX = pathToFileURL(join(import.meta.dirname, "../../node_modules/tsx/dist/loader.mjs")).href;

const APP = `interface Item { name: string; price: number }

export class Acc {
  total: number = 0;
  add(item: Item): number {
    const before: number = this.total;
    this.total += item.price; // @add
    return before;
  }
}

const acc = new Acc();
const items: Item[] = [{ name: "a", price: 1 }, { name: "b", price: 2 }];
for (const item of items) { // @loop
  acc.add(item); // @call
}
console.log("total", acc.total); // @end
`;

for (const [kind, type] of [
  ["commonjs", "commonjs"],
  ["module", "module"],
]) {
  test(`tsx, ${kind}: breakpoint before the code runs, original places, steps by line`, async () => {
    const dir = project({ "package.json": JSON.stringify({ type }), "app.ts": APP });
    const app = join(dir, "app.ts");
    const d = await debug(app, { nodeArgs: ["--import", TSX] });
    const add = marker(app, "add");
    expect(await d.setBreakpoints(app, [add])).toMatchObject([
      { verified: false, reason: "pending", line: add },
    ]);
    await d.run();
    expect(await d.stop()).toMatchObject({ reason: "breakpoint", hitBreakpointIds: [1] });
    const top = await d.top();
    expect(top).toMatchObject({ name: "add", line: add, source: { path: app } });
    await d.event("breakpoint", (body) => (body.breakpoint as { verified: boolean }).verified);
    expect(await d.scope("Arguments")).toEqual({ item: '{name: "a", price: 1}' });
    expect(await d.scope("Local")).toMatchObject({ before: "0" });
    expect(await d.move("next")).toBe(`add:${add + 1}`);
    expect(await d.move("stepOut")).toBe(`<module>:${marker(app, "loop")}`);
    await d.setBreakpoints(app, []);
    expect(await d.move("next")).toBe(`<module>:${marker(app, "call")}`);
    expect(await d.move("stepIn")).toBe(`add:${add - 1}`);
    await d.request("continue");
    expect(await d.end()).toBe(0);
    expect(d.stdout).toBe("total 3\n");
    expect(d.stops).toBe(5);
  });

  test(`tsx, ${kind}: stop on entry is the first statement of the original`, async () => {
    const dir = project({ "package.json": JSON.stringify({ type }), "app.ts": APP });
    const app = join(dir, "app.ts");
    const d = await debug(app, { nodeArgs: ["--import", TSX], stopOnEntry: true });
    await d.run();
    expect(await d.stop()).toMatchObject({ reason: "entry" });
    expect((await d.top()).source?.path).toBe(app);
    expect(await d.at()).toMatch(/^<module>:(1|3|12)$/);
    await d.request("continue");
    expect(await d.end()).toBe(0);
  });
}

test("tsx: what it puts around a file is not shown as a line of the file", async () => {
  const dir = project({
    "package.json": '{"type":"commonjs"}',
    "a.ts": 'import { b } from "./b";\n\nconsole.log(b(1)); // @call\n\nexport {};\n',
    "b.ts": "export function b(n: number): number {\n  debugger;\n  return n;\n}\n",
  });
  const app = join(dir, "a.ts");
  const d = await debug(app, { nodeArgs: ["--import", TSX] });
  await d.run();
  await d.stop();
  const frames = await d.frames();
  const inFile = frames.filter(({ source }) => source?.path === app);
  expect(inFile).toMatchObject([{ name: "<module>", line: marker(app, "call") }]);
  const generated = frames.find(({ source }) => source?.origin === "generated");
  expect(generated).toMatchObject({
    presentationHint: "subtle",
    source: { name: "a.ts (generated)", presentationHint: "deemphasize" },
  });
});

test("a map that is a pipe, or far too large, is not read", async () => {
  const dir = project({
    ...Object.fromEntries(
      Array.from({ length: 6 }, (_, i) => [`m${i}.cjs`, `exports.v = ${i};\n//# sourceMappingURL=f${i}\n`]),
    ),
    "huge.cjs": "exports.v = 1;\n//# sourceMappingURL=huge.map\n",
    "app.cjs":
      'for (let i = 0; i < 6; i++) require("./m" + i + ".cjs");\nrequire("./huge.cjs");\nconsole.log(1); // @here\n',
    "never.ts": "let x = 1;\n",
    "huge.map": "",
  });
  for (let i = 0; i < 6; i++) execFileSync("mkfifo", [join(dir, `f${i}`)]);
  truncateSync(join(dir, "huge.map"), 65 * 1024 * 1024);
  const app = join(dir, "app.cjs");
  const d = await debug(app);
  await d.setBreakpoints(join(dir, "never.ts"), [1]);
  await d.setBreakpoints(app, [marker(app, "here")]);
  await d.run();
  await d.stop();
  expect(await d.at()).toBe(`<module>:${marker(app, "here")}`);
  const logs = d.events.filter(({ event }) => event === "log").map(({ body }) => String(body.message));
  expect(logs.filter((text) => /f\d is not a regular file/.test(text)).length).toBe(6);
  expect(logs.some((text) => /huge\.map is larger than 64 MiB/.test(text))).toBe(true);
});

test("output of a compiler with a map beside it: breakpoints in the original and in the generated file", async () => {
  for (const format of ["cjs", "esm"] as const) {
    const { code, map } = transformSync(APP, {
      loader: "ts",
      format,
      sourcemap: true,
      sourcefile: "../src/app.ts",
      banner: "/* one */\n/* two */",
    });
    const name = format === "cjs" ? "app.cjs" : "app.mjs";
    const dir = project({
      "src/app.ts": APP,
      [`dist/${name}`]: `${code}\n//# sourceMappingURL=${name}.map\n`,
      [`dist/${name}.map`]: map,
    });
    const original = join(dir, "src/app.ts");
    const generated = join(dir, "dist", name);
    const d = await debug(generated);
    const add = marker(original, "add");
    await d.setBreakpoints(original, [add]);
    const inGenerated = code.split("\n").findIndex((line) => line.includes("return before")) + 1;
    await d.setBreakpoints(generated, [inGenerated]);
    await d.run();
    await d.stop();
    expect(await d.at()).toBe(`add:${add}`);
    await d.request("continue");
    await d.stop();
    expect(await d.at()).toBe(`add:${add + 1}`);
    await d.setBreakpoints(generated, []);
    await d.setBreakpoints(original, []);
    // Set again while loaded: answered at once.
    expect(await d.setBreakpoints(original, [add])).toMatchObject([{ verified: true, line: add }]);
    await d.request("continue");
    await d.stop();
    expect(await d.at()).toBe(`add:${add}`);
  }
});

test("a bundle of several sources, with a source root and one source that is not on disk", async () => {
  const dir = project({
    "src/main.js":
      'import { double } from "./lib.js";\nimport { gone } from "./gone.js";\nconsole.log(double(4), gone(2));\n',
    "src/lib.js": "export function double(n) {\n  const twice = n * 2; // @twice\n  return twice;\n}\n",
    "src/gone.js": "export function gone(n) {\n  debugger;\n  return n + 1;\n}\n",
  });
  const bundle = join(dir, "dist/bundle.cjs");
  await build({
    entryPoints: [join(dir, "src/main.js")],
    bundle: true,
    platform: "node",
    outfile: bundle,
    sourcemap: "inline",
    sourceRoot: join(dir, "dist"),
    minifyWhitespace: true,
  });
  const { rmSync } = await import("node:fs");
  rmSync(join(dir, "src/gone.js"));
  const lib = join(dir, "src/lib.js");
  const d = await debug(bundle);
  await d.setBreakpoints(lib, [marker(lib, "twice")]);
  await d.run();
  await d.stop();
  expect(await d.top()).toMatchObject({ line: 2, source: { path: lib } });
  await d.request("continue");
  expect(await d.stop()).toMatchObject({ reason: "breakpoint", description: "debugger statement" });
  const top = await d.top();
  expect(top.source?.path).toBeUndefined();
  const { content } = await d.request<{ content: string }>("source", {
    sourceReference: top.source?.sourceReference,
    source: top.source,
  });
  expect(content).toContain("return n + 1");
  await d.request("continue");
  expect(await d.end()).toBe(0);
});

test("tsx: its helper for names of functions is not shown as the function it names", async () => {
  const dir = project({
    "package.json": '{"type":"commonjs"}',
    "a.ts": `const wait = (n: number) => Promise.resolve(n);
class Queue {
  push(job: () => number): Promise<number> {
    return wait(1).then(() => {
      return job(); // @job
    });
  }
}
async function main() {
  await new Queue().push(() => 2);
}
main(); // @call
`,
  });
  const app = join(dir, "a.ts");
  const d = await debug(app, { nodeArgs: ["--import", TSX] });
  await d.setBreakpoints(app, [marker(app, "job"), marker(app, "call")]);
  await d.run();
  await d.stop();
  expect((await d.evaluate("main")).result).toBe("async ƒ main()");
  expect((await d.evaluate("__name")).result).toContain("ƒ __name(");
  await d.request("continue");
  await d.stop();
  const scopes = await d.scopes();
  const shown = await Promise.all(scopes.map(({ name }) => (name === "Global" ? {} : d.scope(name))));
  const all = Object.assign({}, ...shown);
  expect(all.main ?? "async ƒ main()").toBe("async ƒ main()");
  expect(all.__name).toContain("ƒ __name(");
  await expect(d.evaluate("main")).rejects.toThrow(
    /^ReferenceError: main is not defined here: this function does not use it/,
  );
});
