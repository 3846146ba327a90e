import { describe, expect, test } from "vitest";
import type { AttachRequest, OpenRequest } from "../../src/commands/context.ts";
import { configured } from "../../src/engine/launch-json/configured.ts";
import { parseEnvFile } from "../../src/engine/launch-json/env-file.ts";
import type { Configuration } from "../../src/engine/launch-json/read.ts";
import { substitute } from "../../src/engine/launch-json/variables.ts";

const known = {
  folder: "/work/shop",
  cwd: "/work/shop",
  home: "/home/me",
  env: { PORT: "80" },
  file: "/work/shop/src/cart.test.js",
  inputs: [{ id: "which", description: "Which shop?" }],
};

describe("variables", () => {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: they are the editor's
  test.each([
    ["${workspaceFolder}/a", "/work/shop/a"],
    ["${workspaceFolder:shop}/${workspaceFolderBasename}", "/work/shop/shop"],
    ["${env:PORT}${env:NOTHING}.", "80."],
    ["${userHome}${pathSeparator}x${/}y", "/home/me/x/y"],
    ["${relativeFile} ${relativeFileDirname}", "src/cart.test.js src"],
    ["${fileBasename} ${fileBasenameNoExtension} ${fileExtname}", "cart.test.js cart.test .js"],
    ["${fileDirname} ${fileDirnameBasename}", "/work/shop/src src"],
    ["$HOME {x}", "$HOME {x}"],
  ])("%s", (text, expected) => {
    expect(substitute(text, known)).toBe(expected);
  });

  test.each([
    ["${input:which}", /it asks: Which shop\?/],
    ["${config:python.path}", /an editor setting/],
    ["${command:pickProcess}", /asks for a process/],
    ["${command:extension.thing}", /an editor command/],
    ["${workspaceFolder:other}", /another folder/],
    ["${selectedText}", /only an editor knows/],
    ["${toString}", /only an editor knows/],
    ["${what:ever}", /no such variable/],
  ])("%s is refused", (text, why) => {
    expect(() => substitute(text, known)).toThrow(why);
  });

  test("${file} needs to be said", () => {
    expect(() => substitute("${file}", { ...known, file: undefined })).toThrow(/open in the editor/);
  });
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: they are the editor's
});

test("envFile", () => {
  const text = `\ufeff# comment\nA=1\nexport B = two words # note\r\nC="x # y\\n\\"z\\""\nD='$A \\n'\n\nE=\nnot a line\nF=a#b\n`;
  expect(parseEnvFile(text)).toEqual({
    A: "1",
    B: "two words",
    C: 'x # y\n"z"',
    D: "$A \\n",
    E: "",
    F: "a#b",
  });
});

function planOf(configuration: Partial<Configuration> & Record<string, unknown>) {
  const whole = { name: "it", type: "node", request: "launch" as const, ...configuration };
  const one = configured(whole, { folder: known.folder, substitute: (text) => substitute(text, known) });
  return { request: one.request, ...one.plan } as { request: string } & Partial<OpenRequest & AttachRequest>;
}

