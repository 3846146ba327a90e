/** Python programs that often give up their turn, against what they count themselves. */
import { expect, test } from "vitest";
import { borrowSonde } from "../../support/sonde.ts";
import type { ProfileData } from "./support.ts";

const HOT = `
import time
def hot(n):
    s = 0
    for i in range(n):
        s += i * i % 7
    return s
`;

async function selfShares(source: string): Promise<{ profile: ProfileData; of(name: string): number }> {
  const sonde = borrowSonde();
  sonde.write("app.py", HOT + source);
  const profile = await sonde.ask<ProfileData>("profile cpu -- python3 app.py");
  const of = (name: string) => profile.top.find((row) => row.name === name)?.selfShare ?? 0;
  return { profile, of };
}

test("what runs between two events of a loop is where the time goes, not the loop's wait", async () => {
  const { of } = await selfShares(`
import asyncio
async def coro():
    end = time.process_time() + 1.5
    while time.process_time() < end:
        hot(3000)
        await asyncio.sleep(0)
asyncio.run(coro())
`);
  expect(of("hot")).toBeGreaterThan(0.6);
  expect(of("EpollSelector.select")).toBeLessThan(0.2);
});

test("a sleep takes no time", async () => {
  const { of, profile } = await selfShares(`
end = time.process_time() + 1
while time.process_time() < end:
    hot(200000)
    time.sleep(0.01)
`);
  expect(of("hot")).toBeGreaterThan(0.6);
  expect(profile.idle).toBeGreaterThan(0);
});

test("threads that work while the main one waits for them are seen, in proportion", async () => {
  const { of } = await selfShares(`
import threading
def large():
    for _ in range(30): hot(200000)
def small():
    s = 0
    for i in range(2000000): s += i * i % 7
threads = [threading.Thread(target=one) for one in (large, small)]
for one in threads: one.start()
for one in threads: one.join()
`);
  const ratio = of("hot") / of("small");
  expect(ratio).toBeGreaterThan(1.8);
  expect(ratio).toBeLessThan(5);
});

test("a program that becomes another one is not killed by our timer", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "app.py",
    `${HOT}
import os, sys
hot(2000000)
os.execv(sys.executable, [sys.executable, "-c", "s = 0\\nfor i in range(6000000): s += i\\nsys = __import__('sys'); sys.exit(9)"])
`,
  );
  const profile = await sonde.ask<ProfileData>("profile cpu -- python3 app.py");
  expect(profile.end).toEqual({ how: "program", exitCode: 9 });
});
