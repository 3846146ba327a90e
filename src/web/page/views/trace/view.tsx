/** A saved trace: values over hits, calls of functions as a tree, or how often functions ran. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Told, Typed } from "../../parts/advice.tsx";
import { Failed } from "../../parts/failed.tsx";
import { clock, count, many, oneLine } from "../../parts/text.ts";
import { type Answer, call } from "../../state/link.ts";
import { go } from "../../state/router.ts";
import { now } from "../../state/sessions.ts";
import type { ViewProps } from "../view.ts";
import { Calls } from "./calls.tsx";
import { Counts } from "./counts.tsx";
import type { Columns, Head } from "./data.ts";
import { Points } from "./points.tsx";

/** Buckets a plot has at most: more than it has pixels. */
export const BUCKETS = 1600;

export default function TraceView({ params, query }: ViewProps) {
  const id = params.id ?? "";
  const at = query.at;
  const answer = useSignal<Answer<Columns> | undefined>(undefined);
  useEffect(() => {
    void call<Columns>(
      "trace columns",
      { id, ...(at === undefined ? {} : { at }), buckets: BUCKETS },
      { quiet: true },
    ).then((one) => {
      answer.value = one;
    });
  }, [id, at]);
  const one = answer.value;
  if (one === undefined) return <p class="boot">Reading {id} …</p>;
  if (!one.ok)
    return (
      <Failed title={`Trace ${id} cannot be shown`} error={one.error}>
        <Typed line="sonde trace --at app.js:12=total -- node app.js" />
      </Failed>
    );
  const { head } = one.data;
  return (
    <div class="record">
      <TraceHead head={head} />
      {head.calls !== undefined ? (
        <Counts calls={head.calls} />
      ) : head.plan.lines !== undefined ? (
        <Calls head={head} query={query} />
      ) : (
        <Points key={one.data.point} data={one.data} query={query} />
      )}
    </div>
  );
}

function TraceHead({ head }: { head: Head }) {
  const { end } = head;
  const how =
    end.how === "exited"
      ? `exit code ${end.exitCode ?? ""}`
      : `${end.how}${end.signal === undefined ? "" : `, ${end.signal}`}`;
  const what = head.plan.lines?.functions.map((name) => `${name}()`).join(", ");
  const others = ((now.value?.traces ?? []) as { head?: Head }[]).flatMap((one) =>
    one.head !== undefined && one.head.id !== head.id ? [one.head] : [],
  );
  return (
    <header class="record-head">
      <h1>
        trace {head.id} <span class="quiet">of</span> <code>{oneLine(head.title, 200)}</code>
      </h1>
      <p class="quiet">
        {many(head.seen, what === undefined ? "hit" : "event")}
        {what === undefined ? "" : ` in ${oneLine(what, 200)}`} · {how} · {head.seconds.toFixed(2)} s ·{" "}
        {clock(head.began)}
        {head.dropped === 0 ? "" : ` · ${count(head.dropped)} in the middle were not kept`}
      </p>
      {end.why === undefined ? "" : <p class="why-exception">{oneLine(end.why, 500)}</p>}
      {head.partial === undefined ? "" : <p class="warn">{oneLine(head.partial, 500)}</p>}
      {head.notes.map((note) => (
        <p key={note} class="quiet">
          <Told told={note} />
        </p>
      ))}
      {others.length === 0 ? (
        ""
      ) : (
        <label class="compare">
          compare with{" "}
          <select
            onChange={(event) => {
              const other = (event.currentTarget as HTMLSelectElement).value;
              if (other !== "") go(`/d/${encodeURIComponent(other)}/${encodeURIComponent(head.id)}`);
            }}
          >
            <option value="">…</option>
            {others.slice(0, 50).map((one) => (
              <option key={one.id} value={one.id}>
                {one.id} {oneLine(one.title, 60)}
              </option>
            ))}
          </select>
        </label>
      )}
    </header>
  );
}
