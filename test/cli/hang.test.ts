/** A program that does not go on: what moves in it, what waits for what, and who has that. */
import { type ChildProcess, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { HangResult } from "../../src/commands/runs/hang-shape.ts";
import { builtFolder, compilerVersion, type Language } from "../support/builds.ts";
import { marker } from "../support/markers.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";

const BUDGET = 4096;

function hang(sonde: Sonde, args: string[]): Promise<HangResult> {
  return sonde.ask<HangResult>(["hang", ...args], { timeoutMs: 90_000 });
}

function has(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0;
}

/** Who waits for what, by the functions they are in: `transfer: journal < audit`. */
function waits({ groups }: HangResult): string[] {
  const functions = new Map(
    groups.flatMap((group) =>
      group.threads.map(({ id }) => [id, group.frames[0]?.function.split(/::|\./).at(-1) ?? "?"]),
    ),
  );
  return groups
    .flatMap((group) => group.waits)
    .map((one) => {
      const holders = one.heldBy.map((id) => functions.get(id)).join(", ");
      return `${functions.get(one.number)}: ${one.on ?? one.what}${holders === "" ? "" : ` < ${holders}`}`;
    })
    .sort();
}

function lineOf({ groups }: HangResult, inside: string): number | undefined {
  return groups.find((group) => group.frames[0]?.function.endsWith(inside))?.frames[0]?.line;
}

/** The first line that holds this, once it is printed. */
function printed(program: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let all = "";
    program.once("exit", () => reject(new Error(`ended: ${all}`)));
    program.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      all += chunk;
      if (all.includes(text)) resolve();
    });
  });
}

function stateOf(pid: number | undefined): string {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return `${/^State:\s*(\w)/m.exec(status)?.[1]} ${/^TracerPid:\s*(\d+)/m.exec(status)?.[1]}`;
}

/** The main thread waits for one of the two to end. */
const JOINED = "main: worker < transfer";
const MUTUAL = ["audit: accounts < transfer", "transfer: journal < audit"];

test("Python: two threads that wait for each other's lock", { timeout: 90_000 }, async ({ skip }) => {
  if (!has("python3", "--version")) skip("no python3");
  const sonde = borrowSonde();
  const file = sonde.fixture("python/deadlock.py");
  const result = await hang(sonde, ["--after", "2", "--", "python3", "deadlock.py"]);
  expect(result).toMatchObject({ verdict: "deadlock", samples: 3, left: false });
  expect(result.cycle).toHaveLength(2);
  expect(waits(result)).toEqual([MUTUAL[0], JOINED, MUTUAL[1]]);
  expect(lineOf(result, "transfer")).toBe(marker(file, "transfer-wait"));
  expect(lineOf(result, "audit")).toBe(marker(file, "audit-wait"));
  expect(sonde.processes().some(({ command }) => command.includes("deadlock.py"))).toBe(false);
});

test("Python: locks of objects, taken by acquire, of threads with one name", { timeout: 90_000 }, async ({
  skip,
}) => {
  if (!has("python3", "--version")) skip("no python3");
  const sonde = borrowSonde();
  sonde.write(
    "bank.py",
    `import threading


class Bank:
    def __init__(self):
        self.accounts = threading.RLock()
        self.journal = threading.Lock()


def transfer(bank, both):
    bank.accounts.acquire()
    both.wait()
    write(bank)


def write(into):
    into.journal.acquire()


def audit(bank, both):
    with bank.journal:
        both.wait()
        with bank.accounts:
            pass


shared = Bank(), threading.Barrier(2)
for work in (transfer, audit):
    threading.Thread(target=work, name="same", args=shared).start()
`,
  );
  const result = await hang(sonde, ["--after", "2", "--", "python3", "bank.py"]);
  expect(result.verdict).toBe("deadlock");
  expect(waits(result)).toEqual(["audit: bank.accounts < write", "write: into.journal < audit"]);
});

