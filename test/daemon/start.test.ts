import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ended, Home, type Installation, install, isDaemon } from "./home.ts";

let sonde: Installation;
let home: Home;

beforeAll(async () => {
  sonde = await install();
  return () => sonde.remove();
});
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

describe("the first command", () => {
  it("starts a daemon, private to the user, and the second one uses it", async () => {
    expect(await home.run(sonde, ["echo", "one"])).toMatchObject({ status: 0, stdout: "one\n", stderr: "" });
    expect(await home.run(sonde, ["echo", "two"])).toMatchObject({ status: 0, stdout: "two\n" });
    expect(home.daemons()).toHaveLength(1);
    expect(statSync(home.runtime).mode & 0o777).toBe(0o700);
    expect(statSync(home.socket).mode & 0o777).toBe(0o600);
    expect(existsSync(join(home.runtime, "start.lock"))).toBe(false);
  });

  it("runs the daemon away from the caller: its own session, cwd /, no NODE_OPTIONS", async () => {
    await home.run(sonde, ["status"], {
      env: { NODE_OPTIONS: "--no-warnings", NODE_EXTRA_CA_CERTS: "/nowhere" },
    });
    const [pid = 0] = home.daemons();
    const variables = readFileSync(`/proc/${pid}/environ`, "utf8");
    expect(variables).not.toMatch(/NODE_OPTIONS|NODE_EXTRA_CA_CERTS/);
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ");
    expect(Number(fields[5])).toBe(pid); // session id
  });

  it.each([1, 2, 3, 4])("twenty at once give exactly one daemon (round %i)", async () => {
    const all = await Promise.all(Array.from({ length: 20 }, (_, n) => home.run(sonde, ["echo", String(n)])));
    expect(all.map(({ stdout, stderr }) => stdout + stderr)).toEqual(
      Array.from({ length: 20 }, (_, n) => `${n}\n`),
    );
    expect(home.daemons()).toHaveLength(1);
  });

  it("passes on why the daemon could not start", async () => {
    home.config("[daemon]\nidle_timeout_minuts = 3\n");
    const { status, stderr } = await home.run(sonde, ["echo"]);
    expect(status).toBe(1);
    expect(stderr).toContain(`${home.path}/config.toml:2`);
    expect(stderr).toContain("idle_timeout_minuts");
    expect(stderr).toContain("BAD_CONFIG");
    home.config("");
    expect(await home.run(sonde, ["echo", "again"])).toMatchObject({ stdout: "again\n" });
  });

  it("passes on what a daemon that cannot even load says", async () => {
    const broken = await install("9.9.9");
    writeFileSync(join(broken.folder, "dist/daemon.cjs"), "throw new Error('broken build');");
    const { status, stderr } = await home.run(broken, ["echo"]);
    expect(status).toBe(1);
    expect(stderr).toContain("broken build");
    broken.remove();
    expect(existsSync(join(home.runtime, "start.lock"))).toBe(false);
  });
});

describe("leftovers", () => {
  it("a socket file nobody listens on is replaced", async () => {
    await home.run(sonde, ["echo"]);
    const [pid = 0] = home.daemons();
    process.kill(pid, "SIGKILL");
    await ended(pid);
    expect(existsSync(home.socket)).toBe(true);
    expect(await home.run(sonde, ["echo", "new"])).toMatchObject({ status: 0, stdout: "new\n" });
    expect(home.daemons()).toHaveLength(2);
  });

  it("a plain file in the socket's place is replaced", async () => {
    mkdirSync(home.runtime, { mode: 0o700 });
    writeFileSync(home.socket, "");
    expect(await home.run(sonde, ["echo", "ok"])).toMatchObject({ status: 0, stdout: "ok\n" });
  });

  it.each([
    ["a dead pid", { pid: 4_194_303, start: "1", boot: "x", nonce: "00112233445566aa" }],
    [
      "a pid that is another process now",
      { pid: 1, start: "12345678", boot: "x", nonce: "00112233445566ab" },
    ],
    ["nonsense", "}{"],
  ])("a lock with %s is taken over by one of twenty", async (_, lock) => {
    mkdirSync(home.runtime, { mode: 0o700 });
    writeFileSync(join(home.runtime, "start.lock"), typeof lock === "string" ? lock : JSON.stringify(lock));
    const all = await Promise.all(Array.from({ length: 20 }, () => home.run(sonde, ["echo", "x"])));
    expect(all.map(({ stdout, stderr }) => stdout + stderr)).toEqual(Array(20).fill("x\n"));
    expect(home.daemons()).toHaveLength(1);
    expect(existsSync(join(home.runtime, "start.lock"))).toBe(false);
  });

  it("something else on the socket is not believed", async () => {
    mkdirSync(home.runtime, { mode: 0o700 });
    const server = createServer((socket) => socket.end('{"hello":{"product":"other"}}\n'));
    await new Promise<void>((done) => server.listen(home.socket, done));
    const { status, stderr } = await home.run(sonde, ["echo"]);
    server.close();
    expect(status).toBe(1);
    expect(stderr).toContain("not a sonde daemon");
  });
});

describe("killed while starting", () => {
  it("a client killed at any moment of the start leaves no second daemon and no stuck lock", async () => {
    for (const ms of [30, 45, 60, 80, 100, 130, 160]) {
      const round = new Home();
      const child = spawn(sonde.sonde, ["echo"], {
        env: { ...process.env, SONDE_HOME: round.path },
        stdio: "ignore",
      });
      await new Promise((done) => setTimeout(done, ms));
      child.kill("SIGKILL");
      expect(await round.run(sonde, ["echo", "after"])).toMatchObject({ status: 0, stdout: "after\n" });
      expect(round.daemons().filter(isDaemon)).toHaveLength(1);
      await round.remove();
    }
  });
});
