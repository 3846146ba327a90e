import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lockSetup } from "../../src/engine/setup/lock.ts";
import { commandLine } from "../../src/engine/setup/steps.ts";

const { signal } = new AbortController();

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), "sonde-lock-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, ".it.lock");
}

test("one at a time; nothing is left", async () => {
  const path = place();
  const first = await lockSetup(path, signal, () => {});
  const waited: number[] = [];
  const second = lockSetup(path, signal, (pid) => {
    waited.push(pid);
    first();
  });
  (await second)();
  expect(waited).toEqual([process.pid]);
  expect(readdirSync(join(path, ".."))).toEqual([]);
});

test.each([
  ["of a process that is gone", "999999999 boot:1 1\n"],
  ["whose number another process has now", `${process.pid} another-boot:12345 1\n`],
  ["that names nobody", "0 - 1\n"],
  ["that is no lock of ours", "hello\n"],
])("a lock %s is taken over", async (_, text) => {
  const path = place();
  writeFileSync(path, text);
  const release = await lockSetup(path, signal, () => {
    throw new Error("waited");
  });
  expect(readFileSync(path, "utf8")).toMatch(new RegExp(`^${process.pid} `));
  release();
});

test("one that cannot be read is an error that names it", async () => {
  const folder = place();
  mkdirSync(folder);
  await expect(lockSetup(folder, signal, () => {})).rejects.toMatchObject({
    code: "SETUP_FAILED",
    message: `the lock ${folder} cannot be used: ${folder} is a folder, not a file`,
  });
  const link = place();
  symlinkSync("/nowhere/at/all", link);
  await expect(lockSetup(link, signal, () => {})).rejects.toMatchObject({
    code: "SETUP_FAILED",
    message: expect.stringContaining(link),
  });
});

test("it is not waited for without end", async () => {
  const path = place();
  const release = await lockSetup(path, signal, () => {});
  await expect(lockSetup(path, signal, () => {}, 50)).rejects.toMatchObject({
    code: "TIMEOUT",
    message: expect.stringContaining(`process ${process.pid} has held ${path}`),
  });
  release();
});

test("a command line can be typed again", () => {
  expect(commandLine(["sh", "-c", "echo 'a b'", "", "x=1"])).toBe("sh -c 'echo '\\''a b'\\''' '' x=1");
});
