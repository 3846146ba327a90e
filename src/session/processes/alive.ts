/** What the system says of a session's processes, whatever their debuggers know: dead, or halted by a signal from outside. */
import { wait } from "../../util/wait.ts";
import type { Debuggee } from "../debuggee.ts";
import type { Session } from "../session.ts";
import { isHalted } from "./died.ts";

const HEARD_MS = 300;

/** Some debuggers notice that a stopped program was killed only when they let it run on. Nothing to wait for if all are alive. */
export function lookAlive(sessions: readonly Session[]): Promise<void> | undefined {
  const dead = sessions
    .filter((session) => !isElsewhere(session))
    .flatMap(({ live }) => live.filter((debuggee) => debuggee.stop && debuggee.hasDied()));
  return dead.length === 0 ? undefined : bury(dead);
}

async function bury(dead: readonly Debuggee[]): Promise<void> {
  await Promise.all(
    dead.map(async (debuggee) => {
      // It may have died with its debugger, of which we are about to hear: that explains more.
      await wait(debuggee.client.closed, { timeoutMs: HEARD_MS });
      debuggee.end({ how: "terminated", why: "the process was killed while it was stopped" });
    }),
  );
}

/** Those that are to run and do not, because of a SIGSTOP (or the like) that did not come from us. */
export function haltedOutside(session: Session): number[] {
  if (isElsewhere(session)) return [];
  return session.live.flatMap(({ stop, pid }) => (!stop && pid !== undefined && isHalted(pid) ? [pid] : []));
}

/** Behind a port there may be another machine, or a container with numbers of its own. */
function isElsewhere({ opening: { request, plan } }: Session): boolean {
  return request === "attach" && plan.pid === undefined;
}
