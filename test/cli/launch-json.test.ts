/** `.vscode/launch.json`, listed and started by name, by the real binary. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { expectGolden } from "../support/golden.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { transcript } from "./transcript.ts";

const SHOW =
  "console.log(JSON.stringify([process.argv.slice(2), process.env.FOO ?? null, process.env.BAR ?? null]));\n";

const LAUNCH = `// what an editor writes
{
  "version": "0.2.0",
  "configurations": [
    {
      "name": "Show", "type": "node", "request": "launch",
      "program": "\${workspaceFolder}/src/show.js", /* here */
      "args": ["\${workspaceFolderBasename}", "\${env:WHO}"],
      "envFile": "\${workspaceFolder}/.env",
      "env": {"BAR": null},
      "skipFiles": ["<node_internals>/**"],
      "preLaunchTask": "make it",
    },
    {"name": "This file", "type": "pwa-node", "program": "\${file}"},
    {"name": "Module", "type": "debugpy", "request": "launch", "module": "tool", "args": ["x"]},
    {"name": "Ask", "type": "node", "program": "\${input:which}"},
    {"name": "Page", "type": "chrome", "url": "http://localhost"},
    {"name": "Attach", "type": "node", "request": "attach", "port": 9229},
    {"name": "Server", "type": "node", "program": "\${workspaceFolder}/src/server.js"},
  ],
  "compounds": [{"name": "All", "configurations": ["Server", "Show"], "stopAll": true}],
  "inputs": [{"id": "which", "type": "promptString", "description": "Which script?"}],
}
`;

const TASKS = `{"tasks": [
  {"label": "first", "type": "process", "command": "touch", "args": ["first.txt"]},
  {"label": "make it", "type": "shell", "command": "cat first.txt && echo made > made.txt", "dependsOn": "first"},
  {"label": "fails", "type": "shell", "command": "echo why; exit 3"},
]}`;

function withProject(): Sonde {
  const sonde = borrowSonde();
  sonde.write(".vscode/launch.json", LAUNCH);
  sonde.write(".vscode/tasks.json", TASKS);
  sonde.write(".env", 'FOO="from file"\nBAR=from file\n');
  sonde.write("src/show.js", SHOW);
  sonde.write("src/server.js", "setInterval(() => {\n  globalThis.beat = 1;\n}, 50);\n");
  sonde.write("tool.py", "import sys\nprint(sys.argv[1:])\n");
  return sonde;
}

test("the list, and what cannot be started by name", async () => {
  const sonde = withProject();
  const text = await transcript(sonde, [
    "configs",
    "start --config Shwo",
    "start --config nothing-like-it",
    "start --config 'This file'",
    "start --config 'This file' --file none.js",
    "start --config Ask",
    "start --config Page",
  ]);
  expectGolden("launch-json", text);
});

test("a file that is no JSON is refused with its line; one of another shape by its key", async () => {
  const sonde = borrowSonde();
  sonde.write(".vscode/launch.json", '{\n  "configurations": [\n    {"name": "a" "type": "node"}\n  ]\n}\n');
  const broken = await transcript(sonde, ["configs"]);
  sonde.write(".vscode/launch.json", '{"configurations": [{"name": "a"}]}');
  expectGolden("launch-json-broken", broken + (await transcript(sonde, ["start --config a"])));
});

test("a configuration is started with its variables, arguments and environment, from any folder below", async () => {
  const sonde = withProject();
  const env = { WHO: "me", BAR: "the caller's" };
  const text = await sonde.text(["start", "--config", "Show"], { env, cwd: "src" });
  expect(text).toContain('  | [["project","me"],"from file",null]');
  expect(text).toContain("session Show");
  expect(text).toContain(
    "note: preLaunchTask make it was not run: `touch first.txt` and `cat first.txt && echo made > made.txt` (--run-tasks runs it)",
  );
  expect(existsSync(join(sonde.project, "made.txt"))).toBe(false);
  const typed = ["start", "--config", "Show", "--name", "mine", "--env", "FOO=typed", "--", "typed"];
  const over = await sonde.text(typed, { env });
  expect(over).toContain('  | [["typed"],"typed",null]');
  expect(over).toContain("session mine");
});

test("the file of --file, a module", async () => {
  const sonde = withProject();
  expect(await sonde.text(["start", "--config", "This file", "--file", "show.js"], { cwd: "src" })).toContain(
    "[[],",
  );
  const text = await sonde.text("start --config Module --timeout 60", { timeoutMs: 90_000 });
  expect(text).toContain("  | ['x']");
});

test("tasks run when asked for, in order; one that fails ends it", async () => {
  const sonde = withProject();
  const text = await sonde.text("start --config Show --run-tasks");
  expect(text).toContain("note: ran preLaunchTask make it: `touch first.txt` and ");
  expect(sonde.read("made.txt")).toBe("made\n");
  sonde.write(".vscode/launch.json", LAUNCH.replace('"make it"', '"fails"'));
  expect(await sonde.refusal("start --config Show --run-tasks")).toMatchObject({
    code: "LAUNCH_FAILED",
    message: "task fails failed (exit code 3): echo why; exit 3\nwhy",
  });
  expect(await sonde.text("start --config Show")).toContain("preLaunchTask fails was not run");
});

test("a compound starts all of its parts; the first that stops is shown, the others are named and can be reached", async () => {
  const sonde = withProject();
  const result = await sonde.ask<MoveResult>("start --config All --break src/server.js:2");
  expect(result).toMatchObject({ state: "stopped", snapshot: { session: "Server", frame: { line: 2 } } });
  const notes = result.state === "stopped" ? result.snapshot.notes : [];
  expect(notes.at(-1)).toMatch(/^also started: Show \(\w+\); -s <name> reaches them/);
  // What comes next in this folder is meant for the one that was shown.
  expect(await sonde.text("context")).toMatch(/^stopped: .*session Server/);
  expect(await sonde.text("output -s Show")).toContain("from file");
});
