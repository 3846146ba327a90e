/** What the system says of files, as errors a caller can act on. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fileError, naming } from "../../src/util/file-errors.ts";
import { landing } from "../../src/util/landing.ts";

let folder: string;
beforeEach(() => {
  folder = landing(mkdtempSync(join(tmpdir(), "sonde-files-")));
});
afterEach(() => rmSync(folder, { recursive: true }));

const inside = (name: string) => join(folder, name);

function thrownBy(action: () => unknown): unknown {
  try {
    return action();
  } catch (thrown) {
    return thrown;
  }
}

test("real errors, with the path even where the system leaves it out", () => {
  expect(thrownBy(() => naming(folder, () => readFileSync(folder)))).toMatchObject({
    code: "BAD_ARGUMENT",
    message: `${folder} is a folder, and a file belongs there`,
  });
  writeFileSync(inside("file"), "");
  expect(fileError(thrownBy(() => readFileSync(inside("file/a/b"))))).toMatchObject({
    code: "BAD_ARGUMENT",
    message: `${inside("file")} is no folder`,
  });
  expect(fileError(thrownBy(() => mkdirSync(inside("file"))))).toMatchObject({ code: "BAD_ARGUMENT" });
  symlinkSync("loop", inside("loop"));
  expect(fileError(thrownBy(() => readFileSync(inside("loop"))))).toMatchObject({
    code: "BAD_ARGUMENT",
    message: `the symbolic links of ${inside("loop")} lead in a circle`,
  });
  expect(fileError(thrownBy(() => readFileSync(inside("x".repeat(300)))))).toMatchObject({
    code: "BAD_ARGUMENT",
  });
});

test.skipIf(!existsSync("/dev/full"))("a full disk", () => {
  const thrown = thrownBy(() => naming("/dev/full", () => writeFileSync("/dev/full", "x")));
  expect(thrown).toMatchObject({
    code: "REQUEST_FAILED",
    message: "/dev/full cannot be written: no space is left there",
    hint: "make room, then try again",
  });
});

// The first user of the system is permitted everything, so these are made by hand.
test.each(["EACCES", "EPERM", "EROFS"])("%s", (code) => {
  const thrown = Object.assign(new Error(code), { code, syscall: "open", path: "/there" });
  expect(fileError(thrown)).toMatchObject({ code: "PERMISSION", message: expect.stringContaining("/there") });
});

test("anything else is left to others", async () => {
  expect(fileError(new Error("x"))).toBeUndefined();
  expect(fileError("x")).toBeUndefined();
  expect(fileError(thrownBy(() => readFileSync(inside("none"))))).toBeUndefined();
  const refused = await new Promise((done) =>
    createServer().once("error", done).listen(join(folder, "none/socket")),
  );
  expect(fileError(refused)).toBeUndefined();
});

test("where a file comes to be", () => {
  mkdirSync(inside("real/deep"), { recursive: true });
  symlinkSync("real", inside("link"));
  symlinkSync("../nothing/yet", inside("real/dangling"));
  symlinkSync("dangling", inside("real/twice"));
  expect(landing(inside("link/deep/new/file"))).toBe(inside("real/deep/new/file"));
  expect(landing(inside("link/twice"))).toBe(inside("nothing/yet"));
  symlinkSync("loop", inside("loop"));
  expect(() => landing(inside("loop"))).toThrow("ELOOP");
});
