/** `sonde trace` on the same two programs in five languages, and what it answers when things go wrong. */
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import type { TraceResult } from "../../src/commands/trace/shapes.ts";
import { builtFolder, compilerVersion, type Language } from "../support/builds.ts";
import { marker } from "../support/markers.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";

interface Twin {
  title: string;
  /** The folder of its fixtures, built where they must be. */
  open(): Sonde;
  file(program: string): string;
  command(program: string): string[];
  missing?: boolean;
}

function built(title: string, language: Language, extension: string): Twin {
  return {
    title,
    open: () => borrowSonde(builtFolder(language)),
    file: (program) => `${program}${extension}`,
    command: (program) => [`./${program}`],
    missing: compilerVersion(language) === undefined,
  };
}

function interpreted(title: string, folder: string, command: string, extension: string): Twin {
  return {
    title,
    open: () => {
      const sonde = borrowSonde();
      sonde.fixture(folder);
      return sonde;
    },
    file: (program) => `${program}${extension}`,
    command: (program) => [command, `${program}${extension}`],
  };
}

const TWINS: Twin[] = [
  built("C", "c", ".c"),
  built("Rust", "rust", ".rs"),
  built("Go", "go", ".go"),
  interpreted("Python", "python", "python3", ".py"),
  interpreted("JavaScript", "js", "node", ".js"),
].filter(({ missing }) => !missing);

interface Contract {
  watchpoints: Record<string, { var: string; value: string }[]>;
  breakpoints: Record<string, string[]>;
}

const schema = new Ajv2020({ strict: false }).compile<Contract>(
  JSON.parse(readFileSync(join(import.meta.dirname, "../../docs/runtime-feedback.schema.json"), "utf8")),
);

/** What `--feedback` printed, checked against the published schema. */
function contractIn(text: string): Contract {
  const value: unknown = JSON.parse(text);
  if (!schema(value)) throw new Error(JSON.stringify(schema.errors));
  return value;
}

const valuesOf = (contract: Contract, place: string, name: string) =>
  contract.watchpoints[place]?.filter((one) => one.var === name).map(({ value }) => Number(value));

