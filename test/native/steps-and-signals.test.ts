/** Steps in programs with a timer end where they do without it, also over calls with breakpoints that only count or log. */
import { expect, test } from "vitest";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { compile, ends, LLDB, stops } from "./rig.ts";

const CALLS = `#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
static volatile int ticks, value, inner;
static void tick(int number) {
  ticks += number > 0;
}
static int work(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    inner++;
    sum += i;
  }
  return sum;
}
static int outer(int n) {
  int first = 1;
  first += work(n);
  return first;
}
int main(int count, char **words) {
  signal(SIGALRM, tick);
  struct itimerval often = {{0, atoi(words[count - 1])}, {0, atoi(words[count - 1])}};
  setitimer(ITIMER_REAL, &often, 0);
  for (int i = 0; i < 2; i++) {
    value = outer(8);
    value = 2;
    value = 3;
  }
  often.it_value.tv_usec = often.it_interval.tv_usec = 0;
  setitimer(ITIMER_REAL, &often, 0);
  printf("inner %d\\n", inner);
  return 0;
}
`;

async function places(sonde: Sonde, moves: readonly string[]): Promise<string[]> {
  const seen: string[] = [];
  for (const move of moves) {
    const { frame, reason } = await stops(sonde, `${move} --timeout 50`);
    seen.push(`${move} ${frame?.function} ${frame?.line} ${reason}`);
  }
  return seen;
}

async function started(period: string, line: number): Promise<Sonde> {
  const sonde = borrowSonde();
  compile(sonde, "calls.c", CALLS);
  await stops(sonde, [
    "start",
    "calls",
    ...LLDB,
    "--break",
    `calls.c:${line}`,
    "--timeout",
    "50",
    "--",
    period,
  ]);
  return sonde;
}

test.for(["1000", "2000"])(
  "a timer of %s µs, and a breakpoint that logs in what is stepped over",
  { timeout: 120_000 },
  async (period) => {
    const sonde = await started(period, 27);
    await sonde.ask(["break", "calls.c:12", "--log", "inner {inner}"]);
    expect(await places(sonde, ["next", "next"])).toEqual(["next main 28 step", "next main 29 step"]);
    await sonde.ask("breakpoint remove 1");
    const { output } = await ends(sonde, "continue --timeout 50");
    expect(output.lines.at(-1)?.text).toBe("inner 16");
    const logs = (await sonde.text("output")).match(/inner \d+$/gm);
    expect(logs).toEqual([...Array.from({ length: 16 }, (_, at) => `inner ${at}`), "inner 16"]);
  },
);

test.for(["1000", "2000"])(
  "a timer of %s µs: finish ends in the caller of the function it began in, whatever is called there",
  { timeout: 120_000 },
  async (period) => {
    const sonde = await started(period, 18);
    await sonde.ask(["break", "calls.c:12", "--hit-count", "1000"]);
    await sonde.ask(["break", "calls.c:13 if i == -1"]);
    expect(await places(sonde, ["finish", "next"])).toEqual(["finish main 27 step", "next main 28 step"]);
  },
);

const INTO = `#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
static volatile int ticks, value;
static void tick(int number) {
  ticks += number > 0;
}
static int twice(int n) {
  return n * 2;
}
int main(int count, char **words) {
  char text[40] = "";
  signal(SIGALRM, tick);
  struct itimerval often = {{0, atoi(words[count - 1])}, {0, atoi(words[count - 1])}};
  setitimer(ITIMER_REAL, &often, 0);
  value = 1;
  for (int i = 0; i < 2; i++) {
    value = twice(i);
    snprintf(text, sizeof text, "%d", value);
    value = twice((int)strlen(text)) + 1;
    value += 1;
  }
  return 0;
}
`;
const STEPS = [20, 11, 12, 20, 21, 22, 11, 12, 22, 23, 19, 20, 11, 12, 20, 21, 22, 11, 12, 22, 23, 19, 25];

test.skipIf(process.arch !== "x64").for(["0", "1000", "4000"])(
  "a timer of %s µs: step leads into calls, and not into the signal's handler",
  { timeout: 120_000 },
  async (period) => {
    const sonde = borrowSonde();
    compile(sonde, "into.c", INTO);
    await stops(sonde, ["start", "into", ...LLDB, "--break", "into.c:19", "--", period]);
    await sonde.ask("break into.c:22");
    const seen: (number | undefined)[] = [];
    const hits: number[] = [];
    for (const _ of STEPS) {
      const { frame, breakpoints } = await stops(sonde, "step --timeout 50");
      seen.push(frame?.line);
      hits.push(...breakpoints.filter(({ id }) => id === 2).map(({ hit }) => hit));
    }
    expect(seen).toEqual(STEPS);
    expect(hits).toEqual([1, 2]);
  },
);

test.skipIf(process.arch !== "x64")(
  "a breakpoint in the handler stops a step, and steps go on in it",
  async () => {
    const sonde = borrowSonde();
    compile(sonde, "into.c", INTO);
    await stops(sonde, ["start", "into", ...LLDB, "--break", "into.c:20", "--", "3000"]);
    await sonde.ask("breakpoint disable 1");
    await sonde.ask("break into.c:8");
    expect(await stops(sonde, "step --timeout 50")).toMatchObject({
      frame: { function: "tick", line: 8 },
      breakpoints: [{ id: 2, hit: 1 }],
    });
    expect(await stops(sonde, "step")).toMatchObject({ frame: { function: "tick", line: 9 } });
  },
);
