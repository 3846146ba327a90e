/** What is asked is what is answered: no corrections by the debugger, Rust's own paths, containers without code for their methods. */
import { expect, test } from "vitest";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { compile, LLDB, rustTest, stops } from "./rig.ts";

const RUST = `struct Item { nested: (i32, i32), small: i8, letter: char }
struct Account { balance: i64, history: Vec<i64> }
impl Account {
    fn add(&mut self, amount: i64) -> i64 {
        self.balance += amount;
        self.history.push(amount);
        self.balance
    }
}
fn look(r: &Item) -> i32 {
    let n = r.nested.0 + r.nested.1;
    n
}
fn main() {
    let it = Item { nested: (11, 13), small: 40, letter: 'x' };
    let nested = vec![vec![1, 2], vec![3, 4]];
    let mut account = Account { balance: 1, history: vec![7] };
    println!("{} {} {}", look(&it), it.small, it.letter);
    println!("{}", account.add(5));
    println!("{}", account.add(6));
    println!("{:?} {}", nested, account.history.len());
}
`;

const CPP = `#include <array>
#include <bitset>
#include <cstdio>
#include <memory>
#include <string>
#include <tuple>
#include <vector>
struct Node { int value; std::unique_ptr<Node> next; };
int main() {
  std::array<int, 3> arr{4, 5, 6};
  std::tuple<int, std::string, double> tup{1, "two", 3.5};
  std::bitset<5> bits(0b10110);
  std::pair<std::string, int> pair{"k", 9};
  auto seven = std::make_unique<int>(7);
  auto node = std::make_unique<Node>();
  node->value = 3;
  node->next = std::make_unique<Node>();
  node->next->value = 4;
  std::unique_ptr<int> empty;
  std::vector<int> nums{1, 2, 3};
  int total = 0;
  for (int n : nums) total += n;
  printf("%d %d\\n", total, *seven);
  return 0;
}
`;

async function print(sonde: Sonde, expression: string): Promise<string> {
  const { value } = await sonde.ask<{ value: string }>(["print", expression]);
  return value;
}

async function inRust(...breaks: string[]): Promise<Sonde> {
  const sonde = borrowSonde();
  compile(sonde, "items.rs", RUST, ["rustc"]);
  await stops(sonde, ["start", "items", ...LLDB, ...breaks.flatMap((one) => ["--break", one])]);
  return sonde;
}

rustTest("Rust's paths go through references, and into containers", async () => {
  const sonde = await inRust("items.rs:11", "items.rs:6");
  expect(await print(sonde, "r.nested.0")).toBe("11");
  expect(await print(sonde, "r.nested.1 + 1")).toBe("14");
  expect(await print(sonde, "r.small")).toBe("40");
  expect(await print(sonde, "r.letter")).toBe("'x'");
  await sonde.ask("up");
  expect(await print(sonde, "nested[0][1]")).toBe("2");
  expect(await print(sonde, "nested.len() * 10")).toBe("20");
  await stops(sonde, "continue");
  expect(await print(sonde, "self.history[0]")).toBe("7");
  await sonde.ask(["set", "self.balance", "50"]);
  expect(await print(sonde, "self.balance + 1")).toBe("51");
  const refused = await sonde.refusal(["eval", "self.history.push(42)"]);
  expect(refused.message).toContain("LLDB cannot call Rust functions");
});

rustTest(
  "conditions are Rust's too, with a count of hits, and one that makes no sense stops and says so",
  async () => {
    const sonde = await inRust("items.rs:11 if r.nested.0 == 0", "items.rs:6 if self.balance >= 10");
    expect(await print(sonde, "self.balance")).toBe("12");
    await sonde.ask("stop");
    const bad = await sonde.text(["start", "items", ...LLDB, "--break", "items.rs:11 if r.bogus == 1"]);
    expect(bad).toMatch(
      /^note: stopped, because the condition could not be evaluated: .*no member named 'bogus'/m,
    );
    expect(bad).not.toContain("log |");
    await sonde.ask("stop");
    await stops(sonde, ["start", "items", ...LLDB, "--break", "items.rs:15"]);
    await sonde.ask(["break", "items.rs:6", "--condition", "self.balance > 0", "--hit-count", "2"]);
    await stops(sonde, "continue");
    expect(await print(sonde, "amount")).toBe("6");
  },
);

test.each(["g++", "clang++"])("%s: containers, with several owners in a frame", async (compiler) => {
  const sonde = borrowSonde();
  compile(sonde, "held.cpp", CPP, [compiler]);
  const { values } = await stops(sonde, ["start", "held", ...LLDB, "--break", "held.cpp:22"]);
  const shown = (name: string) => values.find((one) => one.name === name)?.value;
  expect(shown("arr")).toBe("size=3 {4, 5, 6}");
  expect(shown("bits")).toBe("10110");
  expect(shown("empty")).toBe("nullptr");
  expect(shown("seven")).toMatch(/^0x[0-9a-f]+ → 7$/);
  expect(shown("node")).toMatch(/^0x[0-9a-f]+ → \{value:3, next:0x/);
  // clang leaves the text's type to the library that holds its code.
  if (compiler === "g++") expect([shown("tup"), shown("pair")]).toEqual(['(1, "two", 3.5)', '("k", 9)']);
  expect(await print(sonde, "nums.size()")).toBe("3");
  expect(await print(sonde, "nums[1] + arr[2]")).toBe("8");
  expect(await print(sonde, "node->next->value")).toBe("4");
});

test("a name that is nearly one is not taken for it", async () => {
  const sonde = borrowSonde();
  compile(sonde, "near.c", "int main(void) {\n  int total = 3;\n  return total - 3;\n}\n");
  await stops(sonde, ["start", "near", ...LLDB, "--break", "near.c:3"]);
  expect((await sonde.refusal("print totl")).message).toBe("totl: use of undeclared identifier 'totl'");
  expect((await sonde.refusal(["eval", "*(int*)0"])).message).toContain("no memory to read");
});

const THREADS = `#include <pthread.h>
static int work(int number) {
  int square = number * number;
  return square;
}
static void *run(void *given) {
  int own = *(int *)given + 70;
  return (void *)(long)(work(7) + own);
}
int main(void) {
  int given = 7;
  pthread_t one;
  pthread_create(&one, NULL, run, &given);
  return pthread_join(one, NULL);
}
`;

test("an expression is of the frame that it is asked in, whichever thread that is of", async () => {
  const sonde = borrowSonde();
  compile(sonde, "threads.c", THREADS);
  await stops(sonde, ["start", "threads", ...LLDB, "--break", "threads.c:4"]);
  expect(await print(sonde, "number + square")).toBe("56");
  const { value } = await sonde.ask<{ value: string }>(["print", "own + 1", "--frame", "1"]);
  expect(value).toBe("78");
  expect(await print(sonde, "square - number")).toBe("42");
});
