/**
 * The run of an agent: what it stands at, what is held and what can be done about it, its time in lanes, its events, and one of them whole.
 * `?seq=` names the event that is shown.
 */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo } from "preact/hooks";
import type { RunColumns as Columns } from "../../../agent/explain/columns.ts";
import { Told, Typed } from "../parts/advice.tsx";
import { count } from "../parts/text.ts";
import { useKeys } from "../state/keys.ts";
import { replaceQuery } from "../state/router.ts";
import type { ViewProps } from "../views/view.ts";
import { Detail, TABS } from "./detail.tsx";
import { EventList } from "./event-list.tsx";
import { Head } from "./head.tsx";
import { HoldBar, release, useHoldForms } from "./hold-bar.tsx";
import { Lanes } from "./lanes.tsx";
import { lowerBound } from "./lower-bound.ts";
import { type Filter, rowsOf } from "./rows.ts";
import { followRun, type RunData, runData } from "./run-data.ts";

export default function RunView({ params, query }: ViewProps) {
  const id = params.run ?? "";
  const run = useMemo(() => runData(id), [id]);
  useLayoutEffect(() => followRun(run), [run]); // asked at once, not when something has been painted
  const { failure } = run;
  if (failure.value !== undefined)
    return (
      <div class="empty">
        <h1>No run {id}</h1>
        <p>
          <Told told={failure.value} />
        </p>
        <Typed line="sonde agent sessions --all" />
      </div>
    );
  return <Run run={run} seq={Number(query.seq ?? 0)} />;
}

function Run({ run, seq }: { run: RunData; seq: number }) {
  const filter = useSignal<Filter>({ text: "", muted: [], failed: false });
  const tab = useSignal<string>("event");
  const whole = run.columns.value;
  const columns = whole ?? endFor(run, seq);
  const size = run.size.value;
  const rows = useMemo(
    () => (columns === undefined ? [] : rowsOf(run, columns, filter.value)),
    [columns, size, filter.value, filter.value.text === "" ? 0 : run.worded.value],
  );
  const at = seq === 0 ? -1 : lowerBound(columns?.seq ?? [], seq);
  const select = (row: number) => {
    const next = columns?.seq[row];
    if (next !== undefined) replaceQuery({ seq: String(next) });
  };
  const forms = useHoldForms(run);
  useRunKeys({ columns, run, rows, at, select, choose: (id) => (tab.value = id), inject: forms.inject });
  return (
    <div class="run">
      <Head run={run} />
      <HoldBar run={run} forms={forms} />
      {whole === undefined || size === 0 ? (
        <Reading run={run} />
      ) : (
        <Lanes run={run} selected={at} select={select} filter={filter} />
      )}
      {columns === undefined || columns.seq.length === 0 ? (
        ""
      ) : (
        <div class="run-main">
          <EventList run={run} columns={columns} rows={rows} selected={at} select={select} filter={filter} />
          <Detail run={run} row={at} tab={tab} select={select} />
        </div>
      )}
    </div>
  );
}

/** Not where an earlier event is asked for. */
function endFor(run: RunData, seq: number): Columns | undefined {
  const end = run.end.value;
  return seq !== 0 && seq < (end?.seq[0] ?? 0) ? undefined : end;
}

function Reading({ run }: { run: RunData }) {
  const read = run.read.value;
  return <p class="boot">Reading the run …{read === 0 ? "" : ` ${count(read)} events`}</p>;
}

interface KeyProps {
  columns: Columns | undefined;
  run: RunData;
  rows: readonly number[];
  at: number;
  select(row: number): void;
  choose(tab: string): void;
  inject(): void;
}

function useRunKeys({ columns, run, rows, at, select, choose, inject }: KeyProps): void {
  const step = (by: number, wanted: (row: number) => boolean = () => true) => {
    let place = lowerBound(rows, at);
    if (by > 0 && (rows[place] ?? -1) > at) place -= 1;
    for (place += by; place >= 0 && place < rows.length; place += by) {
      const row = rows[place] ?? 0;
      if (wanted(row)) return select(row);
    }
  };
  const failed = new Set(columns?.failed);
  const isFailed = (row: number) => failed.has(columns?.seq[row] ?? 0);
  const turn = columns?.names.types.indexOf("turn_start") ?? -1;
  const isTurn = (row: number) => columns?.type[row] === turn;
  useKeys("the run of an agent", [
    { key: "j", does: "next event", run: () => step(1) },
    { key: "k", does: "event before", run: () => step(-1) },
    { key: "e", does: "next failure", run: () => step(1, isFailed) },
    { key: "E", does: "failure before", run: () => step(-1, isFailed) },
    { key: "]", does: "next turn", run: () => step(1, isTurn) },
    { key: "[", does: "turn before", run: () => step(-1, isTurn) },
    { key: "a", does: "release what is held first", run: () => release(run, false) },
    { key: "A", does: "release all that is held", run: () => release(run, true) },
    { key: "i", does: "inject a message", run: inject },
    ...TABS.map(({ id, title }, index) => ({
      key: String(index + 1),
      does: `show ${title}`,
      run: () => choose(id),
    })),
  ]);
}