test.for([
  ["c", "main: workers[i]"],
  ["cpp", "main: one"],
  ["rust", "main: for a thread to end"],
] as const)(
  "%s: two threads that wait for each other's mutex",
  { timeout: 120_000 },
  async ([language, main], { skip }) => {
    if (compilerVersion(language) === undefined) skip("no compiler");
    const sonde = borrowSonde(builtFolder(language));
    const result = await hang(sonde, ["--after", "1", "--", "./deadlock"]);
    expect(result.ended).toBeUndefined(); // how, if it is
    expect(result).toMatchObject({ verdict: "deadlock", samples: 3 });
    const names =
      language === "rust"
        ? MUTUAL.map((one) => one.replace(/accounts|journal/, (name) => name.toUpperCase()))
        : MUTUAL;
    expect(waits(result)).toEqual([names[0], main, names[1]].sort());
    expect(lineOf(result, "transfer")).toBe(marker(source(sonde, language), "transfer-wait"));
    expect(lineOf(result, "audit")).toBe(marker(source(sonde, language), "audit-wait"));
    const text = await sonde.text(["hang", "--after", "1", "--", "./deadlock"], { timeoutMs: 90_000 });
    expect(text).toMatch(/^deadlock: 2 threads wait for each other {2}· 3 samples/);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(BUDGET);
  },
);

function source(sonde: Sonde, language: Language): string {
  return join(sonde.project, `deadlock.${{ c: "c", cpp: "cpp", rust: "rs", go: "go" }[language]}`);
}

test("Go: a deadlock over channels that the runtime finds", { timeout: 120_000 }, async ({ skip }) => {
  if (compilerVersion("go") === undefined) skip("no Go");
  const sonde = borrowSonde(builtFolder("go"));
  const result = await hang(sonde, ["--after", "20", "--", "./deadlock"]);
  expect(result).toMatchObject({ verdict: "deadlock", exception: { message: /all goroutines are asleep/ } });
  expect(waits(result)).toEqual(["audit: transferred", "main: workers", "transfer: audited"]);
  expect(lineOf(result, "transfer")).toBe(marker(source(sonde, "go"), "transfer-wait"));
  expect(lineOf(result, "audit")).toBe(marker(source(sonde, "go"), "audit-wait"));
  const text = await sonde.text(["hang", "--after", "20", "--", "./deadlock"], { timeoutMs: 90_000 });
  expect(text).toContain("waits to receive from a channel: audited");
  expect(text).not.toContain("sonde threads");
});

test("Go: one over mutexes that it does not", { timeout: 120_000 }, async ({ skip }) => {
  if (compilerVersion("go") === undefined) skip("no Go");
  const sonde = borrowSonde(builtFolder("go"));
  const result = await hang(sonde, ["--after", "1", "--", "./mutexes"]);
  expect(result.verdict).toBe("deadlock");
  expect(waits(result)).toEqual([MUTUAL[0], "main: for time to pass", MUTUAL[1]]);
});

test("Java: two threads that wait for each other's monitor", { timeout: 120_000 }, async ({ skip }) => {
  if (!has("javac", "--version")) skip("no JDK");
  const sonde = borrowSonde();
  sonde.write(
    "Bank.java",
    `class Bank {
  static final Object accounts = new Object();
  static final Object journal = new Object();
  static final java.util.concurrent.CyclicBarrier both = new java.util.concurrent.CyclicBarrier(2);

  static void meet() {
    try {
      both.await();
    } catch (Exception broken) {
      throw new IllegalStateException(broken);
    }
  }

  static void transfer() {
    synchronized (accounts) {
      meet();
      synchronized (journal) {
        System.out.println("transferred");
      }
    }
  }

  static void audit() {
    synchronized (journal) {
      meet();
      synchronized (accounts) {
        System.out.println("audited");
      }
    }
  }

  public static void main(String[] args) throws Exception {
    new Thread(Bank::transfer, "transfer").start();
    new Thread(Bank::audit, "audit").start();
  }
}
`,
  );
  const result = await hang(sonde, ["--after", "6", "--", "java", "Bank.java"]);
  expect(result.verdict).toBe("deadlock");
  expect(waits(result).filter((one) => one.includes("<"))).toEqual(MUTUAL);
});

