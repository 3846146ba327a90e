/** Where a native program stops: after a step that was cut short, and on functions of one line. */
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";
import { at, compile, ends, inC, LLDB, stops } from "./rig.ts";

const STEPS = `#include <stdio.h>
static int counter;
static int tick(int n) { counter += n; return counter; }
static int deep(int n) {
  int k = n + 1;
  return k * tick(n);
}
int main(void) {
  int a = deep(3);
  int b = deep(4);
  printf("%d %d\\n", a, b);
  return 0;
}
`;

test("a continue after a step that a breakpoint cut short does not end where the step was going", async () => {
  const sonde = borrowSonde();
  compile(sonde, "steps.c", STEPS);
  await stops(sonde, ["start", "steps", ...LLDB, "--break", "steps.c:9"]);
  await sonde.ask(["break", "steps.c:5"]);
  const cut = await stops(sonde, "next");
  expect(cut).toMatchObject({ reason: "breakpoint", frame: { line: 5 } });
  const second = await stops(sonde, "continue");
  expect(second).toMatchObject({ reason: "breakpoint", frame: { line: 5 } });
  expect(await sonde.ask("print n")).toMatchObject({ value: "4" });
  // A step from inside the call is one of its own.
  expect(await stops(sonde, "next")).toMatchObject({ reason: "step", frame: { line: 6 } });
  await ends(sonde, "continue");
});

test("a function on one line stops where its arguments are in place, conditions included", async () => {
  const sonde = borrowSonde();
  compile(sonde, "steps.c", STEPS);
  const first = await stops(sonde, ["start", "steps", ...LLDB, "--break", "steps.c:3"]);
  expect(first).toMatchObject({ reason: "breakpoint", frame: { function: "tick", line: 3 } });
  expect(first.values[0]).toMatchObject({ name: "n", value: "3" });
  await sonde.ask("breakpoint remove 1");
  await sonde.ask(["break", "steps.c:3", "--condition", "n == 4"]);
  const second = await stops(sonde, "continue");
  expect(second.values[0]).toMatchObject({ name: "n", value: "4" });
  await ends(sonde, "continue");
});

const RECURSIVE = `#include <pthread.h>
static int walk(int n) {
  int left = n - 1;
  if (left > 0)
    left = walk(left);
  return left + n;
}
static void *root(void *n) {
  return (void *)(long)walk((int)(long)n);
}
static void *bare(void *n) {
  long left = (long)n - 1;
  if (left > 0)
    left = (long)bare((void *)left);
  return (void *)(left + 1);
}
int main(int count, char **words) {
  pthread_t thread;
  pthread_create(&thread, 0, count > 1 ? bare : root, (void *)3);
  return pthread_join(thread, 0);
}
`;

test.each([
  { what: "under one of the user's", args: [], line: 3 },
  { what: "that a library calls", args: ["--", "bare"], line: 12 },
])("a recursive function $what: each step shows the frames that there are", async ({ args, line }) => {
  const sonde = borrowSonde();
  compile(sonde, "recursive.c", RECURSIVE);
  await stops(sonde, ["start", "recursive", ...LLDB, "--break", `recursive.c:${line}`, ...args]);
  await sonde.ask("breakpoint remove --all");
  for (const move of ["next", "next", "step", "next", "next", "step", "next", "finish", "next"]) {
    const { stack, moreFrames } = await stops(sonde, move);
    const { frames, total } = await sonde.ask<{ frames: { user: boolean }[]; total: number }>(
      "backtrace --all",
    );
    expect(frames.filter(({ user }) => user)).toEqual(stack);
    expect(stack.length + moreFrames).toBe(total);
  }
});

test("several breakpoints at a place are bound, and each is hit by its own condition", async () => {
  const sonde = inC();
  const place = at("loop", "loop-add");
  const places = ["--break", `${place} if i == 6`, "--break", `${place} if i == 2`];
  const started = await stops(sonde, ["start", "loop", ...LLDB, "--break", at("loop", "before"), ...places]);
  expect(started.unbound).toEqual([]);
  expect((await stops(sonde, "continue")).breakpoints).toMatchObject([{ id: 3, hit: 1 }]);
  await sonde.ask(["break", place, "--condition", "i == 4", "--once"]);
  await sonde.ask("breakpoint disable 3");
  expect(await sonde.ask("breakpoint list")).toMatchObject({
    breakpoints: [
      { id: 1 },
      { id: 2, state: "bound" },
      { id: 3, state: "disabled" },
      { id: 4, state: "bound" },
    ],
  });
  expect((await stops(sonde, "continue")).breakpoints).toMatchObject([{ id: 4, hit: 1 }]);
  expect(await sonde.ask("print i")).toMatchObject({ value: "4" });
  expect((await stops(sonde, "continue")).breakpoints).toMatchObject([{ id: 2, hit: 1 }]);
  expect(await sonde.ask("print i")).toMatchObject({ value: "6" });
});

const TWO = `#include <pthread.h>
#include <unistd.h>
static volatile long other, own, over;
static void *count(void *none) {
  while (!over) other++;
  return none;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, count, NULL);
  while (other == 0) usleep(100);
  for (int i = 0; i < 5; i++) {
    usleep(20000);
    own++;
  }
  over = 1;
  return pthread_join(thread, NULL);
}
`;

