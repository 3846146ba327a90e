/** The clock of a run that is held: what is held grows while it is looked at, and nobody is asked for it. */
import { useEffect, useState } from "preact/hooks";
import type { RunColumns as Columns } from "../../../agent/explain/columns.ts";
import { linkState } from "../state/link.ts";
import type { RunData } from "./run-data.ts";

/** Often enough to be seen to grow. A longer run takes longer to grow by a pixel, and longer to draw. */
const LEAST_MS = 100;
const PIXELS = 1000;
/** For who asked for less motion. */
const CALM_MS = 60_000;

/** Until when the run has got, in milliseconds since it began; undefined while nothing is held now. */
export function useHeldUntil(run: RunData, columns: Columns | undefined): number | undefined {
  const isHeld = run.state.value?.state === "held" && linkState.value !== "stored";
  const began = columns?.began;
  const [until, setUntil] = useState<number | undefined>(undefined);
  useEffect(() => {
    if (!isHeld || began === undefined) {
      setUntil(undefined);
      return;
    }
    const now = () => Date.now() - began;
    setUntil(now());
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (calm) {
      const timer = setInterval(() => setUntil(now()), CALM_MS);
      return () => clearInterval(timer);
    }
    let drawn = now();
    // A page that cannot be seen has no frames.
    const tick = () => {
      const at = now();
      if (at - drawn >= Math.max(LEAST_MS, at / PIXELS)) {
        drawn = at;
        setUntil(at);
      }
      frame = requestAnimationFrame(tick);
    };
    let frame = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(frame);
  }, [isHeld, began]);
  return isHeld ? until : undefined;
}
