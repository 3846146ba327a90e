/**
 * What the next stop shows is read inside the program as soon as it stops, without a word from here: a step then costs one way there and
 * back, not two. What was read holds until something runs in the program.
 */
import type { Protocol } from "devtools-protocol";
import type { Cdp } from "../target.ts";
import type { Kit } from "./kit.ts";
import type { Members } from "./kit-source.ts";

type Paused = Protocol.Debugger.PausedEvent;

/** Variables of one scope that are read; where there are more, they are asked for in the usual way. */
const LIMIT = 200;

/** Called on the first scope's object, with the others behind the kit and `this`. */
const READ = `function (kit, self, hasSelf, ...rest) {
  const read = (parts, self) => kit.scope(parts, [], ${LIMIT}, false, self);
  return [read([], hasSelf ? { value: self } : undefined), ...[this, ...rest].map((part) => read([part]))];
}`;

/** Nothing in the program changes by them. */
const HARMLESS = new Set<string>([
  "Debugger.getPossibleBreakpoints",
  "Debugger.getScriptSource",
  "Debugger.removeBreakpoint",
  "Debugger.setBreakpoint",
  "Debugger.setBreakpointByUrl",
  "Runtime.getProperties",
]);

/** The top frame's variables as they were when the program stopped. */
export interface FrameRead {
  /** `this`, or nothing. */
  self: Members;
  /** By the scope's object id, each alone. */
  byObject: Map<string, Members>;
}

interface Answer {
  objects: string[];
  lists: Members[];
}

export class Ahead {
  readonly #cdp: Cdp;
  readonly #kit: Kit;
  readonly #can: boolean;
  #asked: Promise<FrameRead | undefined> | undefined;
  #stopped: { event: Paused; read: Promise<FrameRead | undefined> } | undefined;

  /** `can`: someone in the program takes the order. */
  constructor(cdp: Cdp, kit: Kit, can: boolean) {
    this.#cdp = cdp;
    this.#kit = kit;
    this.#can = can;
  }

  /** The program is stopped and about to move: its next stop is to be read. */
  ask(): void {
    this.#stopped = undefined;
    const kits = this.#kit.known();
    if (!this.#can || kits.length === 0) return;
    this.#asked = this.#cdp.sendRaw("Sonde.readAtPause", { kits, functionDeclaration: READ }).then(
      (answer) => frameRead(answer as Answer),
      () => undefined, // it ended, or there is nothing to read
    );
  }

  /** Only the first stop that follows is read. */
  onPaused(event: Paused): void {
    this.#stopped = this.#asked === undefined ? undefined : { event, read: this.#asked };
    this.#asked = undefined;
  }

  onSend(method: string): void {
    if (!HARMLESS.has(method)) this.#stopped = undefined;
  }

  /** Of the frame that the program stands in, if nothing has run since. */
  of(top: Protocol.Debugger.CallFrame): Promise<FrameRead | undefined> | undefined {
    return this.#stopped?.event.callFrames[0] === top ? this.#stopped.read : undefined;
  }
}

function frameRead({ objects, lists }: Answer): FrameRead | undefined {
  const [self, ...scopes] = lists;
  if (self === undefined || scopes.length !== objects.length) return undefined;
  const byObject = new Map<string, Members>();
  scopes.forEach((members, at) => {
    if (members.more === 0) byObject.set(objects[at] ?? "", members);
  });
  return { self, byObject };
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