test("continue --thread runs that thread alone; the next continue all of them", async () => {
  const sonde = borrowSonde();
  compile(sonde, "two.c", TWO);
  await stops(sonde, ["start", "two", ...LLDB, "--break", "two.c:14"]);
  const counted = async () => Number((await sonde.ask<{ value: string }>("print other")).value);
  const before = await counted();
  expect(await stops(sonde, "continue --thread")).toMatchObject({
    reason: "breakpoint",
    frame: { line: 14 },
  });
  expect((await sonde.ask<{ value: string }>("print own")).value).toBe("1");
  expect(await counted()).toBe(before);
  await stops(sonde, "continue");
  expect(await counted()).toBeGreaterThan(before);
  await sonde.ask("breakpoint remove 1");
  expect(await ends(sonde, "continue")).toMatchObject({ exitCode: 0 });
});

const LIBRARY = `#include <chrono>
#include <memory>
#include <thread>
#include <cstdio>
struct Held { int n; };
static int twice(int n) {
  return n * 2;
}
int main() {
  auto held = std::make_shared<Held>(Held{3});
  int sum = twice(held->n) + twice(2);
  for (int i = 0; i < 1000; i++) {
    puts("asleep"), fflush(stdout), std::this_thread::sleep_for(std::chrono::milliseconds(300));
    sum += i;
  }
  return sum == 0;
}
`;

test("steps move where the reader is: a library's functions are gone over, also one that the program was paused in", async () => {
  const sonde = borrowSonde();
  compile(sonde, "library.cpp", LIBRARY, ["g++", "-pthread"]);
  await stops(sonde, ["start", "library", ...LLDB, "--break", "library.cpp:10"]);
  const places: string[] = [];
  for (let step = 0; step < 6; step++) {
    const { frame } = await stops(sonde, "step");
    places.push(`${frame?.function}:${frame?.line}`);
  }
  expect(places).toEqual(["main:11", "twice:7", "twice:8", "main:11", "twice:7", "twice:8"]);
  await sonde.ask("continue --no-wait");
  await expect.poll(() => sonde.text("output"), { timeout: 10_000 }).toContain("asleep");
  const paused = await stops(sonde, "pause");
  expect(paused.frame).toMatchObject({ function: "main", line: 13 });
  expect(paused.frame?.index).toBeGreaterThan(0);
  expect((await stops(sonde, "next")).frame).toMatchObject({ function: "main", line: 14, index: 0 });
  expect((await stops(sonde, "next")).frame).toMatchObject({ function: "main", line: 12, index: 0 });
});

const ROUNDS = `#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
static int twice(int n) {
  int k = n * 2;
  return k;
}
static void tick(int number) { (void)number; }
int main(int count, char **words) {
  (void)words;
  if (count > 1) {
    struct itimerval often = {{0, 20000}, {0, 20000}};
    signal(SIGALRM, tick);
    setitimer(ITIMER_REAL, &often, 0);
  }
  int total = 0;
  for (int i = 0; i < 6; i++) {
    int k = twice(i);
    total += k;
    printf("%d\\n", total);
  }
  return total;
}
`;

test.each([
  { what: "", args: [] },
  { what: ", also with a timer", args: ["--", "timer"] },
])("a step that ends at a breakpoint is its hit, and the next one moves on$what", async ({ args }) => {
  const sonde = borrowSonde();
  compile(sonde, "rounds.c", ROUNDS);
  await stops(sonde, ["start", "rounds", ...LLDB, "--break", "rounds.c:17", ...args]);
  await sonde.ask("break rounds.c:18");
  await sonde.ask(["break", "rounds.c:19", "--condition", "i == 2"]);
  await sonde.ask(["break", "rounds.c:20", "--hit-count", "3"]);
  await sonde.ask(["break", "--function", "twice"]);
  const seen: string[] = [];
  for (const _ of Array(11)) {
    const { reason, frame, breakpoints } = await stops(sonde, "next");
    // Something runs in the program in between. LLDB's own calls do not bear signals.
    if (frame?.line === 18 && args.length === 0) await sonde.ask("eval twice(3)");
    seen.push(`${frame?.line} ${reason} ${breakpoints.map(({ id, hit }) => `${id}:${hit}`)}`.trim());
  }
  expect(seen).toEqual([
    "18 breakpoint 2:1",
    "5 breakpoint 5:1",
    "6 step",
    "7 step",
    "18 step",
    "19 step",
    "20 step",
    "17 step",
    "18 breakpoint 2:2",
    "5 breakpoint 5:2",
    "6 step",
  ]);
  await sonde.ask("breakpoint remove 5");
  // From where a step has arrived a continue moves on too.
  for (const [move, line, hit] of [
    ["finish", 18, undefined],
    ["next", 19, undefined],
    ["next", 20, undefined],
    ["next", 17, undefined],
    ["next", 18, "2:3"],
    ["next", 19, "3:1"],
    ["next", 20, "4:3"],
    ["continue", 18, "2:4"],
  ] as const) {
    const { frame, breakpoints } = await stops(sonde, move);
    expect([move, frame?.line, breakpoints.map(({ id, hit: number }) => `${id}:${number}`)[0]]).toEqual([
      move,
      line,
      hit,
    ]);
  }
  expect(await sonde.ask("print i")).toMatchObject({ value: "3" });
  // One that is switched off and on, or replaced, where a step has arrived at it was hit there. One that is left meanwhile is hit anew.
  await stops(sonde, "next --count 4");
  for (const change of ["disable 2", "enable 2"]) await sonde.ask(`breakpoint ${change}`);
  await sonde.ask(["break", "rounds.c:18", "--condition", "(i % 2) < 2", "--replace"]);
  expect(await stops(sonde, "continue")).toMatchObject({ frame: { line: 18 } });
  expect(await sonde.ask("print i")).toMatchObject({ value: "5" });
  await sonde.ask("breakpoint remove --all");
  expect(await ends(sonde, "continue")).toMatchObject({ exitCode: 30 });
});
