/** A provider's answer on its way to the client: unchanged, unless a tool call in it is changed; read beside, and reported. */
import type { IncomingMessage } from "node:http";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import type { AgentRef, ModelAnswer } from "../core/model.ts";
import { answerReader, readAnswer } from "../wire/answers/index.ts";
import type { ToolPart } from "../wire/answers/reader.ts";
import { editAnswer, toolsIn } from "../wire/edit-answer.ts";
import { fields, parse, text } from "../wire/fields.ts";
import type { Ruling } from "../wire/gates/gate.ts";
import { toolGate } from "../wire/gates/index.ts";
import { SseDecoder } from "../wire/sse.ts";
import { errorEvent } from "../wire/synthetic.ts";
import { AnswerStream, TooLate } from "./answer-stream.ts";
import type { Exchange, ProxyContext } from "./context.ts";
import { responseHeaders } from "./headers.ts";
import type { Holding } from "./holding.ts";
import { KeptBytes } from "./kept-bytes.ts";
import { chunksOf } from "./read-ahead.ts";

export interface Answered {
  req: number;
  agent: AgentRef;
  answer: IncomingMessage;
  /** When the request was sent, by performance.now(). */
  began: number;
  holding: Holding;
  /** Whether the client asked for a stream. */
  stream: boolean;
}

export class Answering {
  readonly #context: ProxyContext;
  readonly #exchange: Exchange;
  readonly #answered: Answered;
  readonly #kept = new KeptBytes();
  #firstMs: number | undefined;

  constructor(context: ProxyContext, exchange: Exchange, answered: Answered) {
    this.#context = context;
    this.#exchange = exchange;
    this.#answered = answered;
  }

  /** Rejects if the connection breaks on either side before anything was sent. */
  async pass(): Promise<void> {
    const { answer } = this.#answered;
    const status = answer.statusCode ?? 502;
    const encoding = answer.headers["content-encoding"] ?? "identity";
    if (status < 200 || status >= 300) return this.#passError(status);
    if (encoding !== "identity") return this.#passEncoded(encoding);
    return this.#isStream ? this.#passStream() : this.#passWhole();
  }

  get #isStream(): boolean {
    return /^text\/event-stream\b/i.test(this.#answered.answer.headers["content-type"] ?? "");
  }

  /** Whether a call may have to be kept back in what comes. */
  readonly #watches = (): boolean => {
    const { bridge, hooks } = this.#context;
    return !hooks?.live && bridge.watchesTools(this.#answered.agent);
  };

  readonly #decide = async ({ id, name, input }: ToolPart): Promise<Ruling> => {
    const { bridge, hooks } = this.#context;
    if (hooks?.live) return { do: "run", input, edited: false };
    const { agent, req, holding } = this.#answered;
    const call = { id, name, input, agent, req, source: "proxy" as const };
    const decision = await holding.during(bridge.beforeTool(call, this.#exchange.gone));
    if (decision.do === "cancel") return { do: "cancel", reason: decision.reason };
    return { do: "run", input: decision.input, edited: decision.edited };
  };

  async #passStream(): Promise<void> {
    const { answer, req } = this.#answered;
    const { wire } = this.#exchange.route;
    const { ring } = this.#context;
    this.#begin(null);
    const reader = answerReader(wire);
    const stream = new AnswerStream({
      reader,
      gate: toolGate(wire),
      seen: (event) => ring.add(req, event),
      watches: this.#watches,
      decide: this.#decide,
      write: (bytes) => this.#write(bytes),
    });
    let endedAt = performance.now();
    try {
      for await (const chunk of chunksOf(answer)) {
        this.#note(chunk);
        await stream.push(chunk);
      }
      endedAt = performance.now();
      await stream.end();
    } catch (thrown) {
      return this.#breakOff(thrown);
    }
    this.#exchange.response.end();
    if (reader.error) this.#failed(reader.error, answer.statusCode);
    else this.#succeeded(reader.answer(), endedAt);
  }

  async #passWhole(): Promise<void> {
    const { answer, holding } = this.#answered;
    const { route } = this.#exchange;
    const held: Buffer[] | undefined = this.#watches() ? [] : undefined;
    if (!held) this.#begin(undefined);
    try {
      for await (const chunk of chunksOf(answer)) {
        this.#note(chunk);
        if (held) held.push(chunk);
        else await this.#write(chunk);
      }
      const endedAt = performance.now();
      const bytes = held ? Buffer.concat(held) : this.#kept.bytes();
      const body = bytes?.toString("utf8") ?? "";
      const rulings: Ruling[] = [];
      for (const tool of toolsIn(route.wire, body)) rulings.push(await this.#decide(tool));
      if (held) {
        const edited = editAnswer(route.wire, body, rulings);
        const out = edited === body && bytes ? bytes : Buffer.from(edited);
        this.#begin(holding.early ? null : out.length);
        await this.#write(out);
      }
      this.#exchange.response.end();
      this.#succeeded(readAnswer(route.wire, body) ?? { parts: [], stopReason: "" }, endedAt);
    } catch (thrown) {
      this.#breakOff(thrown);
    }
  }

