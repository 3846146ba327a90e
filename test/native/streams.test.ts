/** What native programs print and read. */
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";
import { compile, ends, inC, LLDB, stops } from "./rig.ts";

const LOUD = `#include <stdio.h>
int main(void) {
  for (int i = 0; i < 4096; i++) {
    printf("out %0251d\\n", i);
    fprintf(stderr, "err %0251d\\n", i);
  }
  return 0;
}
`;

test("nothing is lost when a program prints a megabyte on each stream and exits at once", async () => {
  const sonde = borrowSonde();
  compile(sonde, "loud.c", LOUD);
  expect(await ends(sonde, ["start", "loud", ...LLDB])).toMatchObject({ exitCode: 0 });
  for (const [stream, word] of [
    ["stdout", "out"],
    ["stderr", "err"],
  ] as const) {
    const whole = ["output", "--category", stream, "--grep", `^${word} \\d{251}$`, "--tail", "1"];
    const told = await sonde.ask<{ lines: { text: string }[] }>(whole);
    expect(told).toMatchObject({ lines: [{ stream }], earlierLines: 4095, droppedBytes: 0 });
    expect(told.lines[0]?.text).toBe(`${word} ${"4095".padStart(251, "0")}`);
  }
});

test("what was written to standard error is told with the stop after it", async () => {
  const sonde = borrowSonde();
  compile(
    sonde,
    "said.c",
    '#include <stdio.h>\nint main(void) {\n  fprintf(stderr, "before\\n");\n  int here = 1;\n  return here - 1;\n}\n',
  );
  const snapshot = await stops(sonde, ["start", "said", ...LLDB, "--break", "said.c:5"]);
  expect(snapshot.output.lines).toMatchObject([{ stream: "stderr", text: "before" }]);
});

test("the end of standard input arrives", async () => {
  const sonde = inC();
  await sonde.ask(["start", "stdin", ...LLDB, "--no-wait"]);
  await sonde.ask(["input", "12"]);
  await sonde.ask(["input", "--eof"]);
  expect(await ends(sonde, "await --timeout 20")).toMatchObject({ exitCode: 0 });
  expect(await sonde.text("output")).toContain("sum 12");
});

test("a program that never stops printing can be paused and stopped", async () => {
  const sonde = borrowSonde();
  compile(
    sonde,
    "endless.c",
    '#include <stdio.h>\nint main(void) {\n  for (long i = 0;; i++) {\n    printf("out %ld\\n", i);\n    fprintf(stderr, "err %ld\\n", i);\n  }\n}\n',
  );
  await sonde.ask(["start", "endless", ...LLDB, "--no-wait"]);
  expect(await stops(sonde, "pause")).toMatchObject({ reason: "pause" });
  await sonde.ask("continue --no-wait");
  await sonde.ask("stop");
});

test("the program gets the caller's environment and nothing of the daemon's", async () => {
  const sonde = borrowSonde();
  compile(
    sonde,
    "environment.c",
    "#include <stdio.h>\nextern char **environ;\nint main(void) {\n  for (char **one = environ; *one; one++) puts(*one);\n  return 0;\n}\n",
  );
  await sonde.ask("status");
  await ends(sonde, ["start", "environment", ...LLDB, "--env", "ADDED=1"]);
  const text = await sonde.text("output --tail 10000");
  const names = [...text.matchAll(/^(?:[^|]*\| )?(\w+)=/gm)].map(([, name]) => name);
  expect(names).toContain("ADDED");
  expect(names.filter((name) => /^(LLDB|LD_|DEBUG_)/.test(name ?? ""))).toEqual([]);
});

test("thirty threads are all listed", async () => {
  const sonde = borrowSonde();
  compile(
    sonde,
    "many.c",
    `#include <pthread.h>
#include <stdio.h>
static pthread_barrier_t gate;
static void *work(void *arg) { pthread_barrier_wait(&gate); pthread_barrier_wait(&gate); return arg; }
int main(void) {
  pthread_t all[30];
  pthread_barrier_init(&gate, NULL, 31);
  for (int i = 0; i < 30; i++) pthread_create(&all[i], NULL, work, NULL);
  pthread_barrier_wait(&gate);
  puts("all here");
  pthread_barrier_wait(&gate);
  for (int i = 0; i < 30; i++) pthread_join(all[i], NULL);
  return 0;
}
`,
  );
  await stops(sonde, ["start", "many", ...LLDB, "--break", "many.c:10"]);
  const { threads } = await sonde.ask<{ threads: unknown[] }>("threads");
  expect(threads).toHaveLength(31);
  expect(await ends(sonde, "continue")).toMatchObject({ exitCode: 0 });
});
