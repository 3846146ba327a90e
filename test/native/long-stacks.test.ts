/** How many frames a stack has: LLDB says a little more than it was asked for, whatever it is. */
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";
import { compile, LLDB, stops } from "./rig.ts";

const SOURCE = `int down(int n) {
  if (n == 0)
    return 1; /* line 3 */
  return down(n - 1) + n;
}
int main(void) { return down(100) & 1; }
`;

interface Backtrace {
  frames: { index: number; function: string }[];
  total: number;
  uncounted?: true;
}

test("a stack of which a part was read has its true length, or is said to be longer", {
  timeout: 60_000,
}, async () => {
  const sonde = borrowSonde();
  await stops(sonde, ["start", compile(sonde, "down.c", SOURCE), ...LLDB, "--break", "down.c:3"]);
  expect(await sonde.ask<Backtrace>("backtrace")).toMatchObject({ uncounted: true });
  await sonde.ask("frame 90");
  const part = await sonde.ask<Backtrace>("backtrace");
  const whole = await sonde.ask<Backtrace>("backtrace --all --limit 500");
  expect(whole.frames.filter(({ function: name }) => name === "down")).toHaveLength(101);
  expect(whole.total).toBe(whole.frames.length);
  expect(part.uncounted).toBeUndefined();
  expect(part.total).toBe(whole.total);
});
