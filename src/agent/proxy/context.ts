/** What the calls of one proxy share. Nothing in it grows with their number. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Route } from "../wire/routes.ts";
import type { StreamRing } from "../wire/stream-ring.ts";
import type { Identities } from "./identity.ts";
import type { ProxyOptions } from "./options.ts";
import type { Upstream } from "./upstream.ts";

export interface ProxyCounts {
  /** Calls to models. */
  calls: number;
  /** Other requests. */
  passed: number;
  /** Calls that are on their way now. */
  open: number;
}

export interface ProxyContext extends ProxyOptions {
  ring: StreamRing;
  identities: Identities;
  counts: ProxyCounts;
}

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  route: Route;
  upstream: Upstream;
  /** Behind the upstream's base URL. */
  path: string;
  /** Fires when the client has gone away. */
  gone: AbortSignal;
}
