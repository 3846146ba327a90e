/** An engine of our own: no daemon, nothing shared with the command line, and everything gone when it is closed. */
import { BUILD, VERSION } from "../client/build.ts";
import { places } from "../client/paths.ts";
import type { EngineReply, OwnEngine } from "../engine/engine.ts";
import { SondeError } from "../errors.ts";
import type { Backend, BackendCall } from "./backend.ts";
import { cancelled, Interruptible } from "./interruptible.ts";

export type Log = (level: "debug" | "info" | "warn" | "error", message: string) => void;

export function inProcess(log: Log = () => {}): Backend {
  const calls = new Interruptible();
  const inFlight = new Set<Promise<EngineReply>>();
  let engine: Promise<OwnEngine> | undefined;
  let open: OwnEngine | undefined;

  const started = (): Promise<OwnEngine> => {
    engine ??= createOne(log).then((made) => {
      open = made;
      return made;
    });
    return engine;
  };

  return {
    async call(command, args, options) {
      const signal = calls.signalFor(command, options.signal);
      const held = await started();
      if (signal.aborted) throw cancelled(command);
      const { cwd, env } = options;
      const reply = held.handle(
        { kind: "typed", as: "method", command, args, cwd, env },
        io(options, signal),
      );
      inFlight.add(reply);
      void reply.finally(() => inFlight.delete(reply));
      return dataOf(await orAborted(reply, signal, command));
    },
    isHere: true,
    session: (name) => open?.session(name),
    interrupt: () => calls.interrupt(),
    async close() {
      calls.close();
      const held = await engine?.catch(() => undefined); // its caller has been told why
      if (!held) return;
      await held.close();
      await Promise.allSettled(inFlight);
      // A launch that was about to begin when this was called has put its session on the table since.
      if (held.sessions > 0) await held.close();
    },
  };
}

/** Imported when it is needed: who goes through the daemon never loads it. */
async function createOne(log: Log): Promise<OwnEngine> {
  const where = places();
  const { createEngine, loadConfig } = await import("../engine/entry.ts");
  return createEngine({
    config: await loadConfig(where.config),
    log,
    version: VERSION,
    build: BUILD,
    adapters: where.adapters,
    places: where,
  });
}

function io({ onText }: BackendCall, signal: AbortSignal) {
  return {
    signal,
    chunk: (text: string) => onText?.(text),
    write: async (text: string) => onText?.(text),
    // What the library feeds to programs, it gives as files; the caller's own standard input is not ours to read.
    stdin: () =>
      Promise.reject(new SondeError("BAD_ARGUMENT", "`-` works only on the command line: pass the bytes")),
  };
}

/** A caller who gives up hears of it at once, also while a debugger takes its time. */
function orAborted<T>(reply: Promise<T>, signal: AbortSignal, command: string): Promise<T> {
  return new Promise((done, fail) => {
    const stop = () => fail(cancelled(command));
    signal.addEventListener("abort", stop, { once: true });
    reply.then(done, fail).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** Copied as JSON: the same keys as through the daemon, and nothing of the engine's own in the caller's hands. */
function dataOf(reply: EngineReply): unknown {
  if (reply.kind !== "typed") throw new SondeError("INTERNAL", "unexpected reply from the engine");
  if (!reply.ok) throw new SondeError(reply.error.code, reply.error.message, reply.error);
  return JSON.parse(JSON.stringify(reply.data ?? null));
}
