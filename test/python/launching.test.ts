/** Which Python runs what, by every way of naming it. */
import { execFileSync } from "node:child_process";
import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { borrowSonde, type Sonde, TEST_ADAPTERS } from "../support/sonde.ts";
import { at, ends, output, pythonSonde, stops, value } from "./programs.ts";

const PYTHON = join(TEST_ADAPTERS, "debugpy/bin/python");
const WHO = "import sys\nprint('prefix', sys.prefix)\nprint('args', sys.argv[1:])\n";

function environment(sonde: Sonde, name: string): string {
  const folder = join(sonde.project, name);
  execFileSync(PYTHON, ["-m", "venv", "--without-pip", folder]);
  return folder;
}

test("the environment that is active, and otherwise the project's own", async () => {
  const sonde = borrowSonde();
  sonde.write("deep/er/who.py", WHO);
  const own = environment(sonde, ".venv");
  const active = environment(sonde, "other");
  await ends(sonde, "start deep/er/who.py");
  expect(await output(sonde)).toContain(`prefix ${own}`);
  await sonde.ask(["start", "deep/er/who.py"], { env: { VIRTUAL_ENV: active } });
  expect(await output(sonde)).toContain(`prefix ${active}`);
  await ends(sonde, ["start", "--", "other/bin/python", "deep/er/who.py", "one", "two words"]);
  expect(await output(sonde)).toContain(`prefix ${active}\nargs ['one', 'two words']`);
});

test("a script without a file type runs with the Python of its first line", async () => {
  const sonde = borrowSonde();
  const folder = environment(sonde, "tools");
  chmodSync(sonde.write("tool", `#!${folder}/bin/python\n${WHO}`), 0o755);
  await ends(sonde, "start tool");
  expect(await output(sonde)).toContain(`prefix ${folder}`);
  await ends(sonde, ["start", "--", "./tool", "x"]);
  expect(await output(sonde)).toContain("args ['x']");
});

test("Python's own options, modules and code reach Python", async () => {
  const sonde = borrowSonde();
  sonde.write("flags.py", "import sys\nprint(sys.flags.dev_mode, sys.flags.optimize, sys.warnoptions)\n");
  await ends(sonde, ["start", "--", "python3", "-OX", "dev", "-W", "error::UserWarning", "flags.py"]);
  expect(await output(sonde)).toContain("True 1 ['default', 'error::UserWarning']");
  sonde.write("pack/__init__.py", "");
  sonde.write("pack/__main__.py", "import sys\nname = __package__\nprint('ran', name, sys.argv[1:])\n");
  const snapshot = await stops(sonde, [
    "start",
    "--break",
    "pack/__main__.py:3",
    "--",
    "python3",
    "-um",
    "pack",
    "a",
  ]);
  expect(value(snapshot, "name")).toBe("'pack'");
  await ends(sonde);
  expect(await output(sonde)).toContain("ran pack ['a']");
  expect(await ends(sonde, ["start", "--", "python3", "-c", "import sys; sys.exit(7)", "b"])).toMatchObject({
    exitCode: 7,
  });
});

test("files beside the program do not stand in for the debugger's modules", async () => {
  const sonde = borrowSonde();
  for (const name of ["socket", "json", "threading"])
    sonde.write(`away/${name}.py`, "raise SystemExit('shadowed')\n");
  sonde.write("plain.py", "print('ran')\n");
  const { exitCode } = await ends(sonde, ["start", "plain.py", "--cwd", "away"]);
  expect(exitCode).toBe(0);
});

test("pytest as a command", async () => {
  const sonde = pythonSonde();
  // A pytest of this test's own: the console script that pip writes, and a module that finds and runs tests.
  const folder = environment(sonde, ".venv");
  const script =
    "import runpy, sys\ndef main():\n    sys.argv[0] = sys.argv[1]\n    runpy.run_path(sys.argv[1])['test_passes']()\n";
  sonde.write(".venv/lib/runner.py", script);
  const lines = [
    `#!${folder}/bin/python`,
    "import sys",
    `sys.path.insert(0, '${folder}/lib')`,
    "from runner import main",
    "sys.exit(main())",
  ];
  chmodSync(sonde.write(".venv/bin/pytest", `${lines.join("\n")}\n`), 0o755);
  const file = "pytest_sample/test_sample.py";
  const snapshot = await stops(sonde, [
    "start",
    "--break",
    at(sonde, file, "add-first"),
    "--",
    ".venv/bin/pytest",
    file,
  ]);
  expect(value(snapshot, "a")).toBe("1");
  expect(await ends(sonde)).toMatchObject({ exitCode: 0 });
});

test("a Python that is too old, missing, or given nothing to run is refused in words", async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", "print(1)\n");
  const old = sonde.write("old/python3", "#!/bin/sh\nprintf '%s\\n' /opt/old/python3 3.6.15 /opt/old/lib\n");
  chmodSync(old, 0o755);
  expect(await sonde.refusal(["start", "--", old, "app.py"])).toMatchObject({
    code: "ADAPTER_MISSING",
    message: expect.stringMatching(/needs Python 3\.8 or newer, and \/opt\/old\/python3 is 3\.6\.15/),
  });
  expect(await sonde.refusal(["start", "--", "python3.99", "app.py"])).toMatchObject({
    code: "LAUNCH_FAILED",
    message: "there is no python3.99 on the PATH",
  });
  expect(await sonde.refusal(["start", "--", "python3"])).toMatchObject({ code: "BAD_ARGUMENT" });
  expect(await sonde.refusal(["start", "--", "python3", "-"])).toMatchObject({ code: "BAD_ARGUMENT" });
});

test("debugpy of the program's own Python comes first", async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", "print(1)\n");
  const folder = environment(sonde, ".venv");
  const lib = execFileSync(join(folder, "bin/python"), [
    "-c",
    "import sysconfig; print(sysconfig.get_path('purelib'))",
  ]);
  const theirs = execFileSync(PYTHON, ["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]);
  symlinkSync(join(theirs.toString().trim(), "debugpy"), join(lib.toString().trim(), "debugpy"));
  await sonde.ask("start app.py --stop-on-entry");
  const programs = sonde.processes().filter(({ command }) => command.includes("sonde_pydevd.py"));
  expect(programs.map(({ command }) => command).join()).toContain(`"packages":"${folder}/lib`);
});
