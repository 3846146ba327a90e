/** Events in the order in which one reads them: what the model said before the tools that it called in the same answer. */
import type { AgentEvent } from "../events.ts";
import { agentOf, type Fields, isRecord, number } from "./fields.ts";
import type { EventBatches } from "./range.ts";

/** A tool may be held for as long as anybody likes while its answer is not complete. */
const MOST_WAITING = 5000;

export async function* inReadingOrder(batches: EventBatches): AsyncGenerator<AgentEvent[]> {
  const order = new Order();
  for await (const batch of batches) {
    const ready = batch.flatMap((event) => order.take(event));
    if (ready.length > 0) yield ready;
  }
  const rest = order.rest();
  if (rest.length > 0) yield rest;
}

class Order {
  /** Of each agent: the call that is not answered yet. */
  readonly #open = new Map<string, number>();
  #waiting: AgentEvent[] = [];
  /** Whose text goes before what waits. */
  #for: { agent: string; req: number; answered: boolean } | undefined;

  take(event: AgentEvent): AgentEvent[] {
    const data = isRecord(event.data) ? event.data : {};
    const ready = this.#for === undefined ? [] : this.#endsWait(event, data, this.#for);
    this.#note(event, data);
    if (this.#for === undefined && event.type === "tool_call_start") {
      const agent = agentOf(data);
      const req = this.#open.get(agent);
      if (req !== undefined) this.#for = { agent, req, answered: false };
    }
    if (this.#for === undefined) return ready.includes(event) ? ready : [...ready, event];
    this.#waiting.push(event);
    return this.#waiting.length > MOST_WAITING ? [...ready, ...this.rest()] : ready;
  }

  #endsWait(
    event: AgentEvent,
    data: Fields,
    wait: { agent: string; req: number; answered: boolean },
  ): AgentEvent[] {
    const isOfCall = number(data.req) === wait.req;
    if (event.type === "assistant_text" && isOfCall) return [event, ...this.rest()];
    if (wait.answered) return this.rest();
    if (event.type === "api_response" && isOfCall) wait.answered = true;
    const isOver =
      event.type === "session_end" ||
      (event.type === "api_error" && isOfCall) ||
      (event.type === "api_request" && agentOf(data) === wait.agent);
    return isOver ? this.rest() : [];
  }

  #note({ type }: AgentEvent, data: Fields): void {
    const req = number(data.req);
    if (type === "api_request" && req !== undefined && data.class !== "auxiliary")
      this.#open.set(agentOf(data), req);
    const isAnswer = type === "api_response" || type === "api_error" || type === "assistant_text";
    if (isAnswer && this.#open.get(agentOf(data)) === req) this.#open.delete(agentOf(data));
    if (type === "agent_end") this.#open.delete(agentOf(data));
  }

  /** All that waits, in its own order. */
  rest(): AgentEvent[] {
    this.#for = undefined;
    return this.#waiting.splice(0);
  }
}
