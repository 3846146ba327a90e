/** How native programs die, and what is told of it. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { builtFolder } from "../support/builds.ts";
import { borrowSonde } from "../support/sonde.ts";
import { at, cFolder, compile, ends, inC, LLDB, rustTest, stops } from "./rig.ts";

const DEATHS = `#include <stdio.h>
#include <stdlib.h>
#include <assert.h>
#include <signal.h>
int main(int argc, char **argv) {
  int how = atoi(argv[argc - 1]);
  if (how == 9) raise(SIGKILL);
  if (how == 6) assert(how == 7);
  return how;
}
`;

test("a signal and an exit code of the same number are told apart", async () => {
  const sonde = borrowSonde();
  compile(sonde, "deaths.c", DEATHS);
  expect(await ends(sonde, ["start", "deaths", ...LLDB, "--", "9"])).toMatchObject({
    signal: "SIGKILL",
    exitCode: 137,
  });
  const plain = await ends(sonde, ["start", "deaths", ...LLDB, "--", "11"]);
  expect(plain.exitCode).toBe(11);
  expect(plain.signal).toBeUndefined();
});

test("a failed assertion is told in its own words, in the user's frame", async () => {
  const sonde = borrowSonde();
  compile(sonde, "deaths.c", DEATHS);
  const snapshot = await stops(sonde, ["start", "deaths", ...LLDB, "--", "6"]);
  expect(snapshot).toMatchObject({ reason: "exception", frame: { function: "main" } });
  expect(snapshot.exception?.message).toContain("Assertion `how == 7' failed");
  expect(await ends(sonde, "continue")).toMatchObject({ signal: "SIGABRT" });
});

test("a segmentation fault, with the values of the frame it happened in", async () => {
  const sonde = inC();
  const snapshot = await stops(sonde, ["start", "core", ...LLDB]);
  expect(snapshot).toMatchObject({ reason: "exception", exception: { type: "SIGSEGV", uncaught: true } });
  expect(`core.c:${snapshot.frame?.line}`).toBe(at("core", "crash"));
  expect(snapshot.values.find(({ name }) => name === "reserved")?.value).toBe("7");
  expect(snapshot.stack.map((frame) => frame.function)).toEqual(["count", "check", "order", "main"]);
});

test("a core file shows the same, and nothing in it runs", async () => {
  const sonde = borrowSonde();
  execFileSync("sh", ["-c", `ulimit -c unlimited; "${join(cFolder, "core")}" || true`], {
    cwd: sonde.project,
    stdio: "ignore",
  });
  const [core = "core"] = execFileSync("sh", ["-c", "ls core*"], {
    cwd: sonde.project,
    encoding: "utf8",
  }).split("\n");
  const snapshot = await stops(sonde, ["start", join(cFolder, "core"), "--core", core, ...LLDB]);
  expect(snapshot).toMatchObject({ reason: "exception", exception: { type: "SIGSEGV", uncaught: true } });
  expect(snapshot.values.find(({ name }) => name === "reserved")?.value).toBe("7");
  expect(await sonde.refusal("continue")).toMatchObject({ code: "UNSUPPORTED" });
});

rustTest("a panic in a thread, and one that is caught", async () => {
  const sonde = borrowSonde();
  compile(
    sonde,
    "panics.rs",
    `fn main() {
    let _ = std::panic::catch_unwind(|| { panic!("swallowed"); });
    let failed = std::thread::spawn(|| { let tens: Vec<i32> = vec![10, 20]; let at = tens.len(); println!("{}", tens[at]); }).join().is_err();
    std::process::exit(if failed { 4 } else { 0 });
}
`,
    ["rustc"],
  );
  const snapshot = await stops(sonde, ["start", "panics", ...LLDB]);
  expect(snapshot.exception).toMatchObject({ type: "panic", uncaught: true });
  expect(snapshot.exception?.message).toContain("index out of bounds");
  expect(snapshot.frame?.function).toMatch(/^panics::main/);
  expect(snapshot.values.find(({ name }) => name === "tens")?.value).toBe("size=2 {10, 20}");
  expect(await ends(sonde, "continue")).toMatchObject({ exitCode: 4 });
});

test("catch throw names a C++ exception of any type", async () => {
  const sonde = borrowSonde(builtFolder("cpp"));
  const snapshot = await stops(sonde, ["start", "caught", ...LLDB, "--catch", "throw"]);
  expect(snapshot.exception).toMatchObject({
    type: "std::runtime_error",
    message: "problem 1",
  });
});

test("a pointer cast that LLDB's own path parser never comes back from", async () => {
  const sonde = inC();
  await stops(sonde, ["start", "stats", ...LLDB, "--break", at("stats", "mean-return")]);
  expect(await sonde.ask(["print", "*(const int **)&values != 0"])).toMatchObject({ value: "true" });
});

rustTest("stop on entry is at main, and leaves no breakpoint", async () => {
  const rust = borrowSonde(builtFolder("rust"));
  expect(await stops(rust, ["start", "stats", ...LLDB, "--stop-on-entry"])).toMatchObject({
    reason: "entry",
    frame: { function: "stats::main" },
  });
  expect(await rust.ask("breakpoint list")).toMatchObject({ breakpoints: [] });
  expect(await ends(rust, "continue")).toMatchObject({ exitCode: 0 });
});

test("a file that the program does not hold is not bound; a plugin's breakpoint waits for its code", async () => {
  const sonde = inC();
  const started = await sonde.ask<MoveResult>([
    "start",
    "plugin-host",
    ...LLDB,
    "--break",
    at("plugin-host", "load"),
    "--break",
    at("plugin", "plugin-first"),
  ]);
  if (started.state !== "stopped") throw new Error(JSON.stringify(started));
  expect(started.snapshot.unbound).toMatchObject([{ id: 2 }]);
  const inside = await stops(sonde, "continue");
  expect(inside.frame?.path).toBe(join(cFolder, "plugin.c"));
  expect(inside.breakpoints).toMatchObject([{ id: 2, hit: 1 }]);
});

test("a program whose main thread has left it to another lives; killed, it is told so", async () => {
  const sonde = borrowSonde();
  const text = `#include <pthread.h>
#include <stdio.h>
static pthread_t first;
static void *work(void *a) {
  pthread_join(first, 0);
  int n = 0;
  for (int i = 0; i < 3; i++)
    n += i;
  printf("%d\\n", n);
  return a;
}
int main(void) {
  pthread_t t;
  first = pthread_self();
  pthread_create(&t, 0, work, 0);
  pthread_exit(0);
}
`;
  compile(sonde, "left.c", text);
  await stops(sonde, ["start", "left", ...LLDB, "--break", "left.c:8"]);
  expect(await sonde.ask("print i")).toMatchObject({ value: "0" });
  expect((await stops(sonde, "continue")).breakpoints).toMatchObject([{ id: 1, hit: 2 }]);
  const { sessions } = await sonde.ask<{ sessions: { pid: number }[] }>("sessions");
  process.kill(sessions[0]?.pid ?? 0, "SIGKILL");
  await expect.poll(async () => (await sonde.json("print i")).ok, { timeout: 10_000 }).toBe(false);
  expect(await sonde.refusal("print i")).toMatchObject({ code: "SESSION_ENDED" });
});

const FATAL = `struct Deadly { int a; };
int main(void) {
  struct Deadly deadly = {1};
  int other = 2;
  return deadly.a + other - 3;
}
`;

test.each([
  ["print deadly", "deadly"],
  ["locals", "Locals"],
])("a debugger that dies of reading a value: `%s` names it, and another debugger", async (command, value) => {
  const sonde = borrowSonde();
  compile(sonde, "fatal.c", FATAL);
  await stops(sonde, ["start", "fatal", ...LLDB, "--break", "fatal.c:5"]);
  expect((await sonde.ask<{ value: string }>("print other")).value).toBe("2");
  // LLDB's own crashes are in its formatters: one that crashes for certain.
  const crash = 'type summary add -w sonde --python-script "import os; os.kill(os.getpid(), 11)" Deadly';
  await sonde.ask(["raw", crash]);
  // What was read at this stop is read again.
  await sonde.ask("set other 2");
  const refused = await sonde.refusal(command);
  expect(refused.code).toBe("ADAPTER_FAILED");
  expect(refused.message).toMatch(
    new RegExp(`^lldb-dap was killed by SIGSEGV.* while reading ${value}`, "s"),
  );
  expect(refused.hint).toMatch(
    /^`sonde restart` runs the program again; do not read that value, or use another debugger: `sonde start <program> --adapter (cdt-gdb|gdb)`$/,
  );
});

const DEADLY = 'type summary add --python-script "import os; os.kill(os.getpid(), 11)" Deadly';

test("a run of its own is tried without those values; that an expression killed the debugger is said", {
  timeout: 120_000,
}, async () => {
  const sonde = borrowSonde();
  compile(sonde, "fatal.c", FATAL);
  const deadly = ["--arg-json", JSON.stringify({ preRunCommands: [DEADLY] })];
  const once = await sonde.text(["probe", "fatal.c:5", ...deadly, "--", "./fatal"], { timeoutMs: 60_000 });
  expect(once).toContain("fatal.c:5 in main");
  expect(once).toContain("lldb died while reading Locals: this is a second run, without those values");
  expect(once).not.toMatch(/^ {2}other = 2/m);
  const line = ["probe", "fatal.c:5", "--eval", "deadly.a", "--eval", "deadly", ...deadly, "--", "./fatal"];
  const twice = await sonde.text(line, { timeoutMs: 60_000 });
  expect(twice).toContain("lldb died while reading Locals: this is a second run, without those values");
  expect(twice).toMatch(/^deadly\.a = 1 /m);
  expect(twice).toContain("deadly: lldb-dap was killed by SIGSEGV while reading deadly");
});

test("where that is not enough, another debugger is used, and that is said", {
  timeout: 120_000,
}, async () => {
  const sonde = borrowSonde();
  const text = `#include <stdlib.h>
struct Deadly { int a; };
static void inner(struct Deadly mine, int depth) {
  if (depth > mine.a) abort();
}
int main(void) {
  struct Deadly deadly = {1};
  inner(deadly, 2);
  return 0;
}
`;
  compile(sonde, "two.c", text);
  const deadly = ["--arg-json", JSON.stringify({ preRunCommands: [DEADLY] })];
  const said = await sonde.text(["crash", ...deadly, "--", "./two"], { timeoutMs: 100_000 });
  expect(said).toMatch(/lldb died while reading Locals, twice: this is another run, by (cdt-gdb|gdb)/);
  expect(said).toMatch(/^ +mine = \{a = 1\}/m);
  expect(said).toMatch(/^ +depth = 2 /m);
});
