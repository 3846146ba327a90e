/** Looking through a project for a hint must end, whatever the project holds. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sourceFiles } from "../../src/commands/test/next.ts";

const python = { sources: [".py"] };
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "sonde-next-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string): string {
  const file = join(root, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "");
  return file;
}

test("the project's own code, the nearest first; not what others wrote or tools made", async () => {
  const deep = write("src/deep/a.py");
  const near = write("b.py");
  write("c.txt");
  for (const folder of ["node_modules", ".git", "build", "dist", "out", "target", "venv"])
    write(`${folder}/x.py`);
  symlinkSync(root, join(root, "again"));
  expect(await sourceFiles(root, python)).toEqual([near, deep]);
  expect(await sourceFiles(join(root, "none"), python)).toEqual([]);
});

test("folders without a match are not walked for ever", async () => {
  for (let number = 0; number < 1100; number++) mkdirSync(join(root, `f${number}`));
  const deep = Array.from({ length: 1100 }, (_, number) => `f${number}/deep/x.py`);
  for (const path of deep) write(path);
  const found = await sourceFiles(root, python);
  // The folder itself and 999 more: those of the second level are beyond the limit.
  expect(found).toEqual([]);
});

test("nor are entries of one folder", async () => {
  for (let number = 0; number < 20_050; number++) writeFileSync(join(root, `${number}.txt`), "");
  write("sub/x.py");
  expect(await sourceFiles(join(root, "sub"), python)).toHaveLength(1);
  expect(await sourceFiles(root, python)).toEqual([]);
});

test("nor more files than are looked at", async () => {
  for (let number = 0; number < 510; number++) write(`${number}.py`);
  expect(await sourceFiles(root, python)).toHaveLength(500);
});
