import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ended, fileHolds, finished, Home, type Installation, install, isDaemon } from "./home.ts";

let sonde: Installation;
let home: Home;

beforeAll(async () => {
  sonde = await install();
  return () => sonde.remove();
});
const CLIENTS = ["fast", "node"] as const;

beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

const daemon = () => home.daemons().at(-1) ?? 0;

describe.each(CLIENTS)("the daemon killed (%s client)", (client) => {
  beforeEach(() => {
    home.client = client;
  });

  it("during a request: the client says so within a second, and the next command starts afresh", async () => {
    const file = join(home.path, "hang");
    await home.run(sonde, ["echo"]);
    const hanging = finished(home.spawn(sonde, ["hang", file]));
    await fileHolds(file, "begun");
    const killed = performance.now();
    process.kill(daemon(), "SIGKILL");
    const { status, stderr } = await hanging;
    expect(performance.now() - killed).toBeLessThan(1000);
    expect(status).toBe(1);
    expect(stderr).toContain("the daemon ended while `sonde hang");
    expect(stderr).toContain("its sessions are gone");
    expect(await home.run(sonde, ["echo", "clean"])).toMatchObject({
      status: 0,
      stdout: "clean\n",
      stderr: "",
    });
  });

  it("with sessions: the next command says once what was lost", async () => {
    await home.run(sonde, ["open"]);
    await home.run(sonde, ["open"]);
    const pid = daemon();
    process.kill(pid, "SIGKILL");
    await ended(pid);
    const { stdout, stderr } = await home.run(sonde, ["echo", "next"]);
    expect(stdout).toBe("next\n");
    expect(stderr).toContain(`pid ${pid}`);
    expect(stderr).toContain("the 2 sessions it held were lost");
    expect(await home.run(sonde, ["echo"])).toMatchObject({ stderr: "" });
  });

  it("with SIGTERM: sessions are ended, the socket is removed, nothing is said later", async () => {
    await home.run(sonde, ["open"]);
    const pid = daemon();
    process.kill(pid, "SIGTERM");
    await ended(pid);
    expect(existsSync(home.socket)).toBe(false);
    expect(await home.run(sonde, ["echo"])).toMatchObject({ status: 0, stderr: "" });
  });
});

describe.each(CLIENTS)("the client killed (%s client)", (client) => {
  beforeEach(() => {
    home.client = client;
  });

  it.each(["SIGKILL", "SIGINT"] as const)(
    "with %s during a request: the request is aborted",
    async (signal) => {
      const file = join(home.path, "hang");
      const child = home.spawn(sonde, ["hang", file]);
      const end = finished(child);
      await fileHolds(file, "begun");
      child.kill(signal);
      await fileHolds(file, "aborted");
      expect((await end).signal).toBe(signal); // a shell shows 128 + the signal: 130 for Ctrl-C
      expect(await home.run(sonde, ["echo", "well"])).toMatchObject({ stdout: "well\n" });
    },
  );

  it("at random moments, many times: the daemon lives", async () => {
    await home.run(sonde, ["echo"]);
    for (let round = 0; round < 30; round++) {
      const child = home.spawn(sonde, ["sleep", "5"]);
      const end = finished(child);
      await sleep(client === "fast" ? round / 2 : 15 + round * 2);
      child.kill("SIGKILL");
      await end;
    }
    expect(await home.run(sonde, ["daemon", "status"])).toMatchObject({
      stdout: expect.stringContaining("requests in flight 0"),
    });
    expect(home.daemons()).toHaveLength(1);
  });
});

describe("an idle daemon", () => {
  it("leaves, and takes its socket along", async () => {
    home.idleAfter(100);
    await home.run(sonde, ["echo"]);
    await ended(daemon());
    expect(existsSync(home.socket)).toBe(false);
  });

  it("stays while it holds a session or a request", async () => {
    home.idleAfter(60);
    expect(await home.run(sonde, ["sleep", "400"])).toMatchObject({ stdout: "slept 400\n" });
    await home.run(sonde, ["open"]);
    await sleep(300);
    expect(home.daemons().filter(isDaemon)).not.toEqual([]);
    await home.run(sonde, ["stop"]);
    await ended(daemon());
  });

  it.each(CLIENTS)(
    "that leaves just as commands come neither loses nor repeats one (%s client)",
    async (client) => {
      home.client = client;
      const marks = join(home.path, "marks");
      writeFileSync(marks, "");
      // Within the pauses below, so that commands meet a daemon that is just about to go.
      home.idleAfter(client === "fast" ? 18 : 45);
      const results = [];
      for (let round = 0; round < 25; round++) {
        await sleep((round % 8) * 4);
        results.push(...(await Promise.all([0, 1].map(() => home.run(sonde, ["mark", marks])))));
      }
      expect(results.filter(({ status }) => status !== 0).map(({ stderr }) => stderr)).toEqual([]);
      expect(readFileSync(marks, "utf8").trim().split("\n")).toHaveLength(results.length);
      expect(home.daemons().length).toBeGreaterThan(1); // the race was really run
    },
    // Some fifty daemons are started, one after the other.
    120_000,
  );
});

describe("a daemon nobody can find", () => {
  it("leaves when its socket file is removed and it holds nothing", async () => {
    await home.run(sonde, ["echo"]);
    rmSync(home.socket);
    await ended(daemon());
  });

  it("does not touch the socket that took its place", async () => {
    await home.run(sonde, ["open"]);
    const first = daemon();
    renameSync(home.socket, `${home.socket}.moved`);
    await home.run(sonde, ["echo"]);
    const second = daemon();
    expect(second).not.toBe(first);
    process.kill(first, "SIGTERM");
    await ended(first);
    expect(await home.run(sonde, ["status"])).toMatchObject({ stdout: `sessions 0 pid ${second}\n` });
  });
});

describe("mistakes of the engine", () => {
  it("are answers, and the daemon lives on", async () => {
    expect(await home.run(sonde, ["throw"])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("thrown by the engine"),
    });
    await home.run(sonde, ["uncaught"]);
    expect(await home.run(sonde, ["echo", "alive"])).toMatchObject({ stdout: "alive\n" });
    expect(home.daemons()).toHaveLength(1);
    expect(home.log()).toContain("thrown by nobody in particular");
  });
});
