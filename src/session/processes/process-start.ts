/** When a process that we attach to began to run. */
import { readFileSync } from "node:fs";
import type { Opening } from "../../adapters/adapter.ts";
import { knownBy } from "./descendants.ts";

/** Of a process that ran before we came; nothing for one that is yet to start, or where the system does not say. */
export function startOf({ request, plan }: Opening): number | undefined {
  if (request !== "attach" || plan.pid === undefined) return undefined;
  try {
    const [up = ""] = readFileSync("/proc/uptime", "latin1").split(" ");
    const since = Number(knownBy(plan.pid)?.born) / TICKS;
    return Number.isFinite(since) ? Date.now() - (Number(up) - since) * 1000 : undefined;
  } catch {
    return undefined;
  }
}

/** A second, in the times that /proc tells: the same on every machine. */
const TICKS = 100;
