/** Node programs: as a command, as a session, as a process. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { build as esbuild } from "esbuild";
import { describe, expect, test } from "vitest";
import { borrowSonde, FIXTURES } from "../../support/sonde.ts";
import { fileOf, type ProfileData, started } from "./support.ts";

describe("profile cpu of a Node program", () => {
  test("a command: the hot function is first, its exit code is said, and its files are the user's alone", async () => {
    await using sonde = borrowSonde();
    sonde.fixture("profile/busy.js");
    const profile = await sonde.ask<ProfileData>("profile cpu -- node busy.js 600");
    expect(profile.top[0]).toMatchObject({ name: "hot", file: join(sonde.project, "busy.js"), line: 2 });
    expect(profile.top[0]?.selfShare).toBeGreaterThan(0.5);
    expect(profile.top.find(({ name }) => name === "work")?.totalShare).toBeGreaterThan(0.7);
    expect(profile).toMatchObject({ kind: "cpu", end: { how: "program", exitCode: 3 }, unit: "ns" });
    expect(profile.files.map(({ kind }) => kind).sort()).toEqual([
      ...["cpuprofile", "folded", "pprof", "speedscope", "svg"],
    ]);
    expect(statSync(profile.folder).mode & 0o777).toBe(0o700);
    for (const { path } of profile.files) expect(statSync(path).mode & 0o777).toBe(0o600);
    const raw = JSON.parse(readFileSync(fileOf(profile, "cpuprofile"), "utf8")) as { samples: number[] };
    expect(raw.samples.length).toBe(profile.samples + profile.idleSamples);
    const shown = await sonde.text("profile show");
    expect(shown).toMatch(/self +total +function\n *\d+\.\d % +\d+\.\d % {2}hot {2}busy\.js:2\n/);
    expect(shown).toContain("when the program ended with exit code 3");
  });

  test("one that goes on is profiled for the time that is asked for, and ended", async () => {
    await using sonde = borrowSonde();
    sonde.fixture("profile/busy.js");
    const profile = await sonde.ask<ProfileData>("profile cpu --seconds 0.5 -- node busy.js 60000");
    expect(profile.end).toEqual({ how: "time" });
    expect(profile.top[0]?.name).toBe("hot");
    expect(profile.seconds).toBeGreaterThan(0.4);
  });

  test("a session, which is as it was afterwards", async () => {
    await using sonde = borrowSonde();
    sonde.fixture("profile/busy.js");
    await sonde.ask("start --no-wait -- node busy.js 60000");
    const profile = await sonde.ask<ProfileData>("profile cpu --seconds 0.5");
    expect(profile.top[0]?.name).toBe("hot");
    expect(profile.title).toMatch(/^session busy \(pid \d+\)$/);
    const again = await sonde.ask<ProfileData>("profile cpu --seconds 0.3");
    expect(again.top[0]?.name).toBe("hot");
    expect(await sonde.ask("status")).toMatchObject({ sessions: [{ state: "running" }] });
    await sonde.ask("pause");
    expect(await sonde.refusal("profile cpu --seconds 1")).toMatchObject({ code: "NOT_RUNNING" });
    await sonde.ask("stop");
  });

  test("a process, which runs on", async () => {
    await using sonde = borrowSonde();
    sonde.fixture("profile/busy.js");
    const child = await started(sonde, "node", ["busy.js", "60000"]);
    const profile = await sonde.ask<ProfileData>(`profile cpu --pid ${child} --seconds 0.5`);
    expect(profile.top[0]?.name).toBe("hot");
    expect(existsSync(`/proc/${child}/status`)).toBe(true);
  });

  test("workers are a part of it", async () => {
    await using sonde = borrowSonde();
    sonde.fixture("profile/busy.js");
    sonde.write(
      "main.mjs",
      `import { Worker } from "node:worker_threads";
const worker = new Worker("./busy.js", { argv: ["60000"] });
await new Promise((done) => setTimeout(done, 60_000));
`,
    );
    const profile = await sonde.ask<ProfileData>("profile cpu --seconds 0.8 -- node main.mjs");
    expect(profile.top[0]?.name).toBe("hot");
    expect(profile.files.filter(({ kind }) => kind === "cpuprofile")).toHaveLength(2);
    expect(profile.notes.join()).toMatch(/main, worker \d/);
  });
  test("workers and processes that end before the program have been seen to their end", async () => {
    await using sonde = borrowSonde();
    sonde.fixture("profile/busy.js");
    sonde.write(
      "main.mjs",
      `import { fork } from "node:child_process";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
await Promise.all([once(new Worker("./busy.js", { argv: ["400"] }), "exit"), once(fork("./busy.js", ["400"]), "exit")]);
`,
    );
    const profile = await sonde.ask<ProfileData>("profile cpu -- node main.mjs");
    expect(profile.top[0]?.name).toBe("hot");
    expect(profile.files.filter(({ kind }) => kind === "cpuprofile")).toHaveLength(3);
    expect(profile.notes.join()).not.toContain("left out");
    expect(profile.end).toEqual({ how: "program", exitCode: 0 });
  });

  test("a worker that is terminated is a part of it, or named as left out", async () => {
    await using sonde = borrowSonde();
    sonde.fixture("profile/busy.js");
    sonde.write(
      "main.mjs",
      `import { Worker } from "node:worker_threads";
const worker = new Worker("./busy.js", { argv: ["60000"] });
await new Promise((done) => setTimeout(done, 700));
await worker.terminate();
await new Promise((done) => setTimeout(done, 300));
`,
    );
    const profile = await sonde.ask<ProfileData>("profile cpu -- node main.mjs");
    expect(profile.end).toEqual({ how: "program", exitCode: 0 });
    const isSampled = profile.top[0]?.name === "hot";
    expect([isSampled, profile.notes.join("\n")]).toEqual([
      isSampled,
      expect.stringMatching(isSampled ? /main, worker \d/ : /left out: worker \d+ \(it was terminated/),
    ]);
  });

  test("functions are named as in the sources where there is a map", async () => {
    await using sonde = borrowSonde();
    const source = readFileSync(join(FIXTURES, "profile/busy.js"), "utf8").replaceAll("hot", "hottest");
    sonde.write("src/busy.ts", source);
    await esbuild({
      ...{ absWorkingDir: sonde.project, entryPoints: ["src/busy.ts"], outfile: "out.js" },
      ...{ minify: true, sourcemap: true, platform: "node", format: "cjs", bundle: true },
    });
    expect(readFileSync(join(sonde.project, "out.js"), "utf8")).not.toContain("hottest");
    const profile = await sonde.ask<ProfileData>("profile cpu -- node out.js 500");
    expect(profile.top[0]).toMatchObject({
      name: "hottest",
      file: join(sonde.project, "src/busy.ts"),
      line: 2,
    });
  });
});
