/** Rust's values, as the program itself would print them. */
import { expect } from "vitest";
import { borrowSonde } from "../support/sonde.ts";
import { compile, ends, LLDB, rustTest, stops } from "./rig.ts";

const ENUMS = `#![allow(dead_code)]
use std::num::NonZeroU64;
use std::time::Duration;
enum Op { Push(i64), Add { times: u64 }, Store(String), Nop }
#[repr(i64)]
enum Big { A(u8) = 1 << 40, B(i32) = -1, C = 5 }
#[repr(C)]
struct Late { a: u64, s: String }
fn show(ops: &[Op], one: &Op) -> usize {
    let got: Option<String> = None;
    let empty: Option<String> = Some(String::new());
    let bytes: Option<Vec<u8>> = None;
    let full: Option<Vec<u8>> = Some(vec![1, 2]);
    let number: Option<u32> = Some(3);
    let boxed: Option<Box<i32>> = None;
    let nested: Option<Option<String>> = Some(None);
    let outer: Option<Option<String>> = None;
    let high: Option<NonZeroU64> = NonZeroU64::new(1 << 63);
    let letter: Option<char> = None;
    let wait: Option<Duration> = None;
    let late: Option<Late> = None;
    let there: Option<Late> = Some(Late { a: 1, s: "x".into() });
    let deep: Option<(u64, Option<bool>)> = None;
    let bad: Result<Vec<String>, String> = Err("bad".into());
    let big = Big::B(2);
    let short = { let mut s = String::with_capacity(1); s.push('y'); Op::Store(s) };
    let byte: &u8 = &3;
    let times: &u64 = &5;
    let list = vec![1, 2];
    println!("shown {}", ops.len()); // here
    drop((got, empty, bytes, full, number, boxed, nested, outer, high, letter, wait, late, there, deep, bad));
    drop((big, short, byte, times, list, one));
    0
}
fn main() {
    let ops = vec![Op::Push(7), Op::Add { times: 2 }, Op::Store("y".to_string()), Op::Nop, Op::Push(-1)];
    show(&ops, &ops[1]);
    let later: Vec<String> = vec!["a".into()];
    println!("{}", later.len());
}
`;

const LINE = ENUMS.split("\n").findIndex((line) => line.includes("// here")) + 1;

rustTest("every variant of an enum is itself, wherever its discriminant hides", async () => {
  const sonde = borrowSonde();
  compile(sonde, "enums.rs", ENUMS, ["rustc"]);
  const snapshot = await stops(sonde, ["start", "enums", ...LLDB, "--break", `enums.rs:${LINE}`]);
  const shown: Record<string, string> = {};
  const names =
    "got empty bytes full number boxed nested outer high letter wait late there deep bad big short one byte times list ops";
  for (const name of names.split(" "))
    shown[name] = (await sonde.ask<{ value: string }>(["print", name])).value.replace(/^0x[0-9a-f]+ /, "");
  expect(shown).toEqual({
    got: "None",
    empty: 'Some("")',
    bytes: "None",
    full: "Some(size=2 {1, 2})",
    number: "Some(3)",
    boxed: "None",
    nested: "Some(None)",
    outer: "None",
    high: expect.stringMatching(/^Some/),
    letter: "None",
    wait: "None",
    late: "None",
    there: 'Some({a:1, s:"x"})',
    deep: "None",
    bad: 'Err("bad")',
    big: "B(2)",
    short: 'Store("y")',
    one: "Add{times:2}",
    byte: "→ 3",
    times: "→ 5",
    list: "size=2 {1, 2}",
    ops: 'size=5 {Push(7), Add{times:2}, Store("y"), Nop, Push(-1)}',
  });
  expect(snapshot.values.find(({ name }) => name === "got")?.value).toBe("None");
  expect(await sonde.text("print ops --depth 1")).toContain('Store("y")');
});

const WILD = `use std::mem::{transmute, ManuallyDrop};
fn main() {
    let wild: ManuallyDrop<Vec<u64>> = unsafe { transmute([1usize << 40; 3]) };
    let numbers: &Vec<u64> = &wild;
    let text: ManuallyDrop<String> = unsafe { transmute([1usize << 40; 3]) };
    let letters: &String = &text;
    println!("{} {}", numbers.len(), letters.len()); // here
}
`;

rustTest(
  "what is not initialised is not followed, and formatters do not talk in the program's output",
  async () => {
    const sonde = borrowSonde();
    compile(sonde, "wild.rs", WILD, ["rustc"]);
    const { values } = await stops(sonde, ["start", "wild", ...LLDB, "--break", "wild.rs:7"]);
    for (const one of ["numbers", "letters"])
      expect(values.find(({ name }) => name === one)?.value).toMatch(/^0x[0-9a-f]+ <not initialised>$/);
    await sonde.ask("print numbers --depth 1");
    await sonde.ask("breakpoint remove 1");
    await ends(sonde, "continue");
    expect(await sonde.text("output")).not.toMatch(/Traceback|Error:|no plugin/);
  },
);

