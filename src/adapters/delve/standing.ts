/**
 * The connection to a dlv that has attached to a process. Its breakpoints would kill the process if dlv were killed, so they are
 * in the code only while they are needed: at a stop they are taken out, and put back before dlv moves the program or changes
 * them. When dlv dies all the same they are taken out for good.
 */
import { kill } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { AdapterProcess } from "../../dap/process.ts";
import type { CloseReason, Transport } from "../../dap/transport.ts";
import { statOf, tracerOf } from "../../util/process-facts.ts";
import type { Traps } from "../native/traps.ts";

/** All others may run the program, or write to its code. */
const READING = new Set([
  "threads",
  "stackTrace",
  "scopes",
  "variables",
  "source",
  "exceptionInfo",
  "disassemble",
  "readMemory",
]);
const MOVING = /^(continue|next|step\w*|reverseContinue|restart\w*|configurationDone|disconnect|terminate)$/;

const DYING_MS = 100;

export function standing(inner: Transport, process: AdapterProcess, pid: number, traps: Traps): Transport {
  let stopped = false;
  const halted = statOf(pid)?.state === "T";
  const unanswered = new Set<number>();

  const settle = () => {
    if (stopped && unanswered.size === 0 && statOf(pid)?.state === "t") traps.takeOut();
  };
  // Earlier than the connection's end, which waits for dlv's last words: the next breakpoint is death.
  process.child.once("exit", () => {
    if (tracerOf(pid) === 0) traps.takeOut();
    if (!halted) letRun(pid);
  });

  async function told(reason: CloseReason): Promise<CloseReason> {
    // One that ran may have met a breakpoint before they were out, and a Go program writes long last words.
    if (!stopped && tracerOf(pid) === 0) await delay(DYING_MS);
    if (!halted) letRun(pid);
    return withFate(reason, pid);
  }

  return {
    send(message) {
      if (message.type === "request" && !isReading(message as DebugProtocol.Request)) {
        traps.putBack();
        unanswered.add(message.seq);
        if (MOVING.test((message as DebugProtocol.Request).command)) stopped = false;
      }
      inner.send(message);
    },
    start(onMessage, onClose) {
      inner.start(
        (message) => {
          if (message.type === "response") unanswered.delete((message as DebugProtocol.Response).request_seq);
          if ((message as Partial<DebugProtocol.Event>).event === "stopped") stopped = true;
          settle();
          onMessage(message);
        },
        (reason) => void told(reason).then(onClose),
      );
    },
    close: () => inner.close(),
  };
}

/** dlv runs what stands behind these words only. */
const RUNNING = /^\s*(call|dlv)\s/;

function isReading({ command, arguments: args }: DebugProtocol.Request): boolean {
  if (command !== "evaluate") return READING.has(command);
  return !RUNNING.test((args as DebugProtocol.EvaluateArguments).expression);
}

/** A debugger that dies as it attaches leaves the process halted by the signal that it had sent. */
function letRun(pid: number): void {
  if (tracerOf(pid) !== 0 || statOf(pid)?.state !== "T") return;
  try {
    kill(pid, "SIGCONT");
  } catch {
    // It has ended meanwhile.
  }
}

function withFate({ why, ...rest }: CloseReason, pid: number): CloseReason {
  const state = statOf(pid)?.state;
  const gone = state === undefined || /[ZX]/.test(state);
  const fate = gone ? "has ended too" : state === "T" ? "is still halted" : "keeps running without it";
  return { ...rest, why: `${why}; process ${pid} ${fate}` };
}
