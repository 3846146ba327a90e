import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Manifest } from "../../src/cli/local/manifest-shape.ts";
import { finished, Home, type Installation, install } from "./home.ts";

let sonde: Installation;
let home: Home;

const command = (name: string, aliases: string[] = [], flags: string[] = []) => ({
  name,
  aliases,
  group: "running",
  summary: `what ${name} does`,
  usage: `sonde ${name}`,
  positionals: [{ name: "location", required: true, repeat: false, summary: "where" }],
  flags: flags.map((flag) => ({ name: flag, type: "string" as const, repeat: true, summary: "a flag" })),
  examples: [`sonde ${name} x.js:1`],
  needs: "stopped",
  effect: "moves",
});

const manifest: Manifest = {
  version: "1.0.0",
  groups: [{ name: "running", title: "Running" }],
  commands: [
    command("breakpoint add", ["break", "b"], ["--condition", "--hit-count"]),
    command("breakpoint list"),
    command("continue", ["c"]),
    command("print", ["p"], ["--format"]),
  ],
};

beforeAll(async () => {
  sonde = await install();
  writeFileSync(join(sonde.folder, "dist/manifest.json"), JSON.stringify(manifest));
  return () => sonde.remove();
});
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

describe("the launcher", () => {
  it("works through a symlink, npm's links, and any folder", async () => {
    const links = join(home.path, "prefix");
    mkdirSync(join(links, "bin"), { recursive: true });
    mkdirSync(join(links, "lib/node_modules"), { recursive: true });
    mkdirSync(join(links, "node_modules/.bin"), { recursive: true });
    symlinkSync(sonde.sonde, join(links, "sonde"));
    symlinkSync(sonde.folder, join(links, "lib/node_modules/sonde"));
    symlinkSync("../lib/node_modules/sonde/bin/sonde", join(links, "bin/sonde"));
    symlinkSync(sonde.folder, join(links, "node_modules/sonde"));
    symlinkSync("../sonde/bin/sonde", join(links, "node_modules/.bin/sonde"));
    for (const path of ["sonde", "bin/sonde", "node_modules/.bin/sonde"]) {
      const out = execFileSync(join(links, path), ["--version"], { cwd: "/", encoding: "utf8" });
      expect(out).toBe(`sonde 1.0.0 (build ${sonde.build})\n`);
    }
    const byPath = execFileSync("sonde", ["-V"], {
      env: { ...process.env, PATH: `${join(links, "bin")}:${process.env.PATH}` },
      encoding: "utf8",
    });
    expect(byPath).toContain("1.0.0");
  });

  it("uses SONDE_NODE", () => {
    const { status } = spawnSync(sonde.sonde, ["-V"], { env: { ...process.env, SONDE_NODE: "/bin/false" } });
    expect(status).toBe(1);
  });

  it.each(["NODE_EXTRA_CA_CERTS", "NODE_OPTIONS"])(
    "keeps %s from its own Node and hands it on",
    async (name) => {
      const value = name === "NODE_OPTIONS" ? "--require=/not/there.js" : "/not/there.pem";
      const env = { [name]: value };
      expect(await home.run(sonde, ["env", name], { env })).toMatchObject({
        stdout: `${value}\n`,
        stderr: "",
      });
      expect(await home.run(sonde, ["env", `SONDE_${name}`], { env })).toMatchObject({ stdout: "(unset)\n" });
      expect(await home.run(sonde, ["env", name], { env: { [name]: undefined } })).toMatchObject({
        stdout: "(unset)\n",
      });
      expect(await home.run(sonde, ["env", name], { env: { [name]: "" } })).toMatchObject({ stdout: "\n" });
    },
  );
});

