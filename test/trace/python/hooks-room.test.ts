/** Close to the end of the stack, in Pythons whose lines are seen by hooks: the program is not hurt, and other threads are recorded on. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { borrowSonde } from "../../support/sonde.ts";

const DEEPEST = `def down(n):
    if n == 0:
        return 0
    return down(n - 1) + 1
low, high = 10, 2000
while low < high:
    middle = (low + high + 1) // 2
    try:
        down(middle)
        low = middle
    except RecursionError:
        high = middle - 1
print(low)
`;

/** A thread waits close to its limit, while another goes on. */
const BESIDE = `import threading
there, done = threading.Event(), threading.Event()
def down(n):
    if n == 0:
        there.set()
        done.wait(60)
        return 0
    return down(n - 1) + 1
def other(n):
    return n * 2
one = threading.Thread(target=down, args=(960,))
one.start()
there.wait(60)
for n in range(5):
    other(n)
done.set()
one.join()
`;

interface Traced {
  trace: { counts: number[] };
  output: { lines: { text: string }[] };
}

test("a line that only the deepest call runs costs at most the one call that sees it", async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", DEEPEST);
  const plain = Number(spawnSync("python3", ["app.py"], { cwd: sonde.project, encoding: "utf8" }).stdout);
  const { output } = await sonde.ask<Traced>(["trace", "--at", "app.py:3=n", "--", "python3", "app.py"]);
  expect(Number(output.lines.at(-1)?.text)).toBeGreaterThanOrEqual(plain - 1);
});

test("a thread without room keeps no other thread from being recorded", async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", BESIDE);
  const words = ["trace", "--at", "app.py:10=n", "--at", "app.py:8=n", "--", "python3", "app.py"];
  const { trace } = await sonde.ask<Traced>(words);
  expect(trace.counts[0]).toBe(5);
});

test("what a call's variables held at a hit lives no longer than without it; what the program took stays", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "app.py",
    `import weakref
class Big: pass
def hold(n):
    big = Big()
    gone = weakref.ref(big)
    x = 1
    del big
    return gone() is None
def take(n):
    mine = locals()
    x = 1
    return mine["n"]
class Body:
    a = 1
    b = a + 1
print(hold(1), take(2), Body.a, Body.b)
`,
  );
  const places = ["app.py:6=n", "app.py:11=n", "app.py:15=a"].flatMap((one) => ["--at", one]);
  const { trace, output } = await sonde.ask<Traced>(["trace", ...places, "--", "python3", "app.py"]);
  expect(trace.counts).toEqual([1, 1, 1]);
  expect(output.lines.at(-1)?.text).toBe("True 2 1 2");
});
