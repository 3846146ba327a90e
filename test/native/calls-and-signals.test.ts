/** Functions of a program with a timer that are called from expressions and conditions. */
import { expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { compile, LLDB, stops } from "./rig.ts";

const CALLED = `#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
static volatile int ticks, value;
static void tick(int number) { ticks += number > 0; }
int twice(int a) { return a * 2; }
int slow(int a) {
  for (volatile int i = 0; i < 1000000; i++);
  return a;
}
int main(int count, char **words) {
  signal(SIGALRM, tick);
  struct itimerval often = {{0, atoi(words[count - 1])}, {0, atoi(words[count - 1])}};
  setitimer(ITIMER_REAL, &often, 0);
  for (int i = 0; i < 30; i++) {
    value = 1;
    value = twice(i) + slow(1);
  }
  printf("value %d\\n", value);
  return 0;
}
`;

function built(): Sonde {
  const sonde = borrowSonde();
  compile(sonde, "called.c", CALLED);
  return sonde;
}

test.for(["1000", "5000"])("a timer of %s µs, and calls in expressions", async (period) => {
  const sonde = built();
  await stops(sonde, ["start", "called", ...LLDB, "--break", "called.c:17", "--", period]);
  for (const at of [1, 2, 3]) {
    expect(await sonde.ask(["print", `twice(${at})`])).toMatchObject({ value: String(at * 2) });
    expect(await sonde.ask(["print", `slow(${at})`])).toMatchObject({ value: String(at) });
    expect(await stops(sonde, "continue")).toMatchObject({ breakpoints: [{ id: 1, hit: at + 1 }] });
  }
});

test.skipIf(process.arch !== "x64").for(["2000", "5000", "20000"])(
  "a timer of %s µs, and a call in a condition",
  { timeout: 120_000 },
  async (period) => {
    const sonde = built();
    const asked = ["--break", "called.c:17 if twice(i) % 20 == 0", "--eval", "i", "--timeout", "50"];
    let result = await sonde.ask<MoveResult>(["start", "called", ...LLDB, ...asked, "--", period]);
    const seen: (string | undefined)[] = [];
    while (result.state === "stopped" && seen.length < 10) {
      seen.push(
        (result as unknown as { evaluations: { value: { value: string } }[] }).evaluations[0]?.value.value,
      );
      result = await sonde.ask<MoveResult>("continue --eval i --timeout 50");
    }
    expect(seen).toEqual(["0", "10", "20"]);
    expect(result).toMatchObject({ state: "exited", output: { lines: [{ text: "value 59" }] } });
  },
);
