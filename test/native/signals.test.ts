/** Signals: one that the program handles is its own business, and one from outside is told as that. */
import { expect, test } from "vitest";
import { programPid } from "../faults/world.ts";
import { borrowSonde } from "../support/sonde.ts";
import { compile, LLDB, stops } from "./rig.ts";

const HANDLES = `#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static volatile sig_atomic_t got;
static void on(int number) { got += number; }
int main(void) {
  signal(SIGUSR1, on);
  raise(SIGUSR1);
  int after = got;
  signal(SIGUSR2, SIG_IGN);
  raise(SIGUSR2);
  printf("got %d\\n", after);
  fflush(stdout);
  for (;;) pause();
}
`;

test("what the program handles or ignores passes without a stop, also in the middle of a step", async () => {
  const sonde = borrowSonde();
  compile(sonde, "handles.c", HANDLES);
  await stops(sonde, ["start", "handles", ...LLDB, "--break", "handles.c:8", "--break", "handles.c:12"]);
  expect(await stops(sonde, "next")).toMatchObject({ reason: "step", frame: { line: 9 } });
  expect(await stops(sonde, "continue")).toMatchObject({ reason: "breakpoint", frame: { line: 12 } });
});

test("a stop signal from outside is no exception, and the program can be continued", async () => {
  const sonde = borrowSonde();
  compile(sonde, "handles.c", HANDLES);
  await sonde.ask(["start", "handles", ...LLDB, "--no-wait"]);
  await expect.poll(() => sonde.text("output")).toContain("got 10");
  process.kill(await programPid(sonde), "SIGSTOP");
  expect(await stops(sonde, "await")).toMatchObject({ reason: "SIGSTOP from outside" });
  expect(await sonde.ask("continue --timeout 0.2")).toMatchObject({ state: "running" });
});

test("one that nothing handles is told where it comes", async () => {
  const sonde = borrowSonde();
  compile(sonde, "dies.c", "#include <signal.h>\nint main(void) {\n  return raise(SIGUSR1);\n}\n");
  expect(await stops(sonde, ["start", "dies", ...LLDB])).toMatchObject({
    reason: "exception",
    exception: { type: "SIGUSR1" },
  });
  expect(await sonde.ask("continue")).toMatchObject({ state: "exited", signal: "SIGUSR1" });
});