describe.each(["fast", "node"] as const)("forwarding (%s client)", (client) => {
  beforeEach(() => {
    home.client = client;
  });

  it("sends cwd, environment and words as they are", async () => {
    expect(await home.run(sonde, ["cwd"])).toMatchObject({ stdout: `${home.path}\n` });
    expect(await home.run(sonde, ["env", "ODD"], { env: { ODD: "a'b\n\"ü" } })).toMatchObject({
      stdout: "a'b\n\"ü\n",
    });
    expect(await home.run(sonde, ["echo", "", "--", "-h", "--version"])).toMatchObject({
      stdout: " -- -h --version\n",
    });
  });

  it("streams chunks", async () => {
    expect(await home.run(sonde, ["stream", "3"])).toMatchObject({
      stdout: "chunk 0\nchunk 1\nchunk 2\nend\n",
    });
  });

  it("sends standard input when it is asked for, whatever its size", async () => {
    expect(await home.run(sonde, ["stdin"], { input: "héllo" })).toMatchObject({ stdout: "stdin héllo\n" });
    expect(await home.run(sonde, ["stdin"])).toMatchObject({ stdout: "stdin \n" });
    const input = "0123456789".repeat(300_000);
    expect((await home.run(sonde, ["stdin"], { input })).stdout.length).toBe(
      input.length + "stdin \n".length,
    );
  });

  it("survives readers that leave or dawdle", async () => {
    await home.run(sonde, ["echo"]);
    const shell = (line: string) =>
      finished(spawn("bash", ["-o", "pipefail", "-c", line], { env: home.env }));
    expect(await shell(`${sonde.sonde} help | head -1`)).toMatchObject({ status: 0, stderr: "" });
    expect(await shell(`${sonde.sonde} flood 5 | head -c 10`)).toMatchObject({
      status: 0,
      stdout: "x".repeat(10),
      stderr: "",
    });
    expect(await shell(`${sonde.sonde} flood 5 | (sleep 0.3; wc -c)`)).toMatchObject({
      stdout: `${5 * 1024 * 1024 + 4}\n`,
      stderr: "",
    });
    expect(await shell(`${sonde.sonde} echo x >&-`)).toMatchObject({ stderr: "" });
  });

  it("Ctrl-C gives 130 in a shell", async () => {
    const { stdout } = await finished(
      spawn(
        "bash",
        [
          "-c",
          `timeout -s INT 0.5 ${sonde.sonde} sleep 5000; echo $?; timeout -s INT --preserve-status 0.5 ${sonde.sonde} sleep 5000; echo $?`,
        ],
        {
          env: home.env,
        },
      ),
    );
    expect(stdout).toBe("124\n130\n");
  });
});

