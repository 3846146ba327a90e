/** The program's standard input: from a file, from the caller, line by line, and to programs that never read it. */
import { describe, expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { borrowSonde } from "../support/sonde.ts";
import { at, nothingLeft, sessions } from "./world.ts";

const words = (result: MoveResult) =>
  (result.state === "stopped" ? result.snapshot.output : result.output).lines.map(({ text }) => text);

const TEN_MB = Buffer.alloc(10_000_000, "a line of text\n");

test("--stdin file and --stdin -: the bytes, then the end", async () => {
  const sonde = borrowSonde();
  sonde.fixture("js/stdin.js");
  sonde.write("numbers.txt", "1\n2\n");
  const fromFile = await sonde.ask<MoveResult>("start stdin.js --stdin numbers.txt");
  expect(words(fromFile)).toEqual(["got 1", "got 2", "sum 3"]);
  const fromCaller = await sonde.ask<MoveResult>("start stdin.js --stdin -", { input: "40\n2\n" });
  expect(words(fromCaller)).toEqual(["got 40", "got 2", "sum 42"]);
  const empty = await sonde.ask<MoveResult>("start stdin.js --stdin -", { input: "" });
  expect(words(empty)).toEqual(["sum 0"]);
  expect(await sonde.refusal("start stdin.js --stdin nowhere.txt")).toMatchObject({
    code: "BAD_ARGUMENT",
    message: expect.stringContaining("nowhere.txt"),
  });
});

test("bytes arrive as they are", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "hash.js",
    `const hash = require("node:crypto").createHash("sha256");
     process.stdin.on("data", (d) => hash.update(d)).on("end", () => console.log(hash.digest("hex")));`,
  );
  const { createHash, randomBytes } = await import("node:crypto");
  const bytes = randomBytes(3_000_000);
  const end = await sonde.ask<MoveResult>("start hash.js --stdin -", { input: bytes });
  expect(words(end)).toEqual([createHash("sha256").update(bytes).digest("hex")]);
});

test("input, then --eof, while the program runs and while it is stopped", async () => {
  const sonde = borrowSonde();
  sonde.fixture("js/stdin.js");
  await sonde.ask(["start", "stdin.js", "--no-wait", "--break", at(sonde, "stdin.js", "take")]);
  expect(await sonde.text("input 7")).toBe("wrote 2 bytes\n");
  expect(await sonde.ask<MoveResult>("await")).toMatchObject({ state: "stopped" });
  expect(await sonde.ask(["print", "line"])).toMatchObject({ value: '"7"' });
  await sonde.ask(["input", "größe 8"]);
  expect(await sonde.ask<MoveResult>("continue")).toMatchObject({ state: "stopped" });
  expect(await sonde.ask(["print", "line"])).toMatchObject({ value: '"größe 8"' });
  await sonde.ask("breakpoint remove --all");
  await sonde.ask("continue --no-wait");
  await sonde.ask("input 1 --eof");
  const end = await sonde.ask<MoveResult>("await");
  expect(words(end).at(-1)).toBe("sum 8");
  expect(await sonde.refusal("input late")).toMatchObject({ code: "SESSION_ENDED" });
});

test("input after the end of the input is refused", async () => {
  const sonde = borrowSonde();
  sonde.fixture("js/idle.js");
  await sonde.ask("start idle.js --no-wait");
  await sonde.ask("input --eof");
  expect(await sonde.refusal("input late")).toMatchObject({ message: expect.stringMatching(/closed/) });
  expect(await sonde.refusal("input")).toMatchObject({ code: "BAD_ARGUMENT", status: 2 });
});

describe("a program that never reads", () => {
  test("ten megabytes do not hold up the answer, nor what comes after", async () => {
    const sonde = borrowSonde();
    sonde.fixture("js/idle.js");
    sonde.write("big.txt", TEN_MB.toString());
    expect(await sonde.ask<MoveResult>("start idle.js --stdin big.txt --no-wait")).toMatchObject({
      state: "running",
    });
    expect(await sonde.ask<MoveResult>("pause")).toMatchObject({ state: "stopped" });
    await sonde.ask("stop");
    expect(await sonde.ask<MoveResult>("start idle.js --stdin - --no-wait", { input: TEN_MB })).toMatchObject(
      { state: "running" },
    );
    await sonde.ask("stop");
    await nothingLeft(sonde);
  });

  test("`input` answers that it has not been read", async () => {
    const sonde = borrowSonde();
    sonde.fixture("js/idle.js");
    sonde.write("big.txt", TEN_MB.toString());
    await sonde.ask("start idle.js --no-wait");
    expect(await sonde.text("input --file big.txt")).toBe(
      "wrote 10000000 bytes; the program has not read all of it yet\n",
    );
    expect((await sessions(sonde))[0]).toMatchObject({ state: "running" });
  });

  test("one that reads late still gets all of it, and its end", async () => {
    const sonde = borrowSonde();
    sonde.write(
      "late.js",
      `let n = 0;
       setTimeout(() => process.stdin.on("data", (d) => { n += d.length; }).on("end", () => console.log("got", n)), 1500);`,
    );
    sonde.write("big.txt", TEN_MB.toString());
    expect(words(await sonde.ask<MoveResult>("start late.js --stdin big.txt"))).toEqual(["got 10000000"]);
  });

  test("one that ends without reading ends", async () => {
    const sonde = borrowSonde();
    sonde.write("brief.js", "setTimeout(() => process.exit(3), 100);\n");
    sonde.write("big.txt", TEN_MB.toString());
    expect(await sonde.ask<MoveResult>("start brief.js --stdin big.txt")).toMatchObject({
      state: "exited",
      exitCode: 3,
    });
  });
});
