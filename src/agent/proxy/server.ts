/**
 * A proxy on this machine between an agent and its provider. It listens on the loopback address only, and answers only those that know its token: the first
 * part of the path, or a header.
 */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isToken, LOOPBACK, strangeness } from "../../util/loopback.ts";
import { wireOf } from "../wire/routes.ts";
import { type RingEntry, type RingTotals, StreamRing } from "../wire/stream-ring.ts";
import type { ProxyContext, ProxyCounts } from "./context.ts";
import { sendFailure } from "./failure.ts";
import { TOKEN_HEADER } from "./headers.ts";
import { serveHook } from "./hook-calls.ts";
import { Identities } from "./identity.ts";
import { serveModelCall } from "./model-call.ts";
import type { ProxyOptions } from "./options.ts";
import { passThrough } from "./passing.ts";
import { Upstream } from "./upstream.ts";

export interface AgentProxy {
  port: number;
  /** http://127.0.0.1:PORT/TOKEN: the base URL for Anthropic clients; OpenAI's want `/v1` behind it. */
  url: string;
  /** The same without the token, for clients that send it in the header `x-sonde-token`. */
  bareUrl: string;
  token: string;
  /** The last events of all streams. */
  ring: { entries(): RingEntry[]; readonly totals: RingTotals };
  readonly counts: Readonly<ProxyCounts>;
  /** Ends what is on its way. */
  close(): Promise<void>;
}

export async function startProxy(options: ProxyOptions): Promise<AgentProxy> {
  const { env = process.env } = options;
  const { anthropic, openai } = options.upstreams;
  const notes = new Set<string>(); // mostly the same for both
  const note = (text: string) => void notes.add(text);
  const upstreams = {
    anthropic: anthropic ? await Upstream.open(anthropic, env, note) : undefined,
    openai: openai ? await Upstream.open(openai, env, note) : undefined,
  };
  for (const text of notes) options.note?.(text);
  const token = randomBytes(24).toString("base64url");
  const context: ProxyContext = {
    ...options,
    ring: new StreamRing(),
    identities: new Identities(),
    counts: { calls: 0, passed: 0, open: 0 },
  };
  const server = createServer();
  const port = await listen(server);
  server.on("request", (request, response) => {
    const path = ownPath(request, token);
    if (path === undefined) refuse(request, response);
    else
      route(context, upstreams, { request, response, path }).catch((thrown) => {
        if (response.destroyed || response.writableFinished) return; // its client left
        options.log.append("error", { message: (thrown as Error).message, context: "proxy" });
        const message = `sonde: ${(thrown as Error).message}`;
        sendFailure(response, undefined, { status: 500, type: "api_error", message, retry: false });
      });
  });
  // Clients that would rather have a WebSocket take plain HTTP when they are refused one.
  server.on("upgrade", (_request, socket) => {
    socket.end("HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
  });
  const bareUrl = `http://${LOOPBACK}:${port}`;
  return {
    port,
    url: `${bareUrl}/${token}`,
    bareUrl,
    token,
    ring: context.ring,
    counts: context.counts,
    close: () =>
      new Promise((resolve) => {
        for (const upstream of Object.values(upstreams)) upstream?.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server): Promise<number> {
  // A client may think for as long as it likes between two requests, and we may hold one for days.
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, LOOPBACK, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** The path behind the token; undefined for strangers. */
function ownPath(request: IncomingMessage, token: string): string | undefined {
  if (strangeness(request) !== undefined) return undefined;
  const { url = "/", headers } = request;
  const [, first = ""] = /^\/([^/?#]*)/.exec(url) ?? [];
  if (isToken(first, token)) return url.slice(first.length + 1).replace(/^(?!\/)/, "/");
  const given = headers[TOKEN_HEADER];
  return typeof given === "string" && isToken(given, token) ? url : undefined;
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(404, { "content-length": 0 });
  response.end();
}

interface Incoming {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
}

type Upstreams = Readonly<Record<"anthropic" | "openai", Upstream | undefined>>;

async function route(
  context: ProxyContext,
  upstreams: Upstreams,
  { request, response, path }: Incoming,
): Promise<void> {
  const gone = new AbortController();
  response.on("error", () => {}); // "close" follows
  response.once("close", () => {
    if (!response.writableFinished) gone.abort(new Error("the client closed the connection"));
  });
  if (context.hooks && path.startsWith("/hooks/"))
    return serveHook(context.hooks, { request, response, path, gone: gone.signal });
  const known = wireOf(request.method ?? "GET", path);
  const provider = known ? (known.wire === "anthropic" ? "anthropic" : "openai") : providerOf(request, path);
  const upstream = upstreams[provider] ?? (known ? undefined : (upstreams.anthropic ?? upstreams.openai));
  if (!upstream) {
    const message = `sonde: no upstream is set for the ${provider} API`;
    return sendFailure(response, known?.wire, { status: 502, type: "api_error", message, retry: false });
  }
  // OpenAI's base URL has its /v1 already.
  const target = upstream === upstreams.openai ? path.replace(/^\/v1(?=[/?]|$)/, "") : path;
  if (!known) {
    context.counts.passed++;
    return passThrough({ request, response, upstream, path: target });
  }
  context.counts.calls++;
  context.counts.open++;
  try {
    await serveModelCall(context, {
      request,
      response,
      route: known,
      upstream,
      path: target,
      gone: gone.signal,
    });
  } finally {
    context.counts.open--;
  }
}

/** Of what is no call to a model. */
function providerOf({ headers }: IncomingMessage, path: string): "anthropic" | "openai" {
  const isAnthropic =
    headers["anthropic-version"] !== undefined || headers["anthropic-beta"] !== undefined || path === "/";
  return isAnthropic || headers["x-api-key"] !== undefined ? "anthropic" : "openai";
}
