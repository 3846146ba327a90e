/** A model's answer on its way to an SDK: read, recorded, and its tool calls decided before the SDK sees them. */
import type { ModelAnswer, ToolCall } from "../../core/model.ts";
import { answerReader, readAnswer } from "../../wire/answers/index.ts";
import type { SseEvent, ToolPart } from "../../wire/answers/reader.ts";
import { editAnswer, toolsIn } from "../../wire/edit-answer.ts";
import type { GateStep, Ruling } from "../../wire/gates/gate.ts";
import { toolGate } from "../../wire/gates/index.ts";
import { EventCutter, SseDecoder } from "../../wire/sse.ts";
import type { Inside } from "../live.ts";
import { errorFacts } from "../outcomes.ts";
import type { Call } from "./call.ts";

export async function heard(inside: Inside, call: Call, response: Response): Promise<Response> {
  const { core } = inside;
  const { req, wire } = call;
  const contentType = response.headers.get("content-type") ?? "";
  if (!response.ok) {
    const body = await response.text();
    core.modelFailed(req, { ...providerError(body, response.status), body, contentType, ...took(call) });
    return remade(body, response);
  }
  if (contentType.includes("event-stream") && response.body)
    return remade(new HeardStream(inside, call, response).body(response.body), response);
  const body = await response.text();
  const facts = { status: response.status, contentType, ...raw(inside, Buffer.from(body)), ...took(call) };
  const answer = readAnswer(wire, body);
  if (answer) core.afterModel(req, answer, facts);
  else if (call.class === "auxiliary") core.afterModel(req, NOTHING_SAID, facts);
  else
    core.modelFailed(req, {
      type: "unreadable",
      message: "the answer could not be read",
      body,
      ...took(call),
    });
  if (call.options.tools === false) return remade(body, response);
  const rulings = await rule(inside, call, toolsIn(wire, body));
  return remade(editAnswer(wire, body, rulings), response);
}

const NOTHING_SAID: ModelAnswer = { parts: [], stopReason: "" };

function took({ began }: Call): { durationMs: number } {
  return { durationMs: performance.now() - began };
}

/** `said`: of a stream, what it says taken together. */
function raw({ log }: Inside, bytes: Buffer, said?: unknown) {
  const blob = said === undefined ? log.storeRaw(bytes) : log.storeAnswer(bytes, said);
  return blob === undefined ? {} : { raw: blob };
}

/** `fetch` has unpacked the body already. */
function remade(
  body: string | ReadableStream<Uint8Array>,
  { status, statusText, headers: given }: Response,
): Response {
  const headers = new Headers(given);
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(body, { status, statusText, headers });
}

function providerError(body: string, status: number) {
  const { type, message } = inner(body);
  return {
    status,
    type: typeof type === "string" ? type : `http_${status}`,
    message: typeof message === "string" ? message : body.slice(0, 1000),
  };
}

function inner(body: string): { type?: unknown; message?: unknown } {
  try {
    const { error } = JSON.parse(body) as { error?: object };
    return error ?? {};
  } catch {
    return {}; // a page of a gateway
  }
}

/** One after the other, in the order in which the model asked. */
async function rule({ core }: Inside, { agent, req }: Call, tools: readonly ToolPart[]): Promise<Ruling[]> {
  const rulings: Ruling[] = [];
  for (const { id, name, input } of tools) {
    const call: ToolCall = { id, name, input, agent, req, source: "proxy" };
    rulings.push(await core.beforeTool(call));
  }
  return rulings;
}

/** Longer answers are recorded without their bytes. */
const MOST_RAW_BYTES = 64 * 1024 * 1024;

class HeardStream {
  readonly #inside: Inside;
  readonly #call: Call;
  readonly #facts: { status: number; contentType: string };
  readonly #reader;
  readonly #gate;
  readonly #cutter = new EventCutter();
  readonly #decoder;
  readonly #chunks: Buffer[] = [];
  #events: SseEvent[] = [];
  #bytes = 0;
  #firstMs: number | undefined;
  #over = false;

  constructor(inside: Inside, call: Call, { status, headers }: Response) {
    this.#inside = inside;
    this.#call = call;
    this.#facts = { status, contentType: headers.get("content-type") ?? "" };
    this.#reader = answerReader(call.wire);
    this.#gate = call.options.tools === false ? undefined : toolGate(call.wire);
    this.#decoder = new SseDecoder((event) => this.#events.push(event));
  }

  body(source: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const pieces = this.#pieces(source);
    return new ReadableStream({
      pull: async (controller) => {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        this.#end(new Error("the agent stopped reading"));
        await pieces.return(undefined);
      },
    });
  }

  async *#pieces(source: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    const reading = source.getReader();
    try {
      for (;;) {
        const { done, value } = await reading.read();
        if (done) break;
        this.#keep(value);
        for (const raw of this.#cutter.push(Buffer.from(value))) yield* this.#event(raw);
      }
      const rest = this.#cutter.rest();
      if (rest.length > 0) yield* this.#event(rest);
      yield* this.#gate?.end() ?? [];
      this.#end(undefined);
    } catch (thrown) {
      this.#end(thrown);
      throw thrown;
    } finally {
      reading.cancel().catch(() => {}); // it has failed or ended already
    }
  }

  #keep(value: Uint8Array): void {
    this.#firstMs ??= performance.now() - this.#call.began;
    this.#bytes += value.length;
    if (this.#bytes <= MOST_RAW_BYTES) this.#chunks.push(Buffer.from(value));
  }

  async *#event(raw: Buffer): AsyncGenerator<Uint8Array, void> {
    this.#decoder.feed(raw);
    const [event] = this.#events.splice(0);
    const tools = event ? this.#reader.read(event) : [];
    if (!this.#gate) {
      yield raw;
      return;
    }
    yield* this.#steps(this.#gate.take({ raw, tools, ...(event ? { event } : {}) }));
  }

  async *#steps(steps: readonly GateStep[]): AsyncGenerator<Uint8Array, void> {
    for (const step of steps) {
      if ("pass" in step) yield step.pass;
      else yield* this.#steps(this.#gate?.settle(await rule(this.#inside, this.#call, step.ask)) ?? []);
    }
  }

  /** Once: at its end, when it fails, or when nobody wants it any more. */
  #end(thrown: unknown): void {
    if (this.#over) return;
    this.#over = true;
    const { core } = this.#inside;
    const { req } = this.#call;
    const error = thrown === undefined ? this.#reader.error : errorFacts(thrown);
    const durationMs = performance.now() - this.#call.began;
    if (error) {
      core.modelFailed(req, { ...error, durationMs });
      return;
    }
    const answer = this.#reader.answer();
    const bytes = Buffer.concat(this.#chunks);
    const kept = this.#bytes <= MOST_RAW_BYTES ? raw(this.#inside, bytes, answer.parts) : {};
    const first = this.#firstMs === undefined ? {} : { firstMs: this.#firstMs };
    core.afterModel(req, answer, { ...this.#facts, durationMs, ...first, ...kept });
  }
}
