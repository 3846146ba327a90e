/** `sonde trace` leads on: the command it names is run as it stands, and shows the next function. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TraceResult } from "../../src/commands/trace/shapes.ts";
import { splitWords } from "../../src/util/shell-words.ts";
import { builtFolder, compilerVersion } from "../support/builds.ts";
import { marker } from "../support/markers.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";

const PYTHON = `class Limiter:
    def allow(self, n):
        return n < 2  # @marker method

def parse(text):
    return [int(one) for one in text.split(",")]

def merge(numbers):
    return sorted(set(numbers))

def gaps(numbers):
    if not numbers:
        return fallback()  # @marker unreached
    return [b - a for a, b in zip(numbers, numbers[1:])]

def fallback():
    return []

def report(text, limiter):
    found = gaps(merge(parse(text)))
    for n in found:
        limiter.allow(n)
    return found  # @marker end

print(report("3,1,9", Limiter()))  # @marker module
`;

const SCRIPT = `class Limiter {
  allow(n) {
    return n < 2; // @marker method
  }
}
const parse = (text) => text.split(",").map(Number);
function merge(numbers) {
  return [...new Set(numbers)].sort();
}
function check(n) {
  if (n > 5) throw new Error("too far: " + n);
  return n;
}
function report(text, limiter) {
  const found = merge(parse(text));
  for (const n of found) {
    limiter.allow(check(n));
  }
  return found;
}
try {
  report("3,1,9", new Limiter());
} catch (error) {
  console.log(error.message);
}
console.log(report("3,1", new Limiter()));
`;

const LAST = /\nnext: `(sonde [^`]+)` shows (.*)\n$/;

/** The last line's command, and what it says of it. */
async function traced(sonde: Sonde, words: string[]) {
  const text = await sonde.text(["trace", ...words], { timeoutMs: 60_000 });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
  const [, next, shows] = LAST.exec(text) ?? [];
  return { text, next, shows };
}

async function followed(sonde: Sonde, next: string | undefined) {
  const [program, command, ...words] = splitWords(next ?? "");
  expect([program, command]).toEqual(["sonde", "trace"]);
  return traced(sonde, words);
}

function project(): Sonde {
  const sonde = borrowSonde();
  sonde.write("app.py", PYTHON);
  sonde.write("app.js", SCRIPT);
  return sonde;
}

const at = (sonde: Sonde, file: string, name: string) => `${file}:${marker(join(sonde.project, file), name)}`;

const slow = { timeout: 60_000 };

describe("from a function", () => {
  test("to those whose values it returns, all of one line", slow, async () => {
    const sonde = project();
    const { next, shows } = await traced(sonde, ["--function", "report", "--", "python3", "app.py"]);
    expect(next).toBe("sonde trace --function gaps --function merge --function parse -- python3 app.py");
    expect(shows).toBe("what it calls");
    const deeper = await followed(sonde, next);
    expect(deeper.text).toContain("\nmerge(numbers=[3, 1, 9])  app.py:8\n");
    // fallback is called on a line that did not run.
    expect(deeper.next).toBeUndefined();
  });

  test("to what is called next to an error first", slow, async () => {
    const sonde = project();
    const { next } = await traced(sonde, ["--function", "report", "--", "node", "app.js"]);
    expect(next).toBe("sonde trace --function Limiter.allow --function check -- node app.js");
    expect((await followed(sonde, next)).text).toContain("threw Error: too far: 9");
  });

  test("not to those that are recorded already; the run's own options are kept", slow, async () => {
    const sonde = project();
    const options = ["--max-seconds", "20", "--env", "A=b c"];
    const asked = ["gaps", "merge", "parse", "report"].flatMap((name) => ["--function", name]);
    const { next } = await traced(sonde, [...asked, ...options, "--", "python3", "app.py"]);
    expect(next).toBe(
      "sonde trace --function Limiter.allow --max-seconds 20 --env 'A=b c' -- python3 app.py",
    );
  });

  test("to a class's constructor, which is what is called by its name", slow, async () => {
    const sonde = borrowSonde();
    const body =
      "class Cart:\n    def __init__(self, n):\n        self.n = n\n\ndef make(n):\n    return Cart(n)\n";
    sonde.write("cart.py", `${body}\nmake(3)\n`);
    const { next } = await traced(sonde, ["--function", "make", "--", "python3", "cart.py"]);
    expect(next).toBe("sonde trace --function Cart.__init__ -- python3 cart.py");
    expect((await followed(sonde, next)).text).toContain("self.n = 3");
  });

  test("a command line that is long is not said again", slow, async () => {
    const sonde = project();
    const words = ["--function", "report", "--", "python3", "app.py", "x".repeat(500)];
    const { next } = await traced(sonde, words);
    expect(next).toBe("sonde trace --function gaps --function merge --function parse -- <command>");
    const data = await sonde.ask<TraceResult>(["trace", ...words]);
    expect(data.next).toContain("x".repeat(500));
  });

  test.skipIf(compilerVersion("c") === undefined)("where only the sources tell: C", slow, async () => {
    const sonde = borrowSonde(builtFolder("c"));
    const { next } = await traced(sonde, ["--function", "main", "--", "./loop_basic"]);
    expect(next).toBe("sonde trace --function work_basic -- ./loop_basic");
    expect((await followed(sonde, next)).text).toMatch(/\nwork_basic\(n=5\)/);
  });
});

