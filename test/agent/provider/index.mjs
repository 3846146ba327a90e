/** A model provider that says what a test tells it to. Its types and what they mean: index.d.mts. */
import { EventEmitter } from "node:events";
import { createServer } from "node:http";
import { performance } from "node:perf_hooks";
import * as anthropic from "./anthropic.mjs";
import * as chat from "./chat.mjs";
import { messagesOf, outline } from "./outline.mjs";
import { definite, definiteError } from "./reply.mjs";
import * as responses from "./responses.mjs";

/**
 * @typedef {import("./index.mjs").Seen} Seen
 * @typedef {import("./index.mjs").Reply} Reply
 * @typedef {import("node:http").IncomingMessage} Incoming
 * @typedef {import("node:http").ServerResponse} Outgoing
 */

const WIRES = {
  "/v1/messages": "anthropic",
  "/v1/chat/completions": "openai-chat",
  "/chat/completions": "openai-chat",
  "/v1/responses": "openai-responses",
  "/responses": "openai-responses",
};

const MODELS = ["claude-opus-4-8", "claude-sonnet-5", "claude-haiku-4-5", "gpt-5.5", "gpt-5.5-codex"];

/** @type {typeof import("./index.mjs").startProvider} */
export async function startProvider(options = {}) {
  const script = options.script ?? [];
  const list = typeof script === "function" ? [] : [...script];
  /** @type {Seen[]} */
  const requests = [];
  /** @type {Seen[]} */
  const calls = [];
  /** @type {Set<Seen>} */
  const handedOut = new Set();
  /** @type {Map<string, number>} */
  const ids = new Map();
  /** @param {string} prefix */
  const newId = (prefix) => {
    const number = (ids.get(prefix) ?? 0) + 1;
    ids.set(prefix, number);
    return `${prefix}_${String(number).padStart(4, "0")}`;
  };
  const isAuxiliary = options.auxiliary ?? auxiliaryByDefault;
  const seenAnything = new EventEmitter();
  seenAnything.setMaxListeners(0);

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch((error) => {
      // A script that throws is a mistake in the test: the client sees it in the answer.
      if (!outgoing.headersSent) outgoing.writeHead(500, { "x-should-retry": "false" });
      outgoing.end(
        JSON.stringify({ type: "error", error: { type: "script_error", message: String(error) } }),
      );
    });
  });
  server.keepAliveTimeout = 60_000;
  server.requestTimeout = 0;

  /** @param {Incoming} incoming @param {Outgoing} outgoing */
  async function serve(incoming, outgoing) {
    const request = await read(incoming, outgoing, requests.length);
    requests.push(request);
    request.index = requests.length - 1;
    if (request.wire !== undefined) {
      request.auxiliary = isAuxiliary(request);
      if (!request.auxiliary) {
        request.call = calls.length;
        calls.push(request);
      }
    }
    seenAnything.emit("request", request);
    if (request.wire === undefined) return other(request, outgoing);
    const reply = request.auxiliary
      ? (options.auxiliaryReply ?? { text: '{"title":"A scripted title"}' })
      : await scripted(request);
    await answer(request, reply ?? {}, outgoing, newId);
  }

  /** @param {Seen} request */
  async function scripted(request) {
    const call = request.call ?? 0;
    return typeof script === "function" ? await script(request, call) : list[call];
  }

  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", () => resolve(undefined));
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;

  return Object.assign(seenAnything, {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    calls,
    /** @param {Reply[]} replies */
    add: (...replies) => void list.push(...replies),
    /** @param {{ timeoutMs?: number, where?: (request: Seen) => boolean }} [wanted] */
    next: ({ timeoutMs = 20_000, where } = {}) =>
      new Promise((resolve, reject) => {
        const fits = (/** @type {Seen} */ request) =>
          !handedOut.has(request) && (where ? where(request) : request.call !== undefined);
        const take = (/** @type {Seen} */ request) => {
          handedOut.add(request);
          clearTimeout(timer);
          seenAnything.off("request", look);
          resolve(request);
        };
        const look = (/** @type {Seen} */ request) => fits(request) && take(request);
        const timer = setTimeout(() => {
          seenAnything.off("request", look);
          reject(
            new Error(`the provider was not asked within ${timeoutMs} ms; ${calls.length} calls so far`),
          );
        }, timeoutMs);
        const waiting = requests.find(fits);
        if (waiting) take(waiting);
        else seenAnything.on("request", look);
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve(undefined));
        server.closeAllConnections();
      }),
  });
}

