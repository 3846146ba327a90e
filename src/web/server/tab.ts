/** One tab: its messages in, its answers out, what it has under way and what it watches. */
import type { WebSocket } from "ws";
import type { FromPage, Hello, ToPage, Topic } from "../protocol.ts";
import type { Daemon } from "./daemon.ts";
import type { Grant } from "./keys.ts";

/** A tab that reads nothing any more: its socket is closed, and it begins anew when it wakes up. */
const MOST_UNREAD_BYTES = 64 * 1024 * 1024;

/** More than any page of ours has under way or looks at: whoever wants more is told so. */
const MOST_CALLS = 100;
const MOST_TOPICS = 50;

export interface TabOptions {
  socket: WebSocket;
  grant: Grant;
  daemon: Daemon;
  hello: Hello;
  watch(wanted: FromPage & { do: "watch" }, send: (message: ToPage) => void): () => void;
}

export class Tab {
  readonly #options: TabOptions;
  readonly #calls = new Map<number, AbortController>();
  readonly #watching = new Map<Topic, () => void>();

  constructor(options: TabOptions) {
    this.#options = options;
    const { socket, hello } = options;
    socket.on("message", (bytes: Buffer, isBinary: boolean) => {
      const message = isBinary ? undefined : parse(bytes.toString("utf8"));
      if (message === undefined) socket.close(1003, "not a message of the page");
      else this.#take(message);
    });
    socket.on("error", () => {}); // "close" follows
    socket.on("close", () => this.#end());
    this.send({ hello });
  }

  get readOnly(): boolean {
    return this.#options.grant.readOnly;
  }

  /** It may look for another server. */
  close(): void {
    this.#options.socket.close(1001, "the server ends");
  }

  send(message: ToPage): void {
    const { socket } = this.#options;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MOST_UNREAD_BYTES) socket.terminate();
    else socket.send(JSON.stringify(message));
  }

  #take(message: FromPage): void {
    switch (message.do) {
      case "call":
        void this.#call(message);
        break;
      case "cancel":
        this.#calls.get(message.id)?.abort();
        break;
      case "watch":
        this.#watch(message);
        break;
      case "unwatch":
        this.#watching.get(message.topic)?.();
        this.#watching.delete(message.topic);
        break;
    }
  }

  #watch(message: FromPage & { do: "watch" }): void {
    const { topic } = message;
    this.#watching.get(topic)?.();
    if (this.#watching.delete(topic) || !isNamed(topic) || this.#named < MOST_TOPICS)
      this.#watching.set(
        topic,
        this.#options.watch(message, (one) => this.send(one)),
      );
    else this.send({ topic, seq: 0, event: { kind: "gone", why: TOO_MANY_TOPICS } } as ToPage);
  }

  get #named(): number {
    return [...this.#watching.keys()].filter(isNamed).length;
  }

  async #call({ id, command, args, session, cwd }: FromPage & { do: "call" }): Promise<void> {
    const { daemon, grant, hello } = this.#options;
    if (this.#calls.has(id)) return this.send({ id, ok: false, error: IN_FLIGHT });
    if (isDeeper(args, DEEPEST)) return this.send({ id, ok: false, error: TOO_DEEP });
    if (this.#calls.size >= MOST_CALLS) return this.send({ id, ok: false, error: TOO_MANY_CALLS });
    const abort = new AbortController();
    this.#calls.set(id, abort);
    const answer = await daemon.ask({
      command,
      args,
      session,
      cwd: cwd ?? hello.cwd,
      env: grant.from.env,
      readOnly: grant.readOnly,
      signal: abort.signal,
      onChunk: (chunk) => this.send({ id, chunk }),
    });
    this.#calls.delete(id);
    this.send({ id, ...(answer ?? { ok: false, error: NO_DAEMON }) });
  }

  #end(): void {
    for (const abort of this.#calls.values()) abort.abort();
    for (const stop of this.#watching.values()) stop();
    this.#calls.clear();
    this.#watching.clear();
  }
}

/** One of many: the others are one each, and every tab may look at them. */
function isNamed(topic: Topic): boolean {
  return topic !== "now" && topic !== "logs";
}

const IN_FLIGHT = {
  code: "BAD_ARGUMENT",
  message: "a call of this number is under way",
  hint: "give each call a number of its own",
};
const NO_DAEMON = {
  code: "DAEMON_FAILED",
  message: "there is no daemon",
  hint: "try again: a command starts one",
};
const TOO_MANY_CALLS = {
  code: "BUSY",
  message: `this tab has ${MOST_CALLS} calls under way`,
  hint: "wait for their answers, cancel one, or load the page again",
};
/** As commands take them. */
const DEEPEST = 64;
const TOO_DEEP = {
  code: "BAD_ARGUMENT",
  message: `the arguments are nested more than ${DEEPEST} levels deep`,
  hint: "no command takes such; `sonde help <command>` lists what it takes",
};
const TOO_MANY_TOPICS = `this tab looks at ${MOST_TOPICS} things already: close one, or open another tab`;

/** Undefined for anything that no page of ours sends. */
export function parse(text: string): FromPage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { id, command, args, session, cwd, topic, since, launch } = value;
  const numbered = Number.isSafeInteger(id);
  switch (value.do) {
    case "call":
      return numbered &&
        typeof command === "string" &&
        (args === undefined || isObject(args)) &&
        isText(session) &&
        isText(cwd)
        ? (value as unknown as FromPage)
        : undefined;
    case "cancel":
      return numbered ? (value as unknown as FromPage) : undefined;
    case "watch":
    case "unwatch":
      return isTopic(topic) && (since === undefined || isCount(since)) && isText(launch)
        ? (value as unknown as FromPage)
        : undefined;
    default:
      return undefined;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1));
}

function isTopic(value: unknown): boolean {
  return typeof value === "string" && /^(now|logs|session:.{1,200}|agent:.{1,200})$/.test(value);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isText(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
