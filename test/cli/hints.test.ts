/**
 * Small programs with a bug: what `test` and `crash` name, or the command that they name next, shows the line that is wrong; where
 * nothing of one's own explains it, there is no hint.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { CrashResult } from "../../src/library/commands.generated.ts";
import { splitWords } from "../../src/util/shell-words.ts";
import { compilerVersion } from "../support/builds.ts";
import { marker } from "../support/markers.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { asked } from "./test-answers.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const OWN_PYTHON = join(ROOT, ".adapters/pytest/bin/python");
const python =
  ["python3", OWN_PYTHON].find((one) => spawnSync(one, ["-m", "pytest", "--version"]).status === 0) ??
  "python3";
const slow = { timeout: 180_000 };

interface Case {
  folder: string;
  line: string[];
  /** The file with the bug; none: nothing of one's own explains the failure. */
  cause?: string;
  /** A command that builds it. */
  build?: string[];
  missing?: boolean;
}

const pytest = [python, "-m", "pytest", "-q"];
const noGo = compilerVersion("go") === undefined;
const noRust = compilerVersion("rust") === undefined;

const TESTS: Case[] = [
  { folder: "py-chain", line: pytest, cause: "shop.py" },
  { folder: "py-attribute", line: ["python3", "-m", "unittest", "test_account"], cause: "account.py" },
  { folder: "py-given", line: pytest, cause: "report.py" },
  { folder: "py-shared", line: pytest, cause: "queue_of.py" },
  { folder: "py-own", line: pytest, cause: "window.py" },
  { folder: "py-uncalled", line: pytest, cause: "prices.py" },
  { folder: "py-key", line: pytest, cause: "orders.py" },
  { folder: "py-none", line: pytest },
  { folder: "js-chain", line: ["node", "--test"], cause: "cart.js" },
  { folder: "js-attribute", line: ["node", "--test"], cause: "counter.js" },
  { folder: "js-await", line: ["node", "--test"], cause: "store.mjs" },
  { folder: "js-alias", line: ["node", "--test"], cause: "matrix.js" },
  { folder: "js-thrown", line: ["node", "--test"], cause: "range.js" },
  { folder: "js-none", line: ["node", "--test"] },
  { folder: "ts-field", line: ["vitest", "run"], cause: "stock.ts" },
  { folder: "go-chain", line: ["go", "test", "./..."], cause: "shop.go", missing: noGo },
  { folder: "go-field", line: ["go", "test", "./..."], cause: "bank.go", missing: noGo },
  { folder: "rust-chain", line: ["cargo", "test", "--offline"], cause: "src/lib.rs", missing: noRust },
  { folder: "c-chain", line: ["./sum"], cause: "sum.c", build: ["cc", "-g", "-o", "sum", "sum.c"] },
  {
    folder: "cpp-field",
    line: ["./bank"],
    cause: "bank.cpp",
    build: ["c++", "-g", "-o", "bank", "bank.cpp"],
  },
  { folder: "cpp-own", line: ["./ring"], cause: "ring.cpp", build: ["c++", "-g", "-o", "ring", "ring.cpp"] },
];

function prepared(sonde: Sonde, { folder, build }: Pick<Case, "folder" | "build">): string {
  const path = sonde.fixture(`hints/${folder}`);
  const [tool = "", ...words] = build ?? [];
  if (build) expect(spawnSync(tool, words, { cwd: path }).status).toBe(0);
  return path;
}

/** What the command that an answer names prints. */
function followed(sonde: Sonde, next: string | undefined, cwd: string): Promise<string> {
  const [program, ...words] = splitWords(next ?? "");
  expect(program).toBe("sonde");
  return sonde.text(words, { cwd, timeoutMs: 90_000 });
}

/** `15 | balance -= amount - fee; // @marker cause` in a trace of the function. */
function shows(trace: string, line: number, text: string): boolean {
  const start = text.trim().slice(0, 30).trimEnd();
  return trace.split("\n").some((one) => one.includes(` ${line} | ${start.slice(0, 20)}`));
}

