/**
 * Another user who calls every port and socket that opens, the moment it does, while sessions of every adapter start, stop, attach and end. On a network of
 * their own: nobody else's ports are there. What listens for longer is tried in test/contract/closed.test.ts.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { builtFolder, compilerVersion } from "../support/builds.ts";
import { binary, FIXTURES, Sonde } from "../support/sonde.ts";

const PERSON = 54_321;
/** Another user and another network take root's rights, which continuous integration has. */
const isRoot =
  process.getuid?.() === 0 && spawnSync("unshare", ["-n", "ip", "link", "set", "lo", "up"]).status === 0;

interface Note {
  ready?: boolean;
  called?: string;
  heard?: string;
  refused?: string;
  over?: string;
}

const has = (command: string) => spawnSync(command, ["--version"]).status === 0;

const programs: Record<string, string[]> = {
  node: [join(FIXTURES, "js/stats.js")],
  python: ["--", "/usr/bin/python3", join(FIXTURES, "python/stats.py")],
  ...(compilerVersion("c") === undefined ? {} : { c: [join(builtFolder("c"), "stats")] }),
  ...(compilerVersion("c") === undefined
    ? {}
    : { gdb: ["--adapter", "cdt-gdb", join(builtFolder("c"), "stats")] }),
  ...(compilerVersion("go") === undefined ? {} : { go: [join(builtFolder("go"), "stats")] }),
  ...(has("ruby") ? { ruby: [join(FIXTURES, "ruby/stats.rb")] } : {}),
  ...(has("php") ? { php: [join(FIXTURES, "php/stats.php")] } : {}),
  ...(has("perl") ? { perl: [join(FIXTURES, "perl/stats.pl")] } : {}),
  ...(has("javac") ? { java: [join(FIXTURES, "java/stats.java")] } : {}),
};

const running: Record<string, string[]> = {
  node: [process.execPath, "-e", "setInterval(() => {}, 20); console.log(1)"],
  python: ["/usr/bin/python3", "-c", "import time\nprint(1, flush=True)\nwhile True: time.sleep(0.02)"],
  c: ["/bin/sh", "-c", "echo 1; while :; do :; done"],
};

describe.skipIf(!isRoot)("somebody who calls whatever listens", () => {
  let sonde: Sonde;
  let attacker: ChildProcess;
  let owned: string;
  let log: string;
  /** Of the notes, how many are of earlier tests. */
  let told = 0;

  const notes = () =>
    readFileSync(log, "utf8")
      .split("\n")
      .slice(told, -1)
      .map((line) => JSON.parse(line) as Note);

  /** A process of this network. */
  const inside = (words: string[]) => ["-t", String(attacker.pid), "-n", "--", ...words];

  const run = (...words: string[]) => {
    const options = { cwd: sonde.project, env: sonde.env, encoding: "utf8", timeout: 60_000 } as const;
    const { stdout, stderr } = spawnSync("nsenter", inside([binary(), ...words]), options);
    return `${stdout}${stderr}`;
  };

  beforeAll(() => {
    sonde = new Sonde();
    const folder = join(sonde.home, "..", "theirs");
    mkdirSync(folder);
    owned = join(folder, "owned");
    log = join(folder, "notes");
    const file = openSync(log, "w");
    const words = ["-n", "sh", "-c", 'ip link set lo up; exec "$@"', "sh", "/usr/bin/python3"];
    const script = join(import.meta.dirname, "attacker.py");
    attacker = spawn("unshare", [...words, script, String(PERSON), owned], {
      stdio: ["ignore", file, "inherit"],
    });
    closeSync(file);
  });

  afterAll(async () => {
    run("daemon", "stop");
    attacker.kill("SIGKILL");
    await sonde[Symbol.asyncDispose]();
  });

  /** It is called back on what it calls, or hears nothing; and a socket in a folder of ours it cannot even call. */
  const gotNothing = () => {
    const seen = notes();
    told += seen.length;
    expect(seen.filter(({ heard }) => heard !== undefined)).toEqual([]);
    expect(seen.filter(({ called }) => called?.startsWith("/"))).toEqual([]);
    expect(existsSync(owned)).toBe(false);
  };

  test("gets into what answers everybody, so that the rest of this means something", async () => {
    await expect.poll(() => notes().some(({ ready }) => ready)).toBe(true);
    const open = spawn(
      "nsenter",
      inside([process.execPath, "--inspect=127.0.0.1:0", "-e", "setInterval(() => {}, 1000)"]),
      { stdio: "ignore" },
    );
    onTestFinished(() => void open.kill("SIGKILL"));
    await expect.poll(() => existsSync(owned)).toBe(true);
    open.kill("SIGKILL");
    // What it still has to hear of that one.
    const count = (key: keyof Note) => notes().filter((note) => note[key] !== undefined).length;
    await expect.poll(() => count("called") > 0 && count("called") === count("over")).toBe(true);
    rmSync(owned);
    told += notes().length;
  });

  test.each(Object.keys(programs))(
    "nothing from a %s program that is started and stopped",
    { timeout: 60_000 },
    (name) => {
      expect(run("start", "--stop-on-entry", ...(programs[name] ?? []))).toContain("stopped: entry");
      run("next");
      run("stop");
      gotNothing();
    },
  );

  test.each(Object.keys(running))(
    "nothing from a %s program that is attached to",
    { timeout: 60_000 },
    async (name) => {
      const child = spawn("nsenter", inside(running[name] ?? []), { stdio: ["ignore", "pipe", "ignore"] });
      await new Promise((done) => child.stdout.once("data", done));
      const answer = run(
        "attach",
        String(child.pid),
        "--timeout",
        "1",
        ...(name === "c" ? ["--adapter", "lldb"] : []),
      );
      if (name === "node")
        expect(answer).toContain(`through which uid ${PERSON} on this machine could run code as its user`);
      else expect(answer).toContain("running");
      run("stop", "--all");
      child.kill("SIGKILL");
      gotNothing();
    },
  );
});
