/** Paths that break naive tools, files that share a name, and sources that change under a running program. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { borrowSonde } from "../support/sonde.ts";
import { type Stopped, stopped } from "./world.ts";

const PROGRAM = "const a = 1;\nfunction f(x) {\n  return x + a;\n}\nconsole.log(f(1));\nconsole.log(f(2));\n";

describe("a path with", () => {
  test.each([
    ["spaces", "a b/c d.js"],
    ["a hash", "a#b/c#1.js"],
    ["a question mark", "what?/why?.js"],
    ["percent signs", "100%/%20 %zz.js"],
    ["non-ASCII letters", "größe/日本語/ñandú.js"],
    ["decomposed letters", "u\u0308/e\u0301.js"],
    ["quotes", `it's "so"/a'b".js`],
    ["brackets and dollars", "[a]{b}$c/(d)+^|~`<e>!&;,@=.js"],
    ["a colon", "a:b/c:9.js"],
    ["an ES module in it", "ü #%/module.mjs"],
  ])("%s", async (_name, path) => {
    const sonde = borrowSonde();
    sonde.write(path, PROGRAM);
    const shot = await stopped(sonde.ask<MoveResult>(["start", path, "--break", `${path}:3`]));
    expect(shot).toMatchObject({
      breakpoints: [{ id: 1, hit: 1, at: `${path}:3` }],
      frame: { path: join(sonde.project, path), line: 3, function: "f" },
      source: [{ line: 1 }, { line: 2 }, { line: 3, text: "  return x + a;" }, { line: 4 }, { line: 5 }],
      unbound: [],
    });
    const added = await sonde.ask<{ breakpoints: { state: string }[] }>([
      "break",
      `${join(sonde.project, path)}:6`,
    ]);
    expect(added.breakpoints).toMatchObject([{ state: "bound" }]);
    expect(await stopped(sonde.ask<MoveResult>("continue"))).toMatchObject({ frame: { line: 6 } });
    expect(await sonde.text(["source", `${path}:3`])).toContain("return x + a;");
  });
});

describe("a symbolic link", () => {
  test.each([
    ["to the folder, breakpoint by the link", "link/app.js", "link/app.js:3"],
    ["to the folder, breakpoint by the real path", "link/app.js", "real/app.js:3"],
    ["to the folder, started by the real path", "real/app.js", "link/app.js:3"],
    ["to the file", "alias.js", "real/app.js:3"],
    ["to the file, breakpoint by the link", "alias.js", "alias.js:3"],
  ])("%s", async (_name, program, where) => {
    const sonde = borrowSonde();
    sonde.write("real/app.js", PROGRAM);
    symlinkSync("real", join(sonde.project, "link"));
    symlinkSync("real/app.js", join(sonde.project, "alias.js"));
    const shot = await stopped(sonde.ask<MoveResult>(["start", program, "--break", where]));
    expect(shot).toMatchObject({ breakpoints: [{ id: 1, hit: 1 }], frame: { line: 3 } });
    expect(shot.source).toContainEqual({ line: 3, text: "  return x + a;" });
  });

  test("as the folder the caller is in", async () => {
    const sonde = borrowSonde();
    sonde.write("real/app.js", PROGRAM);
    symlinkSync("real", join(sonde.project, "link"));
    const shot = await stopped(sonde.ask<MoveResult>("start app.js --break app.js:3", { cwd: "link" }));
    expect(shot.breakpoints).toMatchObject([{ at: "app.js:3" }]);
    expect(await sonde.text("context", { cwd: "link" })).toMatch(/app\.js:3 in f/);
  });
});

test("two files of one name: only the one that was meant stops", async () => {
  const sonde = borrowSonde();
  for (const folder of ["a", "b"])
    sonde.write(`${folder}/same.js`, `exports.who = () => {\n  return "${folder}";\n};\n`);
  sonde.write(
    "main.js",
    'require("./a/same.js").who();\nrequire("./b/same.js").who();\nconsole.log("done");\n',
  );
  const shot = await stopped(sonde.ask<MoveResult>("start main.js --break b/same.js:2"));
  expect(shot.frame?.path).toBe(join(sonde.project, "b/same.js"));
  expect(await sonde.ask<MoveResult>("continue")).toMatchObject({ state: "exited", exitCode: 0 });
});

describe("source that changes", () => {
  const notes = ({ notes: all }: Stopped) => all.join("\n");

  test("after the start is noted, and no longer after a restart", async () => {
    const sonde = borrowSonde();
    const file = sonde.write("app.js", PROGRAM);
    const before = await stopped(sonde.ask<MoveResult>("start app.js --break app.js:3"));
    expect(notes(before)).toBe("");
    writeFileSync(file, PROGRAM.replace("x + a", "x - a"));
    const after = await stopped(sonde.ask<MoveResult>("continue"));
    expect(notes(after)).toMatch(/changed after the program started/);
    const again = await stopped(sonde.ask<MoveResult>("restart"));
    expect(notes(again)).toBe("");
    expect(again.source).toContainEqual({ line: 3, text: "  return x - a;" });
  });

  test("or goes away does not hide the stop", async () => {
    const sonde = borrowSonde();
    const folder = join(sonde.project, "gone");
    mkdirSync(folder);
    sonde.write("gone/app.js", PROGRAM);
    await sonde.ask("start gone/app.js --break gone/app.js:3");
    const { rmSync } = await import("node:fs");
    rmSync(folder, { recursive: true });
    const shot = await stopped(sonde.ask<MoveResult>("continue"));
    expect(shot.frame).toMatchObject({ function: "f", line: 3 });
    expect(await sonde.text("context")).toMatch(/^stopped: breakpoint 1 \(hit 2\)/);
  });
});
