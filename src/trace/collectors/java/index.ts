/**
 * Records inside the bridge to Java: it sets breakpoints on every line of the methods that are asked for, reads their values where they
 * are hit, and lets the thread run on. Nothing comes back to us but the record.
 */
import { awaitStop, resume } from "../../../session/running/running.ts";
import type { Collector } from "../../collector.ts";
import { Channel } from "../../debugger-scripts/channel.ts";
import { charsToTell, Records, type Told } from "../../debugger-scripts/records.ts";
import type { RunEnd } from "../../record.ts";
import { type DebugRun, debugged, feed, followed, opened } from "../stops/program.ts";

export const collector: Collector = {
  name: "java",
  async unfit({ lines }, { opening }) {
    // The others are for plain stops.
    return lines !== undefined && opening.request === "launch" ? undefined : "";
  },
  async collect(plan, asked) {
    const run = debugged(asked);
    const channel = await Channel.open(run.folder, (message) => records.told(message as Told));
    const records = new Records(
      plan,
      run.sink,
      () => channel.letGo(),
      (told) => told,
    );
    const { opening } = run.launch;
    const recordLines = { ...plan.lines, channel: channel.path, chars: charsToTell(plan) };
    opening.plan.extra = { ...opening.plan.extra, recordLines };
    const ended = recorded(run);
    await ended.catch(() => {});
    if (run.signal.aborted) channel.cut();
    await run.launch.end();
    await channel.drained();
    return ended;
  },
};

function recorded(run: DebugRun): Promise<RunEnd> {
  const { session, signal } = run;
  return followed(run, async () => {
    await opened(run);
    feed(session, run.stdin);
    let outcome = await awaitStop(session, { signal });
    while (outcome.kind === "stopped") {
      session.stops.markSeen(outcome.debuggee);
      await resume(session);
      outcome = await awaitStop(session, { signal });
    }
    return outcome;
  });
}
