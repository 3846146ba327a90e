/** Python processes call us (boot/): the program that is started or attached to, then whatever it starts or forks. */
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Message, Transport } from "../../dap/transport.ts";
import { SondeError } from "../../errors.ts";
import { ownFile } from "../../util/own-file.ts";
import { hasEnded, isEnding } from "../../util/process-facts.ts";
import type { Host, LaunchPlan } from "../adapter.ts";
import { type Callers, endingCalls, listenForCallers, takeCaller } from "../kit/callers.ts";
import type { Wire } from "../kit/dialect.ts";
import { startOwned } from "../kit/process.ts";
import { describe, type Program, startProgram, withProgram } from "../kit/program.ts";
import { ownerOf } from "./attach.ts";
import type { Run } from "./command-line.ts";
import type { Debugpy } from "./find.ts";
import { type Injector, LISTEN, telling } from "./injectors.ts";

/** What a process is told of where to call. */
export interface Setup {
  /** The folder that holds debugpy. */
  packages: string;
  /** Whether the processes it starts call too. */
  children: boolean;
}

export interface Called {
  transport: Transport;
  /** Announces the processes that call later. */
  announce(wire: Wire): void;
}

export interface Attached extends Called {
  /** When what injects debugpy is done with the process. */
  injected: Promise<unknown>;
}

export interface Launched extends Called {
  program: Program;
}

export async function launchCalling(
  run: Run,
  plan: LaunchPlan,
  host: Host,
  how: Setup & { python: string; pythonArgs: string[]; env: Record<string, string> },
): Promise<Launched> {
  const callers = await listenForCallers("Python");
  try {
    const setup = JSON.stringify({ ...said(how), address: callers.path });
    const program = await startProgram(
      host,
      {
        command: how.python,
        args: [...how.pythonArgs, bootFile(), "--sonde", setup, ...targetOf(run), ...run.args],
        cwd: plan.cwd,
        env: { ...plan.env, ...how.env },
      },
      "the program",
    );
    void program.ended.then(() => callers.close());
    const { transport } = await callers.first(host, endedEarly(program));
    return {
      program,
      transport: endingCalls(withProgram(transport, program), callers),
      announce: announcing(callers),
    };
  } catch (error) {
    callers.close();
    throw error;
  }
}

function targetOf({ what }: Run): string[] {
  if ("program" in what) return ["file", what.program];
  return "module" in what ? ["module", what.module] : ["code", what.code];
}

/** What it said before it died explains more than that it did. */
async function endedEarly(program: Program): Promise<never> {
  let words = "";
  program.onOutput((_, text) => {
    words = `${words}${text}`.slice(-MOST_WORDS);
  });
  const end = await program.ended;
  throw new SondeError(
    "LAUNCH_FAILED",
    `the program ${describe(end)} before its debugger was ready${words === "" ? "" : `:\n${words.trimEnd()}`}`,
    { hint: "run the command without sonde to see its output" },
  );
}

const MOST_WORDS = 2000;

/** Injected into a process that runs: it calls as if it had been started so. */
export async function attachCalling(
  pid: number,
  debugpy: Debugpy,
  host: Host,
  setup: Setup & { cwd: string; env: Record<string, string>; injector: Injector | undefined },
): Promise<Attached> {
  const callers = await listenForCallers("Python");
  const over = new AbortController();
  try {
    const owner = ownerOf(pid);
    const foreign = owner !== undefined && owner !== process.geteuid?.();
    if (foreign) callers.giveTo(owner);
    const words = JSON.stringify({ ...said(setup), address: callers.path, pid, injector: setup.injector });
    // -I: files in the program's folder must not be taken for modules of Python's own.
    const injector = await startOwned(
      host,
      {
        command: debugpy.python,
        args: ["-I", bootFile(), "--sonde-inject", words],
        cwd: setup.cwd,
        env: setup.env,
      },
      "the debugger that injects debugpy",
    );
    injector.child.stdout?.resume();
    const failed = injector.ended.then((why) =>
      notIn(pid, why, injector.stderr, foreign ? [setup.packages, dirname(bootFile())] : []),
    );
    // An injector may take seconds to notice that.
    const first = Promise.race([failed, endsMeanwhile(pid, over.signal)]);
    const { transport } = await callers.first(host, first);
    const gone = untilGone(transport, pid, () => callers.close());
    const { ended: injected } = injector;
    return { transport: endingCalls(gone, callers), announce: announcing(callers), injected };
  } catch (error) {
    callers.close();
    throw error;
  } finally {
    over.abort();
  }
}

const LOOK_MS = 50;

/** Fails when it ends. The system tells nobody of the end of a process that is not its child, so it is looked for. */
async function endsMeanwhile(pid: number, over: AbortSignal): Promise<never> {
  while (!hasEnded(pid) && !over.aborted) await delay(LOOK_MS, undefined, { ref: false });
  if (over.aborted) return new Promise(() => {});
  throw new SondeError("ATTACH_FAILED", `process ${pid} ended while it was being attached to`);
}

/** A call that was made may still be on its way to us. */
const ON_ITS_WAY_MS = 1000;
const DYING_MS = 100;

/** `needed`: folders that the process must be able to read, if it is another user's. */
async function notIn(pid: number, why: string, stderr: string, needed: string[]): Promise<never> {
  if (!hasEnded(pid)) await delay(ON_ITS_WAY_MS, undefined, { ref: false });
  const words = stderr.trim().split("\n");
  const reason = telling(stderr);
  const said = reason === undefined ? "" : ` (the debugger that injects debugpy reported: ${reason})`;
  if (hasEnded(pid))
    throw new SondeError("ATTACH_FAILED", `process ${pid} ended while it was being attached to${said}`);
  const last = said || (words.at(-1) ? ` (${words.at(-1)})` : "");
  throw new SondeError("ATTACH_FAILED", `debugpy could not be injected into process ${pid}: ${why}${last}`, {
    hint:
      needed.length === 0
        ? LISTEN
        : `the process belongs to another user, who must be able to read ${needed.join(" and ")}`,
  });
}

/** Only what boot/ reads. */
function said({ packages, children }: Setup): Setup {
  return { packages, children };
}

function announcing(callers: Callers): (wire: Wire) => void {
  return (wire) =>
    callers.onCaller(({ id, pid }) =>
      wire.askClient("startDebugging", {
        request: "attach",
        configuration: { name: `process ${pid}`, caller: id },
      }),
    );
}

export function childCalling(id: string): Transport {
  const caller = takeCaller(id);
  if (caller === undefined) throw new SondeError("ATTACH_FAILED", "that child process is no longer running");
  return untilGone(caller.transport, caller.pid);
}

/** Of a process that is not our child: the end of its connection is its end, or that of its debugger. */
function untilGone(transport: Transport, pid: number, after?: () => void): Transport {
  return {
    send: (message) => transport.send(message),
    close: () => transport.close(),
    start(onMessage, onClose) {
      transport.start(
        (message) => {
          // Its own word for an end comes before the last of its output, or for another program in its place.
          const { event } = message as { event?: string };
          if (event !== "exited" && event !== "terminated") onMessage(message);
        },
        async (reason) => {
          after?.();
          // Where the system does not show that a process is about to end.
          if (!isEnding(pid)) await delay(DYING_MS);
          onMessage({ seq: 0, type: "event", event: "terminated", body: {} } as Message);
          onClose(isEnding(pid) ? { ...reason, why: `process ${pid} has ended` } : reason);
        },
      );
    },
  };
}

const bootFile = () => ownFile("adapters/python/boot/sonde_pydevd.py");