test.for(TESTS)("test: $folder", slow, async (one, { skip }) => {
  if (one.missing) skip("not on this machine");
  const sonde = borrowSonde();
  const path = prepared(sonde, one);
  if (one.folder === "ts-field") {
    mkdirSync(join(path, "node_modules/.bin"), { recursive: true });
    symlinkSync(join(ROOT, "node_modules/vitest"), join(path, "node_modules/vitest"));
    symlinkSync("../vitest/vitest.mjs", join(path, "node_modules/.bin/vitest"));
  }
  const { state, origin, next } = await asked(sonde, ["test", "--", ...one.line], { cwd: one.folder });
  expect(state).toBe("failed");
  if (one.cause === undefined) {
    expect({ origin, next }).toEqual({});
    return;
  }
  const line = marker(join(path, one.cause), "cause");
  const named = [...(origin?.calls ?? []), ...(origin?.writes ?? [])];
  const isNamed = named.some(
    (made) => basename(made.path) === basename(one.cause ?? "") && made.line === line,
  );
  // The command works whether the line is named already or not.
  const trace = await followed(sonde, next, one.folder);
  const text = sonde.read(join(one.folder, one.cause)).split("\n")[line - 1] ?? "";
  expect(isNamed || shows(trace, line, text), `${JSON.stringify(named)}\n${next}\n${trace}`).toBe(true);
  expect(trace).toMatch(/ event/);
});

test(
  "what a callee wrote through a pointer, beyond what a record shows of it: its line is the nearest",
  slow,
  async () => {
    const sonde = borrowSonde();
    const path = prepared(sonde, { folder: "c-pointer", build: ["cc", "-g", "-o", "fill", "fill.c"] });
    const { origin } = await asked(sonde, ["test", "--", "./fill"], { cwd: "c-pointer" });
    expect(origin?.lines[0]).toMatchObject({ line: marker(join(path, "fill.c"), "cause"), function: "fill" });
  },
);

test.for([
  { folder: "py-crash", line: ["app.py"], cause: "app.py" },
  { folder: "js-crash", line: ["main.js"], cause: "main.js" },
])("crash: $folder", slow, async ({ folder, line: words, cause }) => {
  const sonde = borrowSonde();
  const path = prepared(sonde, { folder });
  const { next } = await sonde.ask<CrashResult>(["crash", ...words], { cwd: folder, timeoutMs: 60_000 });
  const line = marker(join(path, cause), "cause");
  const trace = await followed(sonde, next, folder);
  expect(shows(trace, line, sonde.read(join(folder, cause)).split("\n")[line - 1] ?? ""), trace).toBe(true);
});

test.for([
  { folder: "c-heap", source: "over.c", compiler: "cc" },
  { folder: "cpp-heap", source: "twice.cpp", compiler: "c++" },
])("a damaged heap leads to a checker: $folder", slow, async ({ folder, source, compiler }) => {
  const sonde = borrowSonde();
  const cwd = prepared(sonde, { folder, build: [compiler, "-g", "-o", "program", source] });
  const asking = { cwd: folder, timeoutMs: 60_000 };
  const built = await sonde.ask<CrashResult>(["crash", "--", "./program"], asking);
  expect(built).not.toHaveProperty("next");
  const hasValgrind = spawnSync("valgrind", ["--version"]).status === 0;
  expect(built.heap?.tool).toBe(hasValgrind ? "valgrind" : "flags");
  expect(await sonde.text(["crash", "--", "./program"], asking)).toContain(
    hasValgrind ? "`valgrind ./program` names the line that did it" : "`-g -fsanitize=address`",
  );
  const { heap } = await sonde.ask<CrashResult>(["crash", "--build", source], asking);
  expect(heap?.tool).toBe("sanitizer");
  const ran = spawnSync("sh", ["-c", heap?.command ?? ""], { cwd, encoding: "utf8" });
  expect(ran.stderr).toMatch(new RegExp(`AddressSanitizer[^]*${source}:\\d+`));
  mkdirSync(join(cwd, "elsewhere"));
  const moved = await sonde.ask<CrashResult>(["crash", "--build", source, "--cwd", "elsewhere"], asking);
  const there = spawnSync("sh", ["-c", moved.heap?.command ?? ""], { cwd, encoding: "utf8" });
  expect(there.stderr, moved.heap?.command).toMatch(new RegExp(`AddressSanitizer[^]*${source}:\\d+`));
});
