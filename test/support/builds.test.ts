/** The twins of the JavaScript fixtures: they build, have the same markers, and undebugged do the same. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { buildFixture, builtFolder, builtIn, compilerVersion, type Language } from "./builds.ts";
import { markers } from "./markers.ts";
import { FIXTURES } from "./sonde.ts";

interface Twin {
  language: Language | "python";
  extension: string;
  /** What `uncaught` dies of. */
  end: { status: number | null; signal: NodeJS.Signals | null; stderr: RegExp };
}

const message = /cannot read 9 characters/;
const twins: Twin[] = [
  { language: "python", extension: ".py", end: { status: 1, signal: null, stderr: message } },
  { language: "c", extension: ".c", end: { status: null, signal: "SIGSEGV", stderr: /^$/ } },
  { language: "cpp", extension: ".cpp", end: { status: null, signal: "SIGABRT", stderr: message } },
  { language: "rust", extension: ".rs", end: { status: 101, signal: null, stderr: message } },
  { language: "go", extension: ".go", end: { status: 2, signal: null, stderr: message } },
];

const programs = ["stats", "loop", "calls", "exit-code", "args", "stdin", "caught", "threads", "children"];

/** Programs whose work is not done by a command that ends. */
const others = ["endless", "idle", "uncaught", "child", "worker"];

function missing({ language }: Twin): boolean {
  if (language === "python") return spawnSync("python3", ["--version"]).status !== 0;
  return compilerVersion(language) === undefined;
}

/** Only where modules are not files of their own. */
function fileOf({ language, extension }: Twin, program: string): string {
  const file = program === "worker" && language !== "python" ? "threads" : program;
  return join(FIXTURES, language, file + extension);
}

/** Where programs run: those that crash may leave a core file. */
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "sonde-twins-")));
afterAll(() => rmSync(scratch, { recursive: true }));

function run(command: string, args: string[]) {
  const env = { ...process.env, FAVOURITE_COLOUR: "teal", NODE_OPTIONS: "", PYTHONDONTWRITEBYTECODE: "1" };
  const input = "1\n2\nx\n";
  return spawnSync(command, args, { encoding: "utf8", cwd: scratch, env, input });
}

function runTwin(twin: Twin, program: string, args: string[]) {
  if (twin.language === "python") return run("python3", [fileOf(twin, program), ...args]);
  return run(join(builtFolder(twin.language), program), args);
}

describe.each(twins)("$language", (twin) => {
  const own = [...programs, ...others].filter((program) => twin.language !== "c" || program !== "caught");

  test.each(own)("%s has the markers of its twin", (program) => {
    const expected = Object.keys(markers(join(FIXTURES, "js", `${program}.js`)));
    expect(Object.keys(markers(fileOf(twin, program)))).toEqual(expect.arrayContaining(expected));
  });

  test.skipIf(missing(twin))("builds", { timeout: 300_000 }, () => {
    if (twin.language !== "python") expect(existsSync(builtFolder(twin.language))).toBe(true);
  });

  describe.skipIf(missing(twin))("runs", () => {
    test.each(own.filter((program) => programs.includes(program)))("%s", (program) => {
      const { status, stdout } = run(process.execPath, [
        join(FIXTURES, "js", `${program}.js`),
        "one",
        "two words",
      ]);
      expect(runTwin(twin, program, ["one", "two words"])).toMatchObject({ status, stdout });
    });

    test("uncaught", () => {
      expect(runTwin(twin, "uncaught", [])).toMatchObject({
        ...twin.end,
        stdout: "about to fail\n",
        stderr: expect.stringMatching(twin.end.stderr),
      });
    });
  });
});

describe.skipIf(compilerVersion("c") === undefined)("builds", () => {
  function folder(): string {
    const made = realpathSync(mkdtempSync(join(tmpdir(), "sonde-builds-")));
    onTestFinished(() => rmSync(made, { recursive: true }));
    return made;
  }

  test("what only C has", () => {
    const built = builtFolder("c");
    expect(run(join(built, "watch"), []).stdout).toBe("total 6 local 60\n");
    expect(run(join(built, "optimised"), []).stdout).toBe("answer 4\n");
    expect(run(join(built, "plugin-host"), [join(built, "plugin.so")]).stdout).toBe("answer 42\n");
    expect(run(join(built, "core"), [])).toMatchObject({ signal: "SIGSEGV", stdout: "about to fail\n" });
  });

  test("the lock of a dead process does not hold", { timeout: 60_000 }, () => {
    const root = folder();
    const { pid } = spawnSync("true");
    const name = builtFolder("c").split("/").at(-1);
    writeFileSync(join(root, `${name}.lock-0`), String(pid));
    expect(run(join(builtIn(root, "c"), "loop"), []).stdout).toBe("sum 285\n");
    expect(readdirSync(root).sort()).toEqual([name, `${name}.lock-0`]);
  });

  test("that of a living one does", { timeout: 60_000 }, async () => {
    const root = folder();
    const name = builtFolder("c").split("/").at(-1);
    // It holds the lock, and gives it back with a build of its own.
    const script = `sleep 0.5; mkdir '${name}'; touch '${name}/.done'; rm '${name}.lock-0'`;
    const other = spawn("sh", ["-c", script], { cwd: root });
    writeFileSync(join(root, `${name}.lock-0`), String(other.pid));
    expect(readdirSync(builtIn(root, "c"))).toEqual([".done"]);
    await new Promise((done) => other.once("close", done));
  });

  test("a program that cannot be built says why", () => {
    const place = folder();
    writeFileSync(join(place, "broken.c"), "int main(void) { return nothing; }\n");
    expect(() => buildFixture("c", "broken", place)).toThrow(/gcc cannot build c\/broken: [\s\S]*nothing/);
  });
});