/** @param {Seen} request */
function auxiliaryByDefault(request) {
  const who = `${request.header("user-agent") ?? ""} ${request.header("originator") ?? ""}`;
  if (!/claude-cli|codex/i.test(who)) return false;
  const tools = request.body.tools;
  return !Array.isArray(tools) || tools.length === 0;
}

/** @param {Incoming} incoming @param {Outgoing} outgoing @param {number} index @returns {Promise<Seen>} */
async function read(incoming, outgoing, index) {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const raw = Buffer.concat(chunks);
  const text = raw.toString("utf8");
  const path = (incoming.url ?? "/").split("?")[0] ?? "/";
  const body = parsed(text);
  const messages = messagesOf(body);
  /** @type {[string, string][]} */
  const headers = [];
  for (let at = 0; at + 1 < incoming.rawHeaders.length; at += 2) {
    headers.push([incoming.rawHeaders[at] ?? "", incoming.rawHeaders[at + 1] ?? ""]);
  }
  const wire = incoming.method === "POST" ? WIRES[path] : undefined;
  /** @type {Seen} */
  const seen = {
    index,
    method: incoming.method ?? "GET",
    url: incoming.url ?? "/",
    path,
    headers,
    header: (name) => headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1],
    raw,
    text,
    body,
    messages,
    get outline() {
      return messages.map(outline);
    },
    ...(wire === undefined ? {} : { wire }),
    auxiliary: false,
    at: performance.now(),
    aborted: false,
    answered: false,
    closed: new Promise((resolve) => {
      outgoing.once("close", () => {
        seen.answered = outgoing.writableFinished;
        seen.aborted = !seen.answered;
        resolve(seen.answered ? "answered" : "aborted");
      });
    }),
  };
  return seen;
}

/** @param {string} text @returns {Record<string, unknown>} */
function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    // HEAD and GET have no body; a test of broken bodies looks at `raw`.
    return {};
  }
}

/** HEAD /, the list of models, counts of tokens. @param {Seen} request @param {Outgoing} outgoing */
function other(request, outgoing) {
  /** @param {number} status @param {unknown} [value] */
  const send = (status, value) => {
    outgoing.writeHead(status, { "content-type": "application/json" });
    outgoing.end(value === undefined ? undefined : JSON.stringify(value));
  };
  if (request.method === "HEAD") return send(200);
  if (request.path === "/v1/messages/count_tokens") {
    return send(200, { input_tokens: Math.ceil(request.text.length / 4) });
  }
  if (request.method === "GET" && request.path.endsWith("/models")) {
    if (request.header("anthropic-version") === undefined) {
      const data = MODELS.map((id) => ({ id, object: "model", created: 0, owned_by: "scripted" }));
      return send(200, { object: "list", data });
    }
    const created_at = "2026-01-01T00:00:00Z";
    const data = MODELS.map((id) => ({ type: "model", id, display_name: id, created_at }));
    return send(200, { data, has_more: false, first_id: MODELS[0], last_id: MODELS.at(-1) });
  }
  return send(404, { type: "error", error: { type: "not_found_error", message: `No ${request.path}` } });
}

