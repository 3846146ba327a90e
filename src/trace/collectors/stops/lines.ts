/** Steps through the calls of named functions, line by line. */
import { type Breakpoint, notBound } from "../../../session/breakpoints/breakpoint.ts";
import type { Debuggee } from "../../../session/debuggee.ts";
import { awaitStop, resume, step } from "../../../session/running/running.ts";
import type { Outcome } from "../../../session/running/stops.ts";
import type { Session } from "../../../session/session.ts";
import type { Frame, Stack } from "../../../session/stack/frames.ts";
import { fileLines } from "../../../session/stack/source.ts";
import { readThreads, threadName } from "../../../session/threads/threads.ts";
import type { SeenLine } from "../../collector.ts";
import { isFunction, nameParts } from "../../function-name.ts";
import type { Lines, Plan } from "../../plan.ts";
import type { RunEnd } from "../../record.ts";
import { FrameReads } from "./frame-reads.ts";
import { type DebugRun, feed, followed, opened } from "./program.ts";

/** Deep enough to count the frames of anything that is stepped through. */
const LEVELS = 200;

interface Activation {
  call: number;
  parent?: number;
  /** Frames on the stack while it is on top. */
  depth: number;
  function: string;
  path: string;
  /** The line it stands at. */
  line: number;
  values: Map<string, string>;
  /** What its last line returns, where that is known. */
  returning?: string | undefined;
}

export async function collectLines(plan: Plan, lines: Lines, run: DebugRun): Promise<RunEnd> {
  const { session, signal } = run;
  const breakpoints = lines.functions.map((name) =>
    session.breakpoints.declare({ kind: "function", name, asked: name }),
  );
  return followed(run, async () => {
    await opened(run);
    feed(session, run.stdin);
    const walk = new Walk(plan, lines, run, breakpoints);
    let outcome = await awaitStop(session, { signal });
    while (outcome.kind === "stopped" && !signal.aborted) outcome = await walk.through(outcome);
    for (const one of session.breakpoints.unbound())
      run.sink.note(`function ${one.asked}: ${notBound(one).why}`);
    return outcome;
  });
}

class Walk {
  readonly #lines: Lines;
  readonly #run: DebugRun;
  readonly #session: Session;
  readonly #breakpoints: readonly Breakpoint[];
  #calls = 0;
  /** No other thread can come by: breakpoints stay in place while it is stepped through. */
  #isAlone = true;
  readonly #reads: FrameReads;

  constructor(plan: Plan, lines: Lines, run: DebugRun, breakpoints: readonly Breakpoint[]) {
    this.#lines = lines;
    this.#run = run;
    this.#session = run.session;
    this.#breakpoints = breakpoints;
    this.#reads = new FrameReads(run, plan.valueChars);
  }

