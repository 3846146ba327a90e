/** Where calls go in the end. No time limits of ours: how long a model may think is between client and provider. */
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { requestHeaders } from "./headers.ts";
import { type Note, type WayOut, wayOut } from "./way-out.ts";

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
  readonly #way: WayOut;
  readonly #prefix: string;

  static async open(base: string | URL, env: NodeJS.ProcessEnv, note: Note): Promise<Upstream> {
    const url = new URL(base);
    return new Upstream(url, await wayOut(url, env, note));
  }

  private constructor(base: URL, way: WayOut) {
    this.base = base;
    this.#way = way;
    this.#prefix = base.pathname.replace(/\/+$/, "");
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
      ...this.#way,
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
    this.#way.agent.destroy();
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
