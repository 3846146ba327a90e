/**
 * An adapter's process: started in a group of its own, its stderr always drained, its end put into words.
 * Ending it is not done here; that is the session's, which owns all processes.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { SondeError } from "../errors.ts";
import type { CloseReason } from "./transport.ts";

const STDERR_KEPT = 4096;
/** How long an adapter that went silent may take to exit, so that its exit code can be told. */
const GRACE_MS = 250;

export interface Command {
  command: string;
  args: string[];
  cwd?: string;
  env?: Record<string, string | undefined>;
}

export class AdapterProcess {
  readonly child: ChildProcess;
  /** How it ended, in words; after its streams are read, or a moment later if a grandchild holds them open. */
  readonly ended: Promise<string>;
  #tail: Buffer = Buffer.alloc(0);
  #cut = false;

  constructor(child: ChildProcess, name = "the debug adapter") {
    this.child = child;
    child.stderr?.on("data", (chunk: Buffer) => this.#keep(chunk));
    child.stderr?.on("error", () => {});
    this.ended = new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) {
        resolve(`${name} ${howItEnded(child.exitCode, child.signalCode)}`);
      }
      child.once("error", (error) => resolve(`${name} could not be started: ${error.message}`));
      child.once("close", (code, signal) => resolve(`${name} ${howItEnded(code, signal)}`));
      child.once("exit", (code, signal) => {
        setTimeout(() => resolve(`${name} ${howItEnded(code, signal)}`), GRACE_MS).unref();
      });
    });
  }

  /** Rejects when the program does not exist or may not be run. */
  static async spawn({ command, args, cwd, env }: Command, name?: string): Promise<AdapterProcess> {
    try {
      const child = spawn(command, args, {
        stdio: ["pipe", "pipe", "pipe"],
        detached: true,
        ...(cwd === undefined ? {} : { cwd }),
        ...(env === undefined ? {} : { env }),
      });
      child.stdin.on("error", () => {}); // it died before it read; `ended` tells
      const started = new AdapterProcess(child, name);
      await once(child, "spawn");
      return started;
    } catch (cause) {
      const message = `could not start ${command}: ${cause instanceof Error ? cause.message : String(cause)}`;
      throw new SondeError("ADAPTER_FAILED", message, { cause, details: { command, args, cwd } });
    }
  }

  /** Set once `spawn` has resolved. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Its last words, in whole lines where possible. */
  get stderr(): string {
    const text = this.#tail.toString("utf8");
    if (!this.#cut) return text;
    const firstLine = text.indexOf("\n");
    return firstLine >= 0 && firstLine < text.length - 1
      ? text.slice(firstLine + 1)
      : text.replace(/^\uFFFD+/, "");
  }

  /** Why a connection to it ended: its exit if that comes soon, and what the connection saw if that tells more. */
  async explain(seen: string, telling: boolean): Promise<CloseReason> {
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, GRACE_MS, undefined);
    });
    const end = await Promise.race([this.ended, grace]);
    clearTimeout(timer);
    const why = end === undefined ? seen : telling ? `${seen}; ${end}` : end;
    return this.stderr ? { why, stderr: this.stderr } : { why };
  }

  #keep(chunk: Buffer): void {
    const joined = chunk.length >= STDERR_KEPT ? chunk : Buffer.concat([this.#tail, chunk]);
    if (joined.length > STDERR_KEPT) this.#cut = true;
    this.#tail = Buffer.from(joined.subarray(-STDERR_KEPT));
  }
}

function howItEnded(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `exited with code ${code}` : `was killed by ${signal}`;
}
