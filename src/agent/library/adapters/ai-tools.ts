/** Tool calls in an answer that the AI SDK reads: decided before it runs them. */
import type { Bridge } from "../../core/bridge.ts";
import type { Part } from "../../core/model.ts";
import { cancelText, type Ruling } from "../../wire/gates/gate.ts";
import { errorFacts } from "../outcomes.ts";
import { answerOf, type Fields, fields, inputOf } from "./ai-prompt.ts";

type ToolPart = Part & { kind: "tool_call" };
export type ToolRuling = (tool: ToolPart) => Promise<Ruling>;

/** Calls that the provider runs itself are over. */
function toolOf(part: Fields): ToolPart | undefined {
  if (part.type !== "tool-call" || part.providerExecuted === true) return undefined;
  const { toolCallId, toolName, input } = part;
  return { kind: "tool_call", id: String(toolCallId), name: String(toolName), input: inputOf(input) };
}

export async function ruledContent(
  content: readonly unknown[],
  finishReason: unknown,
  rule: ToolRuling,
): Promise<{ content: unknown[]; finishReason: unknown }> {
  const ruled: unknown[] = [];
  let calls = 0;
  let left = 0;
  for (const part of content) {
    const tool = toolOf(fields(part));
    if (!tool) {
      ruled.push(part);
      continue;
    }
    calls++;
    const ruling = await rule(tool);
    if (ruling.do === "run") left++;
    ruled.push(ruledCall(fields(part), tool, ruling));
  }
  return { content: ruled, finishReason: calls > 0 && left === 0 ? "stop" : finishReason };
}

function ruledCall(part: Fields, tool: ToolPart, ruling: Ruling): Fields {
  if (ruling.do === "cancel") return { type: "text", text: cancelText(tool, ruling.reason) };
  return ruling.edited ? { ...part, input: JSON.stringify(ruling.input) } : part;
}

interface Heard {
  core: Bridge;
  req: number;
  began: number;
  rule: ToolRuling | undefined;
}

/** Pieces of a call's input are kept back until the call is decided. */
export function ruledStream(source: ReadableStream<unknown>, heard: Heard): ReadableStream<unknown> {
  const reader = source.getReader();
  const reading = new StreamReading(heard);
  return new ReadableStream({
    async pull(controller) {
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) {
            reading.end(undefined);
            controller.close();
            return;
          }
          const parts = await reading.take(fields(value));
          for (const part of parts) controller.enqueue(part);
          if (parts.length > 0) return;
        }
      } catch (thrown) {
        reading.end(thrown);
        controller.error(thrown);
      }
    },
    async cancel(reason) {
      reading.end(reason ?? new Error("the agent stopped reading"));
      await reader.cancel(reason);
    },
  });
}

class StreamReading {
  readonly #heard: Heard;
  readonly #parts: Part[] = [];
  readonly #texts = new Map<string, { kind: "text" | "thinking"; text: string }>();
  readonly #held = new Map<string, Fields[]>();
  #response: Fields = {};
  #finish: Fields = {};
  #firstMs: number | undefined;
  #error: unknown;
  #calls = 0;
  #left = 0;
  #over = false;

  constructor(heard: Heard) {
    this.#heard = heard;
  }

  /** What goes on to the SDK now. */
  async take(part: Fields): Promise<Fields[]> {
    this.#firstMs ??= performance.now() - this.#heard.began;
    this.#read(part);
    const { rule } = this.#heard;
    if (!rule) return [part];
    const { type, id } = part;
    if (type === "tool-input-start" && part.providerExecuted !== true) {
      this.#held.set(String(id), [part]);
      return [];
    }
    const held = typeof id === "string" ? this.#held.get(id) : undefined;
    if (held) {
      held.push(part);
      return [];
    }
    if (type === "finish") return [this.#ended(part)];
    const tool = toolOf(part);
    return tool ? this.#call(part, tool, await rule(tool)) : [part];
  }

  #call(part: Fields, tool: ToolPart, ruling: Ruling): Fields[] {
    const pieces = this.#held.get(tool.id) ?? [];
    this.#held.delete(tool.id);
    this.#calls++;
    if (ruling.do === "cancel") {
      const id = `cancelled ${tool.id}`;
      return [
        { type: "text-start", id },
        { type: "text-delta", id, delta: cancelText(tool, ruling.reason) },
        { type: "text-end", id },
      ];
    }
    this.#left++;
    if (!ruling.edited) return [...pieces, part];
    const input = JSON.stringify(ruling.input);
    const [start] = pieces;
    const told = start
      ? [
          start,
          { type: "tool-input-delta", id: tool.id, delta: input },
          { type: "tool-input-end", id: tool.id },
        ]
      : [];
    return [...told, { ...part, input }];
  }

  #ended(finish: Fields): Fields {
    return this.#calls > 0 && this.#left === 0 ? { ...finish, finishReason: "stop" } : finish;
  }

  #read(part: Fields): void {
    const { type } = part;
    if (type === "text-delta" || type === "reasoning-delta")
      this.#say(type === "text-delta" ? "text" : "thinking", part);
    else if (type === "response-metadata") this.#response = part;
    else if (type === "finish") this.#finish = part;
    else if (type === "error") this.#error = part.error;
    const tool = toolOf(part);
    if (tool) this.#parts.push(tool);
  }

  #say(kind: "text" | "thinking", { id, delta }: Fields): void {
    const key = `${kind} ${String(id)}`;
    const known = this.#texts.get(key);
    if (known) known.text += String(delta);
    else {
      const part = { kind, text: String(delta) };
      this.#texts.set(key, part);
      this.#parts.push(part);
    }
  }

  end(thrown: unknown): void {
    if (this.#over) return;
    this.#over = true;
    const { core, req, began } = this.#heard;
    const durationMs = performance.now() - began;
    const error = thrown ?? this.#error;
    if (error !== undefined) core.modelFailed(req, { ...errorFacts(error), durationMs });
    else {
      const first = this.#firstMs === undefined ? {} : { firstMs: this.#firstMs };
      core.afterModel(req, answerOf(this.#parts, { ...this.#finish, response: this.#response }), {
        durationMs,
        ...first,
      });
    }
  }
}