describe("configurations", () => {
  test("node: a program, a runtime, a terminal command", () => {
    expect(
      planOf({ program: "a.js", args: ["1"], runtimeArgs: ["--no-warnings"], stopOnEntry: true }),
    ).toEqual({
      request: "launch",
      name: "it",
      adapter: "javascript",
      program: "/work/shop/a.js",
      args: ["1"],
      cwd: "/work/shop",
      env: {},
      unset: [],
      stopOnEntry: true,
      extra: { runtimeArgs: ["--no-warnings"] },
      notes: [],
    });
    expect(planOf({ runtimeExecutable: "npm", runtimeArgs: ["run", "dev"], console: "x" })).toMatchObject({
      command: ["npm", "run", "dev"],
      extra: {},
      notes: [],
    });
    expect(planOf({ type: "node-terminal", command: "npm run 'a b'" }).command).toEqual([
      "npm",
      "run",
      "a b",
    ]);
  });

  test("python: a module, an interpreter, keys of debugpy's own", () => {
    const python = { type: "debugpy", justMyCode: false };
    const editor = "${command:python.interpreterPath}";
    expect(planOf({ ...python, module: "flask", args: "run --port 1", python: editor })).toMatchObject({
      command: ["python3", "-m", "flask", "run", "--port", "1"],
      adapter: "python",
      extra: { justMyCode: false },
    });
    expect(planOf({ ...python, program: "/x/a.py", python: ".venv/bin/python" })).toMatchObject({
      command: [".venv/bin/python", "/x/a.py"],
    });
    const attach = { ...python, request: "attach" as const };
    expect(planOf({ ...attach, connect: { host: "h", port: 5678 } })).toMatchObject({
      host: "h",
      port: 5678,
    });
  });

  test("native: cppdbg's own keys are dropped by name, its way of writing the environment understood", () => {
    const plan = planOf({
      type: "cppdbg",
      program: "build/app",
      environment: [{ name: "A", value: "1" }],
      stopAtEntry: true,
      MIMode: "gdb",
      miDebuggerPath: "/evil/gdb",
      setupCommands: [{ text: "shell rm -rf /" }],
    });
    expect(plan).toMatchObject({
      program: "/work/shop/build/app",
      env: { A: "1" },
      stopOnEntry: true,
      extra: {},
    });
    expect(plan.notes).toEqual(["launch.json: not used: MIMode, miDebuggerPath, setupCommands"]);
    expect(plan.adapter).toBeUndefined();
  });

  test("native: commands for the debugger are never passed on, maps of sources are", () => {
    const plan = planOf({
      type: "lldb-dap",
      program: "/a",
      initCommands: ["platform shell x"],
      sourceMap: { a: "b" },
    });
    expect(plan.extra).toEqual({});
    expect(plan.pathMap).toEqual([{ from: "a", to: expect.stringMatching(/^\/.*\/b$/) }]);
    expect(plan.notes).toEqual(["launch.json: not used: initCommands"]);
  });

  test("native: cargo, core files, processes", () => {
    const cargo = { args: ["build", "--bin=shop"], filter: { name: "shop" } };
    expect(planOf({ type: "lldb", cargo, args: ["x"] }).command).toEqual([
      "cargo",
      "run",
      "--bin=shop",
      "--",
      "x",
    ]);
    expect(planOf({ type: "cppdbg", program: "a", coreDumpPath: "core.1" })).toMatchObject({
      request: "attach",
      core: "/work/shop/core.1",
      program: "/work/shop/a",
    });
    expect(planOf({ type: "lldb", request: "attach", pid: "42" })).toMatchObject({
      request: "attach",
      pid: 42,
    });
  });

  test("go: a package, a file, a test, a binary", () => {
    const go = (more: Record<string, unknown>) => planOf({ type: "go", ...more });
    expect(go({ mode: "auto", program: "./cmd/x", dlvToolPath: "/evil" })).toMatchObject({
      adapter: "go",
      command: ["go", "-C", "/work/shop/cmd/x", "run", "."],
      extra: {},
      notes: ["launch.json: not used: dlvToolPath"],
    });
    expect(go({ program: "main.go" }).program).toBe("/work/shop/main.go");
    expect(go({ program: "main.go", buildFlags: "-tags a" }).command).toEqual([
      "go",
      "-C",
      "/work/shop",
      "run",
      "-tags",
      "a",
      ".",
    ]);
    expect(go({ mode: "test", args: ["-test.v"] }).command).toEqual([
      "go",
      "-C",
      "/work/shop",
      "test",
      ".",
      "-args",
      "-test.v",
    ]);
    expect(go({ mode: "exec", program: "bin/x" }).program).toBe("/work/shop/bin/x");
    expect(go({ request: "attach", mode: "remote", port: 4000 })).toMatchObject({
      port: 4000,
      extra: {},
      notes: [],
    });
  });

  test("env: null takes a variable away; a section for this system wins", () => {
    const system = { darwin: "osx", win32: "windows" }[process.platform as string] ?? "linux";
    const plan = planOf({ program: "a.js", env: { A: 1, B: null }, [system]: { program: "b.js" } });
    expect(plan).toMatchObject({ env: { A: "1" }, unset: ["B"], program: "/work/shop/b.js", notes: [] });
  });

  test.each([
    [{ type: "chrome" }, /no adapter for configurations of type chrome/],
    [{}, /names no program/],
    [{ request: "attach" as const }, /no process and no port/],
    [{ request: "attach" as const, processId: "${command:PickProcess}" }, /processId: .*asks for a process/],
    [{ program: 5 }, /program must be text/],
    [{ program: "a", env: [] }, /env must be an object/],
  ])("%j is refused", (configuration, why) => {
    expect(() => planOf(configuration)).toThrow(why);
  });
});
