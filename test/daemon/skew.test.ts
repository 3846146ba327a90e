import { existsSync } from "node:fs";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ended, Home, type Installation, install, isDaemon } from "./home.ts";

let old: Installation;
let current: Installation;
let home: Home;

beforeAll(async () => {
  [old, current] = await Promise.all([install("1.0.0"), install("2.0.0")]);
  return () => {
    old.remove();
    current.remove();
  };
});
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

describe("a daemon of another build", () => {
  it("is replaced when it is idle", async () => {
    await home.run(old, ["echo"]);
    expect(await home.run(current, ["echo", "new"])).toMatchObject({
      status: 0,
      stdout: "new\n",
      stderr: "",
    });
    const [first = 0, second = 0] = home.daemons();
    await ended(first);
    expect(isDaemon(second)).toBe(true);
    expect(existsSync(home.socket)).toBe(true);
  });

  it("is replaced once by twenty commands at once", async () => {
    await home.run(old, ["echo"]);
    const all = await Promise.all(Array.from({ length: 20 }, () => home.run(current, ["echo", "x"])));
    expect(all.map(({ stdout, stderr }) => stdout + stderr)).toEqual(Array(20).fill("x\n"));
    expect(home.daemons()).toHaveLength(2);
  });

  it("is kept when it holds a session, and the error names both versions and what to do", async () => {
    await home.run(old, ["open"]);
    const { status, stderr } = await home.run(current, ["echo"]);
    expect(status).toBe(1);
    expect(stderr).toContain("VERSION_SKEW");
    expect(stderr).toContain(`sonde 1.0.0 (build ${old.build})`);
    expect(stderr).toContain(`sonde 2.0.0 (build ${current.build})`);
    expect(stderr).toContain("sonde stop --all");
    expect(home.daemons()).toHaveLength(1);
  });

  it("still answers status, sessions and stop, whatever stands before the word", async () => {
    await home.run(old, ["open"]);
    expect(await home.run(current, ["status"])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^sessions 1/),
    });
    expect(await home.run(current, ["--json", "sessions"])).toMatchObject({ status: 0 });
    expect(await home.run(current, ["daemon", "status"])).toMatchObject({
      stdout: expect.stringMatching(/1\.0\.0.*\n.*sessions 1/),
    });
    expect(await home.run(current, ["stop", "--all"])).toMatchObject({ status: 0, stdout: "stopped\n" });
    expect(await home.run(current, ["echo", "free"])).toMatchObject({ status: 0, stdout: "free\n" });
    expect(home.daemons()).toHaveLength(2);
  });

  it("is stopped by `daemon stop`, sessions and all", async () => {
    await home.run(old, ["open"]);
    const [pid = 0] = home.daemons();
    expect(await home.run(current, ["daemon", "stop"])).toMatchObject({
      status: 0,
      stdout: `daemon ${pid} stopped, 1 session ended\n`,
    });
    await ended(pid);
    expect(existsSync(home.socket)).toBe(false);
  });

  it("older commands meet a newer daemon the same way", async () => {
    await home.run(current, ["open"]);
    expect(await home.run(old, ["echo"])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/VERSION_SKEW/),
    });
  });
});
