/**
 * Where Node itself decides that nobody caught something: its handler of uncaught errors, and whoever listens to rejections that
 * were left unhandled to the end of their turn. What V8 does not stop at (a stack that ran over) or cannot know when it is thrown
 * (a promise that gets its handler one line later) is told from there.
 */
import type { Protocol } from "devtools-protocol";
import type { Cdp } from "../target.ts";
import { PAUSE_GROUP } from "./kit.ts";

type Paused = Protocol.Debugger.PausedEvent;
type CallFrame = Protocol.Debugger.CallFrame;
type RemoteObject = Protocol.Runtime.RemoteObject;
type PastCall = Protocol.Runtime.CallFrame;

const HANDLER = "process._fatalException";
const LISTENERS = 'process.listeners("unhandledRejection")';
/** Node's own, which has what was rejected before it is made an error. */
const REJECTIONS = "throwUnhandledRejectionsMode";

export interface Fatal {
  thrown: Protocol.Runtime.RemoteObject;
  /** Where it was made. */
  calls: PastCall[];
}

export class FatalErrors {
  readonly #cdp: Cdp;
  readonly #ids = new Set<string>();
  #armed: Promise<unknown> | undefined;

  constructor(cdp: Cdp) {
    this.#cdp = cdp;
  }

  /** A runtime that is made otherwise tells less. */
  async arm(): Promise<void> {
    this.#armed ??= this.#ask(HANDLER).then((handler) => this.#breakAt(handler));
    await this.#armed.catch(() => {});
  }

  /** A program, or a runner of tests, that looks after unhandled rejections itself; asked when there may be one. */
  async armListeners(): Promise<void> {
    const { objectId } = await this.#ask(LISTENERS);
    if (objectId === undefined) return;
    const { result } = await this.#cdp.send("Runtime.getProperties", { objectId, ownProperties: true });
    const listeners = result.flatMap(({ value }) => (value?.type === "function" ? [value] : []));
    await Promise.allSettled(listeners.map((listener) => this.#breakAt(listener)));
  }

  isHit({ hitBreakpoints = [] }: Paused): boolean {
    return hitBreakpoints.some((id) => this.#ids.has(id));
  }

  async read({ callFrames }: Paused): Promise<Fatal | undefined> {
    const [top] = callFrames;
    if (top === undefined) return undefined;
    const rejecting = callFrames.find(({ functionName }) => functionName === REJECTIONS);
    const thrown = await (rejecting === undefined ? this.#firstArgument(top) : this.#reason(rejecting));
    return thrown === undefined ? undefined : { thrown, calls: await this.#calls(thrown) };
  }

  async #reason({ callFrameId }: CallFrame): Promise<RemoteObject | undefined> {
    const { result, exceptionDetails } = await this.#cdp.send("Debugger.evaluateOnCallFrame", {
      callFrameId,
      expression: "promiseInfo.reason",
      objectGroup: PAUSE_GROUP,
      silent: true,
    });
    return exceptionDetails === undefined ? result : undefined;
  }

  async #firstArgument({ scopeChain }: CallFrame): Promise<RemoteObject | undefined> {
    const objectId = scopeChain.find(({ type }) => type === "local")?.object.objectId;
    if (objectId === undefined) return undefined;
    const { result } = await this.#cdp.send("Runtime.getProperties", { objectId, ownProperties: true });
    return result[0]?.value;
  }

  async #calls({ objectId, subtype }: RemoteObject): Promise<PastCall[]> {
    if (objectId === undefined || subtype !== "error") return [];
    const asked = this.#cdp.send("Runtime.getExceptionDetails", { errorObjectId: objectId });
    const answer = await asked.catch(() => undefined);
    return answer?.exceptionDetails?.stackTrace?.callFrames ?? [];
  }

  async #ask(expression: string): Promise<RemoteObject> {
    const asked = { expression, objectGroup: PAUSE_GROUP, silent: true };
    return (await this.#cdp.send("Runtime.evaluate", asked)).result;
  }

  /** The same function twice is refused, which is as good. */
  async #breakAt({ objectId }: RemoteObject): Promise<void> {
    if (objectId === undefined) return;
    const answer = await this.#cdp.sendRaw("Debugger.setBreakpointOnFunctionCall", { objectId });
    this.#ids.add((answer as { breakpointId: string }).breakpointId);
  }
}