describe("from a place", () => {
  test("to the function that it stands in", slow, async () => {
    const sonde = project();
    const { next, shows } = await traced(sonde, [
      "--at",
      `${at(sonde, "app.py", "end")}=found`,
      "--",
      "python3",
      "app.py",
    ]);
    expect(next).toBe("sonde trace --function report -- python3 app.py");
    expect(shows).toBe("report line by line");
  });

  test("of a function of a line or two: to its caller, if that is the user's", slow, async () => {
    const sonde = project();
    for (const [file, program] of [
      ["app.js", "node"],
      ["app.py", "python3"],
    ] as const) {
      const { next, shows } = await traced(sonde, [
        "--at",
        `${at(sonde, file, "method")}=n`,
        "--",
        program,
        file,
      ]);
      expect(next).toBe(`sonde trace --function report -- ${program} ${file}`);
      expect(shows).toBe("report line by line");
      expect((await followed(sonde, next)).text).toMatch(/\nreport\(text=.3,1/);
    }
    sonde.write("tiny.py", "def twice(n):\n    # doubles\n    n = n * 2\n\n    return n\n\ntwice(3)\n");
    expect((await traced(sonde, ["--at", "tiny.py:5=n", "--", "python3", "tiny.py"])).next).toBeUndefined();
    sonde.write("long.py", "def thrice(n):\n    m = n * 3\n    print(m)\n    return m\n\nthrice(3)\n");
    const { next } = await traced(sonde, ["--at", "long.py:4=n", "--", "python3", "long.py"]);
    expect(next).toBe("sonde trace --function thrice -- python3 long.py");
  });

  test("of a module's own code: to what made its values; without a command line too", slow, async () => {
    const sonde = project();
    const { next } = await traced(sonde, ["--at", at(sonde, "app.py", "module")]);
    expect(next).toBe("sonde trace --function report -- app.py");
    expect((await followed(sonde, next)).text).toContain("\nreport(text='3,1,9', ");
  });

  test("nowhere, if it was not reached, and not in the data for a program", slow, async () => {
    const sonde = project();
    const { next } = await traced(sonde, [
      "--at",
      at(sonde, "app.py", "unreached"),
      "--",
      "python3",
      "app.py",
    ]);
    expect(next).toBeUndefined();
    const words = [
      "trace",
      "--at",
      `${at(sonde, "app.py", "end")}=found`,
      "--feedback",
      "--",
      "python3",
      "app.py",
    ];
    expect(Object.keys(JSON.parse(await sonde.text(words)))).toEqual(["watchpoints", "breakpoints"]);
  });
});
