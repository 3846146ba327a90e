/** What `start` and `attach` make of what they are given, by the real binary. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, renameSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/registry.ts";
import { identityOf } from "../../src/util/process-facts.ts";
import { expectGolden } from "../support/golden.ts";
import { marker } from "../support/markers.ts";
import { borrowSonde, createSonde, type Sonde } from "../support/sonde.ts";
import { transcript } from "./transcript.ts";

const SHOW =
  "console.log(JSON.stringify([process.argv.slice(2), process.env.FOO ?? null, process.cwd()]));\n";

/** What the program printed about itself: arguments, FOO, folder. */
async function shown(sonde: Sonde, line: string[]): Promise<{ said: unknown; text: string }> {
  const text = await sonde.text(line);
  const json = /^ {2}\| (.*)$/m.exec(text)?.[1] ?? "null";
  return { said: JSON.parse(json), text };
}

function withApp(): Sonde {
  const sonde = borrowSonde();
  sonde.write("app.js", SHOW);
  return sonde;
}

describe("command lines", () => {
  test.each([
    [
      ["FOO=1", "node", "app.js", "a"],
      [["a"], "1"],
    ],
    [
      ["env", "-u", "FOO", "node", "app.js"],
      [[], null],
    ],
    [
      ["nohup", "nice", "-n", "1", "node", "app.js"],
      [[], "before"],
    ],
    [
      ["bash", "-c", "node app.js 'a b'"],
      [["a b"], "before"],
    ],
    [
      ["app.js", "1", "2"],
      [["1", "2"], "before"],
    ],
  ])("%j", async (line, expected) => {
    const sonde = withApp();
    const { said } = await shown(sonde, ["start", "--env", "FOO=before", "--", ...line]);
    expect(said).toEqual([...expected, sonde.project]);
  });

  test("what was left out is said", async () => {
    const { text } = await shown(withApp(), ["start", "--", "timeout", "5", "node", "app.js"]);
    expect(text).toContain("note: ignored: `timeout 5`; the debugger starts `node app.js` itself");
  });

  test("an environment's tool is asked which Python it runs, and left out", async () => {
    const sonde = borrowSonde();
    const venv = join(sonde.project, "hidden", "venv");
    execFileSync("python3", ["-m", "venv", "--without-pip", venv]);
    chmodSync(sonde.write("bin/poetry", `#!/bin/sh\nshift\nPATH="${venv}/bin:$PATH" exec "$@"\n`), 0o755);
    sonde.write("where.py", "import sys\nprint(sys.prefix)\nprint(sys.argv[1:])\n");
    const PATH = `${join(sonde.project, "bin")}:${process.env.PATH}`;
    for (const line of [
      ["poetry", "run", "where.py", "x"],
      ["poetry", "run", "python", "where.py", "x"],
      ["poetry", "run", "-m", "where", "x"],
    ]) {
      const text = await sonde.text(["start", "--timeout", "60", "--", ...line], {
        env: { PATH },
        timeoutMs: 90_000,
      });
      expect(text).toContain(`  | ${venv}\n  | ['x']`);
    }
  });

  test("an executable on the PATH is debugged as a program", async () => {
    const sonde = borrowSonde();
    const answer = await sonde.json(["start", "--", "true", "x"]);
    // No native debugger may be installed where this runs; then that is the answer, and no other.
    if (answer.ok) expect(answer.data).toMatchObject({ state: "exited", exitCode: 0, session: "true" });
    else
      expect(answer.error).toMatchObject({
        code: "ADAPTER_MISSING",
        hint: expect.stringMatching(/setup|install/),
      });
  });
});

describe("folders", () => {
  test("a package's main file, a Python package's __main__", async () => {
    const sonde = borrowSonde();
    sonde.write("pkg/package.json", '{"main": "lib/start"}');
    sonde.write("pkg/lib/start.js", SHOW);
    expect((await shown(sonde, ["start", "pkg", "--", "a"])).said).toEqual([["a"], null, sonde.project]);
    sonde.write("tool/__main__.py", "import sys, json\nprint(json.dumps(sys.argv[1:]))\n");
    expect((await shown(sonde, ["start", "tool", "--timeout", "60", "--", "b"])).said).toEqual(["b"]);
  });
});

test("a folder with a Go package is built and run from where the caller is", async () => {
  const sonde = borrowSonde();
  sonde.write("mod/go.mod", "module example.com/mod\n\ngo 1.20\n");
  sonde.write(
    "mod/cmd/x/main.go",
    'package main\n\nimport (\n\t"fmt"\n\t"os"\n)\n\nfunc main() {\n\twd, _ := os.Getwd()\n\tfmt.Println(wd, os.Args[1:])\n}\n',
  );
  const line = ["start", "mod/cmd/x", "--break", "mod/cmd/x/main.go:10", "--timeout", "60", "--", "a"];
  const text = await sonde.text(line, { timeoutMs: 90_000 });
  expect(text).toMatch(/^stopped: breakpoint 1 .*main\.go:10 in main\.main.*session x/);
  expect(await sonde.text("continue --timeout 60")).toContain(`  | ${sonde.project} [a]`);
});

