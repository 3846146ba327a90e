/** Kernel probes give the record that stopping gives: the same values, frames, counts and ends. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { collector as perf } from "../../../src/trace/collectors/perf/index.ts";
import type { Plan } from "../../../src/trace/plan.ts";
import { compilerVersion } from "../../support/builds.ts";
import { launching, planOf, prepared, type Recorded, recorded } from "../support.ts";
import { atProbes, type Built, built, KINDS, probesLeft, WITHOUT_PROBES } from "./programs.ts";

const LONG = 60_000;

function points({ source, line }: Built, marker: string, expressions: string[], more: Partial<Plan> = {}) {
  return planOf([{ path: source, line: line(marker), expressions }], more);
}

function by(collector: string, { program, folder }: Built, plan: Plan, args: string[] = []) {
  return recorded("lldb", launching({ program, args, cwd: folder }), plan, { collector });
}

/** What must be equal whoever collected it. */
function told({ points: hits, bindings, counts, end, stdout, stderr, notes }: Recorded) {
  return {
    hits: hits.map(({ point, hit, thread, values, frames }) => ({ point, hit, thread, values, frames })),
    ...{ bindings, counts, end, stdout, stderr, notes },
  };
}

async function same(program: Built, plan: Plan, args: string[] = []): Promise<Recorded> {
  const plain = await by("stops", program, plan, args);
  const fast = await by("perf", program, plan, args);
  expect(told(fast)).toEqual(told(plain));
  expect(fast.collector).toBe("perf");
  return fast;
}

