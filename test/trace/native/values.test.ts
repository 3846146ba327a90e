/** Values of every kind, in the same words whoever reads them. */
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { loadCollector } from "../../../src/trace/collectors/index.ts";
import { compilerVersion } from "../../support/builds.ts";
import { launching, planOf, prepared } from "../support.ts";
import { at, compiled, essence, expectSame, hasGdb, INSIDE, type Program, run } from "./rig.ts";

const LONG = { timeout: 120_000 };

const C = `#include <stdint.h>
#include <stdbool.h>
typedef struct { int x, y; char name[8]; } P;
struct Deep { P p; P *pp; int arr[3]; const char *s; double d; struct Deep *next; };
enum Color { RED, GREEN = 5, BLUE }; enum Flags { FA = 1, FB = 2, FC = 4 };
static int counter = 3; int global = 9;
int main(int argc, char **argv) {
  P p = {1, 2, "abc"}; P *pp = &p; struct Deep deep = {{3, 4, "q"}, &p, {7, 8, 9}, "s\\"s", 2.5, 0}; struct Deep *dp = &deep;
  deep.next = &deep;
  enum Color col = GREEN, odd = 17; enum Flags fl = FA | FC, none = 0, more = 9;
  int8_t i8 = -3; uint8_t u8 = 65; int16_t i16 = -300; uint32_t u32 = 4000000000u; int64_t i64 = -(1LL << 40); uint64_t u64 = ~0ull;
  bool yes = true; char c = 'c', nl = '\\n', nul = 0, quote = '\\'', back = '\\\\', high = (char)200;
  float f1 = 0.1f, f2 = 1e10f, f3 = 1e-10f; double d1 = 0.1, d2 = 1e22, d3 = 123456.789, d4 = 1e-5, d5 = -0.0, d6 = 1e7, d7 = 9.5e-7, d8 = 5e-324, d9 = 123456789012345680.0, inf = 1 / d5, nan = inf - inf;
  void *v = &p; int *ip = &p.y, *nulp = 0, *wild = (int *)0x7000000000; P *wildp = (P *)0x7000000000, *low = (P *)8;
  char *cs = "text\\twith \\"q\\" \\x01 \\xc3\\xa9", *ncs = 0, *wcs = (char *)0x7000000000; double *dd = &d1; long *lp = (long *)&i64;
  int arr[3] = {1, 2, 3}, big[30] = {1, 2, 3}, grid[2][3] = {{1}}; char *strs[3] = {"a", "b", 0}; char name[8] = "name", full[4] = {'f', 'u', 'l', 'l'};
  enum Color cols[2] = {RED, BLUE}; const P *cp = &p; const double cd = 2.5; char huge[1500]; char *hugep = huge;
  for (int i = 0; i < 1499; i++) huge[i] = 'A' + i % 26;
  huge[1499] = 0;
  for (int i = 0; i < 2; i++) {
    argc += counter + global; // @marker here
  }
  return argc == 0;
}
`;
const OF_C =
  "p pp deep dp col odd fl none more i8 u8 i16 u32 i64 u64 yes c nl nul quote back high f1 f2 f3 d1 d2 d3 d4 d5 d6 d7 d8 d9 inf nan v ip nulp wild wildp low cs ncs wcs dd lp arr big grid strs name full cols cp cd hugep huge p.x p.name pp->y deep.p.x deep.pp->x dp->next->s deep.arr[1] strs[0] grid[1] grid[1][0] counter global argc i ip[0] pp[0]";

const CPP = `#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>
namespace geo {
struct P { int x; double y; std::string tag; };
template <class T> T twice(T v, P &p) {
  T r = v + v;
  p.x += 1; // @marker inner
  return r;
}
}
static int known_here(int n) {
  int r = n + 1;
  return r; // @marker static
}
enum class Color { Red, Green };
struct Base { virtual ~Base() {} int b = 4; };
struct Derived : Base { int d = 5; const char *n = "derived"; };
struct Node { int v; Node *next; };
int main() {
  geo::P p{3, 0.1, "tagged"}; std::string s = "hello \\"w\\"\\n"; std::vector<int> v{1, 2, 3, 4, 5, 6, 7}; std::map<std::string, int> m{{"a", 1}};
  Color c = Color::Green; Derived der; Base *bp = &der; Node n2{2, nullptr}, n1{1, &n2}; Node *np = &n1; const geo::P &ref = p;
  std::unique_ptr<int> up(new int(9)); std::optional<int> some = 3, none; int arr[3] = {1, 2, 3}; int &ri = arr[2]; double total = 0;
  for (int i = 0; i < 3; i++) {
    total += geo::twice(1.5, p) + known_here(i);
    arr[0] += i; // @marker here
  }
  return bp->b + np->v + ref.x + ri + *up + (some == none) + (c == Color::Red) + (int)(s.size() + v.size() + m.size()) > 1000;
}
`;
const OF_CPP = "p s v m c der bp n1 np ref up some none arr ri total p.x p.tag np->next->v i v.size()";

const RUST = `#[derive(Debug)]
enum Shape { Circle(f64), Rect { w: i32, h: i32 }, Empty }
#[derive(Debug)]
struct Pt { x: i32, name: String }
fn add(a: i64, b: u8, flag: bool, f: f32, s: &str, items: &[i32], p: &Pt, o: Option<i32>, n: Option<String>) -> i64 {
    let sum = a + b as i64;
    let total = sum + items.len() as i64 + p.x as i64; // @marker here
    if flag && f > 100.0 { println!("{s} {o:?} {n:?} {p:?}"); }
    total
}
fn main() {
    let shapes = [Shape::Circle(1.5), Shape::Rect { w: 1, h: 2 }, Shape::Empty];
    let p = Pt { x: 1, name: "nm".to_string() };
    for (i, shape) in shapes.iter().enumerate() {
        add(i as i64, 65, true, 0.5, "str", &[1, 2], &p, Some(3), None);
        if i > 100 { println!("{shape:?}"); }
    }
}
`;
const OF_RUST = "a b flag f s items p o n sum p.x p.name nosuch";

