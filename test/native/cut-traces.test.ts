/** A run that was ended by the clock says so: what it did not reach by then is not "never reached". */
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";
import { compile } from "./rig.ts";

const LATE = `#include <stdio.h>
#include <unistd.h>
int main(void) {
  for (int i = 0; i < 3000; i++)
    usleep(10000);
  int reached = 1;
  printf("%d\\n", reached);
  return 0;
}
`;

test.each(["perf", "gdb", "lldb", "stops"])("%s", { timeout: 60_000 }, async (collector) => {
  const sonde = borrowSonde();
  compile(sonde, "late.c", LATE);
  const traced = (...words: string[]) =>
    sonde.text(["trace", ...words, "--collector", collector, "--", "./late"]);
  const both = ["--at", "late.c:7", "--at", "late.c:5", "--watch", "i", "--max-seconds", "3"];
  const cut = await traced(...both);
  expect(cut).toMatch(/^trace t\d+: \d+ hits? · PARTIAL: it was still running after 3 s/m);
  expect(cut).toContain("late.c:7  0 hits: not reached before the run was ended");
  expect(cut).toMatch(/^late\.c:5 {2}[1-9]\d* hits?/m);
  expect(cut).not.toContain("never reached");
  const waited = await traced("--at", "late.c:7", "--watch", "reached", "--first-seconds", "1");
  expect(waited).toContain("PARTIAL: no hit within 1 s, and the run did not end");
});
