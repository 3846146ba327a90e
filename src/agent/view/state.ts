/** What the view of a run shows, and what a key does to it. Pure: keys and events in, state and wishes out. */
import type { Stop } from "../core/model.ts";
import type { AgentEvent } from "../events.ts";

export interface ViewState {
  title: string;
  /** The last of them; the others are in the log. */
  events: readonly AgentEvent[];
  /** Events that came before those. */
  dropped: number;
  stops: readonly Stop[];
  pausing: boolean;
  ended: boolean;
  /** Which event is marked, counted from the first that is kept; undefined: the newest, as they come. */
  marked: number | undefined;
  filter: string;
  /** What is being typed, and what for. */
  typing: { purpose: "command" | "filter"; text: string; at: number } | undefined;
  /** Text over the list: an answer, a whole event, help. */
  panel: { title: string; text: string; top: number } | undefined;
  /** The answer to the last command, in one line. */
  message: string;
  history: readonly string[];
}

export function newState(title: string): ViewState {
  return {
    title,
    events: [],
    dropped: 0,
    stops: [],
    pausing: false,
    ended: false,
    marked: undefined,
    filter: "",
    typing: undefined,
    panel: undefined,
    message: "",
    history: [],
  };
}

/** More would make the view slow and tell nobody anything. */
const MOST_EVENTS = 5_000;

export function withEvents(state: ViewState, added: readonly AgentEvent[]): ViewState {
  let { stops, pausing, ended } = state;
  for (const event of added) {
    const { data } = event;
    const stop = data.stop as Stop | undefined;
    if (event.type === "paused" && stop) stops = [...stops.filter(({ id }) => id !== stop.id), stop];
    if (event.type === "resumed") stops = stops.filter(({ id }) => id !== data.stopId);
    if (event.type === "command_response" && data.ok === true) {
      pausing = pausingAfter(data) ?? pausing;
      // With what was changed about them since they were held.
      stops = stopsAfter(data) ?? stops;
    }
    if (event.type === "session_end") ended = true;
  }
  const all = [...state.events, ...added];
  const over = Math.max(0, all.length - MOST_EVENTS);
  const marked = state.marked === undefined ? undefined : Math.max(0, state.marked - over);
  return {
    ...state,
    events: over === 0 ? all : all.slice(over),
    dropped: state.dropped + over,
    stops: ended ? [] : stops,
    pausing: ended ? false : pausing,
    ended,
    marked,
  };
}

function pausingAfter({ data }: Readonly<Record<string, unknown>>): boolean | undefined {
  const paused = (data as { paused?: unknown } | undefined)?.paused;
  return typeof paused === "boolean" ? paused : undefined;
}

function stopsAfter({ data }: Readonly<Record<string, unknown>>): Stop[] | undefined {
  const stops = (data as { stops?: unknown } | undefined)?.stops;
  if (!Array.isArray(stops)) return undefined;
  return stops.filter((one: unknown): one is Stop => typeof (one as Stop | null)?.id === "string");
}

/** Those that the filter lets through, with their places among all. */
export function shownEvents({ events, filter }: ViewState): { event: AgentEvent; index: number }[] {
  const wanted = filter.toLowerCase();
  return events
    .map((event, index) => ({ event, index }))
    .filter(({ event }) => wanted === "" || matches(event, wanted));
}

function matches(event: AgentEvent, wanted: string): boolean {
  return event.type.includes(wanted) || JSON.stringify(event.data).toLowerCase().includes(wanted);
}