describe.each(TWINS)("$title", ({ open, file, command }) => {
  const at = (sonde: Sonde, program: string, name: string) =>
    `${file(program)}:${marker(join(sonde.project, file(program)), name)}`;

  test.each([undefined, "stops"])(
    "values and backtraces of a loop (collector %s)",
    { timeout: 60_000 },
    async (way) => {
      const sonde = open();
      const place = at(sonde, "loop_basic", "body");
      const forced = way === undefined ? [] : ["--collector", way];
      const words = ["trace", "--at", place, "--watch", "i", "--watch", "sum", "--feedback", ...forced];
      const contract = contractIn(await sonde.text([...words, "--", ...command("loop_basic")]));
      expect(Object.keys(contract.breakpoints)).toEqual([place]);
      expect(valuesOf(contract, place, "i")).toEqual([0, 1, 2, 3, 4]);
      expect(valuesOf(contract, place, "sum")).toEqual([0, 0, 1, 3, 6]);
      expect(contract.breakpoints[place]).toHaveLength(5);
      for (const stack of contract.breakpoints[place] ?? [])
        expect(stack).toMatch(
          new RegExp(`work_basic\\(\\) -> .*main\\(\\).* @ ${place.replace(".", "\\.")}$`),
        );
    },
  );

  test("standard input, before and after a line", { timeout: 60_000 }, async () => {
    const sonde = open();
    const [before, after] = [at(sonde, "loop_stdin", "body"), at(sonde, "loop_stdin", "multiplied")];
    const contract = contractIn(
      await sonde.text(
        [
          "trace",
          "--at",
          `${before}=i,acc`,
          "--at",
          after,
          "--watch",
          "acc",
          "--stdin",
          "-",
          "--feedback",
          "--",
          ...command("loop_stdin"),
        ],
        { input: "4\n" },
      ),
    );
    expect(valuesOf(contract, before, "i")).toEqual([1, 2, 3, 4]);
    expect(valuesOf(contract, before, "acc")).toEqual([1, 1, 2, 6]);
    expect(valuesOf(contract, after, "acc")).toEqual([1, 2, 6, 24]);
    expect(contract.watchpoints[after]?.some((one) => one.var === "i")).toBe(false);
  });

  test("the answer in words, and what is kept", { timeout: 60_000 }, async () => {
    const sonde = open();
    const place = at(sonde, "loop_basic", "body");
    const text = await sonde.text([
      "trace",
      "--at",
      place,
      "--watch",
      "i",
      "--watch",
      "sum",
      "--",
      ...command("loop_basic"),
    ]);
    expect(text).toMatch(/^trace t1: 5 hits · exit code 0 · /);
    expect(text).toMatch(/hit {2}i {2}sum\n +1 {2}0 {2}0\n[\s\S]* 5 {2}4 {2}6\n/);
    expect(text).toContain("| sum=10");
    expect(text.length).toBeLessThan(1200);
    const shown = await sonde.ask<TraceResult>(["trace", "show", "t1", "--where", "sum > 2 && i < 4"]);
    expect(shown.hits).toMatchObject([{ hit: 4, values: ["3", "3"] }]);
    expect(existsSync(shown.file)).toBe(true);
    expect(await sonde.text("sessions")).toContain("no session");
  });

  test("a condition, an expression without a value, a place that is never reached", {
    timeout: 60_000,
  }, async () => {
    const sonde = open();
    const [body, after] = [at(sonde, "loop_basic", "body"), at(sonde, "loop_basic", "after")];
    const words = [
      "--at",
      `${body}=i`,
      "--watch",
      "no_such_name",
      "--condition",
      "i == 3",
      "--at",
      `${after} if sum > 99`,
    ];
    const { hits, trace } = await sonde.ask<TraceResult>(["trace", ...words, "--", ...command("loop_basic")]);
    expect(hits).toMatchObject([{ kind: "point", point: 0, hit: 1, values: ["3", "<unavailable>"] }]);
    expect(trace.counts).toEqual([1, 0]);
    expect(trace.end).toMatchObject({ how: "exited", exitCode: 0 });
  });
});

describe("a function's call", () => {
  test.each(TWINS.filter(({ title }) => title !== "Go"))(
    "in $title",
    { timeout: 60_000 },
    async ({ open, command }) => {
      const text = await open().text(["trace", "--function", "work_basic", "--", ...command("loop_basic")]);
      expect(text).toMatch(/work_basic\(.*n=5.*\)/);
      expect(text).toMatch(/loop, lines \d+-\d+: its head ran 6 times|round/);
      expect(text).toMatch(/sum = 10/);
      expect(text.length).toBeLessThan(4096);
    },
  );
});

