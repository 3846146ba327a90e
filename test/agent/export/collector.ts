/** A collector on loopback that keeps what it is sent. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status?: { code: number; message: string };
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

export interface Collector {
  url: string;
  requests: { path: string; headers: IncomingHttpHeaders; body: string; at: number }[];
  /** By id: a span that is sent twice is one. */
  spans(): Map<string, SentSpan>;
  close(): Promise<void>;
}

/** Answers by the list, then takes everything. */
export async function startCollector(replies: Reply[] = []): Promise<Collector> {
  const requests: Collector["requests"] = [];
  const taken: SentSpan[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    requests.push({ path: request.url ?? "", headers: request.headers, body, at: performance.now() });
    const reply = replies.shift() ?? { body: '{"partialSuccess":{}}' };
    if ((reply.status ?? 200) < 300) taken.push(...JSON.parse(body).resourceSpans[0].scopeSpans[0].spans);
    response
      .writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers })
      .end(reply.body ?? "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans: () => new Map(taken.map((span) => [span.spanId, span])),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function attributesOf(span: SentSpan | undefined): Record<string, unknown> {
  const entries = (span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]] as const);
  return Object.fromEntries(entries);
}
