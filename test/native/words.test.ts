/** Names and messages as compilers and runtimes write them, as a reader gets them. */
import { expect, test } from "vitest";
import { Chatter } from "../../src/adapters/lldb/chatter.ts";
import { abortIn, cppTypeName, panicIn } from "../../src/adapters/lldb/thrown.ts";
import { plainRefusal } from "../../src/adapters/lldb/values.ts";
import { isLibrary, readableName } from "../../src/adapters/native/frames.ts";

test.each([
  ["parse(std::__cxx11::basic_string<char, std::char_traits<char>> const&)", "parse"],
  ["ns::K::m(int) const", "ns::K::m"],
  ["(anonymous namespace)::f(void (*)(int))", "(anonymous namespace)::f"],
  ["main::$_0::operator()(int) const", "main::$_0::operator()"],
  ["uncaught::parse::h93d970756a5a9a33", "uncaught::parse"],
  [
    "std::rt::lang_start::_$u7b$$u7b$closure$u7d$$u7d$::h3a28b553e154d13e",
    "std::rt::lang_start::{{closure}}",
  ],
  ["main", "main"],
])("%s is %s", (name, readable) => {
  expect(readableName(name)).toBe(readable);
});

test.each([
  ["St13runtime_error", "std::runtime_error"],
  ["N3app5ErrorE", "app::Error"],
  ["i", "int"],
  ["N3app3BoxIiEE", "N3app3BoxIiEE"],
  ["", undefined],
])("the type %s is %s", (mangled, name) => {
  expect(cppTypeName(mangled)).toBe(name);
});

test("a panic's message, from new and old runtimes, the last of several", () => {
  expect(panicIn("\nthread 'main' (12) panicked at a.rs:7:13:\nfirst\nsecond\nnote: run with …\n")).toBe(
    "first\nsecond",
  );
  expect(panicIn("thread 'main' panicked at 'it''s bad', a.rs:1:2\nnote: …\n")).toBe("it''s bad");
  expect(panicIn("thread 'a' panicked at x.rs:1:1:\none\nthread 'b' panicked at x.rs:2:2:\ntwo\n")).toBe(
    "two",
  );
  expect(panicIn("nothing")).toBeUndefined();
});

test("why a program aborted", () => {
  const thrown = "terminate called after throwing an instance of 'std::range_error'\n  what():  too far\n";
  expect(abortIn(`before\n${thrown}`)).toEqual({ type: "std::range_error", message: "too far" });
  expect(abortIn("terminate called after throwing an instance of 'int'\n")).toEqual({
    type: "int",
    message: "",
  });
  expect(abortIn("a: a.c:3: main: Assertion `x' failed.\n")?.message).toContain("Assertion");
  expect(abortIn("just a log line\n")).toBeUndefined();
});

test("libraries by where their sources are", () => {
  for (const path of [
    "/rustc/abc/library/std/src/rt.rs",
    "/usr/include/c++/12/vector",
    "./nptl/pthread_kill.c",
  ])
    expect(isLibrary(path)).toBe(true);
  expect(isLibrary("/home/me/project/src/main.rs")).toBe(false);
});

test("a refusal without the compiler's drawing", () => {
  const text =
    "Ran expression as 'ISO C++'.\nerror: <user expression 4>:1:1: use of undeclared identifier 'p'\n    1 | p\n      | ^\n";
  expect(plainRefusal(text)).toBe("use of undeclared identifier 'p'");
});

test("what formatters die of is not the program's output, also when it comes in pieces", () => {
  const chatter = new Chatter();
  chatter.started();
  const say = (output: string, category = "console") => chatter.correct({ category, output });
  expect(say('Traceback (most recent call last):\n  File "lldb_providers.py", line 277\n')).toBeUndefined();
  expect(say("    raise Exception()\nException: ('ReadMemory error: %s', 'x')\nsaid\n")).toMatchObject({
    output: "said\n",
  });
  expect(say("OverflowError: int too big to convert\n", "stderr")).toBeUndefined();
  expect(say('warning: This version of LLDB has no plugin for "rust".\n')).toBeUndefined();
  expect(say("ValueError: the program's own\n", "stdout")).toMatchObject({
    output: "ValueError: the program's own\n",
  });
});
