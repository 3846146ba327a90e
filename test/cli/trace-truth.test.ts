/** What a trace of calls says beside its values: where a function is, what was folded, what was not seen. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compilerVersion } from "../support/builds.ts";
import { borrowSonde } from "../support/sonde.ts";

const TALLY = `#include <stdio.h>
struct tally { long first[40]; int total; };
static int twice(int n) {
  int r = n * 2;
  return r;
}
static void add(struct tally *tally, int n) {
  tally->total += n;
}
int main(void) {
  struct tally tally = {{0}, 0};
  for (int i = 0; i < 9; i++) add(&tally, twice(i));
  printf("%d\\n", tally.total);
}
`;

describe.skipIf(compilerVersion("c") === undefined)("C", () => {
  test("a program's file outside the folder; a structure that is cut", { timeout: 60_000 }, async () => {
    const sonde = borrowSonde();
    sonde.write("tally.c", TALLY);
    const cwd = join(sonde.project, "sub");
    mkdirSync(cwd);
    const text = await sonde.text("trace --build --function twice -- ../tally.c", { cwd });
    expect(text).toMatch(/^twice\(n=0\) /m);
    expect(text).toMatch(
      /^… 7 more calls of twice \(2\.\.8\): the same lines ran as in one that is shown; values may differ$/m,
    );
    const cut = await sonde.text("trace --build --function add -- tally.c");
    expect(cut).toMatch(/^tally is recorded only in part .* --build -- tally\.c` records a part of it$/m);
  });
});

test("calls of two functions are counted by function, and the command line is whole", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "two.py",
    "def a(n):\n    return n\n\ndef b(n):\n    if n > 5:\n        return 0\n    return n\n\nfor n in range(8):\n    a(n)\n    b(n)\n",
  );
  const text = await sonde.text("trace --function a --function b -- python3 two.py");
  expect(text).toMatch(/^… \d+ more calls \(\d+\.\.\d+: \d of [ab], \d of [ab]\): the same lines ran/m);
  const missing = await sonde.text("trace --at two.py:2=nosuch -- python3 two.py");
  expect(missing).toContain("`sonde probe two.py:2 --eval nosuch -- python3 two.py` says why");
});

test("a name is no handle", async () => {
  const sonde = borrowSonde();
  sonde.write("one.js", "const cart = { size: 1 };\ncart.size++;\n");
  await sonde.text("start one.js --break one.js:2");
  const { stderr } = await sonde.run("variables cart");
  expect(stderr).toMatch(
    /^error BAD_ARGUMENT: `cart` is not a handle\nhint: `sonde print cart` opens a variable/,
  );
  await sonde.text("stop");
});
