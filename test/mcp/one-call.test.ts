/** From nothing to a stopped program in one call, and the first look and move after it, in four languages. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { builtFolder } from "../support/builds.ts";
import { marker } from "../support/markers.ts";
import { borrowSonde, FIXTURES, type Sonde } from "../support/sonde.ts";
import { startMcp } from "./mcp.ts";

interface Row {
  language: string;
  file: string;
  /** What is launched, in which folder. */
  launch(sonde: Sonde): { program: string; cwd?: string };
}

const rows: Row[] = [
  {
    language: "python",
    file: "stats.py",
    launch: (sonde) => ({ program: sonde.fixture("python/stats.py") }),
  },
  { language: "c", file: "stats.c", launch: () => ({ program: "stats", cwd: builtFolder("c") }) },
  { language: "go", file: "stats.go", launch: () => ({ program: "./stats", cwd: builtFolder("go") }) },
  { language: "js", file: "stats.js", launch: (sonde) => ({ program: sonde.fixture("js/stats.js") }) },
];

describe.each(rows)("$language", ({ language, file, launch }) => {
  test("launch with a breakpoint answers with the stop", { timeout: 60_000 }, async () => {
    const sonde = borrowSonde();
    const mcp = await startMcp(sonde);
    const line = marker(join(FIXTURES, language, file), "mean-add");
    const stop = await mcp.ok("debug", {
      action: "launch",
      ...launch(sonde),
      breakpoints: [`${file}:${line} if v == 2`],
      expressions: ["v + 40"],
    });
    expect(stop.text).toMatch(/^stopped: breakpoint 1/);
    expect(stop.text).toMatch(new RegExp(`${file}:${line} in (main\\.)?mean\\b`));
    expect(stop.text).toMatch(new RegExp(`^-> +${line} \\|.*total \\+= v`, "m"));
    expect(stop.text).toMatch(/^ {2}total = 1\b/m);
    expect(stop.text).toMatch(/^ {2}v = 2\b/m);
    expect(stop.text).toMatch(/^ *1 (main\.)?main .*stats\./m);
    expect(stop.text).toMatch(/v \+ 40 = 42/);
    expect(stop.text.length).toBeLessThan(4096);
    expect(stop.data).toMatchObject({
      state: "stopped",
      snapshot: { frame: { line }, breakpoints: [{ id: 1, hit: 1 }] },
      evaluations: [{ value: { value: "42" } }],
    });

    const after = await mcp.ok("debug", { action: "step_over" });
    expect(after.text).toMatch(/^stopped: step/);
    const ended = await mcp.ok("debug", { action: "continue" });
    expect(ended.data).toMatchObject({ state: "exited", exitCode: 0 });
    expect(ended.text).toContain("mean 3.33");
  });
});

test("a command, its input and its environment", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "echo.js",
    "let all = '';\nprocess.stdin.on('data', (chunk) => (all += chunk)).on('end', () => {\n  console.log(all.trim(), process.env.COLOUR);\n});\n",
  );
  const mcp = await startMcp(sonde);
  const ended = await mcp.ok("debug", {
    action: "launch",
    program: "node",
    args: ["echo.js"],
    stdin: "from the caller",
    env: { COLOUR: "teal" },
  });
  expect(ended.text).toContain("from the caller teal");
});

test("a file that is not there is named, with the one that is meant", async () => {
  const sonde = borrowSonde();
  sonde.fixture("python/stats.py");
  const mcp = await startMcp(sonde);
  const refusal = await mcp.refused("debug", { action: "launch", program: "stast.py" });
  expect(refusal).toMatchObject({ code: "BAD_ARGUMENT", message: expect.stringContaining("stast.py") });
  expect(refusal.hint).toContain("stats.py");
});