describe.skipIf(WITHOUT_PROBES)(`perf${WITHOUT_PROBES ? ` (skipped: ${WITHOUT_PROBES})` : ""}`, () => {
  test("reads every kind of value as LLDB shows it", { timeout: LONG }, async () => {
    const program = built("c", KINDS);
    const variables =
      "i sum odd c odds sc uc i8 u8 sh ush ui ul ll sz col flags ip vp str vi global hidden shared.x shared.name calls";
    const paths =
      "p->x p->name p->b p->in.s p->in.us p->arr[1] p->u p->v local.in.s local.arr[2] *ip maybe->x maybe->name maybe->in.us nosuch p->nosuch (*p).x str[1]";
    const reckoned =
      "i+1|i<3|i == 1|sum*2|ui+1|!i|uc+1|-i|c+1|odd+1|i&3|i<<2|ush+1|sh-1|ul+1|sum/3|i%3|p->x+i|i>1&&odd|sum/7|c=='b'|i>=0x2|~i|-1 < ui|(i+1)*2-sh|maybe->x+1";
    const expressions = [...variables.split(" "), ...paths.split(" "), ...reckoned.split("|")];
    const fast = await same(program, points(program, "here", expressions));
    expect(fast.counts).toEqual([10]);
    const value = (hit: number, expression: string) =>
      fast.points[hit]?.values[expressions.indexOf(expression)];
    expect(value(3, "sum")).toBe("298");
    expect(value(0, "maybe->x")).toBe("<unavailable>");
    expect(value(2, "flags")).toBe("TWO");
    expect(value(3, "flags")).toBe("ONE | TWO");
  });

  test("keeps only hits whose condition holds", { timeout: LONG }, async () => {
    const program = built("c", KINDS);
    const line = program.line("here");
    const conditions = ["i % 2 == 0 && sum > 100", "maybe->x >= 0", "p != 0", "odd", "nosuch == 1"];
    for (const condition of conditions.slice(0, 4)) {
      if (condition.startsWith("maybe")) continue;
      await same(program, planOf([{ path: program.source, line, expressions: ["i", "sum"], condition }]));
    }
    // LLDB stops where a condition fails; a record leaves such hits out.
    const failing = await by(
      "perf",
      program,
      planOf(
        [conditions[1], conditions[4]].map((condition) => ({
          ...{ path: program.source, line, expressions: ["i"] },
          condition: condition ?? "",
        })),
      ),
    );
    expect(failing.points.map(({ point, values }) => [point, ...values])).toEqual([
      [0, "2"],
      [0, "5"],
      [0, "8"],
    ]);
    expect(failing.counts).toEqual([3, 0]);
  });

  test("takes several points, in the order of the run", { timeout: LONG }, async () => {
    const program = built("c", KINDS);
    const plan = planOf([
      { path: program.source, line: program.line("call"), expressions: ["i", "s"] },
      { path: program.source, line: program.line("here"), expressions: ["sum"] },
    ]);
    const fast = await same(program, plan, ["4"]);
    expect(fast.points.map(({ point }) => point)).toEqual([0, 1, 0, 1, 0, 1, 0, 1]);
  });

  test("names the nearest lines where there is no code", { timeout: LONG }, async () => {
    const program = built("c", KINDS);
    // A comment: hits of the line after it are not hits of this one.
    const comment = await same(program, points(program, "nothing", ["s"]), ["2"]);
    expect(comment.bindings[0]).toMatchObject({ state: "unbound", reason: "no code there" });
    const past = await by("perf", program, points(program, "past", []), ["2"]);
    const [binding] = past.bindings;
    expect(binding).toMatchObject({ state: "unbound" });
    const last = program.line("past") - 1;
    expect(binding).toHaveProperty("nearest", expect.arrayContaining([last]));
    expect(past.counts).toEqual([0]);
  });

  test("follows C++ through members, templates and callbacks of the library", { timeout: LONG }, async () => {
    const program = built(
      "cpp",
      `#include <cstdlib>
struct Base { int base = 5; };
struct Counter : Base {
  int total = 0; const char *name = "counter";
  int add(int n) { total += n; return total + base; /* @marker add */ }
};
template <class T> T twice(T value, Counter &counter) {
  return value * 2 + counter.total; // @marker twice
}
static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return x - y; // @marker compare
}
int main() {
  Counter counter;
  int values[] = {3, 1, 2};
  qsort(values, 3, sizeof(int), compare);
  for (int i = 0; i < 3; i++) counter.add(twice(i, counter) + twice((long)i, counter) % 7);
  return 0;
}
`,
    );
    const { source, line } = program;
    await same(
      program,
      planOf([
        { path: source, line: line("add"), expressions: ["n", "this->total", "total", "base", "name"] },
        { path: source, line: line("twice"), expressions: ["value", "counter.total", "counter.base"] },
        { path: source, line: line("compare"), expressions: ["x", "y"], condition: "x != y" },
      ]),
    );
  });

  test.skipIf(compilerVersion("rust") === undefined)(
    "follows Rust, whose code has no frame pointers",
    { timeout: LONG },
    async () => {
      const program = built(
        "rs",
        `struct Point { x: i32, big: u64 }
fn work(i: i32, n: u64, point: &Point) -> u64 {
    let even = i % 2 == 0;
    let byte = 7u8;
    let t = n + i as u64 + point.big; // @marker here
    t + even as u64 + byte as u64 + point.x as u64
}
fn main() {
    let mut n = 0u64;
    for i in 0..5 { n = work(i, n % 100, &Point { x: i * 2, big: 1 << 40 }); }
    println!("{n}");
    std::process::exit(4);
}
`,
      );
      const expressions = ["i", "n", "even", "byte", "i+1", "i==2"];
      const fast = await same(program, points(program, "here", expressions, { frames: 30 }));
      expect(fast.points[0]?.frames.length).toBeGreaterThan(10);
    },
  );

  test("names threads, and sees them all", { timeout: LONG }, async () => {
    const program = built("c", readFileSync("test/fixtures/c/threads.c", "utf8"));
    const plan = points(program, "work-return", ["number", "square"]);
    const sorted = (record: Recorded) => {
      const { hits, ...rest } = told(record);
      const lines = hits.map(({ hit: _, ...one }) => JSON.stringify(one));
      return { ...rest, hits: lines.sort() };
    };
    const fast = await by("perf", program, plan);
    expect(sorted(fast)).toEqual(sorted(await by("stops", program, plan)));
    expect(fast.points.map(({ thread }) => thread).sort()).toEqual(["alpha", "beta"]);
  });

  test("keeps 20,000 hits of 20,000", { timeout: LONG }, async () => {
    const program = built("c", KINDS);
    const plan = points(program, "here", ["i", "p->x"], { frames: 3 });
    const fast = await by("perf", program, plan, ["20000"]);
    expect(fast).toMatchObject({ counts: [20_000], seen: 20_000, dropped: 0 });
    expect(fast.points.map(({ values }) => Number(values[0]))).toEqual([...Array(20_000).keys()]);
    expect(new Set(fast.points.map(({ frames }) => frames.map((one) => one.function).join())).size).toBe(1);
    const times = fast.points.map(({ ms }) => ms);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test("says so where a stack is deeper than its copy", { timeout: LONG }, async () => {
    const program = built(
      "c",
      `int deep(int n) { char room[20000]; room[0] = n; return n == 0 ? room[0] /* @marker deep */ : deep(n - 1); }
int main() { return deep(3); }
`,
    );
    const plan = planOf([{ path: program.source, line: 1, expressions: ["n"] }], { frames: 4 });
    const fast = await by("perf", program, plan);
    expect(fast.counts).toEqual([4]);
    expect(fast.points[3]?.frames).toMatchObject([{ function: "deep", line: 1 }]);
    expect(fast.notes.join()).toMatch(/deeper than perf records/);
  });

  test("ends a program that does not end, and keeps what it saw", { timeout: LONG }, async () => {
    const program = built(
      "c",
      `#include <unistd.h>
int main() {
  for (long i = 0;; i++) {
    usleep(100); // @marker spin
  }
}
`,
    );
    const abort = new AbortController();
    const record = await recorded(
      "lldb",
      launching({ program: program.program, cwd: program.folder }),
      points(program, "spin", ["i"]),
      { collector: "perf", signal: abort.signal, progress: (seen) => seen >= 50 && abort.abort() },
    );
    expect(record.end).toEqual({ how: "stopped" });
    expect(record.points.length).toBeGreaterThanOrEqual(50);
    expect(record.points[49]?.values).toEqual(["49"]);
    expect(probesLeft()).toEqual([]);
  });

  test("tells exit codes and signals, and passes input, arguments, folder and environment on", {
    timeout: LONG,
  }, async () => {
    const program = built(
      "c",
      `#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
extern char **environ;
int main(int argc, char **argv) {
  char line[100], folder[500];
  while (fgets(line, sizeof line, stdin)) printf("read %s", line); // @marker loop
  for (int i = 1; i < argc; i++) printf("argument %s\\n", argv[i]);
  printf("in %s as %s\\n", getcwd(folder, sizeof folder), argv[0]);
  for (char **one = environ; *one; one++) printf("has %s\\n", *one);
  fprintf(stderr, "to stderr\\n");
  if (argc > 2) abort();
  return 41;
}
`,
    );
    const env = { PATH: "/usr/bin:/bin", PWD: "/somewhere/else", A: "b c" };
    const run = (args: string[]) =>
      recorded(
        "lldb",
        launching({ program: program.program, args, cwd: program.folder, env }),
        points(program, "loop", ["argc"]),
        { collector: "perf", stdin: Buffer.from("one\ntwo\n") },
      );
    const ended = await run(["x y"]);
    expect(ended.end).toEqual({ how: "exited", exitCode: 41 });
    expect(ended.stderr).toBe("to stderr\n");
    const lines = ended.stdout.split("\n").filter((line) => !/^has SONDE_LAUNCH=/.test(line));
    expect(lines.sort()).toEqual(
      [
        ...["", "argument x y", "has A=b c", "has PATH=/usr/bin:/bin", "has PWD=/somewhere/else"],
        ...[`in ${program.folder} as ${program.program}`, "read one", "read two"],
      ].sort(),
    );
    expect((await run(["x", "y"])).end).toEqual({ how: "exited", signal: "SIGABRT" });
  });

  test("attaches to a program, and leaves it as it was", { timeout: LONG }, async () => {
    const program = built(
      "c",
      `#include <unistd.h>
#include <stdio.h>
int main() {
  for (long i = 0;; i++) {
    usleep(1000); // @marker spin
    if (i == 3) puts("up"), fflush(stdout);
  }
}
`,
    );
    const running = spawn(program.program, { stdio: ["ignore", "pipe", "ignore"] });
    onTestFinished(() => void running.kill("SIGKILL"));
    await once(running.stdout, "data");
    const abort = new AbortController();
    const record = await recorded(
      "lldb",
      {
        request: "attach",
        plan: { pid: running.pid ?? 0, cwd: program.folder, env: {}, extra: {} },
      },
      points(program, "spin", ["i"]),
      { collector: "perf", signal: abort.signal, progress: (seen) => seen >= 20 && abort.abort() },
    );
    expect(record.end).toEqual({ how: "left" });
    expect(record.points.length).toBeGreaterThanOrEqual(20);
    expect(record.points[0]?.frames[0]).toMatchObject({ function: "main" });
    expect(running.exitCode ?? running.signalCode).toBeNull();
    expect(probesLeft()).toEqual([]);
  });

  test("leaves no probe and no mount, and takes away those of a Sonde that died", {
    timeout: LONG,
  }, async () => {
    const program = built("c", KINDS);
    const mounts = readFileSync("/proc/mounts", "utf8");
    const gone = spawn("true");
    await once(gone, "exit");
    const left = `sonde_${gone.pid}_test/p0`;
    atProbes(`echo 'p:${left} ${program.program}:0x1000' >> /sys/kernel/tracing/uprobe_events`);
    expect(atProbes("cat /sys/kernel/tracing/uprobe_events")).toContain(left);
    await by("perf", program, points(program, "here", ["i"]));
    expect(atProbes("cat /sys/kernel/tracing/uprobe_events")).not.toContain(left);
    expect(probesLeft()).toEqual([]);
    expect(readFileSync("/proc/mounts", "utf8")).toBe(mounts);
  });

  test("says what it cannot do", { timeout: LONG }, async () => {
    const program = built("c", KINDS);
    const why = async (plan: Plan) => {
      const launch = await prepared("lldb", launching({ program: program.program, cwd: program.folder }));
      return perf.unfit(plan, launch);
    };
    const at = (expression: string) => why(points(program, "here", [expression]));
    expect(await at("f")).toBe("a probe cannot fetch a float");
    expect(await at("local")).toMatch(/cannot fetch a P/);
    expect(await at("p")).toMatch(/points to is shown with it/);
    expect(await at("p->bit")).toBe("bit is a bit field");
    expect(await at("work(1, 2, p)")).toMatch(/more than variables and whole numbers/);
    expect(await at("i = 3")).toMatch(/more than variables and whole numbers/);
    expect(await at("str + 1")).toBe("str is not a number");
    const elsewhere = planOf([{ path: "/nowhere/other.c", line: 3, expressions: [] }]);
    expect(await why(elsewhere)).toMatch(/^the program has no debug information for other\.c/);
    const lines = { functions: ["work"], under: [], depth: 0 };
    expect(await why({ ...planOf([]), lines })).toMatch(/not at every line/);
  });
});

const FAMILY = `#include <sys/wait.h>
#include <unistd.h>
static void tick(int who, int i) {
  volatile int x = who * 100 + i; // @marker tick
  (void)x;
}
int main(void) {
  for (int c = 1; c <= 2; c++)
    if (fork() == 0) {
      for (int i = 0; i < 3; i++) tick(c, i);
      _exit(0);
    }
  for (int i = 0; i < 3; i++) tick(0, i);
  while (wait(0) > 0) {
  }
  return 0;
}
`;

describe("a program with children", () => {
  const all = ["stops", "lldb", "gdb", ...(WITHOUT_PROBES ? [] : ["perf"])];
  test.each(all)(
    "%s numbers its own hits, and says that those of the children are missing",
    { timeout: LONG },
    async (collector) => {
      const program = built("c", FAMILY);
      const record = await by(collector, program, points(program, "tick", ["who", "i"]));
      expect(record.points.map(({ hit, values }) => [hit, ...values])).toEqual([
        [1, "0", "0"],
        [2, "0", "1"],
        [3, "0", "2"],
      ]);
      const notes = record.notes.join("\n");
      expect(notes).toContain("hits in its child processes are not recorded");
      if (collector === "perf") expect(notes).toContain("child processes of the program reached it 6 times");
    },
  );
});
