/** One event, and the call to the model it belongs to: messages, request, answer, stream, what changed since the call before, the state then. */

import type { Signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { RunColumns as Columns } from "../../../agent/explain/columns.ts";
import type { PageTold } from "../../protocol.ts";
import { Told } from "../parts/advice.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { count, many, oneLine, plain } from "../parts/text.ts";
import { call } from "../state/link.ts";
import type { RunData } from "./run-data.ts";
import { time } from "./spans.ts";

export const TABS = [
  { id: "event", title: "event" },
  { id: "messages", title: "messages" },
  { id: "request", title: "request" },
  { id: "response", title: "response" },
  { id: "stream", title: "stream" },
  { id: "diff", title: "diff" },
  { id: "snapshot", title: "snapshot" },
] as const;

interface DetailProps {
  run: RunData;
  /** Of the columns; -1 if none is chosen. */
  row: number;
  tab: Signal<string>;
  select(row: number): void;
}

export function Detail({ run, row, tab, select }: DetailProps) {
  const columns = run.columns.value;
  if (columns === undefined && row >= 0)
    return (
      <section class="pane detail" aria-label="detail">
        <p class="note">Reading the run …</p>
      </section>
    );
  if (columns === undefined || row < 0 || row >= columns.seq.length)
    return (
      <section class="pane detail" aria-label="detail">
        <p class="note">Choose an event: a click, or j and k.</p>
      </section>
    );
  const req = columns.req[row] || callOf(columns, row);
  return (
    <section class="pane detail" aria-label="detail">
      <div class="pane-head">
        <span>
          event {count(columns.seq[row] ?? 0)} · {time(columns.at[row] ?? 0)}
          {req === 0 ? "" : ` · call ${count(req)}`}
        </span>
        {req > 1 ? (
          <a href={`/a/${encodeURIComponent(run.id)}/diff/${req - 1}/${req}`}>beside call {req - 1}</a>
        ) : (
          ""
        )}
        <Links run={run} columns={columns} row={row} select={select} />
      </div>
      <Tabs label="detail of the event" tabs={TABS} chosen={tab.value} choose={(id) => (tab.value = id)}>
        <Body key={`${tab.value} ${row}`} run={run} columns={columns} row={row} req={req} tab={tab.value} />
      </Tabs>
    </section>
  );
}

/** A tool belongs to the call before it. */
function callOf({ req, agent }: Columns, row: number): number {
  for (let at = row; at >= 0; at--) if ((req[at] ?? 0) > 0 && agent[at] === agent[row]) return req[at] ?? 0;
  return 0;
}

/** From a tool call to the debug session that it started, and between the events of one call. */
function Links({
  columns,
  row,
  select,
}: {
  run: RunData;
  columns: Columns;
  row: number;
  select(row: number): void;
}) {
  const one = columns.call[row] ?? 0;
  const seq = columns.seq[row] ?? 0;
  const debugged = columns.debugged.filter((each) => each.seq === seq || (one > 0 && each.call === one));
  const others = one === 0 ? [] : rowsWith(columns, one).filter((each) => each !== row);
  return (
    <span class="detail-links">
      {debugged.slice(0, 4).flatMap(({ seq: at, session, trace, profile }) => [
        ...(session === undefined
          ? []
          : [
              <a key={`s${at}`} href={`/s/${encodeURIComponent(session)}`}>
                session {oneLine(session, 30)}
              </a>,
            ]),
        ...(trace === undefined
          ? []
          : [
              <a key={`t${at}`} href={`/t/${encodeURIComponent(trace)}`}>
                trace {oneLine(trace, 20)}
              </a>,
            ]),
        ...(profile === undefined
          ? []
          : [
              <a key={`p${at}`} href={`/p/${encodeURIComponent(profile)}`}>
                profile {oneLine(profile, 20)}
              </a>,
            ]),
      ])}
      {others.slice(0, 4).map((each) => (
        <button key={each} type="button" class="link" onClick={() => select(each)}>
          {oneLine(columns.names.types[columns.type[each] ?? 0] ?? "", 30)}
        </button>
      ))}
    </span>
  );
}

function rowsWith({ call: calls }: Columns, wanted: number): number[] {
  const rows: number[] = [];
  for (let row = 0; row < calls.length; row++) if (calls[row] === wanted) rows.push(row);
  return rows;
}

interface BodyProps {
  run: RunData;
  columns: Columns;
  row: number;
  req: number;
  tab: string;
}

type Shown = { data: Record<string, unknown> } | { error: PageTold } | undefined;

function Body(props: BodyProps) {
  const { run, tab } = props;
  const [shown, setShown] = useState<Shown>(undefined);
  const asked = questionOf(props);
  useEffect(() => {
    if (asked === undefined) return;
    let over = false;
    const options = { session: run.id, quiet: true } as const;
    void call<Record<string, unknown>>(asked.command, asked.args, options).then((answer) => {
      if (!over) setShown(answer.ok ? { data: answer.data } : { error: answer.error.message });
    });
    return () => {
      over = true;
    };
  }, [asked?.command, JSON.stringify(asked?.args)]);
  if (asked === undefined) return <p class="note">This event does not belong to a call to the model.</p>;
  if (shown === undefined) return <p class="note">Reading …</p>;
  if ("error" in shown)
    return (
      <p class="note">
        <Told told={shown.error} />
      </p>
    );
  return (
    <div class="detail-body" tabIndex={0}>
      {bodyOf(tab, shown.data)}
    </div>
  );
}

function questionOf({ run, columns, row, req, tab }: BodyProps) {
  const source = run.id;
  if (tab === "event") return { command: "agent event", args: { seq: columns.seq[row], source } };
  if (req === 0) return undefined;
  if (tab === "response") {
    const answer = answerRow(columns, req);
    return answer === undefined
      ? undefined
      : { command: "agent event", args: { seq: columns.seq[answer], source } };
  }
  if (tab === "stream") return { command: "agent sse", args: { req, tail: 1000 } };
  if (tab === "messages")
    return { command: "agent inspect", args: { what: "messages", call: req, last: 200, whole: true } };
  const what = tab === "snapshot" ? "all" : tab;
  return { command: "agent inspect", args: { what, call: req } };
}

function answerRow({ names, type, req }: Columns, wanted: number): number | undefined {
  const kinds = names.types.map((name) => name === "api_response" || name === "api_error");
  for (let row = type.length - 1; row >= 0; row--)
    if (req[row] === wanted && kinds[type[row] ?? 0]) return row;
  return undefined;
}

function bodyOf(tab: string, data: Record<string, unknown>) {
  if (tab === "messages") return <Messages data={data} />;
  if (tab === "stream") return <Stream data={data} />;
  if (tab === "request") return <Json value={data.request} />;
  if (tab === "diff")
    return <Json value={data.diff ?? "the first call of this agent: nothing to compare it with"} />;
  if (tab === "event" || tab === "response") {
    const event = data.event as { type: string; timestamp: string; data: unknown } | undefined;
    return (
      <>
        <p class="note">
          {oneLine(event?.type ?? "", 40)} at {oneLine(event?.timestamp ?? "", 40)}
        </p>
        <Fields value={event?.data} />
      </>
    );
  }
  return <Json value={data} />;
}

/** Long texts as texts, not as JSON with escapes. */
function Fields({ value }: { value: unknown }) {
  if (typeof value !== "object" || value === null) return <Json value={value} />;
  return (
    <dl class="event-fields">
      {Object.entries(value).map(([key, one]) => (
        <div key={key}>
          <dt>{oneLine(key, 60)}</dt>
          <dd>
            {typeof one === "string" ? (
              <pre>{plain(one, LONGEST)}</pre>
            ) : typeof one === "object" && one !== null ? (
              <Json value={one} />
            ) : (
              <code>{oneLine(String(one), 200)}</code>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const LONGEST = 20_000;

function Json({ value }: { value: unknown }) {
  const text = typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "");
  return <pre class="json">{plain(text, LONGEST)}</pre>;
}

function Messages({ data }: { data: Record<string, unknown> }) {
  const { count: all = 0, recent = [] } = (data.messages ?? {}) as {
    count?: number;
    recent?: { role: string; preview: string }[];
  };
  return (
    <>
      {recent.length < all ? (
        <p class="note">
          the last {count(recent.length)} of {count(all)}
        </p>
      ) : (
        ""
      )}
      <ol class="said">
        {recent.map(({ role, preview }, at) => (
          <li key={at}>
            <span class={`role r-${role === "user" || role === "assistant" ? role : "other"}`}>
              {oneLine(role, 20)}
            </span>
            <pre>{plain(preview, LONGEST)}</pre>
          </li>
        ))}
      </ol>
    </>
  );
}

function Stream({ data }: { data: Record<string, unknown> }) {
  const entries = (data.entries ?? []) as { n: number; event?: string; data: string }[];
  const seen = (data.seen ?? {}) as { events?: number };
  return (
    <>
      <p class="note">
        {many(entries.length, "event")} of {count(seen.events ?? 0)} seen
      </p>
      <ol class="stream">
        {entries.slice(-300).map((one) => (
          <li key={one.n}>
            <span class="e-seq">{one.n}</span> <b>{oneLine(one.event ?? "", 40)}</b> {oneLine(one.data, 400)}
          </li>
        ))}
      </ol>
    </>
  );
}
