/** Recordings for tests: what a provider really answered, written as a session writes it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SessionFolder, sessionFolder } from "../../../src/agent/store/layout.ts";
import { EventLog } from "../../../src/agent/store/log.ts";
import { cutsOf } from "../../../src/agent/wire/request.ts";
import { wireOf } from "../../../src/agent/wire/routes.ts";

export interface Recorder {
  folder: SessionFolder;
  log: EventLog;
  /** Asks the provider, and writes down what it answered. */
  call(body: Record<string, unknown>, facts?: Record<string, unknown>, path?: string): Promise<string>;
  close(): void;
  remove(): void;
}

export function recorder(providerUrl: string): Recorder {
  const root = mkdtempSync(join(tmpdir(), "sonde-tape-"));
  const folder = sessionFolder(root, "debug_20261115_100000_abcd");
  const log = EventLog.open(folder);
  let req = 0;
  log.append("session_start", { client: "test", cwd: "/work/then", argv: [], route: "proxy" });
  return {
    folder,
    log,
    async call(body, facts = {}, path = "/v1/messages") {
      req += 1;
      const text = JSON.stringify(body);
      const started = performance.now();
      const asked = {
        req,
        agent: "main",
        class: "main",
        wire: wireOf("POST", path)?.wire,
        provider: "test",
        model: body.model,
        stream: body.stream === true,
        body: log.storeBody(text, cutsOf(text)),
        dirty: false,
        ...facts,
      };
      log.append("api_request", asked);
      const response = await fetch(`${providerUrl}${path}`, {
        method: "POST",
        body: text,
        headers: { "content-type": "application/json" },
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      const { agent } = asked;
      if (response.status >= 400) {
        log.append("api_error", {
          req,
          agent,
          status: response.status,
          errorType: "x",
          message: "x",
          body: log.store(bytes.toString()),
        });
      } else {
        log.append("api_response", {
          req,
          agent,
          model: body.model,
          stopReason: "end_turn",
          usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheCreationTokens: 0 },
          firstMs: 20,
          durationMs: Math.max(60, performance.now() - started),
          content: "[]",
          raw: log.storeRaw(bytes),
          status: response.status,
          contentType: response.headers.get("content-type"),
        });
      }
      return bytes.toString();
    },
    close: () => log.close(),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Posts, and gives status and text. */
export async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
