/** Which adapter a program is for, asked of the real registry about real files. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type ChooseRequest, choose } from "../../src/adapters/choose.ts";
import { ADAPTERS } from "../../src/adapters/registry.ts";
import { Advice, call } from "../../src/advice/advice.ts";

const folder = mkdtempSync(join(tmpdir(), "sonde-choose-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(path: string, text: string, mode = 0o644): string {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  chmodSync(target, mode);
  return target;
}

const where = { cwd: folder, env: { PATH: `${join(folder, "bin")}:/usr/bin:/bin` } };

function chosen(request: Omit<ChooseRequest, "where">) {
  const choice = choose(ADAPTERS, { ...request, where });
  return choice.ok ? choice.adapters.flatMap((one) => one.languages) : choice.why;
}

describe("by the file", () => {
  test.each([
    ["app.js", "javascript"],
    ["app.mts", "typescript"],
    ["APP.PY", "python"],
  ])("%s is %s", (name, language) => {
    expect(chosen({ program: file(name, "") })).toContain(language);
  });

  test.each([
    ["#!/usr/bin/env node\n", "javascript"],
    ["#!/usr/bin/env -S NODE_ENV=test node --no-warnings\n", "javascript"],
    ["#!/usr/bin/python3.11 -u\n", "python"],
  ])("%j says it", (line, language) => {
    expect(chosen({ program: file("tool", `${line}1\n`) })).toContain(language);
  });

  test("a #! line of another language is an answer, not a reason to try something else", () => {
    expect(chosen({ program: file("js-project/tool", "#!/usr/bin/awk -f\n{}\n") })).toMatch(/is run by awk/);
  });

  test("a script that says nothing is in its project's language; bytes that are no text are not", () => {
    file("py/pyproject.toml", "");
    expect(chosen({ program: file("py/bin/run", "print(1)\n") })).toContain("python");
    expect(chosen({ program: file("py/bin/data", "\0\x01\x02") })).toMatch(
      /not an executable of this system/,
    );
    expect(chosen({ program: file("py/notes.txt", "hello") })).toMatch(/no adapter for \.txt files/);
  });

  test("machine code goes to a native debugger only", () => {
    const languages = chosen({ program: "/bin/ls" });
    expect(languages).toContain("c");
    expect(languages).not.toContain("javascript");
  });
});

describe("by the command line", () => {
  test.each([
    [["python3.12", "-m", "pytest"], "python"],
    [["pytest"], "python"],
    [["npm", "run", "dev"], "javascript"],
    [["/opt/node20/bin/node", "x"], "javascript"],
  ])("%j", (command, language) => {
    expect(chosen({ command })).toContain(language);
  });

  test("a script on the PATH goes by its #! line and stays a command", () => {
    file("bin/flask", "#!/usr/bin/python3\n", 0o755);
    const choice = choose(ADAPTERS, { command: ["flask", "run"], where });
    expect(choice).toMatchObject({ ok: true, adapters: [{ languages: ["python"] }] });
    expect(choice).not.toHaveProperty("program");
  });

  test("an executable on the PATH is a program, also when its debugger was named", () => {
    symlinkSync("/bin/ls", join(folder, "bin", "mine"));
    const program = join(folder, "bin", "mine");
    expect(choose(ADAPTERS, { command: ["mine", "-l"], where })).toMatchObject({ ok: true, program });
    expect(choose(ADAPTERS, { named: "c", command: ["mine"], where })).toMatchObject({ ok: true, program });
    // Of node, `--adapter` means: whatever Node programs that command starts.
    expect(choose(ADAPTERS, { named: "node", command: ["mine"], where })).not.toHaveProperty("program");
  });

  test("what is not there is said to be not there", () => {
    expect(chosen({ command: ["nosuch"] })).toBe("no command `nosuch` on the PATH");
    expect(choose(ADAPTERS, { command: ["node app.js"], where })).toMatchObject({
      hint: new Advice(["without the quotes: ", call("start", { args: ["node", "app.js"] }), ""]),
    });
  });
});

describe("by name", () => {
  test("a name or a language, whatever the program is", () => {
    expect(chosen({ named: "node", program: file("x.py", "") })).toContain("javascript");
    expect(chosen({ named: "Python", program: file("x.js", "") })).toEqual(["python"]);
  });

  test("an unknown one is refused, with the nearest", () => {
    expect(choose(ADAPTERS, { named: "pyton", where })).toMatchObject({
      ok: false,
      hint: "did you mean python?",
    });
  });

  test("the configured default takes what nothing else does, and nothing from anybody", () => {
    const preferred = "node";
    expect(chosen({ preferred, program: file("y.py", "") })).toEqual(["python"]);
    expect(chosen({ preferred, program: file("y.unknown", "") })).toContain("javascript");
  });
});
