/** The page's server as a test speaks to it: the door, and a socket. */
import { once } from "node:events";
import { type ClientRequestArgs, request } from "node:http";
import { text } from "node:stream/consumers";
import { WebSocket } from "ws";
import type { FromPage, SessionEvent, ToPage, Topic } from "../../src/web/protocol.ts";
import type { Sonde } from "../support/sonde.ts";

export interface Served {
  port: number;
  base: string;
  key: string;
}

/** Started if need be. The test ends it with `ui stop`. */
export async function serve(sonde: Sonde, ...flags: string[]): Promise<Served> {
  const { url, port } = await sonde.ask<{ url: string; port: number }>(["ui", "--no-open", ...flags]);
  const [base = "", key = ""] = url.split("/#k=");
  return { port, base, key };
}

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Headers exactly as given: `fetch` would mend them. */
export async function ask(
  port: number,
  path: string,
  options: ClientRequestArgs & { body?: string } = {},
): Promise<Reply> {
  const { body, ...rest } = options;
  const asked = request({ host: "127.0.0.1", port, path, agent: false, ...rest });
  asked.end(body);
  const [response] = await once(asked, "response");
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

export function enter(
  { port, base }: Served,
  key: string,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return ask(port, "/enter", {
    method: "POST",
    headers: { "content-type": "application/json", origin: base, ...headers },
    body: JSON.stringify({ key }),
  });
}

export interface Entry {
  cookie: string;
  secret: string;
}

export async function entered(served: Served, headers: Record<string, string> = {}): Promise<Entry> {
  const { status, headers: given, body } = await enter(served, served.key, headers);
  if (status !== 200) throw new Error(`not let in: ${status} ${body}`);
  const cookie = given["set-cookie"]?.[0]?.split(";")[0] ?? "";
  return { cookie, secret: (JSON.parse(body) as { secret: string }).secret };
}

export type Called<T> = (
  | { ok: true; data: T }
  | { ok: false; error: { code: string; message: unknown; hint?: unknown; details?: unknown } }
) & { line?: string };

type Wanted<T> = (message: ToPage) => T | undefined;

/** A tab: calls, and what it is sent. */
export class TestTab {
  readonly #socket: WebSocket;
  readonly #messages: ToPage[] = [];
  #waiting: (() => void)[] = [];
  #id = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data) => {
      this.#messages.push(JSON.parse(String(data)) as ToPage);
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  static async open(served: Served, given?: Entry): Promise<TestTab> {
    const { cookie, secret } = given ?? (await entered(served));
    const socket = new WebSocket(`ws://127.0.0.1:${served.port}/socket`, ["sonde", secret], {
      headers: { cookie, origin: served.base },
    });
    const tab = new TestTab(socket);
    await once(socket, "open");
    return tab;
  }

  send(message: FromPage): void {
    this.#socket.send(JSON.stringify(message));
  }

  /** Whatever it is. */
  raw(text: string): void {
    this.#socket.send(text);
  }

  watch(topic: Topic, since?: number): void {
    this.send({ do: "watch", topic, ...(since === undefined ? {} : { since }) });
  }

  /** The first message that is wanted, from the first on. */
  async next<T>(wanted: Wanted<T>, after = 0): Promise<T> {
    for (let at = after; ; ) {
      for (; at < this.#messages.length; at++) {
        const message = this.#messages[at];
        const found = message && wanted(message);
        if (found !== undefined) return found;
      }
      await new Promise<void>((done) => this.#waiting.push(done));
    }
  }

  get count(): number {
    return this.#messages.length;
  }

  get all(): readonly ToPage[] {
    return this.#messages;
  }

  async call<T = Record<string, unknown>>(
    command: string,
    args: Record<string, unknown> = {},
    session?: string,
  ): Promise<Called<T>> {
    const id = ++this.#id;
    this.send({ do: "call", id, command, args, ...(session === undefined ? {} : { session }) });
    return this.next<Called<T>>((message) =>
      "id" in message && "ok" in message && message.id === id ? (message as Called<T>) : undefined,
    );
  }

  event<K extends SessionEvent["kind"]>(
    session: string,
    kind: K,
    is: (event: Extract<SessionEvent, { kind: K }>) => boolean = () => true,
    after = 0,
  ): Promise<Extract<SessionEvent, { kind: K }>> {
    return this.next((message) => {
      if (!("topic" in message) || message.topic !== `session:${session}`) return undefined;
      const event = message.event as SessionEvent;
      return event.kind === kind && is(event as Extract<SessionEvent, { kind: K }>)
        ? (event as Extract<SessionEvent, { kind: K }>)
        : undefined;
    }, after);
  }

  close(): void {
    this.#socket.close();
  }

  /** The server has heard it too. */
  async closed(): Promise<void> {
    const heard = once(this.#socket, "close");
    this.#socket.close();
    await heard;
  }
}
