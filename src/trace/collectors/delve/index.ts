/**
 * Go: delve stops at every hit, whatever one does. What can be saved is the waiting: all that is asked at a stop goes out at once,
 * with the request to go on behind it, and debugger and program share one processor where that is faster.
 */
import type { Launch } from "../../../session/launch.ts";
import { awaitStop } from "../../../session/running/running.ts";
import type { Collector, Run } from "../../collector.ts";
import { goGuideOf, notMoved } from "../../go/session-guide.ts";
import type { Plan } from "../../plan.ts";
import type { RunEnd } from "../../record.ts";
import { bindingOf } from "../stops/points.ts";
import { debugged, feed, followed, opened } from "../stops/program.ts";
import { Pinning } from "./pin.ts";
import { Reader } from "./reader.ts";

export const collector: Collector = {
  name: "delve",
  price: "about 2 ms",
  unfit: async ({ lines }: Plan, { opening }: Launch) => {
    if (lines !== undefined) return "it records only at given lines, not at every line";
    return opening.request === "attach"
      ? "it would have to restrict a running program to one processor"
      : undefined;
  },
  collect(plan: Plan, asked: Run): Promise<RunEnd> {
    const run = debugged(asked);
    const { session, sink, signal } = run;
    const breakpoints = plan.points.map(({ key, path, line, condition }) =>
      session.breakpoints.declare({
        ...{ kind: "line", asked: key, path, line },
        ...(condition === undefined ? {} : { condition }),
      }),
    );
    return followed(run, async () => {
      await opened(run);
      feed(session, run.stdin);
      const guide = goGuideOf(plan, session, sink);
      let outcome = await awaitStop(session, { signal });
      const reader = new Reader(plan, run, breakpoints, guide);
      const pinning = new Pinning(session);
      while (outcome.kind === "stopped" && !signal.aborted) {
        await reader.at(outcome);
        await pinning.hit();
        outcome = await awaitStop(session, { signal });
      }
      for (const [point, one] of breakpoints.entries())
        sink.bind(point, guide?.points[point]?.binding ?? notMoved(bindingOf(one), one.line ?? 0));
      return outcome;
    });
  },
};
