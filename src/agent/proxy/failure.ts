/** What a client is told when there is no answer to pass on. */
import type { ServerResponse } from "node:http";
import type { HttpWire } from "../wire/routes.ts";
import { errorBody } from "../wire/synthetic.ts";

export interface Failure {
  status: number;
  type: string;
  message: string;
  /** Whether the same request may work if it is sent again. */
  retry: boolean;
}

/** These do not go away by themselves; the others may. */
const LASTING =
  /^(ECONNREFUSED|ENOTFOUND|ERR_TLS.*|CERT_.*|DEPTH_ZERO.*|SELF_SIGNED.*|UNABLE_TO.*|ERR_INVALID.*)$/;

export function unreachable(upstream: URL, error: unknown): Failure {
  const { code, message } = error as NodeJS.ErrnoException;
  return {
    status: 502,
    type: "api_error",
    message: `sonde: no answer from ${upstream.origin}: ${message}`,
    retry: !LASTING.test(code ?? ""),
  };
}

export function sendFailure(response: ServerResponse, wire: HttpWire | undefined, failure: Failure): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const body = Buffer.from(errorBody(wire, failure.type, failure.message));
  response.writeHead(failure.status, {
    "content-type": "application/json",
    "content-length": body.length,
    "x-should-retry": String(failure.retry),
  });
  response.end(body);
}
