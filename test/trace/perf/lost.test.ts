/** Hits that the kernel had no room for: counted, told, and never mistaken for others. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { onPath } from "../../../src/adapters/kit/find.ts";
import { launching, planOf, recorded, scratch } from "../support.ts";
import { built, WITHOUT_PROBES } from "./programs.ts";

const TICKS = `volatile long sink;
static void tick(int i) {
  sink += i; // @marker tick
}
int main(void) {
  for (int i = 1; i <= 100000; i++) tick(i);
  return 0;
}
`;

/** The machine's own perf, with a buffer of a page or a few for each processor. */
function withSmallBuffers(pages: number): void {
  const folder = scratch();
  const real = onPath("perf", { env: { PATH: process.env.PATH ?? "" }, cwd: folder });
  const script = `#!/bin/bash
words=("")
for one in "$@"; do [[ \${words[-1]} == -m ]] && one=${pages}; words+=("$one"); done
exec "${real}" "\${words[@]:1}"
`;
  writeFileSync(join(folder, "perf"), script, { mode: 0o755 });
  vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe.skipIf(WITHOUT_PROBES)("hits that were lost", { timeout: 60_000 }, () => {
  const programs = {
    "are counted where they were lost, and said": TICKS,
    // The kernel reports each such piece of memory in the same buffer.
    "are not mistaken for other records that were lost": TICKS.replace(
      "tick(i);",
      "{ tick(i); map(i); }",
    ).replace(
      "int main",
      `#include <sys/mman.h>
static void map(int i) {
  if (i % 8 == 0) munmap(mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096);
}
int main`,
    ),
  };
  test.for(Object.entries(programs))("%s", async ([, text]) => {
    const { program, folder, source, line } = built("c", text);
    withSmallBuffers(1);
    const plan = planOf([{ path: source, line: line("tick"), expressions: ["i"] }], { frames: 0 });
    const record = await recorded("lldb", launching({ program, cwd: folder }), plan, { collector: "perf" });
    const kept = record.points.length;
    const lost = 100_000 - kept;
    expect(lost).toBeGreaterThan(0);
    expect(record.counts).toEqual([100_000]);
    expect(record.notes.join()).toContain(`${lost} hits were lost`);
    expect(record.notes.join()).toContain("numbers of hits after the first loss are only approximate");
    const numbers = record.points.map(({ values }) => Number(values[0]));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    // The kernel says how many it lost, and not always at once: a number is never too high, and true before the first loss.
    expect(record.points.filter(({ hit, values }) => hit > Number(values[0]))).toEqual([]);
    expect(record.points[0]?.hit).toBe(1);
  });
});
