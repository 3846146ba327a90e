/**
 * What the next stop shows is read inside the program as soon as it stops, without a word from here, and comes right behind the
 * pause (boot/reading.cjs): a step then costs one way there and back, not two. It holds until something runs in the program.
 */
import type { Protocol } from "devtools-protocol";
import { type Deferred, deferred } from "../../../util/wait.ts";
import type { Cdp, Target } from "../target.ts";
import type { Kit } from "./kit.ts";
import type { Members } from "./kit-source.ts";

type Paused = Protocol.Debugger.PausedEvent;

/** Nothing in the program changes by them, and nothing is kept for them. */
const HARMLESS = new Set<string>([
  "Debugger.getPossibleBreakpoints",
  "Debugger.getScriptSource",
  "Debugger.removeBreakpoint",
  "Debugger.setBreakpoint",
  "Debugger.setBreakpointByUrl",
]);

/** The top frame's variables as they were when the program stopped. */
export interface FrameRead {
  /** `this`, or nothing. */
  self: Members;
  /** By the scope's object id, each alone. */
  byObject: Map<string, Members>;
}

/** Nothing in it: it could not be read. */
interface Answer {
  objects?: string[];
  /** JSON: what each of them holds, and first of all the frame's `this`. */
  text?: string;
}

export class Ahead {
  readonly #order: Target["readAtPause"];
  readonly #kit: Kit;
  #top: Protocol.Debugger.CallFrame | undefined;
  /** What comes behind the pause. */
  #coming: Deferred<FrameRead | undefined> | undefined;
  /** The same, as long as nothing has run. */
  #read: Promise<FrameRead | undefined> | undefined;
  /** Somebody wanted to see the variables of this stop, and so may want those of the next. */
  #wanted = false;

  constructor(order: Target["readAtPause"], kit: Kit) {
    this.#order = order;
    this.#kit = kit;
  }

  /** The program is stopped and about to move: its next stop is to be read. */
  ask(): void {
    this.#read = undefined;
    const kits = this.#wanted ? this.#kit.known() : [];
    this.#wanted = false;
    if (kits.length > 0) this.#order?.(kits);
  }

  onPaused(event: Paused): void {
    const { isRead } = event as { isRead?: boolean };
    this.#top = event.callFrames[0];
    this.#coming = isRead ? deferred() : undefined;
    this.#read = this.#coming?.promise;
  }

  /** What was read at the last pause. */
  onRead(answer: unknown): void {
    this.#coming?.resolve(frameRead(answer as Answer));
  }

  /** The program is gone. */
  end(): void {
    this.#coming?.resolve(undefined);
  }

  onSend(method: string): void {
    if (!HARMLESS.has(method)) this.#read = undefined;
  }

  /** Of the frame that the program stands in, if nothing has run since. */
  of(call: Protocol.Debugger.CallFrame): Promise<FrameRead | undefined> | undefined {
    if (call !== this.#top) return undefined;
    this.#wanted = true;
    return this.#read;
  }
}

function frameRead({ objects = [], text = "[]" }: Answer): FrameRead | undefined {
  const [self, ...scopes] = readLists(text);
  if (self === undefined || scopes.length !== objects.length) return undefined;
  const byObject = new Map<string, Members>();
  scopes.forEach((members, at) => {
    if (members.more === 0) byObject.set(objects[at] ?? "", members);
  });
  return { self, byObject };
}

function readLists(text: string): Members[] {
  try {
    return JSON.parse(text) as Members[];
  } catch {
    return []; // the program has a JSON of its own
  }
}

/** The same session, watched for what may change the program. */
export function watched(cdp: Cdp, onSend: (method: string) => void): Cdp {
  return {
    closed: cdp.closed,
    send: (method, ...params) => {
      onSend(method);
      return cdp.send(method, ...params);
    },
    sendRaw: (method, params) => {
      onSend(method);
      return cdp.sendRaw(method, params);
    },
    on: (event, listener) => cdp.on(event, listener),
    onRaw: (event, listener) => cdp.onRaw(event, listener),
  };
}
