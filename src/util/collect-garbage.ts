/**
 * Everything that is no longer reachable goes now, and its pages back to the system. V8 does so when it needs room, which a process
 * that waits never does: it would hold what its busiest moment took.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collect: (() => void) | undefined;

export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  // The second time for what finalizers of the first have let go.
  collect();
  collect();
}
