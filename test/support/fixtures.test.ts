/** The fixtures do, undebugged, what the tests take for granted. */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { buildMapped, mappedForms } from "./mapped.ts";
import { markers } from "./markers.ts";
import { borrowSonde, FIXTURES } from "./sonde.ts";

function run(args: string[], input = ""): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const options = { cwd: join(FIXTURES, "js"), maxBuffer: 1e9, env: { ...process.env, NODE_OPTIONS: "" } };
    const child = execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

describe("javascript", () => {
  test.each([
    ["stats.js", "mean 3.3333333333333335\n"],
    ["calls.js", "answer 30\nagain 4\n"],
    ["loop.js", "sum 285\n"],
    ["values.js", "hello 42\n"],
    ["threads.js", "answers 9 16\n"],
    ["children.js", "child said tripled 42, code 0\n"],
    ["caught.js", "caught 3\n"],
    ["async.js", "answer 42\n"],
    ["esm/app.mjs", "mean 3.3333333333333335\n"],
  ])("%s", async (file, stdout) => {
    expect(await run([file])).toEqual({ code: 0, stdout, stderr: "" });
  });

  test("those that fail", async () => {
    expect(await run(["uncaught.js"])).toMatchObject({
      code: 1,
      stdout: "about to fail\n",
      stderr: expect.stringMatching(/RangeError: cannot read 9 characters[\s\S]*\[cause\]: SyntaxError/),
    });
    expect(await run(["rejection.js"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no price for pear"),
    });
    expect(await run(["exit-code.js"])).toEqual({ code: 3, stdout: "to stdout\n", stderr: "to stderr\n" });
  });

  test("those that read and write", async () => {
    expect((await run(["stdin.js"], "1\n2\nx\n")).stdout).toBe("got 1\ngot 2\ngot x\nsum 3\n");
    expect((await run(["noisy.js", "1000000"])).stdout).toHaveLength(1_000_000);
    expect((await run(["hostile.js"])).stdout).toMatch(/here\n$/);
  });

  test.each(mappedForms)("mapped: %s", async (form) => {
    const { program } = await buildMapped(borrowSonde().project, form);
    expect(await run([program])).toEqual({ code: 0, stdout: "mean 3.3333333333333335\n", stderr: "" });
  });
});

test("no file has a marker twice", () => {
  const files = readdirSync(FIXTURES, { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))) {
    markers(join(file.parentPath, file.name));
  }
});