test("Node: an endless loop, and where it is", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  const file = sonde.fixture("js/endless.js");
  const result = await hang(sonde, ["--after", "1", "--samples", "5", "--", "node", "endless.js"]);
  expect(result).toMatchObject({ verdict: "busy", samples: 5 });
  expect(result.groups).toHaveLength(1);
  expect(result.groups[0]?.within?.function).toBe("main");
  const lines = result.groups[0]?.places.map((one) => one.line) ?? [];
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines)
    expect([marker(file, "loop") - 1, marker(file, "loop"), marker(file, "spin")]).toContain(line);
  const text = await sonde.text("hang --after 1 -- node endless.js");
  expect(text).toMatch(/^busy: it runs and never leaves main {2}endless\.js/);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(BUDGET);
});

test("Node: nothing runs, and what may wake it", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  sonde.fixture("js/waits.js");
  const result = await hang(sonde, ["--after", "1", "--", "node", "waits.js"]);
  expect(result.verdict).toBe("idle");
  expect(result.pending).toContain("TCPServerWrap");
});

test("C: a source file, built; and how to look around in it", { timeout: 60_000 }, async ({ skip }) => {
  if (compilerVersion("c") === undefined) skip("no C compiler");
  const sonde = borrowSonde();
  sonde.fixture("c/endless.c");
  const result = await hang(sonde, ["endless.c", "--build", "--after", "1"]);
  expect(result.verdict).not.toBe("ended");
  expect(result.again).toBe("sonde start endless.c --no-wait --build; sonde pause");
  const line = await hang(sonde, ["--build", "--after", "1", "--", "./endless.c"]);
  expect(line.again).toBe("sonde start --no-wait --build -- ./endless.c; sonde pause");
  expect(await sonde.refusal("hang 1 --pid 2")).toMatchObject({ code: "BAD_ARGUMENT" });
});

test("a program that ends, or dies, did not hang", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  for (const name of ["exit-code", "uncaught"]) sonde.fixture(`js/${name}.js`);
  const ended = await hang(sonde, ["--after", "20", "--", "node", "exit-code.js"]);
  expect(ended).toMatchObject({ verdict: "ended", ended: { exitCode: 3 }, groups: [], samples: 0 });
  expect(ended.output.lines.map((line) => line.text)).toContain("to stdout");
  const died = await hang(sonde, ["--after", "20", "--", "node", "uncaught.js"]);
  expect(died).toMatchObject({ verdict: "stopped", samples: 1 });
  expect(died.groups[0]?.frames[0]?.function).toBe("parse");
  expect(await sonde.refusal("hang")).toMatchObject({ code: "BAD_ARGUMENT" });
});

test("a process that is attached to runs on", { timeout: 90_000 }, async ({ skip }) => {
  if (compilerVersion("c") === undefined) skip("no C compiler");
  const sonde = borrowSonde(builtFolder("c"));
  const program = sonde.program("./deadlock", []);
  await printed(program, "started");
  const result = await hang(sonde, [String(program.pid)]);
  expect(result).toMatchObject({ verdict: "deadlock", left: true, pid: program.pid });
  expect(result.groups.every((group) => !group.moved)).toBe(true);
  expect(waits(result).filter((one) => one.includes("<"))).toEqual(MUTUAL);
  expect(stateOf(program.pid)).toBe("S 0");
});

test("one in Python too, though it cannot be stopped", { timeout: 90_000 }, async ({ skip }) => {
  if (!has("python3", "--version")) skip("no python3");
  const sonde = borrowSonde();
  sonde.fixture("python/deadlock.py");
  const program = sonde.program("python3", ["deadlock.py"]);
  await printed(program, "started");
  const result = await hang(sonde, [String(program.pid)]);
  expect(result).toMatchObject({ verdict: "deadlock", left: true });
  expect(waits(result).filter((one) => one.includes("<"))).toEqual([MUTUAL[0], JOINED, MUTUAL[1]]);
  expect(stateOf(program.pid)).toBe("S 0");
});
