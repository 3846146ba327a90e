/** What a program waits for that no other thread has: tasks of an event loop, a lock of its own. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import type { HangResult } from "../../src/commands/runs/hang-shape.ts";
import { compilerVersion } from "../support/builds.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";

function hang(sonde: Sonde, args: string[]): Promise<HangResult> {
  return sonde.ask<HangResult>(["hang", ...args], { timeoutMs: 90_000 });
}

test("asyncio: each task and the await it was left at", { timeout: 60_000 }, async ({ skip }) => {
  if (spawnSync("python3", ["--version"]).status !== 0) skip("no python3");
  const sonde = borrowSonde();
  sonde.write(
    "feed.py",
    `import asyncio


async def consume(queue):
    while True:
        await queue.get()


async def join(queue):
    await queue.join()


async def main():
    queue = asyncio.Queue()
    queue.put_nowait(1)
    idle = [asyncio.create_task(consume(queue), name=f"worker {i}") for i in range(3)]
    await asyncio.gather(join(queue), *idle)


asyncio.run(main())
`,
  );
  const result = await hang(sonde, ["feed.py", "--after", "2"]);
  expect(result.verdict).toBe("waiting");
  const told = result.tasks.map(({ name, awaits, frames, source }) => [
    name,
    awaits,
    frames.map((one) => one.line),
    source,
  ]);
  expect(told.filter(([name]) => /^worker/.test(String(name)))).toEqual(
    [0, 1, 2].map((i) => [`worker ${i}`, expect.stringMatching(/get$/), [6], "await queue.get()"]),
  );
  expect(told[0]).toEqual([
    "Task-1",
    expect.stringMatching(/^tasks .*worker 0, worker 1, worker 2/),
    [17],
    "await asyncio.gather(join(queue), *idle)",
  ]);
  const text = await sonde.text("hang feed.py --after 2", { timeoutMs: 60_000 });
  expect(text).toMatch(/^waiting: none of its threads is running, 5 tasks are left at an await/);
  expect(text).toMatch(
    /\ntasks worker 0, worker 1, worker 2: feed\.py:6 in consume, awaits \S+\n +6 \| await queue\.get\(\)\n/,
  );
  expect(text).toContain("\n  waits in its event loop\n");
  expect(text).not.toContain("moves: ");
  expect(result.output.lines).toEqual([]);
});

test("Go: who waits for a mutex that it has itself", { timeout: 90_000 }, async ({ skip }) => {
  if (compilerVersion("go") === undefined) skip("no Go");
  const sonde = borrowSonde();
  sonde.write(
    "store.go",
    `package main

import "sync"

type store struct {
	mu   sync.Mutex
	data map[string]int
}

func (s *store) add(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.data[key]++
}

func (s *store) total(done chan int) {
	if len(s.data) > 9 {
		s.mu.Lock()
		defer s.mu.Unlock()
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add("total")
	done <- 1
}

func main() {
	s := &store{data: map[string]int{}}
	done := make(chan int)
	go s.total(done)
	<-done
}
`,
  );
  const result = await hang(sonde, ["store.go", "--after", "10"]);
  expect(result.verdict).toBe("deadlock");
  const own = result.groups.flatMap((group) => group.waits).find((one) => one.on === "s.mu");
  expect(own?.heldBy).toEqual([own?.number]);
  expect(result.cycle).toEqual([own?.number]);
  const text = await sonde.text("hang store.go --after 10", { timeoutMs: 60_000 });
  expect(text).toContain("waits for a mutex: s.mu, which it has itself\n");
});

test("a lock that another has, waited for behind a branch that took it too", { timeout: 90_000 }, async ({
  skip,
}) => {
  if (compilerVersion("go") === undefined) skip("no Go");
  const sonde = borrowSonde();
  sonde.write(
    "branch.go",
    `package main

import "sync"

var mu sync.Mutex

func keep(ready, never chan int) {
	mu.Lock()
	ready <- 1
	<-never
}

func read(quick bool) {
	if quick {
		mu.Lock()
		defer mu.Unlock()
		return
	}
	mu.Lock()
}

func main() {
	ready, never := make(chan int), make(chan int)
	go keep(ready, never)
	<-ready
	read(false)
}
`,
  );
  const result = await hang(sonde, ["branch.go", "--after", "10"]);
  const one = result.groups.flatMap((group) => group.waits).find(({ on }) => on === "mu");
  expect(one?.heldBy).toHaveLength(1);
  expect(one?.heldBy).not.toContain(one?.number);
  expect(result.cycle).toEqual([]);
});

test("Python: who a lock, a reentrant lock and a join wait for, and no more than is known", {
  timeout: 90_000,
}, async ({ skip }) => {
  if (spawnSync("python3", ["--version"]).status !== 0) skip("no python3");
  const sonde = borrowSonde();
  sonde.write(
    "waits.py",
    `import queue
import threading

first, reentrant, hidden = threading.Lock(), threading.RLock(), threading.Lock()
held = threading.Barrier(4)


def take(lock):
    lock.acquire()


def keeper():
    with first:
        reentrant.acquire()
        take(hidden)
        held.wait()
        queue.Queue().get()


def wants(lock):
    held.wait()
    with lock:
        pass


keep = threading.Thread(target=keeper, name="keeper")
keep.start()
for name, lock in (("plain", first), ("again", reentrant), ("unknown", hidden)):
    threading.Thread(target=wants, args=(lock,), name=name).start()
keep.join()
`,
  );
  const result = await hang(sonde, ["waits.py", "--after", "2"]);
  const all = result.groups.flatMap((group) => group.waits);
  const numberOf = (name: string) => all.find((one) => one.name === name)?.number;
  const told = Object.fromEntries(all.map(({ name, what, on, heldBy }) => [name, { what, on, heldBy }]));
  const keeper = [numberOf("keeper")];
  expect(told).toMatchObject({
    plain: { what: "for a lock", on: "lock", heldBy: keeper },
    again: { what: "for a lock", on: "lock", heldBy: keeper },
    unknown: { what: "for a lock", on: "lock", heldBy: [] },
    keeper: { what: "for a queue", heldBy: [] },
    MainThread: { what: "for a thread to end", on: "keep", heldBy: keeper },
  });
  const text = await sonde.text("hang waits.py --after 2", { timeoutMs: 60_000 });
  expect(text).toContain(`waits for a thread to end: keep, which is thread ${numberOf("keeper")}\n`);
});

test("Python: threads that wait for each other by a lock and a join", { timeout: 60_000 }, async ({
  skip,
}) => {
  if (spawnSync("python3", ["--version"]).status !== 0) skip("no python3");
  const sonde = borrowSonde();
  sonde.write(
    "ends.py",
    `import threading

lock = threading.RLock()


def work():
    with lock:
        pass


worker = threading.Thread(target=work, name="worker")
with lock:
    worker.start()
    worker.join()
`,
  );
  const text = await sonde.text("hang ends.py --after 2", { timeoutMs: 60_000 });
  expect(text).toMatch(/^deadlock: 2 threads wait for each other/);
  expect(text).toMatch(/waits for a thread to end: worker, which is thread \d+ worker\n/);
  expect(text).toMatch(/waits for a lock: lock, which thread \d+ MainThread has\n/);
});