const PROGRAMS = [
  ["C", "values.c", C, ["gcc", "-O0", "-w"], OF_C],
  ["C++", "values.cpp", CPP, ["g++", "-O0", "-std=c++17", "-w"], OF_CPP],
  ["Rust", "values.rs", RUST, ["rustc", "-A", "warnings"], OF_RUST],
] as const;

describe("pointers to structures that are not there", LONG, () => {
  test.each(INSIDE)("%s says so, as at a stop", async (collector) => {
    const program = compiled("values.c", C, ["gcc", "-O0", "-w"]);
    const points = [at(program, "here", ["wildp", "low", "pp"])];
    for (const by of ["stops", collector]) {
      const { points: hits } = await run(by, program, points);
      expect(hits[0]?.values.slice(0, 2)).toEqual([
        "0x0000007000000000 (not readable)",
        "0x0000000000000008 (not readable)",
      ]);
      expect(hits[0]?.values[2]).not.toContain("not readable");
    }
  });
});

describe.each(PROGRAMS)("values of %s", LONG, (language, file, text, compiler, expressions) => {
  const all = expressions.split(/ (?![+*-] )/);

  test("inside LLDB are those of plain stops", async ({ skip }) => {
    if (language === "Rust" && compilerVersion("rust") === undefined) skip("no rustc that runs");
    const program = compiled(file, text, [...compiler]);
    const points = [at(program, "here", all)];
    const plain = await run("stops", program, points);
    const inside = await run("lldb", program, points);
    expect(inside.points.length).toBeGreaterThan(1);
    expectSame(essence(plain), essence(inside));
  });

  test.runIf(hasGdb)("inside gdb are LLDB's, as far as it takes them", async ({ skip }) => {
    if (language === "Rust" && compilerVersion("rust") === undefined) skip("no rustc that runs");
    const program = compiled(file, text, [...compiler]);
    const taken = await takenByGdb(program, all);
    expect(taken.length).toBeGreaterThan(4);
    const points = [at(program, "here", taken)];
    const lldb = await run("lldb", program, points);
    const gdb = await run("gdb", program, points);
    expect(gdb.points.length).toBeGreaterThan(1);
    expect(essence(gdb)).toEqual(essence(lldb));
  });
});

async function takenByGdb(program: Program, expressions: string[]): Promise<string[]> {
  const gdb = await loadCollector("gdb");
  const opening = launching({ program: program.program, cwd: dirname(program.source) });
  const launch = await prepared("lldb", opening);
  const taken: string[] = [];
  for (const one of expressions)
    if ((await gdb.unfit(planOf([at(program, "here", [one])]), launch)) === undefined) taken.push(one);
  return taken;
}

test.runIf(hasGdb)("frames of templates and of static functions are named alike", LONG, async () => {
  const program = compiled("values.cpp", CPP, ["g++", "-O0", "-std=c++17", "-w"]);
  const points = [at(program, "inner", ["v", "r"]), at(program, "static", ["n", "r"])];
  const lldb = await run("lldb", program, points);
  const gdb = await run("gdb", program, points);
  expect(gdb.points[0]?.frames[0]).toMatchObject({ function: "geo::twice<double>" });
  expect(essence(gdb)).toEqual(essence(lldb));
});

test("values are cut alike", LONG, async () => {
  const program = compiled("values.c", C, ["gcc", "-O0", "-w"]);
  const cutBy = (collector: string, watch: string[]) =>
    run(collector, program, [at(program, "here", watch)], { valueChars: 24 });
  const all = ["cs", "huge", "big", "deep"];
  const [plain, ...others] = await Promise.all(["stops", "lldb"].map((one) => cutBy(one, all)));
  if (plain === undefined) throw new Error("nothing was run");
  expect(plain.points[0]?.values[1]).toBe('"ABCDEFGHIJKLMNOPQRSTUV…');
  for (const other of others) expectSame(essence(plain), essence(other));
  if (!hasGdb) return;
  // Arrays and structures by another name are left to LLDB.
  const texts = all.slice(0, 2);
  expectSame(essence(await cutBy("stops", texts)), essence(await cutBy("gdb", texts)));
});

const WIDE = `struct inner { int a, b; };
struct ring { int values[5]; int start, count; long seen; double mean; struct inner in; const char *name; struct inner *next; };
int main(void) {
  struct inner pair = {8, 9};
  struct ring ring = {{6, 7, 3, 8, 20}, 4, 3, 7, 1.5, {1, 2}, "ring", &pair}, *at = &ring;
  return at->count - 3; // @marker here
}
`;

test("a structure shows all of its fields, and so does a pointer to it", LONG, async () => {
  const program = compiled("wide.c", WIDE, ["gcc", "-O0"]);
  const told =
    '{values:{6, 7, 3, 8, 20}, start:4, count:3, seen:7, mean:1.5, in:{a:1, b:2}, name:"ring", next:{a:8, b:9}}';
  for (const collector of ["stops", "lldb"]) {
    const { points } = await run(collector, program, [at(program, "here", ["ring", "at"])]);
    expect(points[0]?.values.map((value) => value.replace(/0x[0-9a-f]+ /, ""))).toEqual([told, told]);
  }
});
