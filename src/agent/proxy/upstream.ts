/** Where calls go in the end. No time limits of ours: how long a model may think is between client and provider. */
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { requestHeaders } from "./headers.ts";

export interface Outgoing {
  method: string;
  /** Behind the base URL, with its query. */
  path: string;
  rawHeaders: readonly string[];
  /** See RequestChange. */
  plain?: boolean;
  signal: AbortSignal;
}

export class Upstream {
  readonly base: URL;
  readonly #agent: http.Agent;
  readonly #prefix: string;

  constructor(base: string | URL) {
    this.base = new URL(base);
    this.#prefix = this.base.pathname.replace(/\/+$/, "");
    const options = { keepAlive: true, noDelay: true, maxSockets: Number.POSITIVE_INFINITY };
    this.#agent = this.base.protocol === "https:" ? new https.Agent(options) : new http.Agent(options);
  }

  /** A body that we hold. A connection that was kept open may be closed at its other end just then: a fresh one is tried once. */
  async send(outgoing: Outgoing, body: Buffer): Promise<IncomingMessage> {
    const attempt = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const request = this.request(outgoing, { length: body.length, identity: true });
        request.once("response", resolve);
        // Not once: what goes wrong after the answer has begun is the answer's to tell.
        request.on("error", (error) =>
          reject(request.reusedSocket && isReset(error) ? new StaleConnection(error) : error),
        );
        request.end(body);
      });
    try {
      return await attempt();
    } catch (thrown) {
      if (!(thrown instanceof StaleConnection) || outgoing.signal.aborted) throw thrown;
      return attempt();
    }
  }

  /** A request whose body is still to be written. */
  request(
    { method, path, rawHeaders, plain = false, signal }: Outgoing,
    change: { length?: number; identity?: boolean } = {},
  ): http.ClientRequest {
    const { protocol, hostname, port, host } = this.base;
    const { request } = protocol === "https:" ? https : http;
    return request({
      agent: this.#agent,
      protocol,
      hostname: hostname.replace(/^\[|\]$/g, ""),
      ...(port !== "" && { port }),
      method,
      path: `${this.#prefix}${path}` || "/",
      headers: requestHeaders(rawHeaders, { host, plain, ...change }) as unknown as http.OutgoingHttpHeaders,
      signal,
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

class StaleConnection extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === "ECONNRESET" || error.code === "EPIPE";
}
