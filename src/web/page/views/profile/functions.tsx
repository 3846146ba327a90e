/** Every function of a profile, the most of its own first. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { FlameFrame, FunctionRow } from "../../parts/flame/boxes.ts";
import { fileName, oneLine, percent } from "../../parts/text.ts";
import { VirtualList } from "../../parts/virtual-list.tsx";

interface Props {
  rows: readonly FunctionRow[];
  /** Of these `rows` are some: shares are of all. */
  all: readonly FunctionRow[];
  frames: readonly FlameFrame[];
  amount(weight: number): string;
  chosen: number | undefined;
  choose(frame: number): void;
}

export function FunctionTable({ rows, all, frames, amount, chosen, choose }: Props) {
  const by = useSignal<"self" | "total">("self");
  const sorted = useMemo(() => [...rows].sort((a, b) => b[by.value] - a[by.value]), [rows, by.value]);
  const whole = useMemo(() => all.reduce((sum, row) => sum + row.self, 0), [all]);
  const selected = sorted.findIndex(({ frame }) => frame === chosen);
  const head = (key: "self" | "total") => (
    <span class="cell share" role="columnheader" aria-sort={by.value === key ? "descending" : "none"}>
      <button type="button" class="small" onClick={() => (by.value = key)}>
        {key}
        {by.value === key ? " ▾" : ""}
      </button>
    </span>
  );
  return (
    <section class="pane functions" aria-label="functions">
      <VirtualList
        label="functions"
        role="grid"
        count={sorted.length}
        selected={selected}
        onSelect={(index) => {
          const row = sorted[index];
          if (row !== undefined) choose(row.frame);
        }}
        head={
          <div class="row list-head" role="row">
            {head("self")}
            {head("total")}
            <span class="cell" role="columnheader">
              function
            </span>
          </div>
        }
        row={(index) => {
          const row = sorted[index];
          const frame = row === undefined ? undefined : frames[row.frame];
          if (row === undefined || frame === undefined) return "";
          return (
            <>
              <span class="cell share" role="gridcell" title={amount(row.self)}>
                <span class="share-bar" style={{ width: `${(row.self / Math.max(whole, 1e-9)) * 100}%` }} />
                {percent(row.self / Math.max(whole, 1e-9))}
              </span>
              <span class="cell share" role="gridcell" title={amount(row.total)}>
                {percent(row.total / Math.max(whole, 1e-9))}
              </span>
              <span class="cell function" role="gridcell">
                {oneLine(frame.name, 120)}{" "}
                <span class="quiet">
                  {frame.file === undefined
                    ? oneLine(frame.kind ?? "", 20)
                    : `${oneLine(fileName(frame.file), 80)}:${frame.line ?? ""}`}
                </span>
              </span>
            </>
          );
        }}
      />
    </section>
  );
}
