/** Lines recorded inside the bridge: the calls that the program prints, with what they return. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Lines } from "../../../src/trace/plan.ts";
import type { LineEvent } from "../../../src/trace/record.ts";
import { launching, planOf, recorded, scratch } from "../support.ts";

const LONG = { timeout: 120_000 };

const COUNTER = `import java.util.ArrayList;
import java.util.List;

class Counter {
  private final List<Integer> seen = new ArrayList<>();

  int fact(int n) {
    if (n < 2) return 1;
    int below = fact(n - 1);
    return n * below;
  }

  String add(int n) {
    seen.add(n);
    return "so " + n;
  }

  int fails(int n) {
    if (n > 1) throw new IllegalStateException("no " + n);
    return n;
  }

  public static void main(String[] args) throws Exception {
    Counter counter = new Counter();
    System.out.println(counter.fact(3));
    System.out.println(counter.add(7));
    try {
      counter.fails(2);
    } catch (IllegalStateException expected) {
      System.out.println(counter.fails(1));
    }
    Thread other = new Thread(() -> counter.add(8), "other");
    other.start();
    other.join();
  }
}
`;

/** Every method but `leave` ends by an exception that nobody catches; `leave` ends the program. */
const ENDS = `class Ends {
  static void deep(int n) {
    if (n == 0) throw new IllegalStateException("no");
    deep(n - 1);
  }

  static void leave() {
    System.exit(3);
  }

  public static void main(String[] args) throws Exception {
    Thread other = new Thread(() -> deep(0), "other");
    other.start();
    other.join();
    if (args.length > 0) leave();
    deep(1);
  }
}
`;

async function lines(more: Partial<Lines>, [name, text] = ["Counter", COUNTER], words: string[] = []) {
  const folder = scratch();
  writeFileSync(join(folder, `${name}.java`), text);
  execFileSync("javac", ["-g", "-d", ".", `${name}.java`], { cwd: folder });
  const plan = planOf([], { lines: { functions: [], under: [folder], depth: 0, ...more } });
  const opening = launching({ command: ["java", "-cp", ".", name, ...words], cwd: folder });
  const record = await recorded("java", opening, plan, { collector: "java" });
  const events = record.hits.flatMap((one) => (one.kind === "point" ? [] : [one]));
  return { record, events, told: events.map(brief) };
}

function brief({ kind, call, parent, line, changes, value, ...one }: LineEvent): string {
  const who = `${call}${parent === undefined ? "" : `<${parent}`}`;
  const own = changes.filter(([name]) => name !== "this").map(([name, text]) => ` ${name}=${text}`);
  return `${kind} ${who} ${one.function}:${line}${own.join("")}${value === undefined ? "" : ` → ${value}`}`;
}

describe("lines inside the Java bridge", LONG, () => {
  test("of a recursive method tell its calls apart, with what each returns", async () => {
    const { told, record } = await lines({ functions: ["fact"] });
    expect(record.stdout).toContain("6\nso 7\n1\n");
    expect(record.end).toEqual({ how: "exited", exitCode: 0 });
    expect(told).toEqual([
      "call 1 Counter.fact:8 n=3",
      "line 1 Counter.fact:8",
      "line 1 Counter.fact:9",
      "call 2<1 Counter.fact:8 n=2",
      "line 2<1 Counter.fact:8",
      "line 2<1 Counter.fact:9",
      "call 3<2 Counter.fact:8 n=1",
      "line 3<2 Counter.fact:8",
      "return 3<2 Counter.fact:8 → 1",
      "line 2<1 Counter.fact:10 below=1",
      "return 2<1 Counter.fact:10 → 2",
      "line 1 Counter.fact:10 below=2",
      "return 1 Counter.fact:10 → 6",
    ]);
  });

  test("show what changes in the object, and calls that an exception left", async () => {
    const { events, told } = await lines({ functions: ["Counter.add", "Counter.fails"] });
    const added = events.filter((one) => one.function === "Counter.add");
    expect(added.find(({ line }) => line === 15)?.changes).toEqual([["this.seen", "ArrayList size=1 {7}"]]);
    expect(told).toContain("throw 2 Counter.fails:19");
    expect(told).toContain("return 3 Counter.fails:20 → 1");
    expect(added.filter(({ kind }) => kind === "call").map(({ thread }) => thread)).toEqual([
      "main",
      "other",
    ]);
  });

  test("of a whole program are those of every method, in every thread", async () => {
    const { events } = await lines({});
    const called = events.filter(({ kind }) => kind === "call").map((one) => one.function);
    expect(called).toEqual([
      ...["Counter.main", "new Counter", "Counter.fact", "Counter.fact", "Counter.fact", "Counter.add"],
      ...["Counter.fails", "Counter.fails", "Counter.lambda$main$0", "Counter.add"],
    ]);
  });

  test("tell calls that an exception leaves for good, in every thread", async () => {
    const { told, record } = await lines({}, ["Ends", ENDS]);
    expect(record.end).toMatchObject({ exitCode: 1 });
    expect(told.filter((one) => /^(?:throw|return)/.test(one))).toEqual([
      "throw 3<2 Ends.deep:3",
      "throw 2 Ends.lambda$main$0:12",
      "throw 5<4 Ends.deep:3",
      "throw 4<1 Ends.deep:4",
      "throw 1 Ends.main:16",
    ]);
  });

  test("do not tell calls as left in which the program is ended", async () => {
    const { told, record } = await lines({}, ["Ends", ENDS], ["leave"]);
    expect(record.end).toMatchObject({ exitCode: 3 });
    expect(told.slice(-2)).toEqual(["call 4<1 Ends.leave:8", "line 4<1 Ends.leave:8"]);
  });

  test("say which method there is none of", async () => {
    const { events, record } = await lines({ functions: ["nosuch"] });
    expect(events).toEqual([]);
    expect(record.notes).toEqual(["no class of yours that was used has a method nosuch"]);
  });
});
