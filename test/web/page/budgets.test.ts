/** How large the page is, and how long large things take: sizes and counts are asserted, times are printed. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { ProfileBuilder } from "../../../src/diagnostics/profile/profile.ts";
import { newFolder, save } from "../../../src/diagnostics/profile/store.ts";
import type { PointHit } from "../../../src/trace/record.ts";
import { TraceStore } from "../../../src/trace/store.ts";
import { createSonde } from "../../support/sonde.ts";
import { heap, inWords, measured, opening, report, slowedDown } from "./measure.ts";
import { launch, nodeCount, openPage } from "./support.ts";

vi.setConfig({ testTimeout: 180_000 });

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
});

const STEPS = 30;
const median = (all: number[]) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;

test("the first script is at most 40 kB, all of them 150 kB, compressed", () => {
  const install = inject("install");
  if (!("folder" in install)) throw new Error(install.error);
  const folder = join(install.folder, "dist/page");
  const bytes = (name: string) => gzipSync(readFileSync(join(folder, name))).length;
  const scripts = new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith(".js"))
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
  const first = new Set<string>();
  const add = (name: string) => {
    if (first.has(name)) return;
    first.add(name);
    // Imports at the top are loaded with it; `import()` is not.
    for (const [, from] of (scripts.get(name) ?? "").matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g))
      if (from) add(from);
  };
  add("app.js");
  const sum = (names: Iterable<string>) => [...names].reduce((all, name) => all + bytes(name), 0);
  report("first script", `${(sum(first) / 1000).toFixed(1)} kB of ${first.size} files`);
  report(
    "all scripts",
    `${(sum(scripts.keys()) / 1000).toFixed(1)} kB; styles ${(bytes("app.css") / 1000).toFixed(1)} kB`,
  );
  expect(sum(first)).toBeLessThan(40_000);
  expect(sum(scripts.keys())).toBeLessThan(150_000);
});

test("a trace of 1,000,000 hits and a profile of 200,000 samples", async () => {
  await using sonde = createSonde();
  const count = 1_000_000;
  const frames = [{ function: "f", path: "/nowhere/a.js", line: 3 }];
  const hits = Array.from({ length: count }, (_, at): PointHit => {
    const values = [
      String(Math.round(Math.sin(at / 20_000) * 1000)),
      at % 100_000 < 50_000 ? '"idle"' : '"busy"',
    ];
    return {
      kind: "point",
      seq: at + 1,
      ms: at / 100,
      thread: "main",
      point: 0,
      hit: at + 1,
      values,
      frames,
    };
  });
  const { record } = new TraceStore(join(sonde.home, "state/traces")).save({
    ...{ version: 1, title: "node a.js", cwd: "/nowhere", began: "2026-01-01T00:00:00.000Z", seconds: 10 },
    plan: {
      points: [{ key: "a.js:3", path: "/nowhere/a.js", line: 3, expressions: ["x", "state"] }],
      ...{ frames: 1, valueChars: 120, maxHits: count },
    },
    ...{
      adapter: "node",
      collector: "node-source",
      bindings: [{ state: "bound" as const, line: 3 }],
      counts: [count],
    },
    ...{ seen: count, dropped: 0, end: { how: "exited" as const, exitCode: 0 }, notes: [], hits },
  });
  hits.length = 0;

  const builder = new ProfileBuilder("ns");
  const functions = Array.from({ length: 2000 }, (_, at) =>
    builder.frame({ name: `function${at}`, file: `/nowhere/f${at % 40}.js`, line: at }),
  );
  let seed = 7;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below; // the lowest bits repeat soon
  };
  for (let sample = 0; sample < 200_000; sample++) {
    const depth = 5 + random(25);
    const stack = Array.from(
      { length: depth },
      (_, level) => functions[(level * 37 + (random(12) === 0 ? 1 + random(4) : 0)) % 2000] ?? 0,
    );
    builder.add(stack, 1e6);
  }
  const root = join(sonde.home, "state/profiles");
  const { id, release } = newFolder(root);
  const head = {
    id,
    kind: "cpu" as const,
    title: "node a.js",
    cwd: "/nowhere",
    began: "2026-01-01T00:00:00.000Z",
  };
  save(
    root,
    { ...head, seconds: 200, means: "made up", period: 1e6, end: { how: "program", exitCode: 0 }, notes: [] },
    { profile: builder.build(), files: [] },
  );
  release();

  await using opened = await openPage(browser, sonde, "/");
  const { page, errors } = opened;
  await page.getByRole("heading", { name: "Now" }).waitFor({ state: "attached" });
  const rows = ".hits .hit-value:nth-child(4)";
  const table = ".functions .row[data-index='5']";
  const open = (path: string, ...wanted: string[]) =>
    measured(browser, page, sonde, () => opening(page, path, wanted));
  const trace = await open(`/t/${record.id}`, rows);
  report(
    "trace of 1,000,000 hits",
    `${trace.value[0]} ms to its rows, ${inWords(trace)}, heap ${(await heap(page)).toFixed(0)} MB, ${await nodeCount(page)} nodes`,
  );
  expect(await nodeCount(page)).toBeLessThan(3000);
  await page.getByLabel("go to hit").fill("765432");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator(".hits .row.selected .hit-number").textContent()).toBe("765432");
  await page.locator(".plot canvas").first().waitFor();

  const profile = await open(`/p/${id}`, table, ".flames canvas");
  report(
    "profile of 200,000 samples",
    `${profile.value[0]} ms to its table, ${profile.value[1]} ms to its graph, ${inWords(profile)}, heap ${(await heap(page)).toFixed(0)} MB, ${await nodeCount(page)} nodes`,
  );
  expect(await nodeCount(page)).toBeLessThan(3000);
  expect(await heap(page)).toBeLessThan(150);
  // The same on a machine that takes four times as long.
  await slowedDown(page, 4);
  const slowTrace = await open(`/t/${record.id}?hit=1`, rows);
  report("the trace, four times slower", `${slowTrace.value[0]} ms to its rows, ${inWords(slowTrace)}`);
  const slowProfile = await open(`/p/${id}?order=heavy`, table, ".flames canvas");
  report(
    "the profile, four times slower",
    `${slowProfile.value[0]} ms to its table, ${slowProfile.value[1]} ms to its graph, ${inWords(slowProfile)}`,
  );
  expect(errors).toEqual([]);
});

test("from a stop to the screen", async () => {
  await using sonde = createSonde();
  sonde.write("loop.js", `let n = 0;\n${"n += 1;\n".repeat(60)}`);
  await sonde.text("start loop.js --break loop.js:2");
  await using opened = await openPage(browser, sonde, "/");
  const { page, errors, go } = opened;
  const sent = new Map<number, number>();
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => {
      const { event } = JSON.parse(String(payload)) as {
        event?: { kind: string; row?: { stop?: { at: number; number: number } } };
      };
      if (event?.kind === "stopped" && event.row?.stop !== undefined)
        sent.set(event.row.stop.number, event.row.stop.at);
    }),
  );
  await page.reload();
  await go("/s/loop");
  await page.locator(".arrow-line").waitFor();
  const seen = (await page.evaluate(
    `new Promise((done) => {
    const seen = [];
    const step = () => {
      const line = document.querySelector(".arrow-line")?.getAttribute("data-index");
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "F10" }));
      const began = Date.now();
      const look = () => {
        const now = document.querySelector(".arrow-line")?.getAttribute("data-index");
        if (now !== undefined && now !== null && now !== line) {
          seen.push({ began, at: Date.now() });
          if (seen.length < STEPS) step();
          else done(seen);
        } else requestAnimationFrame(look);
      };
      look();
    };
    step();
  })`.replace("STEPS", String(STEPS)),
  )) as { began: number; at: number }[];
  // When the daemon saw the program stop, by the same clock: the one stop between the key and what was seen.
  const stops = [...sent.values()];
  const fromStop = seen.flatMap(({ began, at }) =>
    stops
      .filter((stop) => stop >= began && stop <= at)
      .slice(-1)
      .map((stop) => at - stop),
  );
  const fromKey = seen.map(({ began, at }) => at - began);
  const words = (all: number[]) =>
    `median ${median(all)} ms, longest ${Math.max(...all)} ms of ${all.length}`;
  report("from a stop to the screen", words(fromStop));
  report("from the key of a step to the screen", words(fromKey));
  expect(await nodeCount(page)).toBeLessThan(3000);
  expect(errors).toEqual([]);
});
