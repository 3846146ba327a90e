/** A run over the debugger: its input, its end, and its cancel. */
import { setTimeout as delay } from "node:timers/promises";
import { SondeError } from "../../../errors.ts";
import { lookAlive } from "../../../session/processes/alive.ts";
import type { Outcome } from "../../../session/running/stops.ts";
import { Session } from "../../../session/session.ts";
import type { Run } from "../../collector.ts";
import type { RunEnd } from "../../record.ts";

/** How long a program may take to be dead, once it was killed, and how often it is looked at. */
const DYING_MS = 500;
const LOOK_MS = 25;

export interface DebugRun extends Run {
  session: Session;
}

/** With a session that stops nowhere yet. */
export function debugged(run: Run): DebugRun {
  return { ...run, session: new Session(run.launch, { breakpoints: [], catches: [] }) };
}

/** Not awaited: a program that reads nothing must not hold up the run. Without any its input is at its end. */
export function feed(session: Session, bytes: Buffer | undefined): void {
  if (session.opening.request === "attach") return;
  const route = session.main?.stdin;
  if (route === undefined) {
    if (bytes === undefined) return;
    throw new SondeError("UNSUPPORTED", `the ${session.adapter.name} adapter cannot provide standard input`);
  }
  const written = bytes === undefined ? Promise.resolve() : route.write(bytes);
  void written.then(() => route.end()).catch(() => {});
}

/** A way into a running process is not cut short: it would take the process with it. Its own deadlines end it. */
export async function opened({ session, signal, begun }: DebugRun): Promise<void> {
  await session.open(session.opening.request === "attach" ? undefined : signal);
  begun?.();
}

/** What `body` comes to; cut short by the signal it is an end like any other. */
export async function followed(run: DebugRun, body: () => Promise<Outcome>): Promise<RunEnd> {
  const { session, sink, signal } = run;
  const attached = session.opening.request === "attach";
  try {
    const outcome = await body();
    if (outcome.kind === "ended") return endOf(outcome);
  } catch (error) {
    if (!signal.aborted) {
      const ending = await endOfRefused(session, error);
      // A debugger that could not get in, and let go, has seen nothing.
      if (ending === undefined || (attached && ending.how === "detached")) throw error;
      return endOf({ kind: "ended", ending });
    }
  } finally {
    // Of hits that the debugger knows to be lost, or fears to be.
    for (const said of session.launch.notes.of("missing-hits")) sink.note(String(said));
  }
  return { how: attached ? "left" : "stopped" };
}

/**
 * What a debugger refuses about a program that is no more is that program's end. One that was killed is refused to the debugger a moment
 * before the system shows it as dead, and nothing tells of that.
 */
async function endOfRefused(session: Session, error: unknown) {
  const isRefusal = error instanceof SondeError && error.code === "REQUEST_FAILED";
  const until = performance.now() + (isRefusal ? DYING_MS : 0);
  for (;;) {
    await lookAlive([session]);
    if (session.main?.ended || performance.now() >= until) return session.main?.ended;
    await delay(LOOK_MS);
  }
}

function endOf({ ending }: Outcome & { kind: "ended" }): RunEnd {
  const { how, exitCode, signal, why } = ending;
  return {
    how: how === "failed" ? "failed" : how === "detached" ? "left" : "exited",
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal }),
    ...(why === undefined ? {} : { why }),
  };
}
