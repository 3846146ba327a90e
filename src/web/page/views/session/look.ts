/**
 * What of a stop is looked at: the stop as it was sent, or another of its frames or threads. Looking at a frame asks with `context --frame`,
 * which changes nothing for others. It ends with the stop it belongs to.
 */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Snapshot } from "../../state/data.ts";
import { call } from "../../state/link.ts";
import { replaceQuery } from "../../state/router.ts";
import { tellError } from "../../state/say.ts";
import type { SessionState } from "../../state/sessions.ts";

export interface Look {
  snapshot: ReadonlySignal<Snapshot | undefined>;
  /** Changes whenever handles do. */
  moment: ReadonlySignal<number>;
  frame(index: number): Promise<void>;
  /** Another thread's innermost frame; what steps move stays as it is. */
  thread(number: number): Promise<void>;
  /** The thread that steps move was changed. */
  again(): Promise<void>;
}

export function looking(state: SessionState): Look {
  const other = signal<{ stop: number; snapshot: Snapshot; moment: number } | undefined>(undefined);
  let moments = 0;
  const isOther = () => other.value !== undefined && other.value.stop === state.stops.value;
  /** Frames of another thread are asked for with it. */
  let thread: { stop: number; number: number } | undefined;
  const aimed = () => (thread?.stop === state.stops.peek() ? { thread: thread.number } : {});
  const ask = async (args: Record<string, unknown>) => {
    const stop = state.stops.peek();
    const answer = await call<Snapshot>("context", args, { session: state.name, quiet: true });
    if (stop !== state.stops.peek()) return;
    moments += 1;
    if (answer.ok) other.value = { stop, snapshot: answer.data, moment: state.moment.peek() + moments / 1e6 };
    else tellError(answer.error);
  };
  return {
    snapshot: computed(() => (isOther() ? other.value?.snapshot : state.snapshot.value)),
    moment: computed(() => (isOther() ? (other.value?.moment ?? 0) : state.moment.value)),
    frame: async (index) => {
      replaceQuery({ frame: index === 0 ? undefined : String(index) });
      await ask({ frame: index, ...aimed() });
    },
    thread: async (number) => {
      thread = { stop: state.stops.peek(), number };
      await ask({ thread: number });
    },
    again: async () => {
      thread = undefined;
      await ask({});
    },
  };
}
