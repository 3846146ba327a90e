/** A provider's answer on its way to the client: unchanged, unless a tool call in it is changed; read beside, and reported. */
import type { IncomingMessage } from "node:http";
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
import { canUnpack, encodingsOf, unpacked, unpackWhole } from "./encodings.ts";
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

/** It cannot be passed on, because it cannot be read. */
export class Unreadable extends Error {}

const NOTHING: ModelAnswer = { parts: [], stopReason: "" };
/** For the record only. */
const MOST_UNPACKED = 64 * 2 ** 20;

export class Answering {
  readonly #context: ProxyContext;
  readonly #exchange: Exchange;
  readonly #answered: Answered;
  readonly #kept = new KeptBytes();
  /** Those that are undone on the way. */
  #encodings: readonly string[] = [];
  #firstMs: number | undefined;

  constructor(context: ProxyContext, exchange: Exchange, answered: Answered) {
    this.#context = context;
    this.#exchange = exchange;
    this.#answered = answered;
  }

  /** Rejects if the connection breaks on either side before anything was sent, or if it cannot be read and must be: `Unreadable`. */
  async pass(): Promise<void> {
    const { answer } = this.#answered;
    const status = answer.statusCode ?? 502;
    if (status < 200 || status >= 300) return this.#passError(status);
    const encodings = encodingsOf(answer.headers["content-encoding"]);
    // What was begun early was begun without an encoding.
    if (encodings.length > 0 && !this.#watches() && !this.#answered.holding.early) return this.#passPacked();
    if (!canUnpack(encodings)) throw this.#unreadable(encodings);
    this.#encodings = encodings;
    return this.#isStream ? this.#passStream() : this.#passWhole();
  }

  #unreadable(encodings: readonly string[]): Unreadable {
    this.#answered.answer.destroy();
    const problem = `an answer in the encoding ${encodings.join(", ")} cannot be read here`;
    this.#context.log.append("error", { message: `${problem}: it was not passed on`, context: "proxy" });
    return new Unreadable(
      `sonde: ${problem}. It was not passed on, because a breakpoint may apply to its tool calls.`,
    );
  }

