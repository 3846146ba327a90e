/** The number of a hit is how often the place was reached; what another thread or an earlier run left is not counted. */
import { describe, expect, test } from "vitest";
import type { BreakpointRow } from "../../src/commands/answers/shapes.ts";
import { resume, step } from "../../src/session/running/running.ts";
import { compile, stops } from "../native/rig.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { Rig } from "./rig.ts";

const slow = { timeout: 60_000 };

async function hitsOf(sonde: Sonde): Promise<number[]> {
  const { breakpoints } = await sonde.ask<{ breakpoints: BreakpointRow[] }>("breakpoints");
  return breakpoints.map(({ hits }) => hits);
}

const LOOPS = {
  "loop.js": "let s = 0;\nfor (let i = 1; i < 10; i++) {\n  s += i;\n}\nif (s > 1000) {\n  s = 0;\n}\n",
  "loop.py": "s = 0\nfor i in range(1, 10):\n    s += i\nx = 1\nif s > 1000:\n    s = 0\nx = 2\n",
  "loop.c":
    "int main(void) {\n  int s = 0; for (int i = 1; i < 10; i++) {\n    s += i;\n  }\n  if (s > 1000)\n    s = 0;\n  return 0;\n}\n",
  "loop.go":
    "package main\n\nvar s = 0; func main() { for i := 1; i < 10; i++ {\n\ts += i\n}\n\tif s > 1000 {\n\t\ts = 0\n\t}\n}\n",
} as const;

const BODY = { "loop.js": 3, "loop.py": 3, "loop.c": 3, "loop.go": 4 };
const NEVER = { "loop.js": 6, "loop.py": 6, "loop.c": 6, "loop.go": 7 };

describe.each(Object.keys(LOOPS) as (keyof typeof LOOPS)[])("%s", (file) => {
  function written(): { sonde: Sonde; program: string } {
    const sonde = borrowSonde();
    sonde.write(file, LOOPS[file]);
    return { sonde, program: file === "loop.c" ? compile(sonde, file, LOOPS[file]) : file };
  }

  test(
    "a hit count, and `until` that is never reached, on a line of its own and on a breakpoint's",
    slow,
    async () => {
      const { sonde, program } = written();
      await sonde.ask(["start", program, "--stop-on-entry"]);
      await sonde.ask(["break", `${file}:${BODY[file]}`, "--hit-count", "3"]);
      const third = await stops(sonde, "continue");
      expect(third.breakpoints).toMatchObject([{ id: 1, hit: 3 }]);
      expect(third.values.find(({ name }) => name === "i")?.value).toBe("3");
      expect(await hitsOf(sonde)).toEqual([3]);
      await sonde.ask("breakpoint remove 1");
      await sonde.ask(["break", `${file}:${BODY[file]}`]);
      const same = await stops(sonde, ["until", String(BODY[file])]);
      expect(same.breakpoints).toMatchObject([{ id: 2, hit: 1 }]);
      await sonde.ask("breakpoint remove 2");
      expect(await sonde.ask(["until", String(NEVER[file])])).toMatchObject({ state: "exited" });
      await sonde.ask(["restart", "--timeout", "20"]);
      await sonde.ask(["break", `${file}:${BODY[file]}`, "--condition", "i == 9"]);
      expect((await stops(sonde, "continue")).reason).toBe("breakpoint");
      await sonde.ask(["set", "s", "2000"]);
      expect(await sonde.ask("continue")).toMatchObject({ state: "exited" });
    },
  );
});

const THREADS = `#include <atomic>
#include <thread>
std::atomic<int> ready{0}, go{0};
static void work() {
  while (!ready) {}
  for (int i = 0; i < 50; i++) {
    go = go + 1; // line 7
  }
}
int main() {
  std::thread t(work);
  volatile long n = 0;
  while (go < 50) {
    n = n + 1;
    ready = 1;
  }
  t.join();
  return 0;
}
`;

test(
  "a thread that stands at a breakpoint while another one is stepped has not hit it again",
  slow,
  async () => {
    const sonde = borrowSonde();
    const program = compile(sonde, "threads.cpp", THREADS, ["g++", "-pthread", "-std=c++17"]);
    const first = await stops(sonde, ["start", program, "--adapter", "lldb", "--break", "threads.cpp:7"]);
    expect(first).toMatchObject({ breakpoints: [{ id: 1, hit: 1 }], thread: { id: 2 } });
    expect(await sonde.text("thread 1")).toMatch(/^stopped: breakpoint 1 \(hit 1\) in thread 2; here: /);
    // A step lets the other thread run, so it may truly come round again: the count is always what the thread itself has counted.
    for (let round = 0; round < 12; round++) {
      await sonde.ask("thread 1");
      await stops(sonde, "next");
      const [hits = 0] = await hitsOf(sonde);
      expect(await sonde.ask("print i --thread 2")).toMatchObject({ value: String(hits - 1) });
    }
  },
);

const at = (threadId: number, hitBreakpointIds: number[], more = {}) => ({
  event: "stopped",
  body: { reason: "breakpoint", threadId, allThreadsStopped: true, hitBreakpointIds, ...more },
});
const quiet = { preserveFocusHint: true };

test("two threads that stop together are one stop, with both hits", async () => {
  const rig = new Rig({
    on: {
      setBreakpoints: [{ respond: { breakpoints: [{ id: 1, verified: true, line: 3 }] } }],
      configurationDone: [{ ack: true }, at(1, [1])],
      "continue#1": [{ respond: {} }, at(1, [1]), at(2, [1], quiet)],
      "next#1": [
        { ack: true },
        { event: "stopped", body: { reason: "step", threadId: 1, allThreadsStopped: true } },
        at(2, [1], quiet),
      ],
    },
  });
  await rig.open(3);
  await rig.stop();
  await resume(rig.session);
  const both = await rig.stop();
  expect(both.thread.id).toBe(1);
  const told = [...both.notes, ...rig.session.breakpoints.takeNews()];
  expect(told.join()).toMatch(/thread 2 stopped too: breakpoint 1 \(hit \d\)/);
  const hits = rig.session.breakpoints.find(1)?.hits;
  await step(rig.session, { kind: "next" });
  expect(await rig.stop()).toMatchObject({ reason: "step", thread: { id: 1 } });
  expect(rig.session.breakpoints.find(1)?.hits).toBe(hits);
});
