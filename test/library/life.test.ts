/** What a caller hears, how it gives up, and that nothing is left. `createSonde` fails a test that leaves a process. */
import { describe, expect, test } from "vitest";
import { createProject, run } from "./package.ts";

const ENDLESS = `
require("node:fs").writeFileSync("ready", String(process.pid));
setInterval(() => {}, 1000);`;

/** Waits for the program to say that it runs. */
const READY = `
import { readFileSync, watch } from "node:fs";
const pidOf = () => { try { return Number(readFileSync("ready", "utf8")); } catch { return 0; } };
const ready = new Promise((done) => {
  const watcher = watch(".", () => { const pid = pidOf(); if (pid > 0) { watcher.close(); done(pid); } });
});
const alive = (pid) => { try { process.kill(pid, 0); return true; } catch { return false; } };`;

describe.each(["process", "daemon"])("in mode %s", (mode) => {
  test("a launch that is given up leaves nothing", async () => {
    const sonde = createProject();
    sonde.write("endless.js", ENDLESS);
    const said = await run(
      sonde,
      `import { createSonde } from "sonde";
      ${READY}
      const sonde = createSonde({ mode: "${mode}" });
      const giveUp = new AbortController();
      const launched = sonde.launch({ program: "endless.js", signal: giveUp.signal }).then(() => "launched", (error) => error.code);
      const pid = await ready;
      giveUp.abort();
      say(await launched);
      say(alive(pid));
      say((await sonde.sessions()).sessions);
      say(await sonde.launch({ program: "endless.js", signal: AbortSignal.abort() }).catch((error) => error.code));
      await sonde.close();`,
    );
    expect(said).toEqual(["CANCELLED", false, [], "CANCELLED"]);
  });

  test("a wait that is given up lets the program go on", async () => {
    const sonde = createProject();
    sonde.write("endless.js", ENDLESS);
    const said = await run(
      sonde,
      `import { createSonde } from "sonde";
      ${READY}
      const sonde = createSonde({ mode: "${mode}" });
      const session = await sonde.launch({ program: "endless.js", noWait: true });
      const pid = await ready;
      const giveUp = new AbortController();
      const waiting = session.wait({ signal: giveUp.signal }).catch((error) => error.code);
      giveUp.abort();
      say(await waiting);
      say(alive(pid));
      say((await session.pause()).state);
      await session.stop();
      say(alive(pid));
      await sonde.close();`,
    );
    expect(said).toEqual(["CANCELLED", true, "stopped", false]);
  });

  test("closing ends what was opened", async () => {
    const sonde = createProject();
    sonde.write("endless.js", ENDLESS);
    const said = await run(
      sonde,
      `import { createSonde } from "sonde";
      ${READY}
      const sonde = createSonde({ mode: "${mode}" });
      await sonde.launch({ program: "endless.js", noWait: true });
      const pid = await ready;
      await sonde[Symbol.asyncDispose]();
      say(alive(pid));`,
    );
    expect(said).toEqual([false]);
  });

  test("closing ends launches that are under way", async () => {
    const sonde = createProject();
    sonde.write("endless.js", ENDLESS);
    const said = await run(
      sonde,
      `import { createSonde } from "sonde";
      ${READY}
      const outcome = (promise) => promise.then(() => "launched", (error) => error.code);
      const sonde = createSonde({ mode: "${mode}" });
      const waiting = outcome(sonde.launch({ program: "endless.js" }));
      const pid = await ready;
      const beginning = outcome(sonde.launch({ program: "endless.js" }));
      await sonde.close();
      say([await waiting, await beginning, alive(pid)]);
      say(await outcome(sonde.launch({ program: "endless.js" })));
      const after = createSonde({ mode: "${mode}" });
      say((await after.sessions()).sessions);
      await after.close();`,
    );
    expect(said).toEqual([["CANCELLED", "CANCELLED", false], "CANCELLED", []]);
  });
});

test("a process that is killed takes its programs along", async () => {
  const sonde = createProject();
  sonde.write("endless.js", ENDLESS);
  const killed = run(
    sonde,
    `import { launch } from "sonde";
    ${READY}
    await launch({ program: "endless.js", noWait: true });
    await ready;
    process.kill(process.pid, "SIGKILL");`,
  );
  await expect(killed).rejects.toThrow("status null"); // what is left then fails the test
});

test("events are told as they happen", async () => {
  const sonde = createProject();
  sonde.write("loop.js", 'for (let i = 0; i < 3; i++)\n  console.log("turn", i);\nprocess.exitCode = 4;\n');
  const said = await run(
    sonde,
    `import { launch } from "sonde";
    const session = await launch({ program: "loop.js", breakpoints: ["loop.js:2"] });
    const off = session.on("stopped", ({ reason, hits }) => say({ reason, hits }));
    session.on("output", ({ category, text }) => say({ category, text }));
    session.on("ended", ({ how, exitCode }) => say({ how, exitCode }));
    await session.continue();
    off();
    await session.continue();
    await session.continue();
    await session.stop();`,
  );
  const printed = said.filter((one) => JSON.stringify(one).includes("category"));
  expect(printed.map((one) => (one as { text: string }).text).join("")).toBe("turn 0\nturn 1\nturn 2\n");
  expect(said.filter((one) => !printed.includes(one))).toEqual([
    { reason: "breakpoint", hits: [{ id: 1, hit: 2, at: "loop.js:2" }] },
    { how: "exited", exitCode: 4 },
  ]);
});

test("through the daemon there are no events, and that is said", async () => {
  const sonde = createProject();
  sonde.write("loop.js", "let a = 1;\na++;\n");
  const said = await run(
    sonde,
    `import { createSonde } from "sonde";
    const sonde = createSonde({ mode: "daemon" });
    const session = await sonde.launch({ program: "loop.js", breakpoints: ["loop.js:2"] });
    try { session.on("stopped", () => {}); } catch (error) { say([error.code, error.hint.includes("wait()")]); }
    await sonde.close();`,
  );
  expect(said).toEqual([["UNSUPPORTED", true]]);
});
