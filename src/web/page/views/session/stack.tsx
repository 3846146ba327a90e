/** The stack: the program's own frames; what libraries have between them is one row that opens. */
import { useSignal } from "@preact/signals";
import { fileName, many, oneLine } from "../../parts/text.ts";
import { VirtualList } from "../../parts/virtual-list.tsx";
import type { FrameLine, Snapshot } from "../../state/data.ts";
import { call } from "../../state/link.ts";
import type { SessionState } from "../../state/sessions.ts";
import type { Look } from "./look.ts";

type Row = { frame: FrameLine } | { folded: number };

export function Stack({
  state,
  snapshot,
  look,
}: {
  state: SessionState;
  snapshot: Snapshot | undefined;
  look: Look;
}) {
  const whole = useSignal<{ stop: number; frames: FrameLine[] } | undefined>(undefined);
  const stop = state.stops.value;
  // Of a frame that is looked at the stack begins there; of another thread it is its own.
  const top = snapshot?.thread.id === state.snapshot.value?.thread.id ? state.snapshot.value : snapshot;
  const isWhole = whole.value?.stop === stop;
  const frames = isWhole ? (whole.value?.frames ?? []) : (top?.stack ?? []);
  const rows =
    snapshot === undefined
      ? []
      : isWhole
        ? frames.map((frame) => ({ frame }))
        : folded(frames, top?.moreFrames ?? 0);
  const chosen = snapshot?.frame?.index ?? 0;
  const selected = rows.findIndex((row) => "frame" in row && row.frame.index === chosen);

  const unfold = async () => {
    const answer = await call<{ frames: FrameLine[] }>(
      "backtrace",
      { all: true, limit: 1000 },
      { session: state.name, quiet: true },
    );
    if (answer.ok) whole.value = { stop, frames: answer.data.frames };
  };
  const pick = (index: number) => {
    const row = rows[index];
    if (row === undefined) return;
    if ("folded" in row) void unfold();
    else if (row.frame.label === undefined) void look.frame(row.frame.index);
  };
  return (
    <section class={`pane stack-pane ${state.phase.value === "stopped" ? "" : "stale"}`} aria-label="stack">
      <h2 class="pane-head">
        stack{" "}
        <span class="quiet">{snapshot === undefined ? "" : `${oneLine(snapshot.thread.name, 40)}`}</span>
      </h2>
      {snapshot === undefined ? (
        <p class="note">The stack is shown where the program stops.</p>
      ) : (
        <VirtualList
          label="stack"
          role="listbox"
          count={rows.length}
          selected={selected}
          onSelect={(index) => {
            const row = rows[index];
            if (row !== undefined && "frame" in row) pick(index);
          }}
          onClick={(_event, index) => {
            const row = rows[index];
            if (row !== undefined && "folded" in row) pick(index);
          }}
          onOpen={pick}
          onKey={(event) => {
            if (event.key !== " ") return false;
            void unfold();
            return true;
          }}
          row={(index) => {
            const row = rows[index];
            if (row === undefined) return "";
            if ("folded" in row)
              return <span class="folded">{many(row.folded, "library frame")} · show</span>;
            const { frame } = row;
            return (
              <>
                <span class="frame-number">{frame.index}</span>
                <span class={frame.user ? "frame-name" : "frame-name library"}>
                  {oneLine(frame.function, 100)}
                </span>
                <span class="frame-place">
                  {frame.path === undefined ? "" : `${oneLine(fileName(frame.path), 60)}:${frame.line}`}
                </span>
              </>
            );
          }}
        />
      )}
    </section>
  );
}

/** Gaps in the numbers are library frames; so is what comes after the last. */
function folded(frames: readonly FrameLine[], more: number): Row[] {
  const rows: Row[] = [];
  let next = 0;
  for (const frame of frames) {
    if (frame.index > next) rows.push({ folded: frame.index - next });
    rows.push({ frame });
    next = frame.index + 1;
  }
  const inside = rows.reduce((sum, row) => sum + ("folded" in row ? row.folded : 0), 0);
  if (more > inside) rows.push({ folded: more - inside });
  return rows;
}