/** @param {Seen} request @param {Reply} reply @param {Outgoing} outgoing @param {(prefix: string) => string} newId */
async function answer(request, reply, outgoing, newId) {
  if (reply.hang === true) return;
  await reply.after;
  const requestId = newId("req");
  const headers = { "request-id": requestId, "x-request-id": requestId, ...reply.headers };
  if (reply.raw) {
    outgoing.writeHead(reply.raw.status ?? 200, { ...headers, ...reply.raw.headers });
    outgoing.end(reply.raw.body);
    return;
  }
  if (reply.error !== undefined) {
    const error = definiteError(reply.error);
    outgoing.writeHead(error.status, { "content-type": "application/json", ...headers, ...error.headers });
    const body = request.wire === "anthropic" ? anthropic.errorBody(error, requestId) : chat.errorBody(error);
    outgoing.end(JSON.stringify(body));
    return;
  }
  const spoken = say(request, reply, newId);
  if (request.body.stream !== true) {
    await pause(reply.delayMs, outgoing);
    outgoing.writeHead(200, { "content-type": "application/json", ...headers });
    outgoing.end(JSON.stringify(spoken.whole()));
    return;
  }
  outgoing.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    ...headers,
  });
  outgoing.flushHeaders();
  await stream(spoken, reply, outgoing);
}

/** @param {ReturnType<typeof say>} spoken @param {Reply} reply @param {Outgoing} outgoing */
async function stream(spoken, reply, outgoing) {
  const errorAt = reply.streamError ? (reply.streamError.after ?? 3) : undefined;
  let sent = 0;
  for (const event of spoken.events()) {
    if (typeof reply.hang === "number" && sent >= reply.hang) return;
    if (reply.cutAfter !== undefined && sent >= reply.cutAfter) {
      outgoing.destroy();
      return;
    }
    if (reply.streamError && errorAt !== undefined && sent >= errorAt) {
      outgoing.end(spoken.error(reply.streamError));
      return;
    }
    await pause(reply.delayMs, outgoing);
    if (outgoing.destroyed) return;
    if (!outgoing.write(event)) await drained(outgoing);
    sent++;
  }
  outgoing.end();
}

/** @param {Seen} request @param {Reply} reply @param {(prefix: string) => string} newId */
function say(request, reply, newId) {
  const empty = !reply.text && !reply.thinking && !reply.tools?.length && !reply.blocks;
  const said = definite(empty ? { ...reply, text: "Done." } : reply, newId);
  const model = String(request.body.model ?? "scripted");
  const created = Math.floor(Date.now() / 1000);
  if (request.wire === "anthropic") {
    const facts = { id: newId("msg"), model };
    return {
      whole: () => anthropic.message(said, facts),
      events: () => anthropic.stream(said, facts),
      error: anthropic.streamError,
    };
  }
  if (request.wire === "openai-chat") {
    const asked = /** @type {{ include_usage?: boolean } | undefined} */ (request.body.stream_options);
    const facts = { id: newId("chatcmpl"), model, created };
    return {
      whole: () => chat.completion(said, facts),
      events: () => chat.stream(said, { ...facts, includeUsage: asked?.include_usage === true }),
      error: chat.streamError,
    };
  }
  const facts = { id: newId("r"), model, created, body: request.body };
  return {
    whole: () => responses.response(said, facts),
    events: () => responses.stream(said, facts),
    /** @param {NonNullable<Reply["streamError"]>} error */
    error: (error) => responses.streamError(error, facts),
  };
}

/** @param {number | undefined} ms @param {Outgoing} outgoing */
async function pause(ms, outgoing) {
  if (ms === undefined || ms <= 0) return;
  await new Promise((resolve) => {
    const timer = setTimeout(over, ms);
    outgoing.once("close", over);
    function over() {
      clearTimeout(timer);
      outgoing.off("close", over);
      resolve(undefined);
    }
  });
}

/** @param {Outgoing} outgoing */
function drained(outgoing) {
  return new Promise((resolve) => {
    const over = () => {
      outgoing.off("drain", over);
      outgoing.off("close", over);
      resolve(undefined);
    };
    outgoing.once("drain", over);
    outgoing.once("close", over);
  });
}
