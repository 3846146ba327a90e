/** A daemon that has had nothing to do for a while is replaced by one that has loaded nothing yet. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { places } from "../../src/client/paths.ts";
import { ended, fileHolds, Home, type Installation, install, isDaemon } from "./home.ts";

let sonde: Installation;
let home: Home;

beforeAll(async () => {
  sonde = await install();
  return () => sonde.remove();
});
beforeEach(() => {
  home = new Home();
});
afterEach(async () => {
  await home.run(sonde, ["daemon", "stop"]); // also one that is just being put in another's place
  await home.remove();
});

const minutes = (ms: number) => ms / 60_000;

function restAfter(ms: number, idleMs = 60_000): void {
  home.config(`[daemon]\nrest_minutes = ${minutes(ms)}\nidle_timeout_minutes = ${minutes(idleMs)}\n`);
}

/** The pid of the daemon that came after this one. */
async function successor(pid: number): Promise<number> {
  await ended(pid);
  return home.daemons().at(-1) ?? 0;
}

/** As another surface is: one connection for many calls. */
async function connected() {
  vi.resetModules();
  vi.stubGlobal("__SONDE_BUILD__", sonde.build); // build.ts looks for this name
  const { connect } = await import("../../src/client/client.ts");
  const client = await connect({ places: places({ SONDE_HOME: home.path }) });
  return {
    call: client.call,
    [Symbol.dispose]() {
      client.close();
      vi.unstubAllGlobals();
    },
  };
}

