/** What a watch asks for besides its place: gdb's adapter passes neither the condition nor the count on, which then is left to gdb. */
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";
import { compile, stops } from "./rig.ts";

const SOURCE = `int counter = 0;
int main(void) {
  counter = 1; /* @marker begin */
  counter = 3;
  counter = 6;
  counter = 38;
  counter = 39;
  for (int i = 0; i < 200; i++) counter++;
  return 0;
}
`;

test.each(["lldb", "cdt-gdb"])(
  "%s: a watch stops where its condition holds, and from its hit on",
  async (adapter) => {
    const sonde = borrowSonde();
    const program = compile(sonde, "count.c", SOURCE);
    await stops(sonde, ["start", program, "--adapter", adapter, "--break", "count.c:4"]);
    await sonde.ask(["watch", "counter", "--condition", "counter > 100"]);
    for (const [hit, value] of [
      [1, "101"],
      [2, "102"],
    ] as const) {
      const { watches, breakpoints } = await stops(sonde, "continue");
      expect(watches).toMatchObject([{ id: 2, new: value }]);
      expect(breakpoints).toMatchObject([{ id: 2, hit }]);
    }
    await sonde.ask("watch remove 2");
    await stops(sonde, "restart");
    await sonde.ask(["watch", "counter", "--hit-count", "3"]);
    const { watches, breakpoints } = await stops(sonde, "continue");
    expect(watches).toMatchObject([{ id: 3, new: "38" }]);
    expect(breakpoints).toMatchObject([{ id: 3, hit: 3 }]);
  },
);

test("cdt-gdb: a watch's condition that gdb cannot read is told, with gdb's reason", async () => {
  const sonde = borrowSonde();
  const program = compile(sonde, "count.c", SOURCE);
  await stops(sonde, ["start", program, "--adapter", "cdt-gdb", "--break", "count.c:4"]);
  const said = await sonde.run(["watch", "counter", "--condition", "nosuch > 1"]);
  expect(said.stdout + said.stderr).toMatch(/its condition is invalid, so it stops every time: .*nosuch/);
});
