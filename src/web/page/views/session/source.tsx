/** The file where the program stands, with its breakpoints. Another file of the stack is shown when its frame is looked at. */
import type { Signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { inlineValues } from "../../parts/inline-values.ts";
import { SourceView } from "../../parts/source-view.tsx";
import { oneLine, shortPath } from "../../parts/text.ts";
import type { BreakpointRow, Snapshot } from "../../state/data.ts";
import { canAct } from "../../state/doing.ts";
import { fileAt } from "../../state/files.ts";
import { hello } from "../../state/link.ts";
import type { SessionState } from "../../state/sessions.ts";
import { toggleBreakpoint } from "./breakpoints.tsx";

interface Place {
  path: string;
  line: number;
}

export interface SourceProps {
  state: SessionState;
  snapshot: Snapshot | undefined;
  moment: number;
  edited: Signal<Place | undefined>;
  cursor: Signal<Place | undefined>;
}

export function Source({ state, snapshot, moment, edited, cursor }: SourceProps) {
  const frame = snapshot?.frame;
  const program = state.row.value?.program ?? "";
  const path = frame?.path ?? (program.startsWith("/") ? program : undefined);
  const file = path?.startsWith("/") ? fileAt(path, state.name).value : undefined;
  // Until the file is here, and for what is no file: the lines that came with the stop.
  const lines = file?.lines ?? (frame?.path === path ? snapshot?.source : undefined) ?? [];
  const isStopped = state.phase.value === "stopped";
  const arrow = isStopped && frame?.path === path ? frame?.line : undefined;
  const marks = useMemo(() => breakpointsOf(path, state.breakpoints.value), [path, state.breakpoints.value]);
  const inline = useMemo(
    () =>
      arrow === undefined || snapshot === undefined
        ? new Map()
        : inlineValues(lines, arrow, frame?.function ?? "", snapshot.values),
    [lines, arrow, snapshot],
  );
  const { cwd = "", home = "" } = hello.value ?? {};
  const acts =
    path !== undefined && canAct()
      ? {
          onToggle: (line: number) => void toggleBreakpoint(state, { path, line }),
          onEdit: (line: number) => (edited.value = { path, line }),
        }
      : {};
  return (
    <section class="pane source-pane" aria-label="source">
      <h2 class="pane-head">
        <span class="path">
          {path === undefined ? "no source" : oneLine(shortPath(path, cwd, home), 300)}
        </span>
        {file?.missing === undefined || lines.length > 0 ? (
          ""
        ) : (
          <span class="quiet">{oneLine(file.missing, 200)}</span>
        )}
      </h2>
      {lines.length === 0 ? (
        <p class="note">
          {path === undefined ? "There is no source for this place." : "The file is not here."}
        </p>
      ) : (
        <SourceView
          label={`source of ${path === undefined ? "" : path}`}
          path={path ?? ""}
          lines={lines}
          arrow={arrow}
          isCaller={(frame?.index ?? 0) > 0}
          moment={`${moment} ${path}`}
          breakpoints={marks}
          inline={inline}
          onCursor={(line) => (cursor.value = path === undefined ? undefined : { path, line })}
          {...acts}
        />
      )}
    </section>
  );
}

function breakpointsOf(path: string | undefined, rows: readonly BreakpointRow[]): Map<number, BreakpointRow> {
  return new Map(
    rows.flatMap((row) => {
      const line = row.boundLine ?? row.line;
      return row.kind === "line" && row.path === path && line !== undefined ? [[line, row] as const] : [];
    }),
  );
}
