/** All instructions of a function, and none of what lies behind it: its size is in the symbol table. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";
import { compile, stops } from "./rig.ts";

const ENDS = ["return t;", "return t + 1;", "return t * 3 + 200;", "t += 7; return t & 1;", "return -t;"];

/** `main` is the last function of its section. */
const source = (end: string) => `int twice(int a) {
  return a + a;
}
int main(int count, char **words) {
  int t = twice(count);
  ${end} /* line 6 */
}
`;

interface Disassembly {
  instructions: { address: string; bytes?: string }[];
  goesOn?: boolean;
}

test.each(["lldb", "cdt-gdb"])(
  "%s: the last function ends where it ends",
  { timeout: 60_000 },
  async (adapter) => {
    const sonde = borrowSonde();
    for (const [at, end] of ENDS.entries()) {
      const program = compile(sonde, `end${at}.c`, source(end));
      const symbols = execFileSync("nm", ["-S", join(sonde.project, program)], { encoding: "utf8" });
      const size = Number.parseInt(/ ([0-9a-f]+) T main$/m.exec(symbols)?.[1] ?? "", 16);
      await stops(sonde, ["start", program, "--adapter", adapter, "--break", `end${at}.c:6`]);
      const { instructions, goesOn } = await sonde.ask<Disassembly>("disassemble");
      const bytes = instructions.map((one) => one.bytes?.replaceAll(" ", "") ?? "").join("");
      expect([end, bytes.length / 2, goesOn]).toEqual([end, size, undefined]);
      await sonde.run("stop");
    }
  },
);
