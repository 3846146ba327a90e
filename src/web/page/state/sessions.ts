/**
 * What the server has said: everything there is (`now`), and each session that is looked at. Views read these signals; they change only
 * by events, never by what a command answers, so the page shows the same whoever moved the program.
 */
import { type Signal, signal } from "@preact/signals";
import type { Now, OutputPiece, Owner, SessionEvent, SessionRow, TranscriptEntry } from "../../protocol.ts";
import { fileName } from "../parts/text.ts";
import type { BreakpointRow, OutputLine, Snapshot } from "./data.ts";
import { watch } from "./link.ts";
import { announce } from "./say.ts";

export const now = signal<Now | undefined>(undefined);

export function watchNow(): () => void {
  return watch("now", (event) => {
    now.value = event;
  });
}

export interface SessionState {
  name: string;
  /** `unknown` until the first event. */
  phase: Signal<"unknown" | "stopped" | "running" | "ended" | "gone">;
  row: Signal<SessionRow | undefined>;
  snapshot: Signal<Snapshot | undefined>;
  /** The number of the stop: what was asked for one is of no use at the next. */
  stops: Signal<number>;
  /** Grows whenever a stop was sent, also the same one again after a value was changed. */
  moment: Signal<number>;
  /** When the last stop's event came, for measuring. */
  arrivedAt: number;
  breakpoints: Signal<readonly BreakpointRow[]>;
  owner: Signal<Owner | undefined>;
  output: Signal<readonly OutputLine[]>;
  dropped: Signal<number>;
  transcript: Signal<readonly TranscriptEntry[]>;
  why: Signal<string>;
}

const MOST_OUTPUT = 20_000;
const MOST_ENTRIES = 500;

export function sessionState(name: string): SessionState {
  return {
    name,
    phase: signal<"unknown" | "stopped" | "running" | "ended" | "gone">("unknown"),
    row: signal(undefined),
    snapshot: signal(undefined),
    stops: signal(0),
    moment: signal(0),
    arrivedAt: 0,
    breakpoints: signal([]),
    owner: signal(undefined),
    output: signal([]),
    dropped: signal(0),
    transcript: signal([]),
    why: signal(""),
  };
}

export function watchSession(state: SessionState): () => void {
  return watch(`session:${state.name}`, (event) => apply(state, event));
}

function apply(state: SessionState, event: SessionEvent): void {
  if ("row" in event) {
    state.row.value = event.row;
    state.owner.value = event.row.owner;
  }
  switch (event.kind) {
    case "stopped":
      state.arrivedAt = performance.now();
      state.snapshot.value = event.snapshot as unknown as Snapshot;
      state.moment.value += 1;
      if (state.phase.value !== "stopped" || state.stops.value !== event.row.stop?.number)
        announce(spokenStop(event.snapshot as unknown as Snapshot));
      state.stops.value = event.row.stop?.number ?? state.stops.value + 1;
      state.phase.value = "stopped";
      return;
    case "running":
      if (state.phase.value !== "running") announce(`${state.name} runs`);
      state.phase.value = "running";
      return;
    case "ended":
      state.phase.value = "ended";
      announce(`${state.name} has ended`);
      return;
    case "gone":
      state.phase.value = "gone";
      state.why.value = event.why ?? "";
      return;
    case "breakpoints":
      state.breakpoints.value = event.breakpoints as unknown as BreakpointRow[];
      return;
    case "output":
      state.output.value = withPieces(event.since === 0 ? [] : state.output.value, event.pieces).slice(
        -MOST_OUTPUT,
      );
      state.dropped.value = event.droppedBytes;
      return;
    case "transcript":
      state.transcript.value = [...(event.since === 0 ? [] : state.transcript.value), ...event.entries].slice(
        -MOST_ENTRIES,
      );
      return;
  }
}

/** A piece may end in the middle of a line: the next one of its stream goes on with it, unless the program was restarted between them. */
function withPieces(lines: readonly OutputLine[], pieces: readonly OutputPiece[]): OutputLine[] {
  const all = [...lines];
  for (const { stream, text, from, run = 1 } of pieces) {
    const of = { run, ...(from === undefined ? {} : { from }) };
    if (run > (all.at(-1)?.run ?? 1)) all.push({ stream: "mark", text: `restarted: run ${run}`, run });
    const isSame = (one: OutputLine) => one.stream === stream && one.from === from && one.run === run;
    const at = all.findLastIndex(isSame);
    const parts = text.split("\n");
    const last = all[at];
    if (last?.open) all[at] = { ...last, text: last.text + (parts.shift() ?? ""), open: parts.length === 0 };
    for (const [index, part] of parts.entries()) {
      const open = index === parts.length - 1;
      if (!open || part !== "") all.push({ stream, text: part, open, ...of });
    }
  }
  return all;
}

function spokenStop({ session, reason, frame }: Snapshot): string {
  const place = frame?.path === undefined ? "" : ` at line ${frame.line} of ${fileName(frame.path)}`;
  return `${session} stopped${place}: ${reason}`;
}
