/** One execution of a line is one hit, whatever LLDB stops at: a timer's signal in the middle, a line with code in several blocks. */
import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import type { ProbeResult } from "../../src/commands/runs/probe-shape.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { compile, ends, LLDB, rustTest, stops } from "./rig.ts";

const LONG = 120_000;

/** A signal every two milliseconds: faster than LLDB steps over a breakpoint. It says itself how often it came by. */
const TIMER = `#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>
static volatile sig_atomic_t ticks;
static void tick(int number) { ticks += number > 0; }
static int work(int at) {
  int value = at * 3;
  return value + 1;
}
int main(int argc, char **argv) {
  struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, 0);
  setitimer(ITIMER_REAL, &(struct itimerval){{0, 2000}, {0, 2000}}, 0);
  int sum = 0, rounds = 0;
  for (int at = 0; at < 8; at++) {
    if (argc > 1) usleep(30000);
    rounds++;
    sum += work(at);
    if (argc > 1 && at == 7) at = -1;
  }
  setitimer(ITIMER_REAL, &(struct itimerval){0}, 0);
  printf("%d %d\\n", rounds, sum);
  return argc > 2 ? argv[1][0] : 0;
}
`;
const ROUNDS = 8;

function timer(): Sonde {
  const sonde = borrowSonde();
  compile(sonde, "timer.c", TIMER);
  return sonde;
}

const value = (stop: { values: { name: string; value: string }[] }, name: string) =>
  stop.values.find((one) => one.name === name)?.value;

for (const adapter of ["lldb", "cdt-gdb"])
  test(`under a timer a breakpoint is hit once for each execution (${adapter})`, {
    timeout: LONG,
  }, async () => {
    const sonde = timer();
    let stop = await stops(sonde, ["start", "timer", "--adapter", adapter, "--break", "timer.c:8"]);
    for (let at = 0; at < ROUNDS; at++) {
      expect(stop).toMatchObject({ breakpoints: [{ hit: at + 1 }], frame: { line: 8 } });
      expect(value(stop, "at")).toBe(String(at));
      if (at < ROUNDS - 1) stop = await stops(sonde, "continue");
    }
    const { breakpoints } = await sonde.ask<{ breakpoints: { hits: number }[] }>("breakpoints");
    expect(breakpoints).toMatchObject([{ hits: ROUNDS }]);
    expect(await ends(sonde, "continue")).toMatchObject({ exitCode: 0 });
    expect(await sonde.text("output")).toContain(`${ROUNDS} 92`);
  });

test("counts, log messages and conditions are of executions, under a timer too", {
  timeout: LONG,
}, async () => {
  const sonde = timer();
  await stops(sonde, ["start", "timer", ...LLDB, "--stop-on-entry"]);
  await sonde.ask(["break", "timer.c:8", "--hit-count", "5"]);
  await sonde.ask(["break", "timer.c:9", "--log", "at={at} value={value}"]);
  await sonde.ask(["break", "timer.c:19", "--condition", "at == 6"]);
  const counted = await stops(sonde, "continue");
  expect(counted).toMatchObject({ breakpoints: [{ hit: 5 }], frame: { line: 8 } });
  expect(value(counted, "at")).toBe("4");
  const held = await stops(sonde, "continue");
  expect(held).toMatchObject({ breakpoints: [{ hit: 1 }], frame: { line: 19 } });
  expect(value(held, "at")).toBe("6");
  await ends(sonde, "continue");
  const logged = (await sonde.text("output")).match(/at=\d+ value=\d+/g);
  expect(logged).toEqual(Array.from({ length: ROUNDS }, (_, at) => `at=${at} value=${at * 3}`));
});

test("steps, finish and until end where they do without a timer", { timeout: LONG }, async () => {
  const sonde = timer();
  await stops(sonde, ["start", "timer", ...LLDB, "--break", "timer.c:8"]);
  expect(await stops(sonde, "next")).toMatchObject({ reason: "step", frame: { line: 9 } });
  expect(await stops(sonde, "continue")).toMatchObject({ breakpoints: [{ hit: 2 }] });
  expect(await stops(sonde, "finish")).toMatchObject({
    reason: "step",
    frame: { function: "main", line: 19 },
  });
  expect(await stops(sonde, "continue")).toMatchObject({ breakpoints: [{ hit: 3 }] });
  expect(await stops(sonde, "until timer.c:9")).toMatchObject({ reason: "until", frame: { line: 9 } });
});

