/**
 * A client that waits. After some seconds its answer is begun, and it is sent what keeps it waiting. From then on an error of the provider can only be said
 * inside the answer.
 */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { HttpWire } from "../wire/routes.ts";
import type { KeepAlive } from "./options.ts";

/** For a client that says nothing of its limits. */
const AFTER_MS = 60_000;
/** `fetch` of Node gives up after five minutes, whatever the client has set. */
const LATEST_MS = 240_000;
const EVERY_MS = 15_000;

export interface HoldingOptions {
  keepAlive?: KeepAlive | undefined;
  keepAliveAfterMs?: number | undefined;
  keepAliveEveryMs?: number | undefined;
}

/** How long a client can wait for nothing: the SDKs say what their limit is, in seconds. As late as can be, for errors have a status until then. */
export function patienceOf(headers: IncomingHttpHeaders): number {
  const limit = Number(headers["x-stainless-timeout"]);
  return limit > 0 ? Math.min(limit * 800, LATEST_MS) : AFTER_MS;
}

export class Holding {
  readonly #response: ServerResponse;
  readonly #beat: string;
  readonly #stream: boolean;
  readonly #options: HoldingOptions;
  /** The answer was begun before the provider's was there. */
  early = false;

  constructor(response: ServerResponse, wire: HttpWire, stream: boolean, options: HoldingOptions) {
    this.#response = response;
    this.#stream = stream;
    this.#options = options;
    // White space may stand before any JSON; events stand alone.
    this.#beat = stream ? beatOf(wire) : " ";
  }

  /** Waits for what may take long. */
  async during<T>(wait: Promise<T>): Promise<T> {
    const { keepAlive = "silent", keepAliveAfterMs = AFTER_MS, keepAliveEveryMs = EVERY_MS } = this.#options;
    if (keepAlive === "silent") return wait;
    let every: NodeJS.Timeout | undefined;
    const after = setTimeout(() => {
      this.#send();
      every = setInterval(() => this.#send(), keepAliveEveryMs);
    }, keepAliveAfterMs);
    try {
      return await wait;
    } finally {
      clearTimeout(after);
      clearInterval(every);
    }
  }

  #send(): void {
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return;
    if (!response.headersSent) {
      this.early = true;
      const type = this.#stream ? "text/event-stream; charset=utf-8" : "application/json";
      response.writeHead(200, { "content-type": type, "cache-control": "no-cache" });
    }
    response.write(this.#beat);
  }
}

/** A ping breaks clients of OpenAI; a comment is nothing to all of them, but does not count as a sign of life for Claude Code. */
function beatOf(wire: HttpWire): string {
  return wire === "anthropic" ? 'event: ping\ndata: {"type":"ping"}\n\n' : ": held\n\n";
}
