/** What is read at a stop, in one go. */
import type { Breakpoint } from "../../../session/breakpoints/breakpoint.ts";
import type { Debuggee } from "../../../session/debuggee.ts";
import { resume } from "../../../session/running/running.ts";
import type { Outcome } from "../../../session/running/stops.ts";
import { threadName } from "../../../session/threads/threads.ts";
import { cut } from "../../../util/text.ts";
import { type GoGuide, isTold } from "../../go/guide.ts";
import { isMoved } from "../../go/session-guide.ts";
import { type Plan, UNAVAILABLE } from "../../plan.ts";
import { bindingOf, isUnreadable, look, toTraceFrame } from "../stops/points.ts";
import type { DebugRun } from "../stops/program.ts";

type Stopped = Outcome & { kind: "stopped" };

/** dlv numbers frames anew at each stop: the innermost of the stack that is asked for first. */
const FIRST_FRAME = 1000;

export class Reader {
  readonly #plan: Plan;
  readonly #run: DebugRun;
  readonly #breakpoints: readonly Breakpoint[];
  readonly #guide: GoGuide | undefined;
  /** Its frames are numbered as we think. */
  #sure = false;

  constructor(plan: Plan, run: DebugRun, breakpoints: readonly Breakpoint[], guide: GoGuide | undefined) {
    this.#plan = plan;
    this.#guide = guide;
    this.#run = run;
    this.#breakpoints = breakpoints;
  }

  /** Records this stop, and lets the program go on. */
  async at(stopped: Stopped): Promise<void> {
    const { debuggee, stop } = stopped;
    const { threadId } = stop;
    const all = stop.hits.map(({ id }) => this.#breakpoints.findIndex((one) => one.id === id));
    const points = all.filter((point) => this.#isTold(point));
    const thread = threadId === undefined ? undefined : debuggee.threadNames.get(threadId);
    // Whatever is new or odd goes the plain way first.
    if (!this.#sure || stop.framesTaken || thread === undefined || threadId === undefined || all.length === 0)
      return this.#plainly(stopped);
    await this.#atOnce({ debuggee, threadId, thread, points });
  }

  #isTold(point: number): boolean {
    const { line = 0 } = this.#plan.points[point] ?? {};
    return isTold(this.#guide?.points[point]) && !isMoved(bindingOf(this.#breakpoints[point]), line);
  }

  async #plainly(stopped: Stopped): Promise<void> {
    const { session, sink } = this.#run;
    const { debuggee, stop } = stopped;
    await look(stopped, {
      ...{ plan: this.#plan, session, sink, breakpoints: this.#breakpoints, trust: this.#guide },
    });
    if (stop.threadId !== undefined) {
      const { frames } = await session.frames.get(debuggee, stop.threadId, 1);
      this.#sure = stop.framesTaken ? this.#sure : frames[0]?.adapterId === FIRST_FRAME;
      await threadName(session, debuggee, stop.threadId);
    }
    await resume(session);
  }

  async #atOnce(at: {
    debuggee: Debuggee;
    threadId: number;
    thread: string;
    points: number[];
  }): Promise<void> {
    const { debuggee, threadId, thread, points } = at;
    const { session, sink } = this.#run;
    const { frames: wanted } = this.#plan;
    session.stops.markSeen(debuggee);
    const stack = session.frames.get(debuggee, threadId, Math.max(1, wanted));
    const values = points.map((point) =>
      Promise.all(
        (this.#plan.points[point]?.expressions ?? []).map((one) =>
          this.#guide?.points[point]?.trusts(one) === false ? UNAVAILABLE : this.#value(debuggee, one),
        ),
      ),
    );
    const going = resume(session);
    const { frames } = await stack;
    this.#sure = frames[0]?.adapterId === FIRST_FRAME;
    if (!this.#sure) sink.note("delve numbered its frames unexpectedly: the values of one hit are missing");
    const told = frames
      .filter(({ label }) => !label)
      .slice(0, wanted)
      .map(toTraceFrame);
    for (const [nth, point] of points.entries())
      sink.hit({ kind: "point", point, thread, values: (await values[nth]) ?? [], frames: told });
    await going;
  }

  async #value(debuggee: Debuggee, expression: string): Promise<string> {
    const asked = { expression, context: "watch", frameId: FIRST_FRAME };
    try {
      const { result } = await debuggee.client.request("evaluate", asked);
      return isUnreadable(result) ? UNAVAILABLE : cut(result, this.#plan.valueChars);
    } catch {
      return UNAVAILABLE; // whatever the reason: the program goes on, and so does the record
    }
  }
}
