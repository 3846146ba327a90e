/** One call to a model: read, held as long as it must be, sent, and answered. */
import type { ModelCall, ModelDecision } from "../core/model.ts";
import { cutsOf, readRequest } from "../wire/request.ts";
import { errorEvent, syntheticAnswer } from "../wire/synthetic.ts";
import { Answering, forwarded, Unreadable } from "./answering.ts";
import type { Exchange, ProxyContext } from "./context.ts";
import { encodingsOf, unpackWhole } from "./encodings.ts";
import { type Failure, sendFailure, unreachable } from "./failure.ts";
import { CALL_HEADER } from "./headers.ts";
import { Holding, patienceOf } from "./holding.ts";
import { callKey } from "./identity.ts";
import { readBody } from "./request-body.ts";
import { bodyToSend, bodyWith, withLedger } from "./request-edits.ts";
import { newResults } from "./tool-results.ts";
import { serveUnread } from "./unread.ts";

const MAX_BODY_BYTES = 64 * 2 ** 20;
const CLIENT_CLOSED = { type: "client_closed", message: "the client closed the connection" };

export async function serveModelCall(context: ProxyContext, exchange: Exchange): Promise<void> {
  const { request } = exchange;
  const most = context.maxBodyBytes ?? MAX_BODY_BYTES;
  const body = await readBody(request, most);
  if ("tooLong" in body)
    return serveUnread(context, exchange, {
      head: body.tooLong,
      what: `a request of more than ${most / 2 ** 20} MB`,
    });
  const encodings = encodingsOf(request.headers["content-encoding"]);
  let plain: Buffer;
  try {
    plain = await unpackWhole(body.whole, encodings, most);
  } catch (thrown) {
    const what = `a request in the encoding ${encodings.join(", ")} (${(thrown as Error).message})`;
    return serveUnread(context, exchange, { head: [body.whole], what });
  }
  await new Served(context, exchange, { bytes: body.whole, text: plain.toString("utf8") }).serve();
}

interface Body {
  /** As it came, compressed if it was. */
  bytes: Buffer;
  text: string;
}

class Served {
  readonly #context: ProxyContext;
  readonly #exchange: Exchange;
  readonly #bytes: Buffer;
  readonly #text: string;
  readonly #call: ModelCall;
  readonly #holding: Holding;

  constructor(context: ProxyContext, exchange: Exchange, { bytes, text }: Body) {
    const { request, response, route } = exchange;
    const { wire } = route;
    this.#context = context;
    this.#exchange = exchange;
    this.#bytes = bytes;
    this.#text = text;
    const asked = readRequest(wire, this.#text);
    const identity = context.identities.of(request.headers, asked, route);
    const shown = withLedger(context.bridge, { ...identity, wire, body: this.#text });
    const isEdited = shown !== this.#text;
    this.#call = {
      key: callKey(identity.agent, this.#text),
      ...identity,
      provider: exchange.upstream.base.host,
      request: isEdited ? readRequest(wire, shown) : asked,
      ...(isEdited && { asked: { body: this.#text, cuts: asked.cuts ?? [] } }),
      changed: (changes) =>
        readRequest(wire, bodyWith(context.bridge, { ...identity, wire, body: this.#text }, changes)),
    };
    const { keepAliveAfterMs = patienceOf(exchange.request.headers) } = context;
    this.#holding = new Holding(response, wire, asked.stream, { ...context, keepAliveAfterMs });
    if (identity.class === "main" || identity.class === "subagent")
      for (const outcome of newResults(asked)) context.bridge.afterTool(outcome, identity.agent);
  }

  async serve(): Promise<void> {
    const { bridge } = this.#context;
    const { gone } = this.#exchange;
    let decision: ModelDecision;
    try {
      decision = await this.#holding.during(bridge.beforeModel(this.#call, gone));
    } catch (thrown) {
      if (gone.aborted) return; // the stop waits for the client's next try
      throw thrown;
    }
    if (gone.aborted) bridge.modelFailed(decision.req, CLIENT_CLOSED);
    else if (decision.do === "send") await this.#send(decision);
    else if (decision.do === "answer") this.#answer(decision);
    else
      this.#fail(decision.req, {
        status: 400,
        type: "invalid_request_error",
        message: decision.message,
        retry: false,
      });
  }

  async #send(decision: ModelDecision & { do: "send" }): Promise<void> {
    const { bridge } = this.#context;
    const { upstream, request, path, gone, route } = this.#exchange;
    const { req } = decision;
    const asked = { wire: route.wire, agent: this.#call.agent, class: this.#call.class, body: this.#text };
    const sent = bodyToSend(bridge, asked, decision);
    const isEdited = sent !== this.#text;
    if (isEdited) bridge.requestEdited(req, sent, cutsOf(sent));
    const body = isEdited ? Buffer.from(sent) : this.#bytes;
    const began = performance.now();
    try {
      const { method = "POST" } = request;
      const numbered = this.#context.numbersCalls ? [CALL_HEADER, String(req)] : [];
      const rawHeaders = [...request.rawHeaders, ...numbered];
      const outgoing = { method, path, rawHeaders, plain: isEdited, signal: gone };
      const answer = await upstream.send(outgoing, body);
      const { agent } = this.#call;
      const { stream } = this.#call.request;
      const answered = { req, agent, answer, began, stream, holding: this.#holding };
      await new Answering(this.#context, this.#exchange, answered).pass();
    } catch (thrown) {
      if (gone.aborted) bridge.modelFailed(req, { ...CLIENT_CLOSED, durationMs: performance.now() - began });
      else if (thrown instanceof Unreadable)
        this.#fail(req, { status: 502, type: "api_error", message: thrown.message, retry: false });
      else this.#fail(req, unreachable(upstream.base, thrown));
    }
  }

  #answer({ req, text }: ModelDecision & { do: "answer" }): void {
    const { response, route } = this.#exchange;
    const { stream } = this.#call.request;
    const body = syntheticAnswer(route.wire, this.#call.request, req, text);
    if (!response.headersSent)
      response.writeHead(200, {
        "content-type": stream ? "text/event-stream; charset=utf-8" : "application/json",
      });
    response.end(body);
    this.#context.bridge.afterModel(
      req,
      { parts: [{ kind: "text", text }], stopReason: "end_turn", model: this.#call.request.model },
      { durationMs: 0, status: 200 },
    );
  }

  #fail(req: number, failure: Failure): void {
    const { response, route } = this.#exchange;
    const { status, type, message } = failure;
    const { stream } = this.#call.request;
    if (!this.#holding.early) sendFailure(response, route.wire, failure);
    else if (stream) response.end(errorEvent(route.wire, "", type, message));
    else response.destroy();
    this.#context.bridge.modelFailed(req, {
      status,
      type,
      message,
      ...(this.#holding.early && { forwardedAs: forwarded(stream) }),
    });
  }
}