const HELD = `use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::{Arc, Mutex};
fn main() {
    let shared = Rc::new(vec![1, 2, 3]);
    let again = Rc::clone(&shared);
    let locked = Arc::new(Mutex::new(11));
    let cell = RefCell::new(vec![1]);
    let ages = HashMap::from([("ann".to_string(), 30), ("bob".to_string(), 40)]);
    let names = HashMap::from([(5, "five"), (1, "one")]);
    let tree = BTreeMap::from([(1, "one"), (2, "two"), (3, "three")]);
    let text = String::from("a\\"b\\\\n\\n");
    let unit = ();
    println!("{} {}", names.len(), text); // here
    drop((shared, again, locked, cell, ages, tree, unit));
}
`;

rustTest("what is owned, locked and counted; entries by their key, and lengths that are", async () => {
  const sonde = borrowSonde();
  compile(sonde, "held.rs", HELD, ["rustc"]);
  const { values } = await stops(sonde, ["start", "held", ...LLDB, "--break", "held.rs:15"]);
  const shown = Object.fromEntries(values.map(({ name, value, type }) => [name, [value, type]]));
  expect(shown).toMatchObject({
    shared: ["size=3 {1, 2, 3} strong=2 weak=0", "Rc<Vec<int>>"],
    locked: ["11 strong=1 weak=0", "Arc<Mutex<int>>"],
    cell: ["size=1 {1} borrow=0", "RefCell<Vec<int>>"],
    tree: ['size=3 {1: "one", 2: "two", 3: "three"}', "BTreeMap<int, &str>"],
    text: [String.raw`"a\"b\\n\n"`, "String"],
    unit: ["()", "()"],
  });
  for (const [expression, value] of [
    ['ages["bob"]', "40"],
    ["names[&1]", '"one"'],
    ["names[5]", '"five"'],
    ["shared[2]", "3"],
    ["shared.len()", "3"],
    ["tree.len()", "3"],
    ["tree[2]", '"two"'],
    ["tree[&3]", '"three"'],
  ])
    expect([expression, (await sonde.ask<{ value: string }>(["print", expression ?? ""])).value]).toEqual([
      expression,
      value,
    ]);
  expect((await sonde.refusal(["print", "names[2]"])).message).toBe("names[2]: it has no entry for 2");
  expect((await sonde.refusal(["print", "tree[9]"])).message).toBe("tree[9]: it has no entry for 9");
});

const TREES = `use std::collections::{BTreeMap, BTreeSet};
fn main() {
    let big: BTreeMap<u16, i64> = (0..2000).map(|i| ((i * 7 % 2003) as u16, i * i)).collect();
    let set = BTreeSet::from(["b".to_string(), "a".to_string()]);
    let empty: BTreeMap<u8, String> = BTreeMap::new();
    let wide: BTreeMap<String, (u8, Vec<i32>)> = (0..30).map(|i| (format!("k{i:02}"), (i as u8, vec![i; 2]))).collect();
    let lent = &wide;
    println!("{} {} {} {}", big.len(), set.len(), empty.len(), lent.len()); // here
}
`;

rustTest("every entry of a B-tree, in order", async () => {
  const sonde = borrowSonde();
  compile(sonde, "trees.rs", TREES, ["rustc"]);
  const { values } = await stops(sonde, ["start", "trees", ...LLDB, "--break", "trees.rs:8"]);
  const shown = Object.fromEntries(values.map(({ name, value }) => [name, value]));
  expect(shown).toMatchObject({ set: 'size=2 {"a", "b"}', empty: "size=0" });
  expect(shown.wide).toMatch(/^size=30 \{"k00": \(0, size=2 \{0, 0\}\), "k01": /);
  expect(shown.lent).toContain('size=30 {"k00": ');
  const handle = values.find(({ name }) => name === "big")?.handle ?? "";
  const page = async (start: number) =>
    (
      await sonde.ask<{ values: { name: string; value: string }[] }>(
        `variables ${handle} --start ${start} --count 1000`,
      )
    ).values;
  const variables = [...(await page(0)), ...(await page(1000))];
  const truth = Array.from({ length: 2000 }, (_, i) => [(i * 7) % 2003, i * i] as const).sort(
    ([a], [b]) => a - b,
  );
  expect(variables.map(({ name, value }) => [name, value])).toEqual(
    truth.map(([key, value]) => [`[${key}]`, String(value)]),
  );
  expect((await sonde.ask<{ value: string }>(["print", 'wide["k07"].1[0]'])).value).toBe("7");
});
