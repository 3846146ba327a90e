/** The recorders of one run: laid out for the program's threads to load, brought into them and taken out, and what they tell. */

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { advice, option } from "../../../advice/advice.ts";
import { SondeError } from "../../../errors.ts";
import type { Debuggee } from "../../../session/debuggee.ts";
import { ownFile } from "../../../util/own-file.ts";
import type { Plan } from "../../plan.ts";
import { Channel } from "../node-source/channel.ts";
import { layOut } from "../node-source/layout.ts";
import { Messages } from "../node-source/messages.ts";
import type { DebugRun } from "../stops/program.ts";
import { conditionOf, entering, leaving, silencing } from "./conditions.ts";
import { Inbox } from "./inbox.ts";

/** A program that is busy in native code does not hear us. */
const LEAVE_MS = 2000;

export class Recorder {
  readonly plan: Plan;
  /** Where a point is bound, once the debugger has said so. */
  readonly lines = new Map<number, () => number | undefined>();
  readonly #name = `__sonde$${randomBytes(4).toString("hex")}`;
  readonly #file = ownFile("trace/collectors/node-condition/recorder.entry.cjs");
  readonly #folder: string;
  readonly #inbox: Inbox;
  #channel: Channel | undefined;

  private constructor(plan: Plan, { session, sink, folder }: DebugRun) {
    this.plan = layOut(plan, folder);
    this.#folder = folder;
    const began = performance.timeOrigin + performance.now();
    const messages = new Messages(this.plan, sink, began, (point) => this.lines.get(point)?.());
    this.#inbox = new Inbox(session, (pid, thread, line) => {
      try {
        messages.take(pid, thread, line);
      } catch {
        sink.lost(1); // torn: its process was killed as it wrote
      }
    });
  }

  static async laidOut(plan: Plan, run: DebugRun): Promise<Recorder> {
    const recorder = new Recorder(plan, run);
    recorder.#channel = await Channel.create(join(run.folder, "records"), (pid, thread, line) =>
      recorder.#inbox.take(pid, thread, line),
    );
    return recorder;
  }

  /** Records these points at the line of a breakpoint; true, so that it stops, where there is no recorder yet. */
  condition(points: readonly number[]): string {
    return conditionOf(this.#name, this.plan, points);
  }

  /** Into a thread; where it is stopped, also into the context it stands in. */
  async enter(debuggee: Debuggee, frameId?: number): Promise<void> {
    const expression = entering(this.#file, this.#folder, this.#name);
    try {
      await evaluate(debuggee, expression, frameId);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // Where that fails as well there is no program any more.
      await evaluate(debuggee, silencing(this.#name), frameId).catch(() => {});
      const what = "the recorder cannot be loaded into the program";
      throw new SondeError("UNSUPPORTED", `${what}: ${wordsOf(error)}`, {
        hint: advice`${option({ collector: "stops" })} needs no recorder in the program, but is slower`,
        cause: error,
      });
    }
  }

  /** What its condition would have done at a stop. */
  evaluate(debuggee: Debuggee, condition: string, frameId: number | undefined): Promise<void> {
    return evaluate(debuggee, condition, frameId, { context: "condition" });
  }

  /** False if it did not hear it: then the recorder falls silent by itself. */
  async leave(debuggee: Debuggee): Promise<boolean> {
    const left = evaluate(debuggee, leaving(this.#name), undefined, { timeoutMs: LEAVE_MS });
    return left.then(
      () => true,
      () => debuggee.ended !== undefined,
    );
  }

  /** Everything that was recorded has been handed on. */
  async drained(): Promise<void> {
    await this.#channel?.drain();
    await this.#inbox.settled();
  }

  close(): void {
    this.#channel?.close();
  }
}

async function evaluate(
  debuggee: Debuggee,
  expression: string,
  frameId?: number,
  { context = "repl", timeoutMs }: { context?: string; timeoutMs?: number } = {},
): Promise<void> {
  await debuggee.client.request(
    "evaluate",
    { expression, context, ...(frameId === undefined ? {} : { frameId }) },
    timeoutMs === undefined ? {} : { timeoutMs },
  );
}

/** It failed in the program, as against a debugger that is gone. */
function isRefusal(error: unknown): error is SondeError {
  return error instanceof SondeError && error.code === "REQUEST_FAILED";
}

/** The program's own, without ours around them. */
function wordsOf({ details, message }: SondeError): string {
  return typeof details === "object" && details !== null && "text" in details
    ? String(details.text)
    : message;
}
