/** Code that is brought into a running process runs only where Python lets other code in: elsewhere the process would die of it. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { TEST_ADAPTERS } from "../support/sonde.ts";

const PYTHON = join(TEST_ADAPTERS, "debugpy/bin/python");
const BOOT = resolve("src/adapters/python/boot");
const DEBUGGERS = [
  ["ptrace", PYTHON],
  ["lldb", "/usr/bin/lldb-22"],
  ["gdb", "/usr/bin/gdb"],
].filter(([, path]) => existsSync(path ?? ""));

const INJECT = `
import json, sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import sonde_inject
sonde_inject.inject(int(sys.argv[2]), sys.argv[3], json.loads(sys.argv[4]), sys.argv[5])
`;

const IN_NATIVE_CODE = `
import ctypes, time
native = ctypes.PyDLL(None)  # keeps Python's lock
print(time.monotonic(), flush=True)
native.usleep(3000000)
print("back", flush=True)
time.sleep(60)
`;
const ASLEEP = `
import time
print("asleep", flush=True)
time.sleep(60)
`;
const SWAPPING = `
import threading
def spin():
    while True: sum(range(1000))
for _ in range(2): threading.Thread(target=spin, daemon=True).start()
print("begun", flush=True)
spin()
`;

/** Deep in a recursion, with names of its own for what the code would use. */
const DEEP = `
import sys
def exec(*_): raise ValueError("not yours")
os = open = 1
def down(n):
    while n == 0: sum(range(1000))
    return down(n - 1)
sys.setrecursionlimit(400)
print("deep", flush=True)
down(390)
`;
/** What is queued for a process is in the queue of its children, too. */
const FORKING = `
import ctypes, os, threading, time
def fork():
    while True:
        child = os.fork()
        if child == 0:
            for _ in range(1000): pass
            os._exit(0)
        os.waitpid(child, 0)
threading.Thread(target=fork, daemon=True).start()
print("begun", flush=True)
native = ctypes.CDLL(None)
native.usleep.argtypes = [ctypes.c_uint]
table = (ctypes.c_int * 4000000)()
compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
while True: native.memset(table, 1, ctypes.sizeof(table))
`;

/** A program that has printed its first line, and what it says in all. */
async function started(code: string) {
  const child = spawn(PYTHON, ["-c", code], { stdio: ["ignore", "pipe", "pipe"] });
  const said = { out: "", err: "" };
  child.stderr.on("data", (chunk) => {
    said.err += chunk;
  });
  child.stdout.on("data", (chunk) => {
    said.out += chunk;
  });
  await expect.poll(() => said.out).toContain("\n");
  const folder = mkdtempSync(join(tmpdir(), "sonde-injection-"));
  return {
    child,
    said,
    marks: () => (existsSync(join(folder, "marks")) ? readFileSync(join(folder, "marks"), "utf8") : ""),
    inject(kind: string, path: string, code: string) {
      const words = [BOOT, String(child.pid), code, JSON.stringify({ kind, path }), folder];
      return spawnSync(PYTHON, ["-c", INJECT, ...words], { encoding: "utf8" });
    },
    mark: `open(${JSON.stringify(join(folder, "marks"))}, "a").write`,
    async [Symbol.asyncDispose]() {
      const gone = once(child, "exit");
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await gone;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A gdb that is older than the processor does not know how large its registers are, and calls nothing: Sonde tries it on a process of its
 * own, and does not use it (injectors.ts).
 */
function gdbIsTooOld(path: string): boolean {
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  const words = ["-nx", "-batch", "-p", String(child.pid), "-ex", "call (int)getpid()"];
  const { stdout, stderr } = spawnSync(path, words, { encoding: "utf8" });
  child.kill("SIGKILL");
  return /Couldn't write extended state status/.test(stdout + stderr);
}

describe.each(DEBUGGERS)("by %s", { timeout: 90_000 }, (kind, path) => {
  const cannot = kind === "gdb" && gdbIsTooOld(path);
  beforeEach(({ skip }) => {
    if (cannot) skip("this gdb cannot write the registers of this processor");
  });

  test("in native code that has Python's lock: not before it is back", async () => {
    await using program = await started(IN_NATIVE_CODE);
    const { status, stderr } = program.inject(
      kind,
      path,
      `import time; ${program.mark}(str(time.monotonic()))`,
    );
    expect([status, stderr]).toEqual([0, ""]);
    const began = Number(program.said.out.split("\n")[0]);
    expect(Number(program.marks()) - began).toBeGreaterThan(3);
    await expect.poll(() => program.said.out).toContain("back");
    expect(program.said.err).toBe("");
  });

  test("in a thread that waits in the kernel: at once", async () => {
    await using program = await started(ASLEEP);
    const where = `import threading; ${program.mark}(threading.current_thread().name)`;
    expect(program.inject(kind, path, where)).toMatchObject({ status: 0, stderr: "" });
    expect(program.marks()).toBe("MainThread");
    expect(program.child.exitCode).toBeNull();
  });

  test("while threads take turns, again and again, once each time", async () => {
    await using program = await started(SWAPPING);
    for (const round of ["1", "2", "3"])
      expect(program.inject(kind, path, `${program.mark}("${round}")`)).toMatchObject({
        status: 0,
        stderr: "",
      });
    expect(program.marks()).toBe("123");
    expect([program.child.exitCode, program.said.err]).toEqual([null, ""]);
  });

  test("a program that has no room for it gets no error of ours", async () => {
    await using program = await started(DEEP);
    program.inject(kind, path, `${program.mark}("in")`);
    // Whether there was room or not.
    expect(["", "in"]).toContain(program.marks());
    expect([program.child.exitCode, program.said.err]).toEqual([null, ""]);
  });

  test("a child that is forked meanwhile is left alone", async () => {
    await using program = await started(FORKING);
    const { status, stderr } = program.inject(kind, path, `import os; ${program.mark}(str(os.getpid()))`);
    expect([status, stderr]).toEqual([0, ""]);
    expect(program.marks()).toBe(String(program.child.pid));
  });

  test("what goes wrong in it is told to us, and not to the program", async () => {
    await using program = await started(ASLEEP);
    const { status, stderr } = program.inject(kind, path, "import no_such_module");
    expect(status).toBe(1);
    expect(stderr.trim().split("\n").at(-1)).toBe("ModuleNotFoundError: No module named 'no_such_module'");
    expect([program.child.exitCode, program.said.err]).toEqual([null, ""]);
  });
});
