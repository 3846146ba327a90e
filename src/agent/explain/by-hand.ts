/** What was held, and what a person did to the run. */
import type { AgentEvent } from "../events.ts";
import { RecentMap } from "./bounded.ts";
import type { Explanation } from "./explanation.ts";
import { type Fields, record, text, timeOf } from "./fields.ts";
import { HeldTime } from "./held-time.ts";

/** Which tool calls were forbidden by a person, and not by a time limit or by the end of the run. */
export class Forbidden {
  readonly #tools = new RecentMap<string, string>(1000);
  readonly #byItself = new RecentMap<string, true>(1000);
  readonly #cancelled = new RecentMap<string, true>(10_000);

  take(type: string, data: Fields): void {
    if (type === "paused") {
      const stop = record(data.stop);
      const toolId = text(record(stop.tool).id);
      if (toolId !== undefined) this.#tools.set(text(stop.id) ?? "", toolId);
    } else if (type === "resumed") {
      const toolId = this.#tools.take(text(data.stopId) ?? "");
      if (toolId !== undefined && data.outcome === "fail" && !isPerson(data.by))
        this.#byItself.set(toolId, true);
    } else if (type === "tool_call_cancel") {
      const toolId = text(data.toolId) ?? "";
      if (!this.#byItself.get(toolId)) this.#cancelled.set(toolId, true);
    }
  }

  has(toolId: unknown): boolean {
    return this.#cancelled.get(text(toolId) ?? "") === true;
  }
}

/** Commands come by the socket or by the file; whatever else ends a hold says so in words. */
export function isPerson(by: unknown): boolean {
  return by === undefined || by === "socket" || by === "file";
}

export class ByHand {
  readonly forbidden = new Forbidden();
  readonly held = new HeldTime();
  readonly touched: Explanation["touched"] = {
    injected: 0,
    toolsEdited: 0,
    toolsCancelled: 0,
    requestsEdited: 0,
    callsKilled: 0,
    settings: 0,
    anchorsLost: 0,
  };

  take(event: AgentEvent, data: Fields): void {
    const { touched } = this;
    const { type } = event;
    this.forbidden.take(type, data);
    switch (type) {
      case "paused":
        this.held.paused(data, timeOf(event));
        break;
      case "resumed":
        this.held.resumed(data, timeOf(event));
        break;
      case "injected":
        touched.injected += 1;
        break;
      case "anchor_lost":
        touched.anchorsLost += 1;
        break;
      case "tool_call_edit":
        touched.toolsEdited += 1;
        break;
      case "tool_call_cancel":
        if (this.forbidden.has(data.toolId)) touched.toolsCancelled += 1;
        break;
      case "variable_set":
        touched.settings += 1;
        break;
      case "command_executed":
        if (data.type === "edit_request") touched.requestsEdited += 1;
        if (data.type === "kill_call") touched.callsKilled += 1;
        break;
    }
  }
}