test("refusals say what to type", async () => {
  const sonde = borrowSonde();
  sonde.write("app.js", SHOW);
  sonde.write("web/package.json", '{"scripts": {"dev": "vite", "test": "vitest"}}');
  sonde.write("calc/Makefile", "run:\n");
  sonde.write("py/main.py", "");
  sonde.write("empty/readme.md", "");
  const text = await transcript(sonde, [
    "start -- sudo node app.js",
    "start -- make run",
    "start -- bash -c 'cd lib && node app.js'",
    "start -- docker run app",
    "start -- nosuch --flag",
    "start -- 'node app.js'",
    "start --adapter nod app.js",
    "start web",
    "start calc",
    "start py",
    "start empty",
    "start --core app.js",
    "start --core nothing",
    "start app.js --file app.js",
    "start app.js --config x",
    "start --config x",
    "configs",
  ]);
  expectGolden("choice", text);
});

test("no adapter: the list; one that is not installed: how to install it", async () => {
  const sonde = createSonde();
  sonde.write("main.cob", "");
  const none = await sonde.refusal("start main.cob");
  expect(none).toMatchObject({ code: "ADAPTER_MISSING", message: "no adapter for .cob files" });
  for (const adapter of ADAPTERS) expect(none.hint).toContain(adapter.name);
  sonde.write("app.py", "");
  sonde.config('[adapters.debugpy]\ncommand = "/nowhere/python"\n');
  await sonde.text("daemon stop");
  expect(await sonde.refusal("start app.py")).toMatchObject({
    code: "ADAPTER_MISSING",
    message: expect.stringMatching(/names debugpy .*, which was not found: .*\/nowhere\/python/),
    hint: expect.stringContaining("sonde setup python"),
  });
});

describe("attach", () => {
  test("to nothing, to a zombie, to sonde itself", async () => {
    const sonde = withApp();
    expect(await sonde.refusal("attach 999999999")).toMatchObject({
      code: "ATTACH_FAILED",
      message: "there is no process 999999999",
    });
    const daemon = /pid (\d+)/.exec(await sonde.text("daemon status"))?.[1] ?? "";
    expect(await sonde.refusal(["attach", daemon])).toMatchObject({
      message: expect.stringMatching(/own daemon/),
    });
    const parent = sonde.program("sh", ["-c", "sleep 0.3 & echo $!; exec sleep 60"]);
    const zombie = await new Promise<string>((done) =>
      parent.stdout?.once("data", (data) => done(String(data).trim())),
    );
    await expect
      .poll(async () => (await sonde.refusal(["attach", zombie])).message, { timeout: 10_000 })
      .toMatch(/has ended.*zombie/);
  });
});

describe("core files", () => {
  test("are looked at, with the program they name, and do not run", async ({ skip }) => {
    const sonde = borrowSonde();
    sonde.fixture("c/core.c");
    execFileSync("cc", ["-g", "-O0", "-o", "a-long-name-for-it", "core.c"], { cwd: sonde.project });
    spawnSync("sh", ["-c", "ulimit -c unlimited; exec ./a-long-name-for-it"], { cwd: sonde.project });
    const core = readdirSync(sonde.project).find((name) => /^core(\.\d+)?$/.test(name));
    if (core === undefined) return skip("this system keeps core files elsewhere");
    const text = await sonde.text(["start", "--core", core, "--timeout", "60"], { timeoutMs: 90_000 });
    expect(text).toMatch(new RegExp(`core\\.c:${marker(join(sonde.project, "core.c"), "crash")} in count`));
    expect(text).toContain("reserved = 7");
    for (const command of ["continue", "next", "pause", "restart", "detach"])
      expect(await sonde.refusal(command)).toMatchObject({
        code: "UNSUPPORTED",
        message: expect.stringContaining("core"),
      });
    expect(await sonde.text("backtrace")).toContain("order");
    expect(await sonde.text("stop")).toBe("ended: session a-long-name-for-it\n");
    renameSync(join(sonde.project, "a-long-name-for-it"), join(sonde.project, "moved"));
    expect(await sonde.refusal(["start", "--core", core])).toMatchObject({
      message: `${core} does not say which program it came from`,
    });
    const line = ["start", "moved", "--core", core, "--eval", "reserved + 1", "--timeout", "60"];
    expect(await sonde.text(line, { timeoutMs: 90_000 })).toContain("reserved + 1 = 8");
  });
});

