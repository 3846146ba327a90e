/**
 * Every line of the user's sources, by a breakpoint on each: also in threads, and in what libraries call back. Calls are told apart by
 * how deep the stack is; what they return is not known to debuggers that only stop.
 */
import type { Debuggee } from "../../../session/debuggee.ts";
import { awaitStop, resume } from "../../../session/running/running.ts";
import type { Outcome } from "../../../session/running/stops.ts";
import type { Session } from "../../../session/session.ts";
import type { Frame } from "../../../session/stack/frames.ts";
import { fileLines } from "../../../session/stack/source.ts";
import { threadName } from "../../../session/threads/threads.ts";
import type { SeenLine } from "../../collector.ts";
import type { Lines, Plan } from "../../plan.ts";
import type { RunEnd } from "../../record.ts";
import { FrameReads } from "./frame-reads.ts";
import { type DebugRun, feed, followed, opened } from "./program.ts";
import { sourceLines } from "./source-lines.ts";

const LEVELS = 200;

interface Activation {
  call: number;
  parent?: number;
  depth: number;
  function: string;
  path: string;
  first: number;
  line: number;
  values: Map<string, string>;
  /** What its last line returns, where that is known. */
  returning?: string | undefined;
}

export async function collectEveryLine(plan: Plan, lines: Lines, run: DebugRun): Promise<RunEnd> {
  const { session, signal } = run;
  for (const { path, lines: numbers } of sourceLines(run.launch, lines.under))
    for (const line of numbers)
      session.breakpoints.declare({ kind: "line", asked: `${path}:${line}`, path, line });
  return followed(run, async () => {
    await opened(run);
    feed(session, run.stdin);
    const record = new EveryLine(plan, run);
    let outcome = await awaitStop(session, { signal });
    while (outcome.kind === "stopped" && !signal.aborted) {
      const before = await record.at(outcome);
      outcome = await awaitStop(session, { signal }, before);
    }
    return outcome;
  });
}

class EveryLine {
  readonly #reads: FrameReads;
  readonly #run: DebugRun;
  readonly #session: Session;
  /** By thread. */
  readonly #open = new Map<number, Activation[]>();
  readonly #names = new Map<number, string>();
  #calls = 0;

  constructor(plan: Plan, run: DebugRun) {
    this.#reads = new FrameReads(run, plan.valueChars);
    this.#run = run;
    this.#session = run.session;
  }

  /** Tells what happened, and lets the program go on. */
  async at({ debuggee }: Outcome & { kind: "stopped" }): ReturnType<typeof resume> {
    const session = this.#session;
    session.stops.markSeen(debuggee);
    session.focus.selectFrame(0);
    const { stack, threadId } = await session.focus.place(LEVELS);
    const frames = stack.frames.filter((frame) => !frame.label);
    const [top] = frames;
    const thread = this.#names.get(threadId) ?? (await threadName(session, debuggee, threadId));
    this.#names.set(threadId, thread);
    const open = this.#open.get(threadId) ?? [];
    this.#open.set(threadId, open);
    const now = { debuggee, thread, depth: frames.length };
    this.#returned(open, top, now);
    if (top?.path === undefined) return resume(session);
    await this.#line(open, top, now);
    return resume(session);
  }

  #returned(open: Activation[], top: Frame | undefined, now: Now): void {
    const isOpen = ({ depth, function: name }: Activation) =>
      depth < now.depth || (depth === now.depth && name === top?.name);
    for (let last = open.at(-1); last !== undefined && !isOpen(last); last = open.at(-1)) {
      open.pop();
      this.#left(last, now.thread);
    }
  }

  async #line(open: Activation[], top: Frame, { debuggee, thread, depth }: Now): Promise<void> {
    let current = open.at(-1);
    const isAgain =
      current?.depth === depth &&
      current.line !== top.line &&
      top.line === current.first &&
      returnsAt(current);
    if (isAgain && current !== undefined) {
      open.pop();
      this.#left(current, thread);
      current = undefined;
    }
    if (current?.depth !== depth) {
      const parent = open.at(-1);
      const call = ++this.#calls;
      const { name, path = "", line } = top;
      const one: Activation = { call, depth, function: name, path, first: line, line, values: new Map() };
      if (parent !== undefined) one.parent = parent.call;
      open.push(one);
      const { changes } = await this.#changes(one, top, debuggee);
      this.#tell(one, { kind: "call", line, thread, changes });
      this.#tell(one, { kind: "line", line, thread, changes: [] });
      return;
    }
    current.line = top.line;
    const { changes, gone } = await this.#changes(current, top, debuggee);
    this.#tell(current, {
      kind: "line",
      line: top.line,
      thread,
      changes,
      ...(gone.length > 0 ? { gone } : {}),
    });
  }

  async #changes(one: Activation, frame: Frame, debuggee: Debuggee) {
    const now = await this.#reads.locals(debuggee, frame);
    one.returning = await this.#reads.returning(debuggee, frame);
    const changes = [...now].filter(([name, value]) => one.values.get(name) !== value);
    const gone = [...one.values.keys()].filter((name) => !now.has(name));
    one.values = now;
    return { changes, gone };
  }

  #left(one: Activation, thread: string): void {
    const { returning: value } = one;
    this.#tell(one, {
      kind: "return",
      line: 0,
      thread,
      changes: [],
      ...(value === undefined ? {} : { value }),
    });
  }

  #tell(
    { call, parent, function: name, path }: Activation,
    event: Pick<SeenLine, "kind" | "line" | "thread" | "changes"> & { gone?: string[]; value?: string },
  ): void {
    this.#run.sink.hit({ ...event, call, function: name, path, ...(parent === undefined ? {} : { parent }) });
  }
}

interface Now {
  debuggee: Debuggee;
  thread: string;
  depth: number;
}

/** Whether a function is left from this line, by its text. */
function returns({ path = "", line }: Pick<Frame, "path" | "line">): boolean {
  return /^\s*(return\b|\}\s*$)/.test(fileLines(path)?.[line - 1] ?? "");
}

const returnsAt = ({ path, line }: Activation) => returns({ path, line });
