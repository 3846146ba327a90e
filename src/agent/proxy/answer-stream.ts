/**
 * One streamed answer on its way to the client. While nobody watches tools, bytes pass as they come and are read beside; otherwise they are cut into events, and
 * tool calls are kept back until they are decided.
 */
import type { AnswerReader, SseEvent, ToolPart } from "../wire/answers/reader.ts";
import type { GateStep, Ruling, ToolGate } from "../wire/gates/gate.ts";
import { EventCutter, SseDecoder } from "../wire/sse.ts";

export interface StreamEnds {
  reader: AnswerReader;
  gate: ToolGate;
  /** Each event, as it was read. */
  seen(event: SseEvent): void;
  watches(): boolean;
  /** Waits for as long as the call is held. */
  decide(tool: ToolPart): Promise<Ruling>;
  /** Waits until the client takes more. */
  write(bytes: Buffer): void | Promise<void>;
}

/** The answer cannot go on: part of a call that must not run as it is has been passed already. */
export class TooLate extends Error {}

/** No model writes that much: what is longer is passed and no longer read, but for its end. */
const READ_BYTES = 16 * 2 ** 20;
/** Holds the last events of any stream. */
const END_BYTES = 64 * 2 ** 10;

export class AnswerStream {
  readonly #ends: StreamEnds;
  #decoder: SseDecoder;
  #passed = 0;
  /** The last pieces of a stream that is no longer read. */
  #unread: Buffer[] | undefined;
  #cutter: EventCutter | undefined;
  /** The last bytes that passed: whether an event ends there. */
  #tail: Buffer = Buffer.alloc(0);
  #inEvent = false;
  #event: SseEvent | undefined;
  #tools: ToolPart[] = [];

  constructor(ends: StreamEnds) {
    this.#ends = ends;
    this.#decoder = this.#newDecoder();
  }

  #newDecoder(): SseDecoder {
    const { seen, reader } = this.#ends;
    return new SseDecoder((event) => {
      this.#event = event;
      seen(event);
      const tools = reader.read(event);
      if (tools.length > 0) this.#tools.push(...tools);
    });
  }

  async push(bytes: Buffer): Promise<void> {
    if (!this.#cutter && !this.#ends.watches()) return this.#pass(bytes);
    this.#cutter ??= this.#beginCutting();
    for (const raw of this.#cutter.push(bytes)) await this.#take(raw);
    if (!this.#ends.watches() && !this.#ends.gate.busy) await this.#endCutting(this.#cutter);
  }

  /** The stream is over: what was kept back goes out as it came. */
  async end(): Promise<void> {
    for (const raw of this.#ends.gate.end()) await this.#ends.write(raw);
    if (this.#cutter) await this.#endCutting(this.#cutter);
    if (this.#unread) this.#readEnd(Buffer.concat(this.#unread));
  }

  async #pass(bytes: Buffer): Promise<void> {
    this.#passed += bytes.length;
    if (this.#passed > READ_BYTES) this.#skip(bytes);
    else {
      this.#decoder.feed(bytes);
      await this.#decidePassed();
    }
    this.#tail = bytes.length >= 4 ? bytes.subarray(-4) : Buffer.concat([this.#tail, bytes]).subarray(-4);
    await this.#ends.write(bytes);
  }

  #skip(bytes: Buffer): void {
    this.#unread ??= [];
    this.#unread.push(bytes);
    let more = this.#unread.reduce((sum, { length }) => sum + length, 0);
    while (more - (this.#unread[0]?.length ?? 0) >= END_BYTES) more -= this.#unread.shift()?.length ?? 0;
  }

  /** From the first event that is whole. */
  #readEnd(bytes: Buffer): void {
    const first = /\r?\n\r?\n/.exec(bytes.toString("latin1"));
    this.#decoder = this.#newDecoder();
    if (first) this.#decoder.feed(bytes.subarray(first.index + first[0].length));
  }

  /** Calls whose beginning has passed: they can be held still, but not changed. */
  async #decidePassed(): Promise<void> {
    if (this.#tools.length === 0) return;
    for (const tool of this.#tools.splice(0)) {
      const ruling = await this.#ends.decide(tool);
      if (ruling.do === "cancel") throw new TooLate(`the call of tool ${tool.name} was cancelled`);
      if (ruling.edited) throw new TooLate(`the call of tool ${tool.name} was changed too late`);
    }
  }

  #beginCutting(): EventCutter {
    const cutter = new EventCutter();
    if (this.#unread) this.#decoder = this.#newDecoder(); // what comes is read again
    this.#unread = undefined;
    this.#inEvent = this.#tail.length > 0 && !/(?:\n\n|\r\n\r\n|\r\r)$/.test(this.#tail.toString("latin1"));
    cutter.push(this.#tail);
    cutter.rest(); // those bytes have passed; the cutter now knows how a line ended
    return cutter;
  }

  async #endCutting(cutter: EventCutter): Promise<void> {
    const rest = cutter.rest();
    this.#cutter = undefined;
    this.#tail = Buffer.alloc(0);
    if (rest.length > 0) await this.#pass(rest);
  }

  async #take(raw: Buffer): Promise<void> {
    this.#event = undefined;
    this.#decoder.feed(raw);
    if (this.#inEvent) {
      this.#inEvent = false;
      await this.#decidePassed();
      return this.#ends.write(raw);
    }
    const event = this.#event as SseEvent | undefined;
    const steps = this.#ends.gate.take({ raw, ...(event && { event }), tools: this.#tools });
    if (this.#tools.length > 0 && !steps.some((step) => "ask" in step) && !this.#ends.gate.busy)
      await this.#decidePassed();
    this.#tools = [];
    await this.#carryOut(steps);
  }

  async #carryOut(steps: readonly GateStep[]): Promise<void> {
    for (const step of steps) {
      if ("pass" in step) {
        await this.#ends.write(step.pass);
        continue;
      }
      const rulings: Ruling[] = [];
      for (const tool of step.ask) rulings.push(await this.#ends.decide(tool));
      await this.#carryOut(this.#ends.gate.settle(rulings));
    }
  }
}
