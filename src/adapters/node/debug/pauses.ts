/**
 * Every pause of V8 goes through here. Some are ours (a script held for its breakpoints, a step not finished, a throw
 * nobody asked about) and go on unseen; the rest become one `stopped` event.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Protocol } from "devtools-protocol";
import type { WithFailedConditions } from "../../../dap/refused-part.ts";
import type { Cdp } from "../target.ts";
import type { Arrivals } from "./arrivals.ts";
import type { Current } from "./current.ts";
import type { Entry } from "./entry.ts";
import { type Exceptions, isThrow, thrownLine } from "./exceptions.ts";
import type { Gate } from "./gate.ts";
import { type DebuggerHost, reasonOf, THREAD_ID } from "./host.ts";
import type { LateRules } from "./late-rules.ts";
import { IDLE, type Motion } from "./motion.ts";
import type { Owner, Placements } from "./placements.ts";
import type { Strays } from "./strays.ts";

type Paused = Protocol.Debugger.PausedEvent;
type Stopped = DebugProtocol.StoppedEvent["body"];

interface Tools {
  cdp: Cdp;
  host: DebuggerHost;
  current: Current;
  gate: Gate;
  arrivals: Arrivals;
  placements: Placements;
  exceptions: Exceptions;
  motion: Motion;
  lateRules: LateRules;
  strays: Strays;
  entry: Entry | undefined;
  /** A worker's own first pause is shown only when asked for. */
  stopOnEntry: boolean;
}

export class Pauses {
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  onPaused(event: Paused): void {
    this.#handle(event).catch((error: unknown) => {
      // Better a stop too many than a program that hangs for ever.
      this.#tools.host.log(`a pause could not be classified: ${reasonOf(error)}`);
      this.#stop(event, { reason: "pause", description: "paused" });
    });
  }

  async #handle(event: Paused): Promise<void> {
    const { gate, arrivals, motion, exceptions, entry, stopOnEntry } = this.#tools;
    const held = gate.heldBy(event);
    if (held !== undefined) {
      await arrivals.settle(held);
      return motion.goOnAfterHold(event);
    }
    if ((event.reason as string) === "Break on start") {
      gate.started();
      if (!stopOnEntry) return motion.goOn();
      return this.#stop(event, { reason: "entry", description: "paused on entry" });
    }
    if (exceptions.isFatal(event)) {
      const fatal = await exceptions.matchesFatal(event);
      if (fatal === undefined) return motion.goOnAfterHold(event);
      const told: Paused = { ...event, reason: "exception", data: fatal.thrown };
      const description = "paused on exception (uncaught)";
      return this.#stop(
        told,
        { reason: "exception", description, text: thrownLine(fatal.thrown) },
        fatal.calls,
      );
    }
    if (this.#tools.placements.areGone(event.hitBreakpoints ?? [])) return motion.goOnAfterHold(event);
    const hit = this.#tools.placements.owners(event.hitBreakpoints ?? []);
    const owners = hit.length === 0 ? hit : await this.#judge(event);
    if (hit.length > 0 && owners.length === 0) return motion.goOnAfterHold(event);
    if (owners.some(({ kind }) => kind === "entry")) {
      await entry?.reached();
      return this.#stop(event, { reason: "entry", description: "paused on entry", ...hits(owners) });
    }
    if (owners.length > 0) return this.#stop(event, { ...breakpointStop(owners), ...this.#failedOf(owners) });
    if (isThrow(event.reason)) {
      if (!(await exceptions.matches(event))) return motion.goOnAfterHold(event);
      const line = thrownLine(event.data);
      const isUncaught = (event.data as { uncaught?: boolean } | undefined)?.uncaught === true;
      const description =
        event.reason === "promiseRejection" ? "paused on promise rejection" : "paused on exception";
      return this.#stop(event, {
        reason: "exception",
        description: isUncaught ? `${description} (uncaught)` : description,
        text: line,
      });
    }
    const asked = await motion.arrive(event);
    if (asked === "onward") return;
    this.#stop(event, asked);
  }

  readonly #failed = new Set<number>();

  /** A condition could not be evaluated: its breakpoint stops, as the next pause tells. */
  conditionFailed(id: number): void {
    this.#failed.add(id);
  }

  #failedOf(owners: Owner[]): WithFailedConditions {
    const failedConditions = owners.flatMap((one) =>
      one.kind !== "entry" && this.#failed.has(one.id) ? [one.id] : [],
    );
    this.#failed.clear();
    return failedConditions.length === 0 ? {} : { failedConditions };
  }

  /** Whose breakpoints really stop here. */
  async #judge(event: Paused): Promise<Owner[]> {
    const { placements, strays, lateRules } = this.#tools;
    const ids = event.hitBreakpoints ?? [];
    await strays.settled(ids);
    const owners = placements.owners(ids);
    return owners.length === 0 ? owners : lateRules.judge(event, owners);
  }

  #stop(event: Paused, body: Omit<Stopped, "threadId">, past?: Protocol.Runtime.CallFrame[]): void {
    const { current, host, motion } = this.#tools;
    motion.finish();
    current.stopAt(event, body === IDLE, past);
    host.emit("stopped", { ...body, threadId: THREAD_ID, allThreadsStopped: true });
  }
}

function breakpointStop(owners: Owner[]): Omit<Stopped, "threadId"> {
  const onlyFunctions = owners.every(({ kind }) => kind === "function");
  const reason = onlyFunctions ? "function breakpoint" : "breakpoint";
  return { reason, description: `paused on ${reason}`, ...hits(owners) };
}

function hits(owners: Owner[]): { hitBreakpointIds?: number[] } {
  const ids = [...new Set(owners.flatMap((owner) => (owner.kind === "entry" ? [] : [owner.id])))];
  return ids.length === 0 ? {} : { hitBreakpointIds: ids.sort((a, b) => a - b) };
}
