/** What Java threads wait for: a monitor by the state the bridge tells in a thread's name, the rest by the library's calls. */
import type { Waits } from "../thread-waits.ts";

export const javaWaits: Waits = {
  calls: [
    {
      call: /^$/,
      thread: / \(waits for a lock(?: that (.+) has)?\)$/,
      what: "for a lock",
      named: [/\bsynchronized\s*\(\s*([^()]+?)\s*\)/],
      takes: /\bsynchronized\s*\(\s*([^()]+?)\s*\)/,
      block: true,
    },
    { call: /\bReentrantLock\.lock$/, what: "for a lock", named: [/([\w.]+?)\.lock\(\)/] },
    { call: /\bThread\.join$/, what: "for a thread to end", named: [/([\w.[\]]+?)\.join\(/] },
    { call: /\bThread\.sleep0?$/, what: "for time to pass" },
    { call: /\bCountDownLatch\.await$/, what: "for a latch", named: [/([\w.]+?)\.await\(/] },
    {
      call: /\bCyclicBarrier\.(?:do)?[wW]ait$|\bCyclicBarrier\.await$/,
      what: "at a barrier",
      named: [/([\w.]+?)\.await\(/],
    },
    { call: /BlockingQueue\.(?:take|put)$/, what: "for a queue", named: [/([\w.]+?)\.(?:take|put)\(/] },
    {
      call: /\b(?:FutureTask|CompletableFuture)\.(?:get|join)$/,
      what: "for a future",
      named: [/([\w.]+?)\.(?:get|join)\(/],
    },
    { call: /\bObject\.wait0?$/, what: "to be notified", named: [/([\w.]+?)\.wait\(/] },
    { call: /\bLockSupport\.park\w*$/, what: "for another thread" },
  ],
};