describe("what goes wrong", () => {
  const project = () => {
    const sonde = borrowSonde();
    sonde.fixture("python");
    return sonde;
  };

  test("nothing to record, no command, a place that is none, a way that is none", async () => {
    const sonde = project();
    expect(await sonde.refusal("trace -- python3 loop_basic.py")).toMatchObject({
      code: "BAD_ARGUMENT",
      status: 2,
    });
    expect(await sonde.refusal("trace --function f")).toMatchObject({
      code: "BAD_ARGUMENT",
      message: "run what?",
    });
    expect(await sonde.refusal("trace --at nowhere.py:3 -- python3 loop_basic.py")).toMatchObject({
      code: "BAD_LOCATION",
    });
    expect(
      await sonde.refusal("trace --at loop_basic.py:5 --collector magic -- python3 loop_basic.py"),
    ).toMatchObject({
      code: "BAD_ARGUMENT",
      hint: expect.stringContaining("stops"),
    });
    expect(await sonde.refusal("trace show t99")).toMatchObject({ code: "NO_TRACE" });
    expect(await sonde.refusal("trace rm")).toMatchObject({ code: "BAD_ARGUMENT" });
  });

  test("a line without code names the lines that have some", async () => {
    const sonde = project();
    expect(await sonde.refusal("trace --at loop_basic.py:7=n -- python3 loop_basic.py")).toMatchObject({
      code: "BAD_LOCATION",
      hint: expect.stringMatching(/\b6\b/),
    });
  });

  test("a program that never ends is ended when the time is up, and what was recorded is kept", async () => {
    const sonde = project();
    sonde.write("ticks.py", "import time\nn = 0\nwhile True:\n    n += 1\n    time.sleep(0.01)\n");
    const text = await sonde.text("trace --at ticks.py:4=n --max-seconds 1 -- python3 ticks.py");
    expect(text).toMatch(/^trace t1: \d+ hits · PARTIAL: it was still running after 1 s/);
  });

  test("a client that goes away leaves a partial trace and no program", async () => {
    const sonde = project();
    sonde.write(
      "ticks.py",
      "n = 0\nimport time\nprint('ready', flush=True)\nwhile True:\n    n += 1\n    time.sleep(0.01)\n",
    );
    const child = sonde.spawn("trace --at ticks.py:5=n --follow -- python3 ticks.py");
    await once(child.stdout as NodeJS.ReadableStream, "data"); // the first word of --follow: it records
    child.kill("SIGKILL");
    await expect.poll(() => sonde.text("trace list"), { timeout: 10_000 }).toMatch(/^t1 .* partial /);
    expect(await sonde.text("trace show")).toMatch(/PARTIAL: it was cancelled/);
    expect(await sonde.text("sessions")).toContain("no session");
  });

  test.each([
    [
      "python3",
      "ticks.py",
      "import time\nn = 0\nprint('up', flush=True)\nwhile True:\n    n += 1\n    time.sleep(0.01)\n",
    ],
    ["node", "ticks.js", "let n = 0;\nconsole.log('up');\n\nsetInterval(() => {\n  n += 1;\n}, 10);\n"],
  ])(
    "recorded by %s without a debugger it is listed, prints and can be stopped",
    async (tool, file, program) => {
      const sonde = project();
      sonde.write(file, program);
      const child = sonde.spawn(`trace --at ${file}:5=n --follow -- ${tool} ${file}`);
      let said = "";
      child.stdout?.on("data", (chunk: Buffer) => {
        said += chunk.toString();
      });
      const closed = once(child, "close");
      await expect.poll(() => sonde.text("output -s ticks"), { timeout: 10_000 }).toMatch(/\| up\n/);
      expect(await sonde.text("sessions")).toMatch(/^ticks {2}running {2}.* pid \d+\n$/);
      expect(await sonde.refusal("backtrace -s ticks")).toMatchObject({
        code: "NO_SESSION",
        message: "ticks is being recorded without a debugger",
      });
      expect(await sonde.text("stop -s ticks")).toBe("ended: session ticks\n");
      await closed;
      expect(said).toMatch(/trace t1: \d+ hits/);
      expect(await sonde.text("sessions")).toContain("no session");
    },
  );

  test("Ctrl-C answers with what there is", async () => {
    const sonde = project();
    sonde.write("ticks.py", "import time\nn = 0\nwhile True:\n    n += 1\n    time.sleep(0.01)\n");
    const child = sonde.spawn("trace --at ticks.py:4=n --follow -- python3 ticks.py");
    let said = "";
    const told = new Promise<void>((resolve) => {
      child.stdout?.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes("hit")) resolve();
      });
    });
    await told;
    child.kill("SIGINT");
    await once(child, "close");
    expect(said).toMatch(/trace t1: \d+ hits? · PARTIAL: it was cancelled/);
  });
});