describe("sources of a compiled language", () => {
  const PROGRAM =
    '#include <stdio.h>\nint main(void) {\n  int n = 6 * 7;\n  printf("%d\\n", n);\n  return 0;\n}\n';
  /** What this daemon has built; its pid is in the name. */
  const left = async (sonde: Sonde) => {
    const daemon = /pid (\d+)/.exec(await sonde.text("daemon status"))?.[1];
    return readdirSync(tmpdir()).filter((name) => name.startsWith(`sonde-build-${daemon}-`));
  };

  test("are refused with the build command, in the project's own words", async () => {
    const sonde = borrowSonde();
    sonde.write("main.c", PROGRAM);
    sonde.write("lib/Makefile", "all:\n");
    sonde.write("lib/main.c", PROGRAM);
    sonde.write("crate/Cargo.toml", "");
    sonde.write("crate/src/main.rs", "");
    expectGolden(
      "choice-sources",
      await transcript(sonde, ["start main.c", "start lib/main.c", "start crate/src/main.rs"]),
    );
  });

  test("are built by --build, built again by restart, and gone at the end", async () => {
    const sonde = borrowSonde();
    sonde.write("main.c", PROGRAM);
    const first = await sonde.text("start main.c --build --break main.c:4 --timeout 60", {
      timeoutMs: 90_000,
    });
    expect(first).toMatch(/^stopped: breakpoint 1 .*main\.c:4 in main/);
    expect(first).toContain("note: built main.c with `cc ");
    expect(first).toContain("n = 42");
    expect(await left(sonde)).toHaveLength(1);
    sonde.write("main.c", PROGRAM.replace("6 * 7", "6 * 8"));
    expect(await sonde.text("restart --timeout 60", { timeoutMs: 90_000 })).toContain("n = 48");
    await sonde.text("stop");
    expect(await left(sonde)).toEqual([]);
  });

  test.each(["the caller", "the daemon"])("are built no longer when %s is gone", async (who) => {
    const sonde = borrowSonde();
    sonde.write("main.c", PROGRAM);
    const compiler = "#!/bin/sh\nsleep 300 &\necho $$ $! > pids.new; mv pids.new pids; wait\n";
    chmodSync(sonde.write("bin/cc", compiler), 0o755);
    const PATH = `${join(sonde.project, "bin")}:${process.env.PATH}`;
    const client = sonde.spawn("start main.c --build", { env: { PATH } });
    await expect.poll(() => existsSync(join(sonde.project, "pids")), { timeout: 20_000 }).toBe(true);
    const pids = sonde.read("pids").trim().split(" ").map(Number);
    expect(pids.map(identityOf)).toEqual([expect.any(String), expect.any(String)]);
    if (who === "the caller") client.kill("SIGINT");
    else process.kill((await sonde.ask<{ daemon: { pid: number } }>("status")).daemon.pid, "SIGKILL");
    await expect.poll(() => pids.map(identityOf), { timeout: 10_000 }).toEqual([undefined, undefined]);
    await sonde.text("status");
  });

  test("that do not compile show the compiler's first errors, and leave nothing", async () => {
    const sonde = borrowSonde();
    sonde.write("main.c", `#warning early\n${"int f(void) { return nothing; }\n".repeat(20)}`);
    const refusal = await sonde.refusal("start main.c --build");
    expect(refusal).toMatchObject({ code: "LAUNCH_FAILED" });
    const lines = refusal.message.split("\n");
    expect(lines[0]).toBe("main.c was not built: cc failed");
    expect(lines[1]).toMatch(/main\.c:2:.* error: /);
    expect(lines.length).toBeLessThanOrEqual(17);
    expect(lines.at(-1)).toMatch(/^\(\+\d+ lines\)$/);
    expect(await left(sonde)).toEqual([]);
    expect(await sonde.ask<{ sessions: unknown[] }>("sessions")).toMatchObject({ sessions: [] });
  });

  test("that need another file name what is missing, and how to build them", async () => {
    const sonde = borrowSonde();
    sonde.write("main.c", "int helper(int);\nint main(void) {\n  return helper(3);\n}\n");
    const { message, hint } = await sonde.refusal("probe main.c:3 --build");
    expect(message).toMatch(/^main\.c was not built: cc failed\n.*undefined reference to `helper'/);
    expect(hint).toMatch(
      /^--build compiles only this file, and helper is defined elsewhere: build it yourself, `cc -g .*main\.c <the other files> -o main`, and start that$/,
    );
  });

  test("that are newer than the program are noted", async () => {
    const sonde = borrowSonde();
    const source = sonde.write("main.c", PROGRAM);
    execFileSync("cc", ["-g", "-O0", "-o", join(dirname(source), "main"), source]);
    const old = new Date(Date.now() - 60_000);
    utimesSync(join(dirname(source), "main"), old, old);
    const text = await sonde.text("start ./main --break main.c:4 --timeout 60", { timeoutMs: 90_000 });
    expect(text).toContain("note: main.c is newer than main: rebuild it, or lines will be off");
  });
});
