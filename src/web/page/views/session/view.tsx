/**
 * A debug session: the state in a sentence, source with values, locals, stack, and in tabs output, breakpoints, threads and who did what.
 * All of it is drawn from the session's events; the page asks only for what is opened.
 */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Typed } from "../../parts/advice.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { useKeys } from "../../state/keys.ts";
import { sessionState, watchSession } from "../../state/sessions.ts";
import type { ViewProps } from "../view.ts";
import { Breakpoints, EditBreakpoint, toggleBreakpoint } from "./breakpoints.tsx";
import { Done } from "./done.tsx";
import { looking } from "./look.ts";
import { Output } from "./output.tsx";
import { Source } from "./source.tsx";
import { Stack } from "./stack.tsx";
import { StateLine } from "./state-line.tsx";
import { StepBar, stepKeys } from "./step-bar.tsx";
import { Threads } from "./threads.tsx";
import { Values } from "./values.tsx";

export default function SessionView({ params, query }: ViewProps) {
  const name = params.name ?? "";
  const state = useMemo(() => sessionState(name), [name]);
  const look = useMemo(() => looking(state), [state]);
  useEffect(() => watchSession(state), [state]);
  const tab = useSignal("output");
  const edited = useSignal<{ path: string; line: number } | undefined>(undefined);
  const cursor = useSignal<{ path: string; line: number } | undefined>(undefined);
  const phase = state.phase.value;
  const isStopped = phase === "stopped";

  // A link to a frame: its stop is the one that is there when the page opens.
  useEffect(() => {
    if (isStopped && query.frame !== undefined && query.frame !== "0") void look.frame(Number(query.frame));
  }, [isStopped]);

  const place = () => cursor.value ?? standing(look.snapshot.value?.frame);
  useKeys(`session ${name}`, [
    ...stepKeys(state, place),
    {
      key: "b",
      does: "set or remove a breakpoint at the line of the cursor",
      run: () => at(place(), (one) => toggleBreakpoint(state, one)),
    },
    {
      key: "B",
      does: "condition, hit count or message of that breakpoint",
      run: () => at(place(), (one) => (edited.value = one)),
    },
    { key: "u", does: "look at the caller", run: () => move(1) },
    { key: "d", does: "look at the called frame", run: () => move(-1) },
    { key: "1", does: "output", run: () => (tab.value = "output") },
    { key: "2", does: "breakpoints", run: () => (tab.value = "breakpoints") },
    { key: "3", does: "threads", run: () => (tab.value = "threads") },
    { key: "4", does: "who did what", run: () => (tab.value = "done") },
  ]);
  const move = (by: number) => {
    const snapshot = look.snapshot.value;
    const frames = (state.snapshot.value?.stack ?? []).filter(
      ({ user, label }) => user && label === undefined,
    );
    const here = frames.findIndex(({ index }) => index === snapshot?.frame?.index);
    const next = frames[here + by];
    if (next !== undefined) void look.frame(next.index);
  };

  if (phase === "gone")
    return (
      <div class="empty">
        <h1>There is no session {name}</h1>
        <p>{state.why.value === "" ? "It has ended, or was never started." : state.why.value}</p>
        <Typed line={`sonde start <program> --name ${name}`} />
        <p>
          <a href="/">what there is now</a>
        </p>
      </div>
    );
  if (phase === "unknown") return <p class="boot">Asking for {name} …</p>;
  const snapshot = look.snapshot.value;
  const moment = look.moment.value;
  return (
    <div class="session">
      <StateLine state={state} />
      <StepBar state={state} place={place} />
      <div class="session-main">
        <Source state={state} snapshot={snapshot} moment={moment} edited={edited} cursor={cursor} />
        <div class="session-side">
          <Values state={state} snapshot={phase === "ended" ? undefined : snapshot} moment={moment} />
          <Stack state={state} snapshot={phase === "ended" ? undefined : snapshot} look={look} />
        </div>
      </div>
      <Tabs
        label="more"
        class="session-tabs"
        chosen={tab.value}
        choose={(id) => (tab.value = id)}
        tabs={[
          { id: "output", title: "output", count: state.output.value.length },
          { id: "breakpoints", title: "breakpoints", count: state.breakpoints.value.length },
          { id: "threads", title: "threads" },
          { id: "done", title: "who did what", count: state.transcript.value.length },
        ]}
      >
        {tab.value === "output" ? <Output state={state} /> : ""}
        {tab.value === "breakpoints" ? (
          <Breakpoints state={state} edit={(one) => (edited.value = one)} />
        ) : (
          ""
        )}
        {tab.value === "threads" ? <Threads state={state} look={look} /> : ""}
        {tab.value === "done" ? <Done state={state} /> : ""}
      </Tabs>
      {edited.value === undefined ? (
        ""
      ) : (
        <EditBreakpoint state={state} at={edited.value} close={() => (edited.value = undefined)} />
      )}
    </div>
  );
}

interface Place {
  path: string;
  line: number;
}

function standing(frame: { path?: string; line: number } | undefined): Place | undefined {
  return frame?.path === undefined ? undefined : { path: frame.path, line: frame.line };
}

function at(place: Place | undefined, run: (place: Place) => void): void {
  if (place !== undefined) run(place);
}
