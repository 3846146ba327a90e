/** Nothing of a Node program is on the stack while it waits: what may wake it is in the event loop. */
import type { Waits } from "../thread-waits.ts";

export const nodeWaits: Waits = {
  calls: [
    { call: /^(?:Atomics\.)?wait$/, what: "in Atomics.wait", named: [/Atomics\.wait\(\s*([^,()]+)/] },
    { call: /^(?:spawnSync|execSync|execFileSync)$/, what: "for a child process" },
    { call: /^(?:readSync|readFileSync)$/, what: "for input" },
  ],
  pending: "process.getActiveResourcesInfo().join(', ')",
};
