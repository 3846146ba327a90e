/** The events, one row each; what each says is fetched as it comes into view. */

import type { Signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { RunColumns as Columns } from "../../../agent/explain/columns.ts";
import { count, oneLine } from "../parts/text.ts";
import { VirtualList } from "../parts/virtual-list.tsx";
import { lowerBound } from "./lower-bound.ts";
import type { Filter } from "./rows.ts";
import type { RunData } from "./run-data.ts";
import { time } from "./spans.ts";
import { wordsOf } from "./words.ts";

interface ListProps {
  run: RunData;
  /** All of it, or its end. */
  columns: Columns;
  /** Rows of the columns. */
  rows: readonly number[];
  /** A row of the columns, or -1. */
  selected: number;
  select(row: number): void;
  filter: Signal<Filter>;
}

export function EventList({ run, columns, rows, selected, select, filter }: ListProps) {
  const isWhole = columns === run.columns.value;
  // Drawn again when words have come.
  void run.worded.value;
  const failed = useMemo(() => new Set(columns.failed), [columns, run.size.value]);
  const place = placeOf(rows, selected);
  const { text, failed: only } = filter.value;
  return (
    <section class="pane events" aria-label="events">
      <div class="pane-head">
        <input
          type="search"
          placeholder="type, tool, words seen"
          aria-label="search events"
          value={text}
          onInput={({ currentTarget }) => (filter.value = { ...filter.value, text: currentTarget.value })}
        />
        <button
          type="button"
          aria-pressed={only}
          onClick={() => (filter.value = { ...filter.value, failed: !only })}
        >
          failures {isWhole ? count(columns.failed.length) : ""}
        </button>
        <span>{countText(rows.length, columns.seq.length, isWhole)}</span>
      </div>
      <VirtualList
        label="events"
        role="listbox"
        class="event-rows"
        count={rows.length}
        selected={place}
        onSelect={(index) => select(rows[index] ?? 0)}
        follow={selected < 0}
        grown={{ by: isWhole ? rowsBefore(run.end.peek(), columns, rows) : 0, why: columns }}
        reveal={{ index: place ?? -1, why: selected }}
        row={(index) => <Event run={run} columns={columns} row={rows[index] ?? 0} failed={failed} />}
      />
    </section>
  );
}

function countText(shown: number, all: number, isWhole: boolean): string {
  if (!isWhole) return shown === all ? `the last ${count(all)}` : `${count(shown)} of the last ${count(all)}`;
  return shown === all ? count(all) : `${count(shown)} of ${count(all)}`;
}

/** Those that are listed before the end, which stood there alone. */
function rowsBefore(end: Columns | undefined, { seq }: Columns, rows: readonly number[]): number {
  const first = end?.seq[0];
  return first === undefined ? 0 : lowerBound(rows, lowerBound(seq, first));
}

/** Rows are in order. */
function placeOf(rows: readonly number[], selected: number): number | undefined {
  const place = lowerBound(rows, selected);
  return rows[place] === selected ? place : undefined;
}

function Event({
  run,
  columns,
  row,
  failed,
}: {
  run: RunData;
  columns: Columns;
  row: number;
  failed: ReadonlySet<number>;
}) {
  const { names, seq, at, type, agent, tool } = columns;
  const number = seq[row] ?? 0;
  const kind = names.types[type[row] ?? 0] ?? "";
  const who = names.agents[agent[row] ?? 0] ?? "main";
  const toolName = names.tools[(tool[row] ?? 0) - 1];
  const isBad = failed.has(number);
  return (
    <>
      <span class="e-seq">{number}</span>
      <span class="e-at">{time(at[row] ?? 0)}</span>
      <span class={`e-type k-${groupOf(kind)}`}>
        {isBad ? "✗ " : ""}
        {oneLine(kind, 40)}
      </span>
      {who === "main" ? "" : <span class="e-who">{oneLine(who, 20)}</span>}
      <span class="e-words">{oneLine(wordsOf(run, columns, row) ?? toolName ?? "…", 300)}</span>
    </>
  );
}

/** Colour goes with the word, never alone. */
export function groupOf(type: string): string {
  if (type.startsWith("api_")) return "model";
  if (type.startsWith("tool_")) return "tool";
  if (["paused", "resumed", "breakpoint_hit", "step_complete"].includes(type)) return "held";
  if (type === "sonde_call") return "sonde";
  return ["user_input", "assistant_text", "injected"].includes(type) ? "said" : "other";
}
