/** Hits of breakpoints in programs that handle signals: each execution is one, by the program's own count; and breakpoints that are changed between. */
import { expect, test } from "vitest";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { compile, LLDB, stops } from "./rig.ts";

/** Registers are the same in each round: nothing is loaded into one that changes. */
const ROUNDS = `#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
static volatile int round, value;
static void tick(int number) { (void)number; }
int main(int count, char **words) {
  signal(SIGALRM, tick);
  if (count > 1) {
    struct itimerval often = {{0, atoi(words[1])}, {0, atoi(words[1])}};
    setitimer(ITIMER_REAL, &often, 0);
  }
  for (int i = 0; i < 4000; i++) {
    __asm__ volatile("incl %0" : "+m"(round));
    value = 1;
    value = 2;
  }
  return 0;
}
`;
const LINE = 14;
const isX86 = process.arch === "x64";

async function round(sonde: Sonde): Promise<number> {
  const { value } = (await sonde.ask("print round")) as { value: string };
  return Number(value);
}

test.skipIf(!isX86).for(["3000", "4000", "8000"])(
  "a timer of %s µs: none is passed, none counts twice",
  async (period) => {
    const sonde = borrowSonde();
    compile(sonde, "rounds.c", ROUNDS);
    await stops(sonde, ["start", "rounds", ...LLDB, "--break", `rounds.c:${LINE}`, "--", period]);
    // Nothing else is asked meanwhile, so that signals come as they do in an ordinary run.
    for (let hit = 2; hit <= 40; hit++) {
      const { snapshot, evaluations } = (await sonde.ask("continue --eval round")) as {
        snapshot: { breakpoints: { hit: number }[] };
        evaluations: { value: { value: string } }[];
      };
      expect([snapshot.breakpoints[0]?.hit, Number(evaluations[0]?.value.value)]).toEqual([hit, hit]);
    }
  },
);

test.skipIf(!isX86)(
  "a breakpoint that a step has reached, and that is switched off and on again after it was left, is met in the next round",
  async () => {
    const sonde = borrowSonde();
    compile(sonde, "rounds.c", ROUNDS);
    await stops(sonde, ["start", "rounds", ...LLDB, "--break", `rounds.c:${LINE}`]);
    let arrived = await stops(sonde, "next");
    for (let steps = 0; steps < 8 && (await round(sonde)) < 2; steps++) arrived = await stops(sonde, "next");
    expect(arrived).toMatchObject({ frame: { line: LINE }, breakpoints: [{ id: 1, hit: 2 }] });
    await sonde.ask("breakpoint disable 1");
    await stops(sonde, "next");
    await sonde.ask("breakpoint enable 1");
    await stops(sonde, "continue");
    expect(await round(sonde)).toBe(3);
  },
);

test.skipIf(!isX86)("a log message at its line leaves the breakpoint as it was", async () => {
  const sonde = borrowSonde();
  compile(sonde, "rounds.c", ROUNDS);
  await stops(sonde, ["start", "rounds", ...LLDB, "--break", `rounds.c:${LINE}`]);
  await sonde.ask(["break", `rounds.c:${LINE}`, "--log", "here"]);
  await stops(sonde, "continue");
  expect(await round(sonde)).toBe(2);
});