  #chunks(): AsyncIterable<Buffer> {
    return unpacked(chunksOf(this.#answered.answer), this.#encodings);
  }

  get #isStream(): boolean {
    return /^text\/event-stream\b/i.test(this.#answered.answer.headers["content-type"] ?? "");
  }

  /** Whether a call may have to be kept back in what comes. */
  readonly #watches = (): boolean => {
    const { bridge, hooks } = this.#context;
    return !hooks?.live && bridge.watchesTools(this.#answered.agent);
  };

  readonly #decide = async ({ id, name, input, exact }: ToolPart): Promise<Ruling> => {
    const { bridge, hooks } = this.#context;
    if (hooks?.live) return { do: "run", input, edited: false };
    const { agent, req, holding } = this.#answered;
    const call = { id, name, input, exact, agent, req, source: "proxy" as const };
    const decision = await holding.during(bridge.beforeTool(call, this.#exchange.gone));
    if (decision.do === "cancel") return { do: "cancel", reason: decision.reason };
    return { do: "run", input: decision.input, exact: decision.exact, edited: decision.edited };
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
      for await (const chunk of this.#chunks()) {
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
    const { holding } = this.#answered;
    const { route } = this.#exchange;
    const held: Buffer[] | undefined = this.#watches() ? [] : undefined;
    if (!held) this.#begin(this.#encodings.length > 0 ? null : undefined);
    try {
      for await (const chunk of this.#chunks()) {
        this.#note(chunk);
        if (held) held.push(chunk);
        else await this.#write(chunk);
      }
      const endedAt = performance.now();
      const bytes = held ? Buffer.concat(held) : this.#kept.bytes();
      const body = bytes?.toString("utf8") ?? "";
      const rulings: Ruling[] = [];
      for (const tool of toolsIn(route.wire, body))
        if (held) rulings.push(await this.#decide(tool));
        else await this.#decidePassed(tool);
      if (held) {
        const edited = editAnswer(route.wire, body, rulings);
        const out = edited === body && bytes ? bytes : Buffer.from(edited);
        this.#begin(holding.early ? null : out.length);
        await this.#write(out);
      }
      this.#exchange.response.end();
      this.#succeeded(readAnswer(route.wire, body) ?? NOTHING, endedAt);
    } catch (thrown) {
      this.#breakOff(thrown);
    }
  }

  /** Asked not to, the provider has compressed its answer, and nobody watches: it passes as it is, and is read in the end. */
  async #passPacked(): Promise<void> {
    const { answer } = this.#answered;
    this.#begin(undefined);
    try {
      for await (const chunk of chunksOf(answer)) {
        this.#note(chunk);
        await this.#write(chunk);
      }
      const endedAt = performance.now();
      const { tools, said, error } = this.#read(await this.#unpackKept());
      for (const tool of tools) await this.#decidePassed(tool);
      this.#exchange.response.end();
      if (error) this.#failed(error, answer.statusCode);
      else this.#succeeded(said, endedAt);
    } catch (thrown) {
      this.#breakOff(thrown);
    }
  }

  /** An answer that is there as a whole. */
  #read(body: Buffer): { tools: ToolPart[]; said: ModelAnswer; error?: { type: string; message: string } } {
    const { wire } = this.#exchange.route;
    if (!this.#isStream) {
      const text = body.toString("utf8");
      return { tools: toolsIn(wire, text), said: readAnswer(wire, text) ?? NOTHING };
    }
    const reader = answerReader(wire);
    const tools: ToolPart[] = [];
    const decoder = new SseDecoder((event) => {
      this.#context.ring.add(this.#answered.req, event);
      tools.push(...reader.read(event));
    });
    decoder.feed(body);
    return { tools, said: reader.answer(), ...(reader.error && { error: reader.error }) };
  }

  /** The record is of what was said, not of how it was packed. */
  async #unpackKept(): Promise<Buffer> {
    const { answer } = this.#answered;
    const encodings = encodingsOf(answer.headers["content-encoding"]);
    const bytes = this.#kept.bytes();
    if (!bytes) return Buffer.alloc(0);
    try {
      const plain = await unpackWhole(bytes, encodings, MOST_UNPACKED);
      this.#kept.replace(plain);
      return plain;
    } catch (thrown) {
      this.#kept.replace(undefined);
      const message = `an answer in the encoding ${encodings.join(", ")} was passed on without being read: ${(thrown as Error).message}`;
      this.#context.log.append("error", { message, context: "proxy" });
      return Buffer.alloc(0);
    }
  }

  /** The client has the call already: it can be held still, but not changed. */
  async #decidePassed(tool: ToolPart): Promise<void> {
    const ruling = await this.#decide(tool);
    if (ruling.do === "cancel") throw new Error(`the call of tool ${tool.name} was cancelled`);
    if (ruling.edited) throw new Error(`the call of tool ${tool.name} was changed too late`);
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
    const body = (await this.#unpackKept()).toString("utf8");
    const error = fields(fields(parse(body)).error);
    const type = text(error.type) || text(error.code) || `http_${status}`;
    const message = text(error.message) || answer.statusMessage || `status ${status}`;
    if (!holding.early) response.end();
    else if (this.#answered.stream) response.end(errorEvent(route.wire, body, type, message));
    // An error under a status that says otherwise would be taken for an answer: a client tries again if the connection is lost.
    else response.destroy();
    this.#failed({ type, message, body }, status);
  }

  /** `length`: see responseHeaders. */
  #begin(length: number | null | undefined): void {
    const { response } = this.#exchange;
    const { answer } = this.#answered;
    if (response.headersSent) return;
    response.sendDate = false;
    const headers = responseHeaders(answer.rawHeaders, length, this.#encodings.length > 0);
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
    const raw = bytes && (this.#isStream ? log.storeAnswer(bytes, answer.parts) : log.storeRaw(bytes));
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
      ...(holding.early && { forwardedAs: forwarded(this.#answered.stream) }),
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

/** What becomes of an error for which it is too late: the answer was begun while the call was held. */
export function forwarded(stream: boolean): string {
  return stream ? "an error in the stream" : "a lost connection";
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
