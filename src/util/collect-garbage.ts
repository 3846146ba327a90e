/**
 * Everything that is no longer reachable goes now, and its pages back to the system. V8 does so when it needs room, which a process
 * that waits never does: it would hold what its busiest moment took.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Also what was compiled and not called since the last time, and pages that are nearly empty: each as V8 would in time, only sooner. */
const THOROUGH = ["--compact-on-every-full-gc", "--flush-baseline-code", "--bytecode-old-age=1"];
const AS_EVER = ["--no-compact-on-every-full-gc", "--no-flush-baseline-code", "--bytecode-old-age=6"];

let collect: (() => void) | undefined;

export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  for (const flag of THOROUGH) setFlagsFromString(flag);
  // The second time for what finalizers of the first have let go, and for code that was found unused.
  collect();
  collect();
  for (const flag of AS_EVER) setFlagsFromString(flag);
}
