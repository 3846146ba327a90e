/** `--timeline`: threads, processes and places in one list, in the order in which things happened. */
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

const PYTHON = `import multiprocessing, threading
def step(who, n):
    return who, n
def work(who, wait, go):
    for n in range(2):
        wait.acquire()
        step(who, n)
        go.release()
def run(kind, lock):
    a, b = lock(1), lock(0)
    both = [kind(target=work, args=("first", a, b)), kind(target=work, args=("second", b, a))]
    [one.start() for one in both]
    [one.join() for one in both]
if __name__ == "__main__":
    run(threading.Thread, threading.Semaphore)
    context = multiprocessing.get_context("fork")
    run(context.Process, context.Semaphore)
`;
const TURNS = ["'first'", "'second'", "'first'", "'second'"];

test("places and threads of several processes stand in the order of the program's clock", async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", PYTHON);
  const words = ["trace", "--at", "app.py:3=who,n", "--timeline", "--", "python3", "app.py"];
  const text = await sonde.text(words);
  const rows = text.split("\n").filter((line) => line.includes("who = "));
  expect(rows.map((row) => /who = (\S+)/.exec(row)?.[1])).toEqual([...TURNS, ...TURNS]);
  expect(text).toContain("8 moments, 4 threads");
  expect(await sonde.text(["trace", "show", "--timeline"])).toContain("8 moments");
});

test("calls are entered and left, and say in which process", async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", PYTHON);
  const words = ["trace", "--function", "step", "--timeline", "--", "python3", "app.py"];
  const rows = (await sonde.text(words)).split("\n").filter((line) => /called|returned/.test(line));
  expect(rows).toHaveLength(16);
  expect(rows[0]).toMatch(/Thread-1.*step\s+called \(who='first', n=0\)/);
  const calls = await sonde.text(["trace", "show", "--all"]);
  expect(calls).toMatch(/step\(who='second', n=1\) {2}app.py:2 {2}· \d+ MainThread/);
});