describe("the fast client", () => {
  it("leaves the same commands to Node that Node runs itself", () => {
    const list = (file: string) =>
      /\b(help\|[^)"]*)/.exec(readFileSync(join(import.meta.dirname, "../../src/cli", file), "utf8"))?.[1];
    expect(list("fast.pl")).toBe(list("words.ts"));
    expect(list("fast.pl")).toContain("daemon");
  });

  it("leaves no trace of itself in the environment, and says nothing of locales", async () => {
    const env = { LC_ALL: "xx_YY.UTF-8", PERL_BADLANG: undefined };
    await home.run(sonde, ["echo"]);
    expect(await home.run(sonde, ["env", "PERL_BADLANG"], { env })).toMatchObject({
      stdout: "(unset)\n",
      stderr: "",
    });
    expect(await home.run(sonde, ["env", "SONDE_PERL_BADLANG"], { env })).toMatchObject({
      stdout: "(unset)\n",
    });
    expect(await home.run(sonde, ["env", "PERL_BADLANG"], { env: { PERL_BADLANG: "1" } })).toMatchObject({
      stdout: "1\n",
    });
  });

  it("sends every byte of standard input, at every length", async () => {
    for (const length of [1, 2, 3, 4, 59, 60, 61, 49_151, 49_152, 49_153, 100_000]) {
      const input = 'a~`\u0001 \\"'.repeat(Math.ceil(length / 7)).slice(0, length);
      expect((await home.run(sonde, ["stdin"], { input })).stdout).toBe(`stdin ${input}\n`);
    }
  });
});

describe("help", () => {
  const text = async (...words: string[]) => (await home.run(sonde, words)).stdout;

  it("needs no daemon, and is short", async () => {
    const overview = await text();
    expect(overview).toContain("breakpoint add|list");
    expect(Buffer.byteLength(overview)).toBeLessThan(2048);
    expect(await text("help")).toContain("breakpoint add [break, b]");
    expect(home.daemons()).toEqual([]);
  });

  it("explains one command, by name, alias, family or -h", async () => {
    const expected = await text("help", "print");
    expect(expected).toContain("usage: sonde print");
    expect(expected).toContain("--format <text>");
    for (const words of [
      ["help", "p"],
      ["print", "-h"],
      ["print", "x", "--help"],
      ["p", "--help"],
    ]) {
      expect(await text(...words)).toBe(expected);
    }
    expect(await text("help", "breakpoint")).toMatch(/breakpoint add.*\n.*breakpoint list/);
    expect(await text("help", "breakpoint", "add")).toContain("--hit-count");
  });

  it("knows what was meant", async () => {
    const { status, stderr } = await home.run(sonde, ["help", "contineu"]);
    expect(status).toBe(2);
    expect(stderr).toContain("did you mean `continue`?");
  });

  it("is data with --json", async () => {
    const all = JSON.parse(await text("help", "--json")) as { data: Manifest };
    expect(all.data.commands.map(({ name }) => name)).toContain("daemon stop");
    const one = JSON.parse(await text("help", "print", "--json")) as { data: Manifest };
    expect(one.data.commands).toHaveLength(1);
  });
});

describe("completion", () => {
  const complete = (line: string) => {
    const script = execFileSync(sonde.sonde, ["completion", "bash"], { encoding: "utf8" });
    const words = line.split(" ");
    const drive = `${script}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _sonde; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["--norc", "-c", drive], { encoding: "utf8" }).trim().split("\n");
  };

  it("in bash completes commands, second words and flags", () => {
    expect(complete("sonde bre")).toEqual(["break", "breakpoint"]);
    expect(complete("sonde breakpoint ")).toEqual(expect.arrayContaining(["add", "list"]));
    expect(complete("sonde breakpoint add --c")).toEqual(["--condition"]);
    expect(complete("sonde b --h")).toEqual(expect.arrayContaining(["--hit-count"]));
    expect(complete("sonde help pri")).toEqual(["print"]);
  });

  it.each(["bash", "zsh", "fish"])("for %s is a script that shell accepts", (shell) => {
    const script = execFileSync(sonde.sonde, ["completion", shell], { encoding: "utf8" });
    expect(script).toContain("breakpoint");
    const checked = spawnSync(shell, ["-n"], { input: script, encoding: "utf8" });
    if (checked.error) return; // not installed here
    expect(checked).toMatchObject({ status: 0, stderr: "" });
  });

  it("knows no other shell", async () => {
    expect(await home.run(sonde, ["completion", "tcsh"])).toMatchObject({ status: 2 });
  });
});

describe("daemon", () => {
  it("status, logs and stop never start one", async () => {
    expect(await home.run(sonde, ["daemon", "status"])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("not running"),
    });
    expect(await home.run(sonde, ["daemon", "stop"])).toMatchObject({
      status: 0,
      stdout: "the daemon was not running\n",
    });
    expect(await home.run(sonde, ["daemon", "logs"])).toMatchObject({
      status: 0,
      stdout: "the log is empty\n",
    });
    expect(await home.run(sonde, ["daemon", "dance"])).toMatchObject({ status: 2 });
    expect(home.daemons()).toEqual([]);
  });

  it("logs shows the end", async () => {
    await home.run(sonde, ["uncaught"]);
    await home.run(sonde, ["daemon", "stop"]);
    expect((await home.run(sonde, ["daemon", "logs"])).stdout).toMatch(
      /ready[\s\S]*uncaught[\s\S]*leaving: asked to stop/,
    );
    expect((await home.run(sonde, ["daemon", "logs", "--tail", "1"])).stdout.trim().split("\n")).toHaveLength(
      1,
    );
  });

  it("run serves in the foreground, and refuses to be the second", async () => {
    const child = home.spawn(sonde, ["daemon", "run"]);
    const end = finished(child);
    await new Promise((done) => child.stderr?.once("data", done));
    expect(await home.run(sonde, ["echo", "here"])).toMatchObject({ stdout: "here\n" });
    expect(await home.run(sonde, ["daemon", "run"])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("already"),
    });
    child.kill("SIGTERM");
    expect(await end).toMatchObject({ status: 0 });
    expect(home.daemons()).toHaveLength(1);
  });
});