/** Pages of V8's heap and of malloc: what it has loaded and made. */
function ownMb(pid: number): number {
  return Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

describe("a daemon with nothing to do", () => {
  it("is replaced by a smaller one, which answers like it", async () => {
    restAfter(100);
    await home.run(sonde, ["echo"]);
    const [first = 0] = home.daemons();
    const loaded = ownMb(first);
    const second = await successor(first);
    expect(second).not.toBe(first);
    expect(ownMb(second)).toBeLessThan(loaded);
    expect(await home.run(sonde, ["daemon", "status"])).toMatchObject({
      stdout: expect.stringContaining(`daemon pid ${second}`),
    });
    home.config("[daemon]\nrest_minutes = 1\n");
    expect(await home.run(sonde, ["status"])).toEqual(
      expect.objectContaining({ status: 0, stdout: `sessions 0 pid ${second}\n`, stderr: "" }),
    );
    expect(home.daemons()).toEqual([first, second]);
  });

  it("stays while it holds a session or a request", async () => {
    restAfter(60);
    expect(await home.run(sonde, ["sleep", "400"])).toMatchObject({ stdout: "slept 400\n" });
    await home.run(sonde, ["open"]);
    const holding = home.daemons().at(-1) ?? 0;
    await sleep(300);
    expect(await home.run(sonde, ["status"])).toMatchObject({ stdout: `sessions 1 pid ${holding}\n` });
    await home.run(sonde, ["stop"]);
    expect(await successor(holding)).not.toBe(holding);
  });

  it("leaves when it has rested for long enough", async () => {
    restAfter(100, 600);
    await home.run(sonde, ["echo"]);
    const [first = 0] = home.daemons();
    await ended(await successor(first));
    expect(home.daemons()).toHaveLength(2);
    expect(home.log()).toContain("leaving: idle");
  });

  it("is not replaced when someone runs it by hand", async () => {
    restAfter(30);
    const running = home.spawn(sonde, ["daemon", "run"]);
    await vi.waitFor(() => expect(home.daemons()).toHaveLength(1), 20_000);
    await sleep(300);
    expect(await home.run(sonde, ["status"])).toMatchObject({ stdout: `sessions 0 pid ${running.pid}\n` });
    expect(home.daemons()).toHaveLength(1);
  });

  it("goes on when no other can be started", async () => {
    const broken = await install("9.9.9");
    restAfter(60);
    await home.run(broken, ["echo"]);
    const [first = 0] = home.daemons();
    writeFileSync(join(broken.folder, "dist/daemon.cjs"), "throw new Error('broken build');");
    await vi.waitFor(() => expect(home.log()).toContain("no fresh daemon"), 20_000);
    expect(await home.run(broken, ["status"])).toMatchObject({ stdout: `sessions 0 pid ${first}\n` });
    broken.remove();
  });
});

/** Stands in for the successor: leaves its pid, does what is written here, and does not end by itself. */
function replaceDaemon(installation: Installation, what: string): void {
  const text = `require("node:fs").writeFileSync(process.env.SONDE_HOME + "/stuck", process.pid + "\\n"); ${what}; setInterval(() => {}, 1e6);`;
  writeFileSync(join(installation.folder, "dist/daemon.cjs"), text);
}

describe("a command that comes while the other one is being started", () => {
  it.each([
    ["does not get ready", ""],
    ["does not take its place", `require("node:fs").writeSync(3, '{"prepared":true}\\n')`],
  ])(
    "is served here, also if that one %s",
    async (_, what) => {
      const other = await install("9.9.8");
      const real = readFileSync(join(other.folder, "dist/daemon.cjs"), "utf8");
      restAfter(60);
      await home.run(other, ["echo"]);
      const [first = 0] = home.daemons();
      replaceDaemon(other, what);
      await fileHolds(join(home.path, "stuck"), "\n");
      const stuck = Number(readFileSync(join(home.path, "stuck"), "utf8"));
      const answered = home.run(other, ["status"]);
      expect(await answered).toMatchObject({ stdout: `sessions 0 pid ${first}\n`, stderr: "", status: 0 });
      await ended(stuck);
      writeFileSync(join(other.folder, "dist/daemon.cjs"), real);
      expect(await successor(first)).not.toBe(first);
      other.remove();
    },
    60_000,
  );
});

describe("a resting daemon", () => {
  it("says what is wrong with the settings once it needs them, and makes room", async () => {
    restAfter(60);
    await home.run(sonde, ["echo"]);
    const second = await successor(home.daemons()[0] ?? 0);
    home.config("[daemon]\nrest_minuts = 3\n");
    const { status, stderr } = await home.run(sonde, ["echo"]);
    expect(status).toBe(1);
    expect(stderr).toContain("BAD_CONFIG");
    await ended(second);
    home.config("");
    expect(await home.run(sonde, ["echo", "again"])).toMatchObject({ stdout: "again\n" });
  });

  it("is found by a client that was connected to the one before", async () => {
    restAfter(60);
    await home.run(sonde, ["echo"]);
    using client = await connected();
    await client.call("echo");
    const second = await successor(home.daemons().at(-1) ?? 0);
    expect(await client.call("status")).toMatchObject({ text: `sessions 0 pid ${second}\n` });
  });
});

it.each(["fast", "node"] as const)(
  "commands that come just as it is replaced are neither lost nor repeated, nor are sessions (%s client)",
  async (client) => {
    home.client = client;
    const marks = join(home.path, "marks");
    writeFileSync(marks, "");
    restAfter(client === "fast" ? 25 : 60);
    const results = [];
    for (let round = 0; round < 20; round++) {
      await sleep((round % 10) * 45); // a start takes 50 to 300 ms, and commands call it off
      results.push(...(await Promise.all([0, 1].map(() => home.run(sonde, ["mark", marks])))));
      await sleep((round % 10) * 45);
      await home.run(sonde, ["open"]);
      expect(await home.run(sonde, ["sessions"])).toMatchObject({ stdout: "1\n" });
      await home.run(sonde, ["stop"]);
    }
    expect(results.filter(({ status }) => status !== 0).map(({ stderr }) => stderr)).toEqual([]);
    expect(readFileSync(marks, "utf8").trim().split("\n")).toHaveLength(results.length);
    expect(home.daemons().length).toBeGreaterThan(2); // the race was really run
    expect(home.daemons().filter(isDaemon).length).toBeLessThan(3); // the last, and the one that it may be replacing
  },
  120_000,
);
