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
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { places } from "../../src/client/paths.ts";
import { createSonde } from "../support/sonde.ts";
import { Home, type Installation, install } from "./home.ts";

describe("places", () => {
  it("follow the XDG variables", () => {
    const found = places({ HOME: "/home/me", XDG_RUNTIME_DIR: "/run/user/7", XDG_STATE_HOME: "/state" });
    expect(found).toEqual({
      runtime: expect.stringMatching(/^\/run\/user\/7\/sonde\/[0-9a-f]{16}$/),
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
    const { homedir } = userInfo();
    expect(places({ HOME: homedir, XDG_RUNTIME_DIR: "run" }).runtime).toBe(
      `/tmp/sonde-${process.getuid?.()}`,
    );
    expect(places({ HOME: "/h", XDG_CONFIG_HOME: "c" }).config).toBe("/h/.config/sonde/config.toml");
  });

  it("have a socket for each set of folders, and the plain one for the account's own", () => {
    const { homedir } = userInfo();
    const runtime = (env: Record<string, string>) =>
      places({ HOME: homedir, XDG_RUNTIME_DIR: "/run/user/7", ...env }).runtime;
    expect(runtime({})).toBe("/run/user/7/sonde");
    expect(runtime({ XDG_STATE_HOME: join(homedir, ".local/state") })).toBe("/run/user/7/sonde");
    const others = [{ HOME: "/a" }, { HOME: "/b" }, { XDG_CONFIG_HOME: "/c" }, { XDG_DATA_HOME: "/d" }].map(
      runtime,
    );
    expect(new Set(others).size).toBe(4);
    for (const one of others) expect(one).toMatch(/^\/run\/user\/7\/sonde\/[0-9a-f]{16}$/);
  });

  it("are those of one daemon by whatever link they are named, also before they are made", () => {
    const top = mkdtempSync(join(tmpdir(), "sonde-linked-"));
    try {
      for (const name of ["one", "two"]) mkdirSync(join(top, name));
      symlinkSync(join(top, "one"), join(top, "link"));
      symlinkSync(userInfo().homedir, join(top, "own"));
      const runtime = (name: string) =>
        places({ HOME: join(top, name), XDG_RUNTIME_DIR: "/run/user/7" }).runtime;
      const before = runtime("one");
      expect(runtime("link")).toBe(before);
      expect(runtime("two")).not.toBe(before);
      expect(runtime("own")).toBe("/run/user/7/sonde");
      mkdirSync(join(top, "link/.local/state/sonde"), { recursive: true });
      expect([runtime("one"), runtime("link")]).toEqual([before, before]);
    } finally {
      rmSync(top, { recursive: true });
    }
  });

  it.each([undefined, "", "rel"])("are the account's own where HOME is %j", (home) => {
    const run = { XDG_RUNTIME_DIR: "/run/user/7" };
    expect(places({ HOME: home, ...run })).toEqual(places({ HOME: userInfo().homedir, ...run }));
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

it("two homes of one user have a daemon each, with its own settings and state", {
  timeout: 60_000,
}, async () => {
  const sonde = createSonde();
  const homes = ["one", "two"].map((name) => ({
    name,
    env: {
      SONDE_HOME: undefined,
      XDG_RUNTIME_DIR: join(sonde.project, "run"),
      HOME: join(sonde.project, name),
    },
  }));
  const [first = homes[0], second = homes[1]] = homes;
  sonde.write("two/.config/sonde/config.toml", "[limits]\nframes = 7\n");
  const logs: string[] = [];
  try {
    for (const { env } of homes) {
      await sonde.text("status", { env });
      // Once more by the fast client, if there is one.
      logs.push((await sonde.text("daemon status", { env })).match(/^log (.*)$/m)?.[1] ?? "");
    }
    expect(logs).toEqual(homes.map(({ name }) => join(sonde.project, name, ".local/state/sonde/logs")));
    expect(await sonde.text("config", { env: first?.env ?? {} })).not.toMatch(/frames *= *7/);
    expect(await sonde.text("config", { env: second?.env ?? {} })).toMatch(/frames *= *7/);
  } finally {
    for (const { env } of homes) await sonde.run("daemon stop", { env });
  }
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
