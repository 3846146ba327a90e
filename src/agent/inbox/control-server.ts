/**
 * Commands over a socket, each answered: one JSON object a line. `subscribe` is answered like any other; then the session's events come
 * as lines between the answers. An answer has a `commandId`, an event has none.
 */
import { createServer, type Socket } from "node:net";
import { asSondeError } from "../../errors.ts";
import { WholeLines } from "../../util/whole-lines.ts";
import type { AgentCommand, CommandAnswer } from "../core/commands.ts";
import { listenAt } from "./control-socket.ts";
import { LONGEST_COMMAND, parseCommand } from "./parse-command.ts";
import type { CommandRunner } from "./runner.ts";
import { type EventSource, type Subscription, subscribe } from "./subscription.ts";

export interface Listening {
  path: string;
  /** No further commands; connections end when their last answers are written. */
  close(): Promise<void>;
}

export interface ListenOptions {
  /** What `subscribe` shows; without it, it is refused. */
  events?: EventSource;
}

/** It does not keep the process alive: an agent that has done its work may end. */
export async function listenForCommands(
  runner: CommandRunner,
  path: string,
  options: ListenOptions = {},
): Promise<Listening> {
  const open = new Set<Connection>();
  const server = createServer((socket) => {
    const connection = new Connection(socket, runner, options.events);
    open.add(connection);
    socket.once("close", () => open.delete(connection));
  });
  const withdraw = await listenAt(server, path);
  server.on("error", () => {}); // a connection that could not be accepted: its client is told by the system
  server.unref();
  return {
    path,
    async close() {
      withdraw();
      server.close();
      await Promise.all([...open].map((connection) => connection.close()));
    },
  };
}

/** How long a client may take to read its last answers. */
const FAREWELL_MS = 1000;

const MOST_UNREAD = 256 << 20;

class Connection {
  readonly #socket: Socket;
  readonly #runner: CommandRunner;
  readonly #events: EventSource | undefined;
  readonly #lines = new WholeLines(0, LONGEST_COMMAND);
  readonly #subscriptions = new Set<Subscription>();
  #count = 0;

  constructor(socket: Socket, runner: CommandRunner, events: EventSource | undefined) {
    this.#socket = socket;
    this.#runner = runner;
    this.#events = events;
    socket.unref();
    socket.on("data", (bytes: Buffer) => this.#receive(bytes));
    socket.on("error", () => {}); // "close" follows
    socket.once("close", () => {
      for (const one of this.#subscriptions) one.end();
    });
  }

  close(): Promise<void> {
    const socket = this.#socket;
    return new Promise((done) => {
      if (socket.destroyed) return done();
      const late = setTimeout(() => socket.destroy(), FAREWELL_MS);
      socket.once("close", () => {
        clearTimeout(late);
        done();
      });
      socket.end(() => socket.destroy());
    });
  }

  #receive(bytes: Buffer): void {
    const lines = this.#lines.push(bytes);
    for (let late = this.#lines.takeTooLong(); late > 0; late--)
      this.#refuse("", `the command is longer than ${LONGEST_COMMAND} bytes`);
    for (const line of lines) if (line.trim() !== "") this.#take(line);
  }

  #take(line: string): void {
    this.#count += 1;
    const parsed = parseCommand(line, `command-${this.#count}`);
    if (!parsed.ok) this.#refuse(parsed.id, parsed.problem);
    else if (parsed.command.type === "subscribe") this.#subscribe(parsed.command);
    else void this.#run(parsed.command);
  }

  async #run(command: AgentCommand): Promise<void> {
    try {
      this.#answer(await this.#runner.command(command, "socket"));
    } catch (thrown) {
      const { code, message, hint } = asSondeError(thrown);
      this.#answer({
        commandId: command.id,
        type: command.type,
        ok: false,
        error: { code, message, ...(hint !== undefined && { hint }) },
      });
    }
  }

  #subscribe({ id, type, data }: AgentCommand): void {
    const { since } = data;
    if (this.#events === undefined || (since !== undefined && !isNumber(since))) {
      const problem = this.#events === undefined ? "nothing is recorded here" : '"since" is not a number';
      this.#answer({ commandId: id, type, ok: false, error: { code: "BAD_ARGUMENT", message: problem } });
      return;
    }
    const subscription = subscribe(this.#events, this.#socket, isNumber(since) ? since : undefined);
    this.#subscriptions.add(subscription);
    this.#answer({ commandId: id, type, ok: true, data: { since: subscription.since } });
    subscription.begin();
  }

  #refuse(id: string, message: string): void {
    this.#answer({ commandId: id, type: "", ok: false, error: { code: "BAD_ARGUMENT", message } });
  }

  #answer(answer: CommandAnswer): void {
    if (!this.#socket.writable) return;
    this.#socket.write(`${JSON.stringify(answer)}\n`);
    // Who asks and never reads must not fill the agent's memory.
    if (this.#socket.writableLength > MOST_UNREAD) this.#socket.destroy();
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