  /** Asked not to, the provider has compressed its answer. It passes as it is, and is read in the end. */
  async #passEncoded(encoding: string): Promise<void> {
    const { answer } = this.#answered;
    const { wire } = this.#exchange.route;
    this.#begin(undefined);
    try {
      for await (const chunk of chunksOf(answer)) {
        this.#note(chunk);
        await this.#write(chunk);
      }
    } catch (thrown) {
      return this.#breakOff(thrown);
    }
    this.#exchange.response.end();
    const body = decoded(encoding, this.#kept.bytes());
    if (body === undefined) return this.#succeeded({ parts: [], stopReason: "" }, performance.now());
    if (!this.#isStream)
      return this.#succeeded(
        readAnswer(wire, body.toString()) ?? { parts: [], stopReason: "" },
        performance.now(),
      );
    const reader = answerReader(wire);
    new SseDecoder((event) => reader.read(event)).feed(body);
    this.#succeeded(reader.answer(), performance.now());
  }

  /** An error goes on as it is: clients go by its status, its headers and its words. */
  async #passError(status: number): Promise<void> {
    const { answer, holding } = this.#answered;
    const { response, route } = this.#exchange;
    if (!holding.early) this.#begin(undefined);
    try {
      for await (const chunk of chunksOf(answer)) {
        this.#note(chunk);
        if (!holding.early) await this.#write(chunk);
      }
    } catch (thrown) {
      return this.#breakOff(thrown);
    }
    const body = this.#kept.bytes()?.toString("utf8") ?? "";
    const error = fields(fields(parse(body)).error);
    const type = text(error.type) || text(error.code) || `http_${status}`;
    const message = text(error.message) || answer.statusMessage || `status ${status}`;
    if (holding.early)
      response.end(this.#answered.stream ? errorEvent(route.wire, body, type, message) : body);
    else response.end();
    this.#failed({ type, message, body }, status);
  }

  /** `length`: see responseHeaders. */
  #begin(length: number | null | undefined): void {
    const { response } = this.#exchange;
    const { answer } = this.#answered;
    if (response.headersSent) return;
    response.sendDate = false;
    const headers = responseHeaders(answer.rawHeaders, length);
    response.writeHead(answer.statusCode ?? 200, answer.statusMessage ?? "", headers);
    response.flushHeaders();
  }

  #note(chunk: Buffer): void {
    this.#firstMs ??= performance.now() - this.#answered.began;
    this.#kept.add(chunk);
  }

  #write(bytes: Buffer): void | Promise<void> {
    const { response, gone } = this.#exchange;
    if (gone.aborted) throw gone.reason;
    if (response.write(bytes)) return;
    return new Promise((resolve, reject) => {
      const drained = () => {
        gone.removeEventListener("abort", left);
        resolve();
      };
      const left = () => {
        response.off("drain", drained);
        reject(gone.reason);
      };
      response.once("drain", drained);
      gone.addEventListener("abort", left, { once: true });
    });
  }

  #succeeded(answer: ModelAnswer, endedAt: number): void {
    const { bridge, log } = this.#context;
    const { req, began, answer: response } = this.#answered;
    const bytes = this.#kept.bytes();
    const raw = bytes && log.storeRaw(bytes);
    const contentType = response.headers["content-type"];
    bridge.afterModel(req, answer, {
      ...(this.#firstMs !== undefined && { firstMs: rounded(this.#firstMs) }),
      durationMs: rounded(endedAt - began),
      ...(response.statusCode !== undefined && { status: response.statusCode }),
      ...(contentType !== undefined && { contentType }),
      ...(raw && { raw }),
    });
  }

  #failed({ type, message, body }: { type: string; message: string; body?: string }, status?: number): void {
    const { req, began, answer, holding } = this.#answered;
    const contentType = answer.headers["content-type"];
    this.#context.bridge.modelFailed(req, {
      type,
      message,
      ...(status !== undefined && { status }),
      ...(body !== undefined && { body }),
      ...(contentType !== undefined && { contentType }),
      ...(holding.early && { forwardedAs: "an error in the stream" }),
      durationMs: rounded(performance.now() - began),
    });
  }

  /** The client sees what we see: a connection that ends in the middle. */
  #breakOff(thrown: unknown): void {
    const { response, gone, route } = this.#exchange;
    this.#answered.answer.destroy();
    if (gone.aborted) this.#failed({ type: "client_closed", message: "the client closed the connection" });
    else if (thrown instanceof TooLate) {
      response.end(errorEvent(route.wire, "", "api_error", `sonde: ${thrown.message}`));
      this.#failed({ type: "cancelled", message: thrown.message });
    } else {
      response.destroy();
      this.#failed({
        type: "connection_lost",
        message: `the answer broke off: ${(thrown as Error).message}`,
      });
    }
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function decoded(encoding: string, bytes: Buffer | undefined): Buffer | undefined {
  if (!bytes) return undefined;
  try {
    if (encoding === "gzip") return gunzipSync(bytes);
    if (encoding === "br") return brotliDecompressSync(bytes);
    return encoding === "deflate" ? inflateSync(bytes) : undefined;
  } catch {
    return undefined; // it passed as it came; only the record of it is empty
  }
}
