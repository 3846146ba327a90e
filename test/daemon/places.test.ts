import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { places } from "../../src/client/paths.ts";
import { Home, type Installation, install } from "./home.ts";

describe("places", () => {
  it("follow the XDG variables", () => {
    const found = places({ HOME: "/home/me", XDG_RUNTIME_DIR: "/run/user/7", XDG_STATE_HOME: "/state" });
    expect(found).toEqual({
      runtime: "/run/user/7/sonde",
      config: "/home/me/.config/sonde/config.toml",
      logs: "/state/sonde/logs",
      traces: "/state/sonde/traces",
      reports: "/state/sonde/reports",
      profiles: "/state/sonde/profiles",
      agents: "/state/sonde/agents",
      adapters: "/home/me/.local/share/sonde/adapters",
    });
  });

  it("ignore relative XDG variables, as their specification demands", () => {
    expect(places({ HOME: "/h", XDG_RUNTIME_DIR: "run" }).runtime).toBe(`/tmp/sonde-${process.getuid?.()}`);
    expect(places({ HOME: "/h", XDG_CONFIG_HOME: "c" }).config).toBe("/h/.config/sonde/config.toml");
  });

  it("are all under SONDE_HOME when it is set", () => {
    const { runtime, config, logs, adapters } = places({
      SONDE_HOME: "/one",
      XDG_RUNTIME_DIR: "/run/user/7",
    });
    expect([runtime, config, logs, adapters]).toEqual([
      "/one/run",
      "/one/config.toml",
      "/one/state/logs",
      "/one/share/adapters",
    ]);
  });

  it("give a long runtime folder a short name, always the same and different for different folders", () => {
    const long = `/${"deep/".repeat(30)}`;
    const short = places({ SONDE_HOME: long }).runtime;
    expect(short).toMatch(/^\/tmp\/sonde-\d+\/[0-9a-f]{16}$/);
    expect(places({ SONDE_HOME: long }).runtime).toBe(short);
    expect(places({ SONDE_HOME: `${long}x` }).runtime).not.toBe(short);
  });
});

describe("the runtime folder", () => {
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

  const refused = async (rule: string) => {
    const { status, stderr, stdout } = await home.run(sonde, ["echo"]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain("PERMISSION");
    expect(stderr).toContain(home.runtime);
    expect(stderr).toContain(rule);
    expect(home.daemons()).toEqual([]);
  };

  it("is refused when others can get at it", async () => {
    mkdirSync(home.runtime);
    chmodSync(home.runtime, 0o755);
    await refused("mode 0755, must be 0700");
  });

  it("is refused when it is a symbolic link, even to a good one", async () => {
    mkdirSync(join(home.path, "good"), { mode: 0o700 });
    symlinkSync(join(home.path, "good"), home.runtime);
    await refused("symbolic link");
  });

  it("is refused when it is a file", async () => {
    writeFileSync(home.runtime, "");
    await refused("not a folder");
  });

  it.runIf(process.getuid?.() === 0)("is refused when it belongs to another", async () => {
    mkdirSync(home.runtime, { mode: 0o700 });
    const { chownSync } = await import("node:fs");
    chownSync(home.runtime, 12345, 12345);
    await refused("uid 12345");
  });

  it("is checked on every command, not only the first", async () => {
    await home.run(sonde, ["echo"]);
    chmodSync(home.runtime, 0o777);
    const { status, stderr } = await home.run(sonde, ["echo"]);
    expect(status).toBe(1);
    expect(stderr).toContain("0777");
  });

  it("as a refusal with --json is an object on standard output", async () => {
    mkdirSync(home.runtime);
    chmodSync(home.runtime, 0o755);
    const { status, stdout } = await home.run(sonde, ["echo", "--json"]);
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: "PERMISSION" } });
  });

  it("may lie as deep as one likes: client and daemon meet at the short path", async () => {
    const top = mkdtempSync(join(tmpdir(), "sonde-deep-"));
    const deep = new Home(join(top, "a-rather-long-name/".repeat(8)));
    const short = places({ SONDE_HOME: deep.path }).runtime;
    try {
      const all = await Promise.all(Array.from({ length: 5 }, () => deep.run(sonde, ["echo", "deep"])));
      expect(all.map(({ stdout, stderr }) => stdout + stderr)).toEqual(Array(5).fill("deep\n"));
      expect(deep.daemons()).toHaveLength(1);
      expect(statSync(join(short, "daemon.sock")).isSocket()).toBe(true);
      await deep.run(sonde, ["daemon", "stop"]);
      expect(existsSync(join(short, "daemon.sock"))).toBe(false);
    } finally {
      await deep.remove();
      rmSync(short, { recursive: true, force: true });
      rmSync(top, { recursive: true, force: true });
    }
  });
});

describe("a home that cannot be written", () => {
  it("costs the log, not the debugging", async () => {
    const sonde = await install();
    const home = new Home();
    mkdirSync(home.runtime, { mode: 0o700 });
    writeFileSync(join(home.path, "state"), "a file where the folder should be");
    try {
      expect(await home.run(sonde, ["echo", "on"])).toMatchObject({ status: 0, stdout: "on\n" });
      expect(await home.run(sonde, ["echo", "again"])).toMatchObject({ status: 0, stdout: "again\n" });
    } finally {
      await home.run(sonde, ["daemon", "stop"]);
      await home.remove();
      sonde.remove();
    }
  });
});
