/** Small decisions that whole runs seldom come to. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isLeftOver } from "../../src/session/processes/launch-group.ts";
import { sourceOf } from "../../src/session/stack/autopsy.ts";
import { ownerOf } from "../../src/session/threads/blocked.ts";

test("a lock's owner is a thread's number; nobody has none", () => {
  expect(ownerOf("4711")).toBe(4711);
  expect(ownerOf("1")).toBe(1);
  expect(ownerOf("0")).toBeUndefined();
  expect(ownerOf("-1")).toBeUndefined();
  expect(ownerOf("<unavailable>")).toBeUndefined();
  expect(ownerOf(undefined)).toBeUndefined();
});

test("a frame's source is its line, and nothing for an empty line or a file that is not here", () => {
  const folder = mkdtempSync(join(tmpdir(), "sonde-source-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "app.py");
  writeFileSync(path, "first = 1\n\n    third = 3\n");
  expect(sourceOf({ path, line: 1 })).toEqual({ source: "first = 1" });
  expect(sourceOf({ path, line: 2 })).toEqual({});
  expect(sourceOf({ path, line: 3 })).toEqual({ source: "third = 3" });
  expect(sourceOf({ path, line: 9 })).toEqual({});
  expect(sourceOf({ path: join(folder, "gone.py"), line: 1 })).toEqual({});
  expect(sourceOf({ path: undefined, line: 1 } as never)).toEqual({});
});

test("a control group is left over if its daemon is gone, and only if it is ours", () => {
  const { pid: gone } = spawnSync("true");
  expect(isLeftOver(`sonde-${gone}-mark`)).toBe(true);
  expect(isLeftOver(`sonde-${process.pid}-mark`)).toBe(false);
  expect(isLeftOver(`other-${gone}-mark`)).toBe(false);
  expect(isLeftOver("sonde-x-mark")).toBe(false);
});
