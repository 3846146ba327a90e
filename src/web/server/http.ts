/** The page's HTTP server: its files, the door (`/enter`), and the socket. Nothing else is asked here: all that the page does is a command. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { SondeError } from "../../errors.ts";
import { LOOPBACK } from "../../util/loopback.ts";
import { isSameUser } from "../../util/same-user.ts";
import { type Entered, SOCKET_PROTOCOL } from "../protocol.ts";
import type { PageFiles } from "./files.ts";
import { cookieName, cookieOf, grantOf, HEADERS, type Refusal, refusal, socketGrantOf } from "./headers.ts";
import type { Grant, Keys } from "./keys.ts";

/** What a key needs. */
const LONGEST_BODY = 4096;
/** The longest message of a page: a request to a model that was edited may be long. */
const LONGEST_MESSAGE = 3 * 1024 * 1024;

export interface HttpOptions {
  port: number;
  files: PageFiles;
  keys: Keys;
  onTab(socket: WebSocket, grant: Grant): void;
}

export interface Listening {
  port: number;
  server: Server;
}

export async function listen(options: HttpOptions): Promise<Listening> {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LONGEST_MESSAGE,
    perMessageDeflate: false,
    handleProtocols: () => SOCKET_PROTOCOL,
  });
  const server = createServer((request, response) => {
    answer(request, response, options).catch((thrown: unknown) => {
      if (response.headersSent) response.destroy();
      else plain(response, { status: 500, message: thrown instanceof Error ? thrown.message : "failed" });
    });
  });
  // Before anything is read: whoever may not speak to us could still keep our connections busy.
  server.on("connection", (socket) => {
    if (!isSameUser(socket)) socket.destroy();
  });
  server.on("upgrade", (request, socket: Socket, head) => {
    socket.on("error", () => {}); // it is gone, and "close" follows
    const refused = socketRefusal(request, options);
    if ("status" in refused) {
      socket.end(
        `HTTP/1.1 ${refused.status} Refused\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(refused.message)}\r\n\r\n${refused.message}`,
      );
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => options.onTab(opened, refused));
  });
  await new Promise<void>((done, fail) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      fail(
        new SondeError("PERMISSION", `cannot listen on ${LOOPBACK}:${options.port}: ${error.message}`, {
          hint: "`sonde ui --port <another>`, or without --port: then a free one is taken",
        }),
      ),
    );
    server.listen(options.port, LOOPBACK, done);
  });
  const address = server.address();
  return { port: typeof address === "object" && address !== null ? address.port : 0, server };
}

function socketRefusal(request: IncomingMessage, { keys }: HttpOptions): Refusal | Grant {
  const refused = refusal(request, true);
  if (refused !== undefined) return refused;
  if (request.url !== "/socket") return { status: 404, message: "the socket is at /socket" };
  return socketGrantOf(keys, request) ?? STRANGER;
}

const STRANGER: Refusal = { status: 401, message: "this needs a link of its own: `sonde ui` gives one" };

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpOptions,
): Promise<void> {
  const { method = "GET", url = "/" } = request;
  const refused = refusal(request, method !== "GET" && method !== "HEAD");
  if (refused !== undefined) return plain(response, refused);
  const { pathname } = new URL(url, `http://${LOOPBACK}`);
  if (pathname === "/enter") return enter(request, response, options);
  if (method !== "GET" && method !== "HEAD") return plain(response, { status: 405, message: "only GET" });
  if (pathname === "/entered") {
    const grant = grantOf(options.keys, request);
    return grant === undefined ? plain(response, STRANGER) : json(response, entered(grant));
  }
  const file = options.files.get(pathname);
  if (file === undefined) return plain(response, { status: 404, message: "no such page" });
  response.writeHead(200, { ...HEADERS, "content-type": file.type, "content-length": file.bytes.length });
  response.end(method === "HEAD" ? undefined : file.bytes);
}

async function enter(
  request: IncomingMessage,
  response: ServerResponse,
  { keys }: HttpOptions,
): Promise<void> {
  if (request.method !== "POST") return plain(response, { status: 405, message: "only POST" });
  if (request.headers["content-type"] !== "application/json")
    return plain(response, { status: 415, message: "content-type must be application/json" });
  const key = keyIn(await bodyOf(request));
  const grant = key === undefined ? undefined : keys.redeem(key, cookieOf(request));
  if (grant === undefined) return plain(response, STRANGER);
  const name = cookieName(request.socket.localPort ?? 0);
  json(response, entered(grant), {
    "set-cookie": `${name}=${grant.cookie}; Path=/; HttpOnly; SameSite=Strict`,
  });
}

function entered({ secret, readOnly }: Grant): Entered {
  return { secret, readOnly };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > LONGEST_BODY) return "";
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function keyIn(body: string): string | undefined {
  try {
    const { key } = JSON.parse(body) as { key?: unknown };
    return typeof key === "string" ? key : undefined;
  } catch {
    return undefined; // no JSON, so no key
  }
}

function json(response: ServerResponse, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(200, { ...HEADERS, ...headers, "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

function plain(response: ServerResponse, { status, message }: Refusal): void {
  response.writeHead(status, { ...HEADERS, "content-type": "text/plain; charset=utf-8" });
  response.end(`${message}\n`);
}
