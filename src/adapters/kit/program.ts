/**
 * A program we start ourselves, where a debugger lives inside it: its streams as `output` events, its input, and its end with the
 * exit code that only its parent is told.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Command } from "../../dap/process.ts";
import type { Message, Transport } from "../../dap/transport.ts";
import { SondeError } from "../../errors.ts";
import { pipeInput } from "../../util/pipe-input.ts";
import { readOn } from "../../util/read-on.ts";
import type { Host, StdinRoute } from "../adapter.ts";

/** A process that the program left behind may hold its streams open. */
const DRAIN_MS = 250;
/** How long a program may outlive its debugger's connection and still be ending. */
const LOST_MS = 1000;
/** Far from the numbers of whoever else speaks on the same transport. */
const FIRST_SEQ = 2_000_000_000;

export interface End {
  exitCode?: number;
  signal?: string;
}

export interface Program {
  readonly pid: number;
  readonly stdin: StdinRoute;
  /** Its streams have been read by then. */
  readonly ended: Promise<End>;
  /** Hears everything, also what was printed before. */
  onOutput(listener: (category: "stdout" | "stderr", text: string) => void): void;
  /** It runs on without us. */
  leave(): void;
}

/** Rejects when there is no such program. */
export async function startProgram(host: Host, command: Command, what: string): Promise<Program> {
  const { cwd, env } = command;
  try {
    const child = spawn(command.command, command.args, {
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
      ...(cwd === undefined ? {} : { cwd }),
      ...(env === undefined ? {} : { env }),
    });
    const program = new Started(child);
    await once(child, "spawn");
    host.processes.own(program.pid, what, "program");
    child.once("exit", () => host.processes.release(program.pid));
    return program;
  } catch (cause) {
    const message = `could not start ${command.command}: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new SondeError("LAUNCH_FAILED", message, { cause });
  }
}

class Started implements Program {
  readonly #child: ChildProcess;
  readonly stdin: StdinRoute;
  readonly ended: Promise<End>;
  #early: [category: "stdout" | "stderr", text: string][] = [];
  #listener: ((category: "stdout" | "stderr", text: string) => void) | undefined;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.stdin = pipeInput(child.stdin);
    for (const category of ["stdout", "stderr"] as const) {
      child[category]?.setEncoding("utf8");
      child[category]?.on("data", (text: string) => this.#said(category, text));
      child[category]?.on("error", () => {});
    }
    child.stdin?.on("error", () => {}); // the program may end without having read
    this.ended = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null) =>
        resolve({ ...(code === null ? {} : { exitCode: code }), ...(signal === null ? {} : { signal }) });
      child.once("close", end);
      child.once("exit", (code, signal) => setTimeout(end, DRAIN_MS, code, signal).unref());
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  onOutput(listener: (category: "stdout" | "stderr", text: string) => void): void {
    this.#listener = listener;
    for (const said of this.#early.splice(0)) listener(...said);
  }

  leave(): void {
    this.#child.unref();
    for (const stream of [this.#child.stdout, this.#child.stderr]) readOn(stream);
  }

  #said(category: "stdout" | "stderr", text: string): void {
    if (this.#listener) this.#listener(category, text);
    else this.#early.push([category, text]);
  }
}

/**
 * The debugger's transport together with the program's streams and end. What the debugger says of the end is dropped: it may say
 * so before the last output, or die before it can.
 */
export function withProgram(transport: Transport, program: Program): Transport {
  let seq = FIRST_SEQ;
  let over = false;
  let leaving = false;
  /** Set when the program goes on without its debugger. */
  let lost: string | undefined;
  const unanswered = new Map<number, string>();
  let toClient: (message: Message) => void = () => {};
  const refuse = (request_seq: number, command: string) =>
    toClient({
      seq: seq++,
      type: "response",
      request_seq,
      command,
      success: false,
      message: lost,
    } as Message);
  return {
    send(message) {
      if (message.type === "request") {
        const { command, arguments: args } = message as DebugProtocol.Request;
        leaving ||= command === "disconnect" && args?.terminateDebuggee === false;
        if (lost !== undefined) return refuse(message.seq, command);
        unanswered.set(message.seq, command);
      }
      transport.send(message);
    },
    close() {
      transport.close();
      if (leaving && !over) program.leave();
    },
    start(onMessage, onClose) {
      toClient = onMessage;
      const emit = (event: string, body: object) =>
        onMessage({ seq: seq++, type: "event", event, body } as Message);
      program.onOutput((category, output) => emit("output", { category, output }));
      void program.ended.then((end) => {
        over = true;
        emit("exited", end);
        emit("terminated", {});
        transport.close();
        onClose({ why: `the program ${describe(end)}` });
      });
      transport.start(
        (message) => {
          if (message.type === "response") unanswered.delete((message as DebugProtocol.Response).request_seq);
          const { event } = message as { event?: string };
          if (!over && event !== "exited" && event !== "terminated") onMessage(message);
        },
        ({ why }) => {
          // As a rule the program is ending; one that replaced itself by another goes on.
          setTimeout(() => {
            if (over) return;
            lost = why;
            for (const [request, command] of unanswered) refuse(request, command);
          }, LOST_MS).unref();
        },
      );
    },
  };
}

export function describe({ exitCode, signal }: End): string {
  return signal === undefined ? `exited with code ${exitCode}` : `was killed by ${signal}`;
}
