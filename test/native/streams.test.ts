/** What native programs print and read. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { nothingLeft } from "../faults/world.ts";
import { borrowSonde } from "../support/sonde.ts";
import { compile, ends, inC, LLDB, stops } from "./rig.ts";

interface Told {
  lines: { text: string }[];
  earlierLines: number;
  droppedBytes: number;
}

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

const FLOOD = `#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  for (long i = 0, n = atol(argv[1]); i < n; i++) printf("%012ld %050d\\n", i, argc);
  return 7;
}
`;

test.each(["lldb", "cdt-gdb", "gdb"])(
  "a flood of 256 MB under %s: its exit code, its head, its tail, and the loss counted",
  { timeout: 90_000 },
  async (adapter) => {
    const lines = 4 * 1024 * 1024;
    const sonde = borrowSonde();
    compile(sonde, "flood.c", FLOOD);
    const command = ["start", "flood", "--adapter", adapter, "--timeout", "80", "--", String(lines)];
    const answer = await sonde.json<MoveResult>(command, { timeoutMs: 85_000 });
    if (!answer.ok && adapter !== "lldb") return expect(answer.error.code).toBe("ADAPTER_MISSING");
    expect(answer).toMatchObject({ data: { state: "exited", exitCode: 7 } });
    const head = await sonde.ask<Told>("output --head 1");
    const tail = await sonde.ask<Told>("output --tail 1");
    expect(head.lines[0]?.text).toMatch(/^000000000000 /);
    expect(tail.lines[0]?.text).toMatch(new RegExp(`^${String(lines - 1).padStart(12, "0")} `));
    expect(tail.droppedBytes + (tail.earlierLines + 1) * 64).toBe(lines * 64);
  },
);

const WIDE = `#include <string.h>
#include <unistd.h>
static char all[6 << 20];
int main(void) {
  for (int i = 0; i < sizeof all - 8; i += 8) memcpy(all + i, "\u00e4\u20ac\\xff..", 8);
  for (long at = 0, n = 70001; at < sizeof all - 8; at += n)
    if ((n = write(1, all + at, at + n < sizeof all - 8 ? n : sizeof all - 8 - at)) < 0) return 1;
  write(1, "\\nend \u20ac", 8);
  return 0;
}
`;

test("characters of several bytes, and bytes that are none, are kept in a flood", async () => {
  const sonde = borrowSonde();
  compile(sonde, "wide.c", WIDE);
  expect(await ends(sonde, ["start", "wide", ...LLDB])).toMatchObject({ exitCode: 0 });
  const { lines, droppedBytes } = await sonde.ask<Told>("output");
  const [first, last] = lines.map(({ text }) => text);
  expect(droppedBytes).toBe(0);
  expect(last).toBe("end €");
  expect(first?.slice(0, 10)).toBe("ä€\ufffd..ä€\ufffd..");
});

test.each(["lldb", "cdt-gdb"])(
  "what a program under %s has printed and holds back is told at the stop, and once",
  async (adapter) => {
    const sonde = borrowSonde();
    compile(
      sonde,
      "held.c",
      `#include <stdio.h>
int main(void) {
  printf("whole\\nhalf of ");
  int here = 1;
  printf("a line\\n");
  fflush(stdout);
  printf("never written\\n");
  here = *(volatile int *)0;
  return here;
}
`,
    );
    const shown = async (args: string | string[]) => (await stops(sonde, args)).output.lines;
    const first = await shown([
      "start",
      "held",
      "--adapter",
      adapter,
      "--break",
      "held.c:4",
      "--break",
      "held.c:7",
    ]);
    expect(first).toMatchObject([{ text: "whole" }, { text: "half of " }]);
    expect(await shown("continue")).toMatchObject([{ text: "a line" }]);
    expect(await shown("continue")).toMatchObject([{ stream: "stdout", text: "never written" }]);
    const { lines } = await sonde.ask<Told>("output");
    expect(lines.map(({ text }) => text)).toEqual(["whole", "half of a line", "never written"]);
    expect(await sonde.text("continue")).toMatch(/14 bytes of stdout were printed but never written/);
  },
);

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

test.each(['{"runInTerminal": true}', '{"console": "integratedTerminal"}'])(
  "%s is refused before anything runs",
  async (json) => {
    const sonde = borrowSonde();
    compile(
      sonde,
      "mark.c",
      '#include <stdio.h>\nint main(void) { return fclose(fopen("ran.txt", "w")); }\n',
    );
    expect(await sonde.refusal(["start", "mark", ...LLDB, "--arg-json", json])).toMatchObject({
      code: "BAD_ARGUMENT",
      message: expect.stringContaining("needs a terminal, and there is none"),
      hint: expect.stringContaining("omit it"),
    });
    expect(existsSync(join(sonde.project, "ran.txt"))).toBe(false);
    await nothingLeft(sonde);
  },
);
