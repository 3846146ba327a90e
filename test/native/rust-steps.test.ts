/** Steps over Rust's library: what was asked in advance at a stop in it must not disturb the step that leaves it. */
import { expect } from "vitest";
import { borrowSonde } from "../support/sonde.ts";
import { compile, LLDB, rustTest, stops } from "./rig.ts";

const SOURCE = `fn work(n: i32) -> i32 {
    let values = vec![n, 2 * n, 3 * n];
    let mut sum = 0;
    for value in values.iter() {
        let more = value + 1;
        sum += more; // rounds
    }
    sum
}
fn main() {
    println!("{}", work(10));
}
`;

rustTest("a step passes over no round of a loop", async () => {
  const sonde = borrowSonde();
  compile(sonde, "rounds.rs", SOURCE, ["rustc"]);
  await stops(sonde, ["start", "rounds", ...LLDB, "--break", "rounds.rs:3"]);
  const seen: string[] = [];
  for (let steps = 0; steps < 20; steps++) {
    const { frame, values } = await stops(sonde, "step");
    if (frame?.line === 6) seen.push(values.find(({ name }) => name === "more")?.value ?? "none");
    if (frame?.line === 8) break;
  }
  expect(seen).toEqual(["11", "21", "31"]);
});
