/** What the gates share of wires on which the events of a tool call come between a first and a last one of its own. */
import type { ToolPart } from "../answers/reader.ts";
import type { GateStep, RawEvent, Ruling, ToolGate } from "./gate.ts";

export interface HeldCall {
  index: number;
  events: RawEvent[];
  /** Of other blocks, which come after it. */
  aside: RawEvent[];
  tool?: ToolPart;
}

export abstract class OneCallGate<Call extends HeldCall> implements ToolGate {
  protected held: Call | undefined;

  abstract readonly busy: boolean;
  abstract take(event: RawEvent): GateStep[];
  /** What is sent of a call that was decided. */
  protected abstract released(call: Call, tool: ToolPart, ruling: Ruling): Buffer[];

  settle([ruling]: readonly Ruling[]): GateStep[] {
    const { held } = this;
    this.held = undefined;
    if (!held?.tool || !ruling) return [];
    const steps: GateStep[] = this.released(held, held.tool, ruling).map((pass) => ({ pass }));
    while (held.aside.length > 0) {
      const next = held.aside.shift();
      if (next) steps.push(...this.take(next));
      const last = steps.at(-1);
      // What is left waits for the next ruling.
      if (this.held && last && "ask" in last) {
        (this.held as Call).aside.push(...held.aside);
        break;
      }
    }
    return steps;
  }

  end(): Buffer[] {
    const { held } = this;
    this.held = undefined;
    return held ? [...held.events, ...held.aside].map(({ raw }) => raw) : [];
  }
}
