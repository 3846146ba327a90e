/**
 * The tools over Streamable HTTP, for clients that cannot start a process. Whoever can call them can run programs, so: only
 * this machine, only with the token, and never for a web page.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { SondeError } from "../errors.ts";
import { isToken, LOOPBACK, strangeness } from "../util/loopback.ts";

const PATH = "/mcp";
/** Clients that went without a word hold nothing but memory; the oldest makes room. */
const MOST_SESSIONS = 64;

type Sessions = Map<string, StreamableHTTPServerTransport>;

/** Never returns: ended by a signal. */
export async function serveHttp(port: number, create: () => Server): Promise<never> {
  const token = randomBytes(24).toString("base64url");
  const sessions: Sessions = new Map();
  const listener = createServer((request, response) => {
    const refused = refusal(request, token);
    if (refused) {
      answer(response, refused.status, refused.message);
      return;
    }
    serve(request, response, sessions, create).catch((thrown: unknown) => {
      if (!response.headersSent)
        answer(response, 500, thrown instanceof Error ? thrown.message : String(thrown));
      else response.destroy();
    });
  });
  await new Promise<void>((done, fail) => {
    listener.once("error", (error: NodeJS.ErrnoException) =>
      fail(new SondeError("PERMISSION", `cannot listen on ${LOOPBACK}:${port}: ${error.message}`)),
    );
    listener.listen(port, LOOPBACK, done);
  });
  process.stderr.write(`http://${LOOPBACK}:${portOf(listener.address())}${PATH}?token=${token}\n`);
  return new Promise<never>(() => {});
}

function portOf(address: ReturnType<ReturnType<typeof createServer>["address"]>): number {
  return typeof address === "object" && address !== null ? address.port : 0;
}

interface Refusal {
  status: number;
  message: string;
}

function refusal(request: IncomingMessage, token: string): Refusal | undefined {
  const strange = strangeness(request);
  if (strange !== undefined) return strange;
  const base = `http://${LOOPBACK}`;
  if (!URL.canParse(request.url ?? "/", base)) return { status: 400, message: "invalid address" };
  const url = new URL(request.url ?? "/", base);
  const { authorization } = request.headers;
  const given = /^Bearer (.+)$/i.exec(authorization ?? "")?.[1] ?? url.searchParams.get("token") ?? "";
  if (!isToken(given, token))
    return {
      status: 401,
      message: "the token is missing or wrong: Authorization: Bearer <token>, or ?token=",
    };
  if (url.pathname !== PATH) return { status: 404, message: `the tools are at ${PATH}` };
  return undefined;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Sessions,
  create: () => Server,
): Promise<void> {
  const id = request.headers["mcp-session-id"];
  const known = typeof id === "string" ? sessions.get(id) : undefined;
  if (known) return known.handleRequest(request, response);
  if (id !== undefined) return answer(response, 404, "no such MCP session; initialize again");
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (session) => {
      sessions.set(session, transport);
      const [oldest] = sessions;
      if (sessions.size > MOST_SESSIONS && oldest) void oldest[1].close();
    },
  });
  const server = create();
  server.onclose = () => {
    if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
  };
  await server.connect(transport);
  await transport.handleRequest(request, response);
  // Anything but an initialize opens nothing.
  if (transport.sessionId === undefined) await server.close();
}

function answer(response: ServerResponse, status: number, message: string): void {
  const headers = {
    "content-type": "application/json",
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
  };
  response.writeHead(status, headers);
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32000, message }, id: null }));
}
