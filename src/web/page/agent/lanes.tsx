/**
 * The run's time: a lane for the model, one for tools, those of sub-agents, what was held, what the agent did with the debugger, and, on the same
 * clock, what programs did: hits of traces that its commands recorded, and when those it profiled were busy. The thin strip below is all of it; the
 * part above can be nearer. The list of events is its table, and for what programs did there is one of its own.
 */
import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { count } from "../parts/text.ts";
import { colours } from "../state/settings.ts";
import { drawLanes, LANE, rowAt, STRIP } from "./draw-lanes.ts";
import { useHeldUntil } from "./held-clock.ts";
import type { Filter } from "./rows.ts";
import type { RunData } from "./run-data.ts";
import { type Lane, lanesOf, moved, time, type Window, wholeOf, zoomed } from "./spans.ts";
import { timelineLanes } from "./timeline.ts";
import { TimelineTable } from "./timeline-table.tsx";

interface LanesProps {
  run: RunData;
  selected: number;
  select(row: number): void;
  filter: Signal<Filter>;
}

const TYPES: Record<string, readonly string[]> = {
  model: ["api_request", "api_response", "api_error", "api_request_edit"],
  tool: ["tool_call_start", "tool_call_end", "tool_result", "tool_call_edit", "tool_call_cancel"],
  held: ["paused", "resumed", "breakpoint_hit", "step_complete"],
  sonde: ["sonde_call"],
};

export function Lanes({ run, selected, select, filter }: LanesProps) {
  const columns = run.columns.value;
  const size = run.size.value;
  const timeline = run.timeline.value;
  const until = useHeldUntil(run, columns);
  const lanes = useMemo(() => {
    if (columns === undefined) return [];
    return [...lanesOf(columns, until), ...(timeline === undefined ? [] : timelineLanes(timeline, columns))];
  }, [columns, size, timeline, until]);
  const whole = useMemo(
    () => (columns === undefined ? { from: 0, to: 1 } : wholeOf(columns, until)),
    [columns, size, until],
  );
  const near = useSignal<Window | undefined>(undefined);
  const window = near.value ?? whole;
  const canvas = useRef<HTMLCanvasElement>(null);
  const selectedAt = selected < 0 ? undefined : columns?.at[selected];
  const draw = () => {
    const one = canvas.current;
    if (one !== null) drawLanes(one, { lanes, window, whole, selectedAt });
  };
  const latest = useRef(draw);
  latest.current = draw;
  useEffect(draw);
  useSignalEffect(() => {
    void colours.value;
    requestAnimationFrame(() => latest.current());
  });
  useEffect(() => {
    const one = canvas.current;
    if (one === null) return;
    const observer = new ResizeObserver(() => latest.current());
    observer.observe(one);
    return () => observer.disconnect();
  }, []);
  const zoom = (factor: number, around = (window.from + window.to) / 2) => {
    const next = zoomed(window, whole, factor, around);
    near.value = next.to - next.from >= whole.to - whole.from ? undefined : next;
  };
  const move = (share: number) => {
    near.value = moved(window, whole, share * (window.to - window.from));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const run = {
      "+": () => zoom(0.5),
      "=": () => zoom(0.5),
      "-": () => zoom(2),
      ArrowLeft: () => move(-0.2),
      ArrowRight: () => move(0.2),
      Home: () => (near.value = undefined),
    }[event.key];
    if (run === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };
  const timeAt = (event: MouseEvent) => {
    const box = canvas.current?.getBoundingClientRect();
    const share = box === undefined ? 0 : (event.clientX - box.left) / box.width;
    return window.from + share * (window.to - window.from);
  };
  const onClick = (event: MouseEvent) => {
    const box = canvas.current?.getBoundingClientRect();
    if (box === undefined) return;
    const y = event.clientY - box.top;
    const lane = lanes[Math.floor(y / LANE)];
    if (lane === undefined) {
      const share = (event.clientX - box.left) / box.width;
      const length = window.to - window.from;
      near.value = moved(
        { from: 0, to: length },
        whole,
        whole.from + share * (whole.to - whole.from) - length / 2,
      );
      return;
    }
    const row = rowAt(lane, timeAt(event), ((window.to - window.from) / box.width) * 4);
    if (row !== undefined && row >= 0) select(row);
  };
  const onWheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.shiftKey) return;
    event.preventDefault();
    if (event.shiftKey) move(Math.sign(event.deltaY || event.deltaX) * 0.1);
    else zoom(event.deltaY < 0 ? 0.8 : 1.25, timeAt(event));
  };
  return (
    <section class="lanes" aria-label="time">
      <div class="lane-names">
        {lanes.map((lane) => (
          <LaneName key={lane.id} lane={lane} filter={filter} />
        ))}
        <span class="lane-name quiet">all</span>
      </div>
      <div class="lane-canvas">
        <canvas
          ref={canvas}
          style={{ height: `${lanes.length * LANE + STRIP}px` }}
          tabIndex={0}
          role="img"
          aria-label={`the run's time in lanes: ${lanes.map(laneWords).join(", ")}; the list of events has the same${timeline === undefined ? "" : ", and the table below what programs did"}. Plus and minus zoom, arrows move.`}
          onKeyDown={onKeyDown}
          onClick={onClick}
          onWheel={onWheel}
        />
        <div class="lane-times">
          <span>{time(window.from)}</span>
          <span class="lane-zoom">
            <button type="button" class="small" onClick={() => zoom(0.5)} aria-label="nearer">
              +
            </button>
            <button type="button" class="small" onClick={() => zoom(2)} aria-label="further">
              −
            </button>
            <button
              type="button"
              class="small"
              onClick={() => (near.value = undefined)}
              disabled={near.value === undefined}
            >
              all
            </button>
          </span>
          <span>{time(window.to)}</span>
        </div>
      </div>
      {timeline === undefined ? "" : <TimelineTable run={run} timeline={timeline} select={select} />}
    </section>
  );
}

function laneWords({ title, spans }: Lane): string {
  return spans[0]?.level === undefined ? `${title} ${count(spans.length)}` : title;
}

/** Mutes its events in the list. What programs did has none there. */
function LaneName({ lane, filter }: { lane: Lane; filter: Signal<Filter> }) {
  const types = lane.id.startsWith("agent") ? [lane.id] : TYPES[lane.id];
  if (types === undefined) return <span class="lane-name">{lane.title}</span>;
  const isMuted = types.every((type) => filter.value.muted.includes(type));
  const toggle = () => {
    const { muted } = filter.value;
    const rest = muted.filter((type) => !types.includes(type));
    filter.value = { ...filter.value, muted: isMuted ? rest : [...rest, ...types] };
  };
  return (
    <button
      type="button"
      class="lane-name"
      aria-pressed={!isMuted}
      title={isMuted ? "not in the list: show its events" : "leave its events out of the list"}
      onClick={toggle}
    >
      {lane.title}
    </button>
  );
}
