/** What happens in a session, told as it happens; for sessions that live in this process. */
import { SondeError } from "../errors.ts";
import type { Session as EngineSession } from "../session/session.ts";
import type { Ending } from "./commands.generated.ts";

/** The program has stopped, whoever let it run. `session.context()` shows where. */
export interface StoppedEvent {
  session: string;
  /** In the Debug Adapter Protocol's words: `breakpoint`, `step`, `exception`, `pause`, `entry` … */
  reason: string;
  description?: string;
  /** Of an exception: its message. */
  text?: string;
  /** Breakpoints that were hit: their number, how often by now, and where. */
  hits: { id: number; hit: number; at: string }[];
}

/** The program has printed something; not always whole lines. */
export interface OutputEvent {
  session: string;
  /** `stdout`, `stderr`, or what the debugger itself prints (`console`). */
  category: string;
  text: string;
  /** Which child process or worker, where it is not the program itself. */
  from?: string;
  /** Goes up with every event; `session.output({ since: cursor })` gives what came after. */
  cursor: number;
}

/** The program has ended. It may be run again with `restart()`. */
export interface EndedEvent extends Ending {
  session: string;
}

/** Sonde or the debugger has something to say: a condition that cannot be evaluated, hits that may be missing. */
export interface NoteEvent {
  session: string;
  text: string;
}

export interface SessionEvents {
  stopped: StoppedEvent;
  output: OutputEvent;
  note: NoteEvent;
  ended: EndedEvent;
}

type Subscribe<Event extends keyof SessionEvents> = (
  session: EngineSession,
  listener: (event: SessionEvents[Event]) => void,
) => () => void;

const SUBSCRIBE: { [Event in keyof SessionEvents]: Subscribe<Event> } = {
  stopped: (session, listener) =>
    session.onStopped.add(({ reason, description, text, hits }) =>
      listener({
        session: session.name,
        reason,
        ...(description === undefined ? {} : { description }),
        ...(text === undefined ? {} : { text }),
        hits: hits.map(({ id, hit, at }) => ({ id, hit, at })),
      }),
    ),
  output: (session, listener) => {
    let { cursor } = session.output;
    return session.output.onAppend(() => {
      const slice = session.output.read(cursor);
      cursor = slice.cursor;
      for (const event of slice.events) listener({ session: session.name, ...event });
    });
  },
  note: (session, listener) =>
    session.launch.notes.onNote.add((text) => listener({ session: session.name, text })),
  ended: (session, listener) =>
    session.launch.onEnded.add((ending) => listener({ session: session.name, ...ending })),
};

export function subscribe<Event extends keyof SessionEvents>(
  session: EngineSession,
  event: Event,
  listener: (event: SessionEvents[Event]) => void,
): () => void {
  // A listener's mistake is its owner's, and must not reach the debugger it was called from.
  return SUBSCRIBE[event](session, (value) => {
    try {
      listener(value);
    } catch (thrown) {
      queueMicrotask(() => {
        throw thrown;
      });
    }
  });
}

export function checkEvent(event: string): void {
  if (Object.hasOwn(SUBSCRIBE, event)) return;
  throw new SondeError("BAD_ARGUMENT", `on: there is no event ${JSON.stringify(event)}`, {
    hint: `there are: ${Object.keys(SUBSCRIBE).join(", ")}`,
  });
}

export function noEvents(event: string): SondeError {
  return new SondeError("UNSUPPORTED", `on("${event}"): events are not available through the daemon`, {
    hint: 'createSonde({ mode: "process" }) has events; `session.wait()` waits for the next stop in either mode',
  });
}
