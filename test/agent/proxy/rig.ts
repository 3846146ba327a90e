/** A provider, a bridge and a proxy between them, each real, for one test. */
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bridge, type CoreOptions, createCore } from "../../../src/agent/core/bridge.ts";
import type { AgentEvent } from "../../../src/agent/events.ts";
import { type AgentProxy, type ProxyOptions, startProxy } from "../../../src/agent/proxy/index.ts";
import { sessionFolder } from "../../../src/agent/store/layout.ts";
import { EventLog } from "../../../src/agent/store/log.ts";
import { type Provider, type Script, startProvider } from "../provider/index.mjs";

export interface Rig {
  provider: Provider;
  bridge: Bridge;
  proxy: AgentProxy;
  log: EventLog;
  events: AgentEvent[];
  ofType(type: string): AgentEvent["data"][];
  /** Its answer's data; throws what it refuses. */
  command(type: string, data?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** The next stop that nobody has been given. */
  stopped(): Promise<string>;
  close(): Promise<void>;
}

export async function openRig(
  script: Script,
  options: Partial<Omit<ProxyOptions, "bridge" | "log">> & { core?: Partial<CoreOptions> } = {},
): Promise<Rig> {
  const root = mkdtempSync(join(tmpdir(), "sonde-proxy-"));
  const provider = await startProvider({ script });
  const log = EventLog.open(sessionFolder(root, "debug_20260101_000000_test"), {});
  const events: AgentEvent[] = [];
  log.onEvent((event) => events.push(event));
  const bridge = createCore({ log, sessionId: "debug_20260101_000000_test", ...options.core });
  const upstreams = { anthropic: provider.url, openai: `${provider.url}/v1` };
  const proxy = await startProxy({ upstreams, ...options, bridge, log });
  const given = new Set<string>();
  let commands = 0;
  return {
    provider,
    bridge,
    proxy,
    log,
    events,
    ofType: (type) => events.filter((event) => event.type === type).map(({ data }) => data),
    async command(type, data = {}) {
      const answer = await bridge.command({ type, id: `c${++commands}`, data }, "socket");
      if (!answer.ok) throw new Error(answer.error.message);
      return answer.data;
    },
    stopped: () =>
      new Promise((resolve) => {
        const look = () => {
          const stop = bridge.stops.find(({ id }) => !given.has(id));
          if (!stop) return false;
          given.add(stop.id);
          resolve(stop.id);
          return true;
        };
        if (look()) return;
        const off = log.onEvent(({ type }) => {
          if (type === "paused" && look()) off();
        });
      }),
    async close() {
      bridge.close("the test is over");
      await proxy.close();
      await provider.close();
      log.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  rawHeaders: string[];
  body: Buffer;
  text: string;
}

/** Plain HTTP, nothing added but what must be. */
export function ask(
  url: string,
  {
    method = "POST",
    headers = {},
    body,
    signal,
    begun,
  }: {
    method?: string;
    headers?: Record<string, string>;
    body?: string | Buffer;
    signal?: AbortSignal;
    /** The answer has begun. */
    begun?: () => void;
  } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, agent: false, ...(signal && { signal }) });
    request.once("error", reject);
    request.once("response", (response) => {
      begun?.();
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () => {
        const all = Buffer.concat(chunks);
        const { statusCode: status = 0, headers: given, rawHeaders } = response;
        resolve({ status, headers: given, rawHeaders, body: all, text: all.toString("utf8") });
      });
    });
    request.end(body);
  });
}
