/** Breakpoints that share a place, and conditions in programs with a timer: each is hit when its own condition holds, by the program's own count. */
import { expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { compile, ends, LLDB, stops } from "./rig.ts";

/** Registers are the same in each round: nothing is loaded into one that changes. */
const ROUNDS = `#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
static volatile int round, value;
static void tick(int number) { (void)number; }
int main(int count, char **words) {
  signal(SIGALRM, tick);
  struct itimerval often = {{0, atoi(words[1])}, {0, atoi(words[1])}};
  setitimer(ITIMER_REAL, &often, 0);
  for (int i = 0; i < atoi(words[2]); i++) {
    __asm__ volatile("incl %0" : "+m"(round));
    value = 1;
    value = 2;
  }
  printf("rounds %d\\n", round);
  return 0;
}
`;

test.skipIf(process.arch !== "x64").for([
  ["1000", "60", "round % 20 == 0", [20, 40, 60]],
  ["5000", "400", "round % 40 == 0", [40, 80, 120, 160, 200, 240, 280, 320, 360, 400]],
  ["20000", "600", "round % 60 == 0", [60, 120, 180, 240, 300, 360, 420, 480, 540, 600]],
] as const)(
  "a timer of %s µs and a condition",
  { timeout: 120_000 },
  async ([period, rounds, condition, expected]) => {
    const sonde = borrowSonde();
    compile(sonde, "rounds.c", ROUNDS);
    const first = ["start", "rounds", ...LLDB, "--eval", "round", "--break", `rounds.c:13 if ${condition}`];
    let result = await sonde.ask<MoveResult>([...first, "--timeout", "50", "--", period, rounds]);
    const seen: number[] = [];
    while (result.state === "stopped" && seen.length < 20) {
      const { evaluations, snapshot } = result as unknown as {
        evaluations: { value: { value: string } }[];
        snapshot: { breakpoints: { id: number; hit: number }[] };
      };
      seen.push(Number(evaluations[0]?.value.value));
      expect(snapshot.breakpoints).toMatchObject([{ id: 1, hit: seen.length }]);
      result = await sonde.ask<MoveResult>("continue --eval round --timeout 50");
    }
    expect(seen).toEqual(expected);
    expect(result).toMatchObject({ state: "exited", output: { lines: [{ text: `rounds ${rounds}` }] } });
  },
);

const TURNS = `#include <stdio.h>
static int twice(int a) {
  return a * 2;
}
int main(void) {
  int sum = 0;
  for (int i = 0; i < 12; i++) {
    sum += 1;
    sum += twice(i);
    sum += 2;
  }
  printf("sum %d\\n", sum);
  return 0;
}
`;

async function turn(sonde: Sonde, args: string | string[]): Promise<string> {
  const { reason, frame, breakpoints } = await stops(sonde, args);
  const { value } = (await sonde.ask(["print", frame?.line === 3 ? "a" : "i"])) as { value: string };
  return `${reason} ${frame?.line} ${value} ${breakpoints.map(({ id, hit }) => `${id}:${hit}`)}`.trim();
}

test("until a line leaves a condition, a count and a log message there as they are", async () => {
  const sonde = borrowSonde();
  compile(sonde, "turns.c", TURNS);
  await stops(sonde, ["start", "turns", ...LLDB, "--break", "turns.c:7"]);
  await sonde.ask(["break", "turns.c:8 if i == 4"]);
  await sonde.ask(["break", "turns.c:9", "--hit-count", "6"]);
  await sonde.ask(["break", "turns.c:10", "--log", "turn {i}"]);
  expect(await turn(sonde, "until 8")).toBe("until 8 0");
  expect(await turn(sonde, "until 9")).toBe("until 9 0");
  const logged = await sonde.ask<MoveResult>("until 10");
  expect(logged).toMatchObject({ snapshot: { reason: "until", frame: { line: 10 } } });
  expect(await turn(sonde, "until 9")).toBe("until 9 1");
  expect(await turn(sonde, "continue")).toBe("breakpoint 8 4 2:1");
  expect(await turn(sonde, "continue")).toBe("breakpoint 9 5 3:6");
  const { output } = await ends(sonde, "continue");
  expect(output.lines.at(-1)?.text).toBe("sum 168");
  const logs = (await sonde.text("output")).match(/turn \d+/g);
  expect(logs).toEqual(Array.from({ length: 12 }, (_, at) => `turn ${at}`));
});

test("until a line where the breakpoint's own condition holds is its hit", async () => {
  const sonde = borrowSonde();
  compile(sonde, "turns.c", TURNS);
  await stops(sonde, ["start", "turns", ...LLDB, "--break", "turns.c:7"]);
  await sonde.ask(["break", "turns.c:8 if i == 0"]);
  expect(await turn(sonde, "until 8")).toBe("breakpoint 8 0 2:1");
});

test("a line and a function at one address are hit each by its own condition", async () => {
  const sonde = borrowSonde();
  compile(sonde, "turns.c", TURNS);
  const line = ["--break", "turns.c:3 if a % 4 == 0"];
  expect(await turn(sonde, ["start", "turns", ...LLDB, ...line, "--break", "twice if a % 6 == 0"])).toBe(
    "breakpoint 3 0 1:1,2:1",
  );
  expect(await turn(sonde, "continue")).toBe("breakpoint 3 4 1:2");
  expect(await turn(sonde, "continue")).toBe("breakpoint 3 6 2:2");
  expect(await turn(sonde, "continue")).toBe("breakpoint 3 8 1:3");
  await ends(sonde, "continue");
});

test("two breakpoints at one line have a condition each, and one can be removed", async () => {
  const sonde = borrowSonde();
  compile(sonde, "turns.c", TURNS);
  await stops(sonde, ["start", "turns", ...LLDB, "--break", "turns.c:6"]);
  await sonde.ask(["break", "turns.c:8 if i % 2 == 1"]);
  await sonde.ask(["break", "turns.c:8 if i % 5 == 0 && i > 0"]);
  expect(await turn(sonde, "continue")).toBe("breakpoint 8 1 2:1");
  expect(await turn(sonde, "continue")).toBe("breakpoint 8 3 2:2");
  expect(await turn(sonde, "continue")).toBe("breakpoint 8 5 2:3,3:1");
  await sonde.ask("breakpoint remove 2");
  expect(await turn(sonde, "continue")).toBe("breakpoint 8 10 3:2");
  await ends(sonde, "continue");
});