describe("what the answer says", () => {
  const NUMBERS = `def add(n, k):
    return n + k

def run(items):
    total = 0
    for item in items:
        total = total + (add(item, 1) if item == 7 else 0)
    return total

for turn in range(3):
    run(list(range(12)))
for turn in range(10):
    print("line", turn)
`;
  const project = () => {
    const sonde = borrowSonde();
    sonde.write("numbers_app.py", NUMBERS);
    return sonde;
  };

  test("a round with a call that was asked for is shown, and where calls are counted from", async () => {
    const sonde = project();
    const words = "trace --function run --function add -- python3 numbers_app.py";
    const text = await sonde.text(words);
    expect(text).toMatch(/\n {4}… 5 more rounds like round 1\n {4}round 8\n[\s\S]* add\(n=7, k=1\) /);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
    expect(await sonde.text("trace show --hits 99")).toContain("\nno such call: there are calls 1..3\n");
    expect(await sonde.text("trace show --hits 2")).toContain("run(items=");
  });

  test("what was called, for a name that nothing has", async () => {
    const text = await project().text("trace --function numbers_app.rum -- python3 numbers_app.py");
    expect(text).toContain("\nno call of numbers_app.rum() in code below ");
    expect(text).toContain("\nnote: did you mean run? this run called: run, add\n");
  });

  test("how to see values, and little of what a program printed that ended well", async () => {
    const sonde = project();
    const text = await sonde.text("trace --at numbers_app.py:8 -- python3 numbers_app.py");
    expect(text).toContain("  no value was asked for: --at numbers_app.py:8=expr,expr records values\n");
    expect(text).toMatch(
      /program output \(7 earlier lines: .*\.txt\)\n {2}\| line 7\n {2}\| line 8\n {2}\| line 9\n/,
    );
    sonde.write("failing.py", `${NUMBERS.replace("range(10)", "range(20)")}raise SystemExit(1)\n`);
    const failed = await sonde.text("trace --at failing.py:8 -- python3 failing.py");
    expect(failed).toMatch(/program output \(12 earlier lines: .*\.txt\)\n {2}\| line 12\n/);
  });
});

