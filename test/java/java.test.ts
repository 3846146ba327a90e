/** What is Java's own: values without running the program's code, expressions, ways to start, and what is refused. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { printed } from "../contract/rig.ts";
import { javaRows } from "../contract/rows/java.ts";
import { marker } from "../support/markers.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";

interface Value {
  name: string;
  value: string;
  type?: string;
  handle?: string;
}

interface Stop {
  state: string;
  snapshot: { reason: string; frame: { function: string; line: number }; values: Value[]; notes: string[] };
}

function projectWith(): Sonde {
  const sonde = borrowSonde();
  sonde.fixture("java");
  return sonde;
}

async function atValues(): Promise<{ sonde: Sonde; values: Map<string, Value> }> {
  const sonde = projectWith();
  const line = marker(join(sonde.project, "values.java"), "values");
  const { snapshot } = await sonde.ask<Stop>(["start", "values.java", "--break", `values.java:${line}`]);
  return { sonde, values: new Map(snapshot.values.map((one) => [one.name, one])) };
}

describe.skipIf(javaRows.length === 0)("java", { timeout: 60_000 }, () => {
  test("values are shown without running any of the program's code", async () => {
    const { sonde, values } = await atValues();
    const shown = Object.fromEntries([...values].map(([name, { value }]) => [name, value]));
    expect(shown).toMatchObject({
      here: "Point {x=1, y=2}",
      names: 'ArrayList size=3 {"a", "b", "c"}',
      ages: 'LinkedHashMap size=2 {"ann"=30, "bob"=41}',
      odd: "HashSet size=2 {1, 3}",
      colour: "Colour.TEAL",
      boxed: "7",
      big: "1099511627776",
      letter: "'x'",
      text: '"line one\\nline \\"two\\""',
      nothing: "null",
      reals: "double[2] {0.5, 1.5}",
    });
    const opened = await sonde.ask<{ values: Value[] }>(["variables", String(values.get("ages")?.handle)]);
    expect(opened.values.map(({ name, value }) => [name, value])).toEqual([
      ['"ann"', "30"],
      ['"bob"', "41"],
    ]);
  });

  test("large numbers and the JDK's other collections, as they would write themselves", async () => {
    const sonde = projectWith();
    sonde.write(
      "Held.java",
      `import java.math.*; import java.util.*;
public class Held {
  enum Kind { PLAIN, OWN { @Override public String toString() { return "x"; } } }
  public static void main(String[] args) {
    BigInteger huge = BigInteger.TWO.pow(100).negate(), zero = BigInteger.ZERO;
    BigDecimal price = new BigDecimal("10.250"), wide = new BigDecimal("-123456789012345678901234567890.5");
    List<Integer> one = List.of(7), two = List.of(7, 8), four = List.of(1, 2, 3, 4);
    Set<Object> lone = Set.of(new int[0].getClass() == null ? "" : 5);
    Map<Integer, String> single = Map.of(1, "a");
    TreeMap<String, Integer> tree = new TreeMap<>();
    for (int i = 299; i >= 0; i--) tree.put(String.format("k%03d", i), i);
    TreeSet<Integer> sorted = new TreeSet<>(List.of(3, 1, 2));
    ArrayDeque<Integer> ring = new ArrayDeque<>();
    for (int i = 0; i < 20; i++) { ring.add(i); if (i % 2 == 0) ring.poll(); }
    PriorityQueue<Integer> heap = new PriorityQueue<>(List.of(2, 1));
    Set<Integer> few = Set.of(1, 2, 3);
    Map<Object, Integer> mixed = new LinkedHashMap<>();
    mixed.put(1, 10); mixed.put(1L, 20);
    Kind kind = Kind.OWN;
    System.out.println(huge);
  }
}
`,
    );
    const { snapshot } = await sonde.ask<Stop>(["start", "Held.java", "--break", "Held.java:20"]);
    const values = new Map(snapshot.values.map((value) => [value.name, value]));
    const shown = Object.fromEntries([...values].map(([name, { value }]) => [name, value]));
    expect(shown).toMatchObject({
      huge: "-1267650600228229401496703205376",
      zero: "0",
      price: "10.250",
      wide: "-123456789012345678901234567890.5",
      one: "List12 size=1 {7}",
      two: "List12 size=2 {7, 8}",
      four: "ListN size=4 {1, 2, 3, 4}",
      lone: "Set12 size=1 {5}",
      single: 'Map1 size=1 {1="a"}',
      sorted: "TreeSet size=3 {1, 2, 3}",
      ring: "ArrayDeque size=10 {10, 11, 12, 13, 14, 15, 16, 17, …}",
      heap: "PriorityQueue size=2 {1, 2}",
      mixed: "LinkedHashMap size=2 {1=10, 1 (Long)=20}",
      kind: "Kind.OWN",
    });
    expect(shown.few).toMatch(/^SetN size=3 \{[123], [123], [123]\}$/);
    const page = ["variables", String(values.get("tree")?.handle), "--start", "298", "--count", "5"];
    const { values: last } = await sonde.ask<{ values: Value[] }>(page);
    expect(last.map(({ name, value }) => [name, value])).toEqual([
      ['"k298"', "298"],
      ['"k299"', "299"],
    ]);
  });

  test("expressions: fields, calls, operators, assignments", async () => {
    const { sonde } = await atValues();
    const expected = {
      "here.distance(there)": "7",
      'ages.get("bob") + 1': "42",
      "Point.made": "2",
      "text.length() > 3 && here.x == 1": "true",
      "nothing != null && nothing.hashCode() == 1": "false",
      "here.y = 9": "9",
      "here.y": "9",
      '"a" + big': '"a1099511627776"',
      "nothing == null ? 1 : nothing.hashCode()": "1",
      "reals[1] * 2": "3.0",
      "here instanceof Point": "true",
      "7 / 2 + (1 << 4) % 5": "4",
      "(boxed + 1) * -2": "-16",
    };
    for (const [expression, value] of Object.entries(expected))
      expect([expression, (await sonde.ask<Value>(["eval", expression])).value]).toEqual([expression, value]);
  });

  test("what cannot be evaluated says why, and the stop is as it was", async () => {
    const { sonde } = await atValues();
    const refused = {
      "nope + 1": /nope is not known here/,
      "names.nope()": /has no method nope/,
      "new Point(1, 2)": /`new` is not supported/,
      "here.toString()": /toString threw IllegalStateException: a debugger must not call this/,
      "reals[9]": /outside of an array of 2/,
      "1 +": /ends too early/,
      "nothing.x": /null has no x/,
      "letter = 3.5": /3\.5 is no char/,
    };
    for (const [expression, why] of Object.entries(refused))
      expect(await sonde.refusal(["eval", expression])).toMatchObject({
        code: "EVAL_FAILED",
        message: expect.stringMatching(why),
      });
    expect((await sonde.ask<Value>("print here.x")).value).toBe("1");
  });

  test("a command line of java's, a method of a class, and the entry", async () => {
    const sonde = projectWith();
    expect(spawnSync("javac", ["-g", "-d", "out", "calls.java"], { cwd: sonde.project }).status).toBe(0);
    const command = ["--", "java", "-cp", "out", "Calls"];
    const entry = await sonde.ask<Stop>(["start", "--stop-on-entry", ...command]);
    expect(entry.snapshot).toMatchObject({
      reason: "entry",
      frame: { line: marker(join(sonde.project, "calls.java"), "main-call") },
    });
    await sonde.ask(["break", "-f", "Calls.middle", "--condition", "n == 5"]);
    const { snapshot } = await sonde.ask<Stop>("continue");
    expect(snapshot.frame.function).toBe("Calls.middle");
    expect(snapshot.values).toMatchObject([{ name: "n", value: "5" }]);
  });

  test("what does not compile is told in the compiler's words, and nothing is left behind", async () => {
    const sonde = projectWith();
    sonde.write("Bad.java", 'class Bad { int x = "text"; }\n');
    const refusal = await sonde.refusal("start Bad.java");
    expect(refusal).toMatchObject({ code: "LAUNCH_FAILED" });
    expect(refusal.message).toMatch(/Bad\.java:1: error: incompatible types/);
    expect(existsSync(join(sonde.project, "Bad.class"))).toBe(false);
  });

  test("a process without the agent is refused with what to start it with", async () => {
    const sonde = projectWith();
    const program = sonde.program("java", ["idle.java"]);
    await printed(program.stdout, "ready");
    expect(await sonde.refusal(["attach", String(program.pid)])).toMatchObject({
      code: "UNSUPPORTED",
      hint: expect.stringContaining("-agentlib:jdwp"),
    });
    expect(program.exitCode).toBeNull();
  });
});
