/**
 * The connection to one dlv. The program's output comes through dlv's own pipes, past DAP; so the connection is not over before
 * those have been read to their end.
 */
import { kill } from "node:process";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { AdapterProcess } from "../../dap/process.ts";
import type { CloseReason, Message, Transport } from "../../dap/transport.ts";
import { pipeInput } from "../../util/pipe-input.ts";
import { hasEnded } from "../../util/process-facts.ts";
import { wait } from "../../util/wait.ts";
import type { StdinRoute } from "../adapter.ts";

/** How long dlv may take to leave, once nobody is connected to it. */
const LEAVE_MS = 2000;

export class Connected implements Transport {
  readonly #inner: Transport;
  readonly #process: AdapterProcess;
  readonly #over: () => void;
  #started = false;
  /** The program that dlv has launched: it ends when dlv does, unless it is left. */
  #program: number | undefined;

  /** `over` is called once nothing of it is needed any more. */
  constructor(inner: Transport, process: AdapterProcess, over: () => void) {
    this.#inner = inner;
    this.#process = process;
    this.#over = over;
    // At once: what it prints later would come to a connection that is over.
    process.child.once("exit", () => this.#endProgram());
  }

  /** It is to run on. */
  leave(): void {
    this.#program = undefined;
  }

  start(onMessage: (message: Message) => void, onClose: (reason: CloseReason) => void): void {
    this.#started = true;
    // Its own end says more than that of its socket. Its last words on stderr are the program's, and told as such.
    this.#inner.start(
      (message) => {
        this.#note(message);
        onMessage(message);
      },
      ({ why }) => void this.#left().then((end) => onClose({ why: end ?? why })),
    );
  }

  send(message: Message): void {
    this.#inner.send(message);
  }

  close(): void {
    this.#inner.close();
    if (!this.#started) void this.#left();
  }

  #note(message: Message): void {
    const { event, body } = message as Partial<DebugProtocol.ProcessEvent>;
    if (event === "process" && body?.startMethod === "launch") this.#program ??= body.systemProcessId;
  }

  #endProgram(): void {
    if (this.#program === undefined || hasEnded(this.#program)) return;
    try {
      kill(this.#program, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }

  /** Not all of its sessions have an owner that would end it: see `open`. */
  async #left(): Promise<string | undefined> {
    const { ended, child } = this.#process;
    const left = await wait(ended, { timeoutMs: LEAVE_MS });
    if (!left.done) child.kill("SIGKILL");
    this.#over();
    return left.done ? left.value : undefined;
  }
}

/** dlv's own words, among the program's: it says so of every child that is no Go program. */
const OWN_WORDS = /^Warning: no debug info found, some functionality will be missing.*\n/gm;

export function onOutput(
  { child }: AdapterProcess,
  tell: (category: "stdout" | "stderr", text: string) => void,
): void {
  for (const category of ["stdout", "stderr"] as const)
    onText(child[category], (text) => {
      const words = category === "stderr" ? text.replace(OWN_WORDS, "") : text;
      if (words !== "") tell(category, words);
    });
}

/** Decoded beside the stream, whose bytes others read too. */
export function onText(stream: Readable | null, tell: (text: string) => void): void {
  const decoder = new StringDecoder("utf8");
  stream?.on("data", (chunk: Buffer) => tell(decoder.write(chunk)));
  stream?.once("end", () => tell(decoder.end()));
}

/** The program inherits dlv's input. */
export function stdinOf({ child }: AdapterProcess): StdinRoute {
  return pipeInput(child.stdin);
}