test("probe counts executions", { timeout: LONG }, async () => {
  const sonde = timer();
  const found = await sonde.ask<ProbeResult>([
    "probe",
    "timer.c:8",
    "--hits",
    "7",
    "--eval",
    "at",
    ...LLDB,
    "--",
    "./timer",
  ]);
  expect(found).toMatchObject({ hit: 7, found: { state: "stopped" } });
  expect(JSON.stringify(found)).toContain(`"expression":"at","value":{"name":"at","value":"6"`);
});

test("a process that was attached to is hit once for each execution", { timeout: LONG }, async () => {
  const sonde = timer();
  const program = spawn("./timer", ["forever"], { cwd: sonde.project, stdio: "ignore" });
  try {
    await sonde.ask(["attach", String(program.pid), ...LLDB]);
    await sonde.ask("break timer.c:8");
    const seen: number[] = [];
    for (let hit = 1; hit <= ROUNDS + 2; hit++) {
      const stop = await stops(sonde, hit === 1 ? "await" : "continue");
      expect(stop).toMatchObject({ breakpoints: [{ hit }] });
      seen.push(Number(value(stop, "at")));
    }
    const first = seen[0] ?? 0;
    expect(seen).toEqual(seen.map((_, index) => (first + index) % ROUNDS));
    await sonde.ask("detach");
  } finally {
    program.kill("SIGKILL");
  }
});

const RUST = `enum Shape {
    Round(u32),
    Square(u32),
    Long(u32, u32),
    Flat,
    Other(u32),
}
fn area(shape: &Shape) -> u32 {
    match shape {
        Shape::Round(r) => { println!("round {}", r); 3 * r * r }
        Shape::Square(a) => { println!("square {}", a); a * a }
        Shape::Long(a, b) => { println!("long {} {}", a, b); a * b }
        Shape::Flat => { println!("flat"); 0 }
        Shape::Other(a) => { println!("other {}", a); *a }
    }
}
fn main() {
    let shapes = vec![Shape::Square(2), Shape::Round(1), Shape::Flat, Shape::Square(3), Shape::Long(1, 2), Shape::Other(7)];
    for (at, shape) in shapes.iter().enumerate() {
        println!("{} {}", at, area(shape));
        if let Some(two) = (at as u32).checked_sub(2) { println!("two {}", two); } else { println!("none"); }
    }
}
`;

rustTest("a line of Rust with code in several blocks is hit once, as a trace has it", async () => {
  const sonde = borrowSonde();
  compile(sonde, "shapes.rs", RUST, ["rustc"]);
  const lines = [10, 11, 13, 19, 20, 21];
  const traced = await sonde.ask<{ trace: { counts: number[] } }>([
    "trace",
    ...lines.flatMap((line) => ["--at", `shapes.rs:${line}`]),
    "--",
    "./shapes",
  ]);
  expect(traced.trace.counts).toEqual([1, 2, 1, 1, 6, 6]);
  for (const [index, line] of lines.entries()) {
    const words = ["probe", `shapes.rs:${line}`, "--hits", "99", ...LLDB, "--", "./shapes"];
    expect(await sonde.ask<ProbeResult>(words)).toMatchObject({ hit: traced.trace.counts[index] });
  }
});

test("pieces of a line that run apart from each other are hits, and that is said", async () => {
  const sonde = borrowSonde();
  const text = `#include <stdio.h>
static int pick(int which) {
  int sum = 0;
  switch (which) {
    case 1: { int one = which; sum += one; break; } case 2: { int two = which; sum += two; break; }
  }
  return sum;
}
int main(void) {
  int sum = 0;
  for (int at = 0; at < 4; at++) sum += pick(at);
  printf("%d\\n", sum);
  return 0;
}
`;
  compile(sonde, "pick.c", text);
  const found = await sonde.ask<ProbeResult>(["probe", "pick.c:5", "--hits", "9", ...LLDB, "--", "./pick"]);
  expect(found).toMatchObject({ hit: 2 });
  expect(JSON.stringify(found)).toContain("line 5 has code at several places that may run apart");
});