  /** From the entry of a function until it has returned; then on to the next. */
  async through(entered: Outcome & { kind: "stopped" }): Promise<Outcome> {
    const { signal } = this.#run;
    const stack: Activation[] = [];
    let outcome: Outcome = entered;
    this.#isAlone = await this.#alone(entered.debuggee);
    for (;;) {
      if (outcome.kind !== "stopped" || signal.aborted) return outcome;
      this.#session.stops.markSeen(outcome.debuggee);
      const { going, reason } = await this.#look(outcome, stack, outcome === entered);
      if (!going) break;
      const before = await step(this.#session, { kind: reason });
      outcome = await awaitStop(this.#session, { signal }, before);
    }
    if (!this.#isAlone) await this.#session.breakpoints.setEnabled(this.#breakpoints, true);
    await resume(this.#session);
    return awaitStop(this.#session, { signal });
  }

  /** Another thread that comes to the same function would cut a step short, and could not be stepped through at the same time. */
  async #alone(debuggee: Debuggee): Promise<boolean> {
    if ((await readThreads(this.#session, debuggee)).length <= 1) return true;
    this.#run.sink.note(
      "only one call is followed at a time: calls made by other threads meanwhile are missing",
    );
    await this.#session.breakpoints.setEnabled(this.#breakpoints, false);
    return false;
  }

  /** Tells what happened at this stop, and how to go on. */
  async #look(
    { debuggee, stop }: Outcome & { kind: "stopped" },
    open: Activation[],
    isEntry: boolean,
  ): Promise<{ going: boolean; reason: "next" | "stepIn" | "stepOut" }> {
    this.#session.focus.selectFrame(0);
    const { stack, threadId } = await this.#session.focus.place(LEVELS);
    const frames = stack.frames.filter((frame) => !frame.label);
    const [top] = frames;
    const thread = await threadName(this.#session, debuggee, threadId);
    const leaving = stop.reason === "exception";
    await this.#returned(open, { debuggee, stack, thread, depth: frames.length });
    const current = open.at(-1);
    if (top?.path === undefined) return { going: open.length > 0, reason: "stepOut" };
    // Back in a caller, which may have the same name: Go's runtime.main calls main.main.
    if (current === undefined && !isEntry && !stop.reason.includes("breakpoint"))
      return { going: false, reason: "next" };
    if (current === undefined || frames.length > current.depth) {
      if (!this.#wanted(top) && (current === undefined || open.length > this.#lines.depth))
        return { going: open.length > 0, reason: "stepOut" };
      if (!top.user && open.length > 0) return { going: true, reason: "stepOut" };
      await this.#entered(open, top, { debuggee, thread, depth: frames.length });
    } else await this.#line(current, top, { debuggee, thread });
    if (leaving) return { going: false, reason: "next" };
    const within = open.length <= this.#lines.depth || (!this.#isAlone && this.#callsWanted(top));
    return { going: true, reason: within ? "stepIn" : "next" };
  }

  /** By its text: where no breakpoint may stop it, a call of a named function is stepped into. */
  #callsWanted({ path = "", line }: Frame): boolean {
    const called = calledIn(fileLines(path)?.[line - 1] ?? "");
    return this.#lines.functions.some((one) => called.has(nameParts(one).at(-1) ?? ""));
  }

  #wanted({ name }: Frame): boolean {
    return this.#lines.functions.some((one) => isFunction(name, one));
  }

  /** Activations that are no longer on the stack. */
  async #returned(
    open: Activation[],
    now: { debuggee: Debuggee; stack: Stack; thread: string; depth: number },
  ): Promise<void> {
    for (let last = open.at(-1); last !== undefined && now.depth < last.depth; last = open.at(-1)) {
      open.pop();
      const value = (await this.#reads.returned(now.debuggee, now.stack, last.function)) ?? last.returning;
      this.#tell(last, {
        kind: "return",
        line: 0,
        thread: now.thread,
        changes: [],
        ...(value === undefined ? {} : { value }),
      });
    }
  }

  async #entered(
    open: Activation[],
    top: Frame,
    { debuggee, thread, depth }: { debuggee: Debuggee; thread: string; depth: number },
  ): Promise<void> {
    const parent = open.at(-1);
    const activation: Activation = {
      call: ++this.#calls,
      ...(parent === undefined ? {} : { parent: parent.call }),
      depth,
      function: top.name,
      path: top.path ?? "",
      line: top.line,
      values: new Map(),
    };
    open.push(activation);
    const { changes } = await this.#changes(activation, top, debuggee);
    this.#tell(activation, { kind: "call", line: top.line, thread, changes });
    this.#tell(activation, { kind: "line", line: top.line, thread, changes: [] });
  }

  async #line(
    activation: Activation,
    top: Frame,
    { debuggee, thread }: { debuggee: Debuggee; thread: string },
  ): Promise<void> {
    // A line may take several steps; its changes are told at the next line.
    if (activation.line === top.line) return;
    activation.line = top.line;
    const { changes, gone } = await this.#changes(activation, top, debuggee);
    this.#tell(activation, {
      kind: "line",
      line: top.line,
      thread,
      changes,
      ...(gone.length > 0 ? { gone } : {}),
    });
  }

  async #changes(
    activation: Activation,
    frame: Frame,
    debuggee: Debuggee,
  ): Promise<{ changes: [string, string][]; gone: string[] }> {
    const { values } = activation;
    const now = await this.#reads.locals(debuggee, frame);
    activation.returning = await this.#reads.returning(debuggee, frame);
    const changes = [...now].filter(([name, value]) => values.get(name) !== value);
    const gone = [...values.keys()].filter((name) => !now.has(name));
    values.clear();
    for (const [name, value] of now) values.set(name, value);
    return { changes, gone };
  }

  #tell(
    activation: Activation,
    event: Pick<SeenLine, "kind" | "line" | "thread" | "changes"> & { gone?: string[]; value?: string },
  ): void {
    const { call, parent, function: name, path } = activation;
    this.#run.sink.hit({ ...event, call, function: name, path, ...(parent === undefined ? {} : { parent }) });
  }
}

/** What stands before a bracket. */
function calledIn(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:\[[^\]]*\]\s*)?\(/gu)].map(([, name = ""]) => name),
  );
}
