/** Code is called optimised where it is, file by file and function by function, and its values are told where it is not. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";
import { compile, LLDB, rustTest } from "./rig.ts";

/** Large arguments, which Rust passes by pointer, and generic code of the library, which comes merged: neither is a sign of optimising. */
const RUST = `use std::collections::HashMap;
#[derive(Clone, Copy)]
struct Big { a: u64, b: u64, c: u64, d: u64 }
fn sum(big: Big, n: u64) -> u64 {
    let first = big.a + n;
    let second = big.b + first;
    first + second + big.c + big.d
}
fn pick(words: [u32; 6], at: usize) -> u32 {
    let mut total = 0;
    for one in words.iter() {
        total += one;
    }
    total + words[at]
}
fn main() {
    let mut counts: HashMap<String, u64> = HashMap::new();
    for n in 0..3 {
        let big = Big { a: n, b: 2 * n, c: 3, d: 4 };
        *counts.entry(format!("{}", n % 2)).or_insert(0) += sum(big, n);
        let doubled: Vec<u64> = (0..n).map(|x| x * 2).collect();
        println!("{} {}", pick([1, 2, 3, 4, 5, 6], n as usize), doubled.len());
    }
    println!("{}", counts.len());
}
`;

interface Traced {
  trace: { notes: string[]; counts: number[] };
  hits: { point: number; values: string[] }[];
}

const WORDS = ["trace", "--at", "big.rs:6=big.a,big.d,first", "--at", "big.rs:14=words[5],total"];
const PLACES = [...WORDS, "--at", "big.rs:20=big.b"];

rustTest("Rust that is not optimised has all its values", async () => {
  const sonde = borrowSonde();
  compile(sonde, "big.rs", RUST, ["rustc"]);
  for (const collector of [[], ["--collector", "lldb"]]) {
    const { trace, hits } = await sonde.ask<Traced>([...PLACES, ...collector, "--", "./big"]);
    expect(trace.notes.join("\n")).not.toContain("optimised");
    const of = (point: number) => hits.filter((one) => one.point === point).map(({ values }) => values);
    expect(of(0)).toEqual([0, 1, 2].map((n) => [`${n}`, "4", `${2 * n}`]));
    expect(of(1)).toEqual([0, 1, 2].map(() => ["6", "21"]));
    expect(of(2)).toEqual([0, 1, 2].map((n) => [`${2 * n}`]));
  }
});

rustTest("Rust that is optimised is called so", async () => {
  const sonde = borrowSonde();
  compile(sonde, "big.rs", RUST, ["rustc", "-O"]);
  const { trace } = await sonde.ask<Traced>(["trace", "--at", "big.rs:22=n", "--", "./big"]);
  expect(trace.notes.join("\n")).toContain("optimised code (big.rs:22)");
});

test("of a program with some optimised files those are named", async () => {
  const sonde = borrowSonde();
  sonde.write("fast.c", "int fast(int n) {\n  return n * 3;\n}\n");
  execFileSync("gcc", ["-g", "-O2", "-c", "fast.c"], { cwd: sonde.project });
  const text = "int fast(int n);\nint main(void) {\n  int n = fast(2);\n  return n == 6 ? 0 : 1;\n}\n";
  compile(sonde, "slow.c", text, ["gcc", "fast.o"]);
  const said = await sonde.text(["start", "slow", ...LLDB, "--break", "slow.c:4"]);
  expect(said).toContain("note: fast.c of slow was compiled with -O2: values may be missing");
});