describe("what a newcomer asked about", () => {
  test("a variable whose block has ended is not spoken of", async () => {
    const sonde = borrowSonde();
    sonde.write(
      "blocks.js",
      "function work(list) {\n  for (const one of list) {\n    const two = one * 2;\n    list[0] = two;\n  }\n  return list;\n}\nwork([1, 2]);\n",
    );
    await sonde.text("trace --function work -- node blocks.js");
    const { hits } = await sonde.ask<TraceResult>("trace show --hits 1");
    expect(hits.some((hit) => hit.kind !== "point" && hit.gone?.includes("one"))).toBe(true);
    expect(await sonde.text("trace show --hits 1")).not.toMatch(/\bgone\b/);
  });

  test("every argument is seen beside a long one, and how to see the rest of that", async () => {
    const sonde = borrowSonde();
    sonde.write(
      "long.py",
      "def work(table, other, limit):\n    return limit\n\nwork({'key%d' % n: n for n in range(50)}, list(range(90)), 7)\n",
    );
    const text = await sonde.text("trace --function work -- python3 long.py");
    expect(text).toMatch(/^work\(table=\{'key0': 0, .*…, other=\[0, 1, .*…, limit=7\) {2}long\.py:1$/m);
    expect(text).toContain(
      "\nonly 120 characters of a value are recorded: `sonde trace --at 'long.py:2=<part of table>' -- python3 long.py` records a part of table\n",
    );
    // What the record holds is shown when it is asked for.
    const all = await sonde.text("trace show --hits 1");
    const [, table = ""] = /table=(.*…), other=/.exec(all) ?? [];
    expect(table).toHaveLength(120);
    const part = await sonde.text(["trace", "--at", "long.py:2=table['key49']", "--", "python3", "long.py"]);
    expect(part).toMatch(/\n +1 {2}49\n/);
  });

  test("of a test run, what the program printed", async () => {
    const sonde = borrowSonde();
    sonde.fixture("js/testing-node");
    const line = "trace --function total -- node --test cart.test.js";
    const quiet = await sonde.text(line, { cwd: "testing-node" });
    expect(quiet).toMatch(
      /\nprogram output: apparently only \d+ lines of the test runner's \(.*\.output\.txt\)\n/,
    );
    sonde.write(
      "testing-node/loud.test.cjs",
      'const { test } = require("node:test");\nconst assert = require("node:assert");\nfunction twice(n) {\n  console.log("twice of", n);\n  return n;\n}\ntest("doubles", () => {\n  assert.equal(twice(2), 4);\n});\n',
    );
    const loud = await sonde.text("trace --function twice -- node loud.test.cjs", { cwd: "testing-node" });
    expect(loud).toMatch(
      /\nprogram output \(without \d+ lines of the test runner's: .*\.output\.txt\)\n {2}\| twice of 2\n(full|more)/,
    );
    // Where nothing was recorded the runner may say why.
    const none = await sonde.text("trace --function thrice -- node loud.test.cjs", { cwd: "testing-node" });
    expect(none).toMatch(/\n {2}\| # fail 1\n|\n {2}\| ℹ fail 1\n/);
  });
});

describe("kept traces", () => {
  test("are filtered, exported and removed", async () => {
    const sonde = borrowSonde();
    sonde.fixture("python");
    const line = marker(join(sonde.project, "loop_basic.py"), "body");
    await sonde.text(["trace", "--at", `loop_basic.py:${line}=i,sum`, "--", "python3", "loop_basic.py"]);
    const hits = async (...words: string[]) =>
      (await sonde.ask<TraceResult>(["trace", "show", ...words])).hits.map((hit) =>
        hit.kind === "point" ? hit.hit : 0,
      );
    expect(await hits("--hits", "2..3")).toEqual([2, 3]);
    expect(await hits("--first", "1", "--last", "1")).toEqual([1, 5]);
    expect(await hits("--changes", "--watch", "sum")).toEqual([1, 3, 4, 5]);
    expect(await hits("--where", "i = 2 or i = 4")).toEqual([3, 5]);
    expect(await sonde.refusal(["trace", "show", "--where", "i > 0 and size > 1"])).toMatchObject({
      code: "BAD_ARGUMENT",
      message: "--where: size was not recorded in this trace",
      hint: `recorded: i, sum; \`sonde trace --at loop_basic.py:${line}=i,sum,size -- <command>\` records it too`,
    });
    expect(await sonde.refusal(["trace", "show", "--where", "sum"])).toMatchObject({
      message: "--where: `sum` in `sum` is not <expression> <operator> <value>",
    });
    await sonde.text(["trace", "show", "--format", "csv", "--to", "out.csv"]);
    const [head, first] = readFileSync(join(sonde.project, "out.csv"), "utf8").split("\n");
    expect(head).toBe("seq,ms,thread,kind,place,hit,i,sum,backtrace");
    expect(first).toMatch(/^1,[\d.]+,.*,point,loop_basic\.py:\d+,1,0,0,/);
    await sonde.text(["trace", "show", "--format", "jsonl", "--to", "out.jsonl"]);
    expect(readFileSync(join(sonde.project, "out.jsonl"), "utf8").trim().split("\n")).toHaveLength(6);
    expect(await sonde.text("trace rm t1")).toBe("removed 1 trace\n");
    expect(await sonde.text("trace list")).toBe("no traces\n");
  });

  test("all are removed only with --yes, and no number is given twice", async () => {
    const sonde = borrowSonde();
    sonde.fixture("python");
    const line = marker(join(sonde.project, "loop_basic.py"), "body");
    const record = `trace --at loop_basic.py:${line}=i -- python3 loop_basic.py`;
    await sonde.text(record);
    expect(await sonde.text("trace rm --all")).toBe(
      "would remove 1 trace\n`sonde trace rm --all --yes` removes them\n",
    );
    expect(await sonde.text("trace rm --all --yes")).toBe("removed 1 trace\n");
    await sonde.text(record);
    expect(await sonde.text("trace list")).toMatch(/^t2 /);
  });
});
