import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fileHead } from "../../src/adapters/kit/files.ts";
import { place } from "../../src/adapters/python/breakpoints.ts";
import { configured } from "../../src/engine/launch-json/configured.ts";
import { readLaunchJson } from "../../src/engine/launch-json/read.ts";
import { fileLines } from "../../src/session/stack/source.ts";
import { readSmallFile } from "../../src/util/small-file.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "sonde-small-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function pipe(path: string): string {
  execFileSync("mkfifo", [path]);
  return path;
}

test("a file is read up to its limit; what is none, or has no end, is refused", () => {
  const file = join(folder(), "text");
  writeFileSync(file, "é".repeat(50_000));
  expect(readSmallFile(file, 100_000)).toBe("é".repeat(50_000));
  expect(() => readSmallFile(file, 99_999)).toThrow("larger than 99999 bytes");
  expect(() => readSmallFile("/dev/zero", 10)).toThrow("a device, not a file");
  expect(() => readSmallFile(tmpdir(), 10)).toThrow("a folder, not a file");
  expect(() => readSmallFile(`${file}.none`, 10)).toThrow("ENOENT");
  expect(() => readSmallFile("/proc/self/status", 10)).toThrow("larger than 10 bytes");
});

test("a pipe that nobody writes to blocks nothing, wherever a project may put one", () => {
  const at = folder();
  const source = pipe(join(at, "app.py"));
  expect(() => readSmallFile(source, 10)).toThrow("a pipe, not a file");
  expect(fileLines(source)).toBeUndefined();
  expect(fileHead(source, 8)).toBe("");
  const args = { source: { path: source }, breakpoints: [{ line: 1 }] };
  expect(place(args).args).toBe(args);
  const configuration = { name: "it", type: "node", request: "launch" as const, program: "a.js" };
  expect(() =>
    configured({ ...configuration, envFile: source }, { folder: at, substitute: (text) => text }),
  ).toThrow("envFile: ");
  execFileSync("mkdir", [join(at, ".vscode")]);
  pipe(join(at, ".vscode", "launch.json"));
  expect(() => readLaunchJson(at)).toThrow("a pipe, not a file");
});
