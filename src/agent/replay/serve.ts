/**
 * The provider of a recording: a server on loopback that answers an agent's model calls with what was answered then, offline. A request that was
 * not recorded stops it, with a difference; it never gets some other answer.
 *
 * As a fork it does so up to a call; from there on requests go to a real provider, the first of them edited.
 */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SondeError } from "../../errors.ts";
import { deferred } from "../../util/wait.ts";
import { type ReadBody, wholeText } from "../explain/fields.ts";
import { Upstream } from "../proxy/upstream.ts";
import { Blobs } from "../store/blobs.ts";
import { readEvents } from "../store/reader.ts";
import { isOurs, readWhole } from "./door.ts";
import type { ServeOptions } from "./options.ts";
import type { Divergence, TapeReport } from "./report.ts";
import { readTape, type Tape } from "./tape.ts";
import { TapePlayer } from "./tape-player.ts";

export interface TapeServer {
  /** To be used as a base URL; the token in it keeps other users of the machine out. OpenAI's clients want `/v1` behind it. */
  url: string;
  /** The first request that left the recording; undefined if the server was closed before. */
  divergence: Promise<Divergence | undefined>;
  report(): TapeReport;
  close(): Promise<void>;
}

export async function serveTape(options: ServeOptions): Promise<TapeServer> {
  const { folder, signal } = options;
  const tape = await readTape(readEvents(folder.events, signal ? { signal } : {}));
  checkFork(options, tape);
  const blobs = new Blobs(folder.blobs);
  const readBody: ReadBody = (body) => blobs.readBody(body);
  const divergence = deferred<Divergence | undefined>();
  const closing = new AbortController();
  const { fork } = options;
  const player = new TapePlayer({
    ...options,
    upstream:
      fork && (await Upstream.open(fork.upstream, fork.env ?? process.env, options.note ?? (() => {}))),
    tape,
    blobs,
    readText: (stored) => wholeText(stored, readBody),
    closing: closing.signal,
    onDivergence: divergence.resolve,
  });
  const token = randomBytes(18).toString("base64url");
  const server = createServer((request, response) => {
    void answer(request, response, token, player);
  });
  // A model may take its time, and so may a timed replay.
  server.requestTimeout = 0;
  server.headersTimeout = 60_000;
  const { port } = await listen(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}/${token}`,
    divergence: divergence.promise,
    report: () => player.report(),
    async close() {
      closing.abort();
      divergence.resolve(player.report().divergence);
      player.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function checkFork({ fork }: ServeOptions, { session, calls }: Tape): void {
  const last = Math.max(0, ...calls.map(({ req }) => req));
  if (fork === undefined || fork.req <= last) return;
  throw new SondeError("BAD_ARGUMENT", `there is no call ${fork.req}: the recording ${session} has ${last}`);
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  token: string,
  player: TapePlayer,
): Promise<void> {
  // A client that goes away while it is answered is no failure of ours.
  response.on("error", () => {});
  const path = isOurs(request, token);
  if (path === undefined) {
    response.writeHead(403).end();
    return;
  }
  try {
    const body = await readWhole(request);
    await player.answer({ request, response, path, body });
  } catch (error) {
    player.failed(response, path, error);
  }
}

function listen(server: Server, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve(server.address() as AddressInfo);
    });
  });
}
