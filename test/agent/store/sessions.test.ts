import { spawn } from "node:child_process";
import { once } from "node:events";
import { lstatSync, readFileSync, readlinkSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { endSession, findSession, listSessions } from "../../../src/agent/store/sessions.ts";
import { identityOf } from "../../../src/util/process-facts.ts";
import { Workbench } from "./workbench.ts";

function index(root: string): { id: string; pid: number; startTime: string; cwd: string }[] {
  return JSON.parse(readFileSync(join(root, "index.json"), "utf8")).sessions;
}

/** The number of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn("true");
  await once(child, "close");
  return child.pid ?? 0;
}

describe("Debug Bridge - Session Isolation", () => {
  test("should create unique session directory", () => {
    using bench = new Workbench();
    const [one, two] = [bench.session(), bench.session()];
    expect(one.id).toMatch(/^debug_\d{8}_\d{6}_[0-9a-z]{4}$/);
    expect(two.dir).not.toBe(one.dir);
    for (const { dir, events, commands, record } of [one, two]) {
      expect(statSync(dir).mode & 0o777).toBe(0o700);
      for (const file of [events, commands, record]) expect(statSync(file).mode & 0o777).toBe(0o600);
    }
  });

  test("should update current symlink", () => {
    using bench = new Workbench();
    bench.session();
    const newest = bench.session();
    const link = join(bench.root, "current");
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readlinkSync(link)).toBe(`sessions/${newest.id}`);
    expect(findSession(bench.root, "current").id).toBe(newest.id);
  });

  test("should register session in index", () => {
    using bench = new Workbench();
    const { id, session } = bench.session({ name: "reviewer" });
    expect(index(bench.root)).toEqual([
      {
        id,
        pid: process.pid,
        startTime: session.startTime,
        cwd: "/project",
        route: "library",
        name: "reviewer",
      },
    ]);
  });

  test("should clean up stale sessions", async () => {
    using bench = new Workbench();
    const dead = bench.session({ pid: await deadPid() });
    const alive = bench.session();
    const rows = await listSessions(bench.root);
    expect(rows.map(({ id, ended }) => [id, ended])).toEqual([
      [alive.id, undefined],
      [dead.id, "died"],
    ]);
    // Kept for replay, and marked for good.
    expect(JSON.parse(readFileSync(dead.record, "utf8"))).toMatchObject({ ended: "died" });
    expect(index(bench.root).map(({ id }) => id)).toEqual([alive.id]);
  });

  test("should unregister on shutdown", async () => {
    using bench = new Workbench();
    const session = bench.session();
    endSession(session, { exit: 0 });
    expect(index(bench.root)).toEqual([]);
    expect(await listSessions(bench.root)).toMatchObject([
      { id: session.id, alive: false, ended: "clean", exit: 0, endTime: expect.any(String) },
    ]);
  });
});

describe("sessions", () => {
  test("a process that was killed leaves a session that is listed as ended and kept", async () => {
    using bench = new Workbench();
    const program = bench.program(`
      import { createSession } from "src/agent/store/sessions.ts";
      console.log(createSession(process.argv[2], { cwd: "/p", route: "library", version: "1" }).id + ".");
      setInterval(() => {}, 1000);
    `);
    const owner = bench.run(program, bench.root);
    await owner.prints(".");
    expect(await listSessions(bench.root)).toMatchObject([{ alive: true, pid: owner.pid }]);
    await owner.kill();
    expect(await listSessions(bench.root)).toMatchObject([{ alive: false, ended: "died", pid: owner.pid }]);
    expect(index(bench.root)).toEqual([]);
  });

  test.runIf(identityOf(process.pid) !== undefined)(
    "a process number that is used again is noticed by the process's start time",
    async () => {
      using bench = new Workbench();
      const { record, session } = bench.session();
      expect(session.processStart).toBe(identityOf(process.pid));
      writeFileSync(record, JSON.stringify({ ...session, processStart: "another-boot:12345" }));
      expect(await listSessions(bench.root)).toMatchObject([{ alive: false, ended: "died" }]);
    },
  );

  test("eight sessions created at once by eight processes: index and listing have all", async () => {
    using bench = new Workbench();
    const program = bench.program(`
      import { createSession } from "src/agent/store/sessions.ts";
      process.stdout.write("ready\\n");
      process.stdin.once("data", () => {
        const made = createSession(process.argv[2], { cwd: "/p", route: "library", version: "1" });
        process.stdout.write(made.id + " made\\n");
        process.stdin.once("data", () => process.exit());
      });
    `);
    const all = Array.from({ length: 8 }, () => bench.run(program, bench.root));
    await Promise.all(all.map((one) => one.prints("ready")));
    for (const { child } of all) child.stdin?.write("go\n");
    await Promise.all(all.map((one) => one.prints("made")));
    const ids = all.map(({ output }) => /debug_\w+/.exec(output)?.[0]).sort();
    expect(new Set(ids).size).toBe(8);
    const rows = await listSessions(bench.root);
    expect(rows.map(({ id }) => id).sort()).toEqual(ids);
    expect(
      index(bench.root)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids);
    expect(readlinkSync(join(bench.root, "current"))).toBe(`sessions/${rows[0]?.id}`);
    for (const { child } of all) child.stdin?.write("end\n");
    await Promise.all(all.map((one) => one.ends()));
    expect((await listSessions(bench.root)).map(({ ended }) => ended)).toEqual(Array(8).fill("died"));
    expect(index(bench.root)).toEqual([]);
  });

  test("are found by id, by its beginning, by its end and by name; of several that are alive none is taken unasked", async () => {
    using bench = new Workbench();
    expect(() => findSession(bench.root)).toThrow(/no agent session/);
    const old = bench.session({ pid: await deadPid(), name: "reviewer" });
    expect(findSession(bench.root).id).toBe(old.id);
    const one = bench.session({ name: "reviewer" });
    expect(findSession(bench.root).id).toBe(one.id);
    expect(findSession(bench.root, "reviewer").id).toBe(one.id);
    expect(findSession(bench.root, one.id.slice(-4)).id).toBe(one.id);
    expect(findSession(bench.root, old.id).id).toBe(old.id);
    bench.session();
    expect(() => findSession(bench.root)).toThrow(expect.objectContaining({ code: "AMBIGUOUS_SESSION" }));
    expect(() => findSession(bench.root, "debug_")).toThrow(
      expect.objectContaining({ code: "AMBIGUOUS_SESSION" }),
    );
    expect(() => findSession(bench.root, "nobody")).toThrow(expect.objectContaining({ code: "NO_SESSION" }));
  });

  test.runIf(identityOf(process.pid) !== undefined)(
    "of other tools end with their process, also when its number is used again",
    async () => {
      using bench = new Workbench();
      const id = "debug_20200123_140000_xyz2";
      bench.foreign(id, { "session.json": JSON.stringify({ id, pid: process.pid }) });
      expect(await listSessions(bench.root)).toMatchObject([{ id, alive: false, ended: "died" }]);
    },
  );

  test("of other tools are read as they are, and not changed", async () => {
    using bench = new Workbench();
    const running = bench.foreign("debug_20260123_140000_xyz2", {
      "events.jsonl": "",
      "session.json": JSON.stringify({ sessionId: "debug_20260123_140000_xyz2", provider: "anthropic" }),
    });
    bench.foreign("debug_20260123_131000_abc1", { "events.jsonl": "" });
    symlinkSync(running, join(bench.root, "current"));
    const text = JSON.stringify({
      sessions: [
        {
          id: "debug_20260123_140000_xyz2",
          pid: process.pid,
          startTime: new Date().toISOString(),
          cwd: "/codi",
        },
      ],
    });
    writeFileSync(join(bench.root, "index.json"), text);
    expect(await listSessions(bench.root)).toMatchObject([
      { id: "debug_20260123_140000_xyz2", alive: true, foreign: true, pid: process.pid, cwd: "/codi" },
      {
        id: "debug_20260123_131000_abc1",
        alive: false,
        foreign: true,
        startTime: "2026-01-23T13:10:00.000Z",
      },
    ]);
    expect(findSession(bench.root, "current").id).toBe("debug_20260123_140000_xyz2");
    expect(readFileSync(join(bench.root, "index.json"), "utf8")).toBe(text);
  });
});
