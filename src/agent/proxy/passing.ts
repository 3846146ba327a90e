/** What is no call to a model passes as it is, in both directions. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { sendFailure, unreachable } from "./failure.ts";
import { responseHeaders } from "./headers.ts";
import type { Upstream } from "./upstream.ts";

export interface Passing {
  request: IncomingMessage;
  response: ServerResponse;
  upstream: Upstream;
  path: string;
  /** What was read of the body before. */
  head?: readonly Buffer[];
}

/** Settles when it is over, however it ended. */
export function passThrough({ request, response, upstream, path, head = [] }: Passing): Promise<void> {
  return new Promise((done) => {
    const gone = new AbortController();
    response.once("close", () => {
      gone.abort();
      done();
    });
    const { method = "GET", rawHeaders } = request;
    const outgoing = upstream.request({ method, path, rawHeaders, signal: gone.signal });
    outgoing.on("error", (error) => sendFailure(response, undefined, unreachable(upstream.base, error)));
    outgoing.once("response", (answer) => {
      response.sendDate = false;
      response.writeHead(
        answer.statusCode ?? 502,
        answer.statusMessage ?? "",
        responseHeaders(answer.rawHeaders),
      );
      response.flushHeaders();
      pipeline(answer, response, () => {}); // a broken answer breaks the response: the client sees it as we do
    });
    for (const chunk of head) outgoing.write(chunk);
    pipeline(request, outgoing, () => {}); // told by "error"
  });
}
