/** A step that ends at a breakpoint of a Rust program is its hit, once: the formatters that Rust brings along must not touch registers. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compilerVersion } from "../support/builds.ts";
import { borrowSonde } from "../support/sonde.ts";
import { LLDB, stops } from "./rig.ts";

const PROGRAM = `fn f(a: i32) -> i32 {
    a + 1
}
fn main() {
    let mut s = 0;
    let mut i = 0;
    while i < 5 {
        s += 1;
        s += f(i);
        s += 2;
        i += 1;
    }
    println!("done {}", s);
}
`;

test.skipIf(compilerVersion("rust") === undefined)("Rust", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  sonde.write("r.rs", PROGRAM);
  expect(
    spawnSync("rustc", ["-g", "r.rs", "-o", join(sonde.project, "r")], { cwd: sonde.project }).status,
  ).toBe(0);
  await stops(sonde, ["start", "r", ...LLDB, "--break", "r.rs:8"]);
  await sonde.ask("break r.rs:9");
  const seen: string[] = [];
  for (const _ of Array(6)) {
    const { frame, breakpoints } = await stops(sonde, "next");
    seen.push(`${frame?.line} ${breakpoints.map(({ id, hit }) => `${id}:${hit}`)}`.trim());
  }
  expect(seen).toEqual(["9 2:1", "10", "11", "7", "8 1:2", "9 2:2"]);
});
