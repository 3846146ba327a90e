/** A signal that comes while a debugger steps over its own breakpoint makes it meet that breakpoint again: still one hit. */
import { describe, expect, test } from "vitest";
import { built, WITHOUT_PROBES } from "../perf/programs.ts";
import { launching, planOf, recorded } from "../support.ts";

const LONG = 120_000;

/** With a handler that comes by as well, deeper in the stack; it says itself how often. */
const TIMER = `#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile sig_atomic_t fired, inside;
static void tick(int who, int i) {
  volatile int x = who + i; // @marker tick
  (void)x;
}
static void on(int number) {
  fired++;
  if (number == SIGALRM && fired % 5 == 0 && inside < 20) tick(-1, inside++);
}
int main(int argc, char **argv) {
  int gap = argc > 1 ? atoi(argv[1]) : 1000;
  struct itimerval often = {{0, gap}, {0, gap}};
  int ignored = argc > 2 && argv[2][0] == 'i', apart = argc > 2 && !ignored;
  char above[65536];
  stack_t stack = {.ss_sp = apart && argv[2][0] == 'a' ? above : malloc(sizeof above), .ss_size = sizeof above};
  if (apart) sigaltstack(&stack, 0);
  struct sigaction action = {.sa_handler = ignored ? SIG_IGN : on, .sa_flags = SA_RESTART | (apart ? SA_ONSTACK : 0)};
  sigaction(SIGALRM, &action, 0);
  if (ignored) action.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &action, 0);
  setitimer(ITIMER_REAL, &often, 0);
  for (int i = 0; i < 150; i++) {
    if (i % 50 == 0 && fork() == 0) _exit(0);
    tick(0, i);
  }
  setitimer(ITIMER_REAL, &(struct itimerval){0}, 0);
  while (wait(0) > 0) {
  }
  printf("%d\\n", (int)inside);
  return 0;
}
`;

/** With the microseconds between two signals: a program is not to be kept from going on by them. */
const COLLECTORS: [string, string][] = [
  ["gdb", "1000"],
  ["lldb", "30000"],
  ...(WITHOUT_PROBES ? [] : ([["perf", "1000"]] as [string, string][])),
];

describe.each(COLLECTORS)("%s beside signals", (collector, gap) => {
  test.each([
    ["handled", [gap]],
    ["ignored", [gap, "ignored"]],
    ["handled on a stack elsewhere", [gap, "elsewhere"]],
    ["handled on a stack above", [gap, "above"]],
  ])("counts each hit once where they are %s", { timeout: LONG }, async (_how, args) => {
    const { source, line, program, folder } = built("c", TIMER);
    const plan = planOf([{ path: source, line: line("tick"), expressions: ["who", "i"] }]);
    const launch = launching({ program, args, cwd: folder });
    const { points, stdout, counts } = await recorded("lldb", launch, plan, { collector });
    const of = (who: string) =>
      points.filter(({ values }) => values[0] === who).map(({ values }) => values[1]);
    const upTo = (count: number) => Array.from({ length: count }, (_, i) => String(i));
    expect(of("0")).toEqual(upTo(150));
    expect(of("-1")).toEqual(upTo(Number(stdout)));
    expect(counts).toEqual([150 + Number(stdout)]);
  });
});
