/** Generic functions by their plain name, and by the name that our own answers print. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

const CPP = `#include <cstdio>
#include <string>
#include <vector>
template <typename T> T fill(std::vector<T>& out, T value, int n) {
  for (int i = 0; i < n; i++)
    out.push_back(value);
  return value;
}
template <typename K> struct Box {
  K held;
  K put(K value) {
    held = value;
    return held;
  }
};
int main() {
  std::vector<int> a;
  std::vector<double> b;
  fill(a, 3, 2);
  fill(b, 1.5, 1);
  Box<int> box;
  box.put(7);
  Box<std::string> words;
  words.put("x");
  return a.size() == 2 ? 0 : 1;
}
`;
const RUST = `use std::io::Read;
fn fill<R: Read>(mut reader: R, size: usize) -> Vec<u8> {
    let mut out = vec![0u8; size];
    let n = reader.read(&mut out).unwrap();
    out.truncate(n);
    out
}
struct Bag<T> { items: Vec<T> }
impl<T: Clone> Bag<T> {
    fn put(&mut self, one: T) -> usize {
        self.items.push(one);
        self.items.len()
    }
}
fn main() {
    let v = fill(&b"hello"[..], 3);
    let mut bag = Bag { items: vec![1i32] };
    bag.put(v.len() as i32);
}
`;

const has = (tool: string) => {
  try {
    execFileSync(tool, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

interface Case {
  file: string;
  text: string;
  compiler: string[];
  /** What is asked for, how many calls of it there are, and where it stops. */
  names: [name: string, calls: number, stop: string][];
}

const CASES: Case[] = [
  {
    file: "gen.cpp",
    text: CPP,
    compiler: ["g++", "-g", "-O0", "-o", "gen", "gen.cpp"],
    names: [
      ["fill", 2, "gen.cpp:5"],
      ["fill<int>", 1, "gen.cpp:5"],
      ["Box::put", 2, "gen.cpp:12"],
      ["Box<int>::put", 1, "gen.cpp:12"],
    ],
  },
  {
    file: "gen.rs",
    text: RUST,
    compiler: ["rustc", "-g", "-o", "gen", "gen.rs"],
    names: [
      ["fill", 1, "gen.rs:3"],
      ["Bag::put", 1, "gen.rs:11"],
      ["gen::Bag<T>::put", 1, "gen.rs:11"],
    ],
  },
];

for (const { file, text, compiler, names } of CASES)
  test.skipIf(!has(compiler[0] ?? ""))(
    `traces and breakpoints by name (${file})`,
    { timeout: 120_000 },
    async () => {
      const sonde = borrowSonde();
      sonde.write(file, text);
      execFileSync(compiler[0] ?? "", compiler.slice(1), { cwd: sonde.project });
      for (const [name, calls, stop] of names) {
        const words = ["trace", "--function", name, "--collector", "lldb", "--", "./gen"];
        const { hits, trace } = await sonde.ask<{ hits: { kind: string }[]; trace: { notes: string[] } }>(
          words,
        );
        expect([name, hits.filter(({ kind }) => kind === "call").length]).toEqual([name, calls]);
        expect(trace.notes).toEqual([]);
        const stopped = await sonde.text(["start", "./gen", "--adapter", "lldb", "--function-break", name]);
        expect(stopped).toContain(`stopped: breakpoint 1 (hit 1)  ${stop}`);
        await sonde.text("stop");
      }
    },
  );
