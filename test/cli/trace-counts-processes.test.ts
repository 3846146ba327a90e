/** `sonde trace --calls` with short-lived processes of a Python program, against what each of them wrote into a file. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

const PROGRAM = `import multiprocessing, os, signal, subprocess, sys
def work(n):
    with open("truth", "ab", 0) as file: file.write(b"x")
    return n
def twice(n): return work(n) + work(n)
def forked(end):
    for n in range(3):
        pid = os.fork()
        if pid == 0:
            twice(n)
            end()
        os.waitpid(pid, 0)
if __name__ == "__main__":
    how = sys.argv[1]
    if how == "fork": forked(lambda: os._exit(0))
    elif how == "kill": forked(lambda: os.kill(os.getpid(), signal.SIGKILL))
    elif how == "exec": forked(lambda: os.execv(sys.executable, [sys.executable, __file__, "one"]))
    elif how == "many":
        if os.fork() == 0:
            for n in range(2000): twice(n)
            os._exit(0)
        os.wait()
    elif how == "process":
        some = [multiprocessing.get_context("fork").Process(target=twice, args=(n,)) for n in range(3)]
        for one in some: one.start()
        for one in some: one.join()
    elif how == "pool":
        with multiprocessing.get_context("fork").Pool(2) as pool: pool.map(twice, range(6))
    elif how == "run":
        for n in range(2): subprocess.run([sys.executable, __file__, "one"], check=True)
    elif how == "alone": subprocess.run([sys.executable, "-I", __file__, "one"], check=True)
    else: twice(1)
`;

interface Counted {
  trace: { calls: { function: string; count: number }[]; notes: string[] };
}

async function counted(how: string) {
  const sonde = borrowSonde();
  sonde.write("app.py", PROGRAM);
  const { trace } = await sonde.ask<Counted>(["trace", "--calls", "--", "python3", "app.py", how]);
  const truth = join(sonde.project, "truth");
  return {
    work: trace.calls.find((one) => one.function === "work")?.count ?? 0,
    twice: trace.calls.find((one) => one.function === "twice")?.count ?? 0,
    truth: existsSync(truth) ? readFileSync(truth).length : 0,
    notes: trace.notes,
  };
}

test.each(["fork", "exec", "many", "process", "run"])("%s: every call of every process", async (how) => {
  const { work, twice, truth, notes } = await counted(how);
  expect(truth).toBeGreaterThan(3);
  expect({ work, twice, notes }).toEqual({ work: truth, twice: truth / 2, notes: [] });
});

const KILLED =
  /^(?:a child process|each of [23] child processes) was killed: calls of its last moment may be missing$/;

test("kill: those that were killed are told of", async () => {
  const { work, truth, notes } = await counted("kill");
  expect(work).toBe(truth);
  expect(notes).toEqual([expect.stringMatching(KILLED)]);
});

test("pool: every call, and those of its processes that it killed are told of", async () => {
  const { work, truth, notes } = await counted("pool");
  expect(work).toBe(truth);
  // Whether a pool's processes end by themselves before it kills them is chance.
  for (const note of notes) expect(note).toMatch(KILLED);
});

test("a process that cannot be recorded is told of", async () => {
  const { work, truth, notes } = await counted("alone");
  expect({ work, truth }).toEqual({ work: 0, truth: 2 });
  expect(notes).toEqual([expect.stringContaining("started with -I is not recorded")]);
});
