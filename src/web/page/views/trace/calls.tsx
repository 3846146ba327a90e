/** Whole calls of functions: a tree of activations, in each its lines with what changed, and the calls that it made. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { SourceView } from "../../parts/source-view.tsx";
import { many, oneLine } from "../../parts/text.ts";
import { VirtualList } from "../../parts/virtual-list.tsx";
import type { ValueLine } from "../../state/data.ts";
import { fileAt } from "../../state/files.ts";
import { call } from "../../state/link.ts";
import { tellError } from "../../state/say.ts";
import type { Head, LineEvent } from "./data.ts";

interface Activation {
  first: LineEvent;
  /** Its lines, and where other activations begin in it. */
  inside: (LineEvent | Activation)[];
  end?: LineEvent;
}

interface Row {
  level: number;
  item: LineEvent | Activation;
}

export function Calls({ head, query }: { head: Head; query: Readonly<Record<string, string>> }) {
  const events = useSignal<LineEvent[] | undefined>(undefined);
  const open = useSignal<ReadonlySet<number>>(new Set());
  const at = useSignal(0);
  useEffect(() => {
    void call<{ hits: LineEvent[] }>("trace show", { id: head.id, all: true }, { quiet: true }).then(
      (answer) => {
        if (!answer.ok) tellError(answer.error);
        events.value = answer.ok ? answer.data.hits.filter((hit) => "call" in hit) : [];
        const first = events.value.find(({ kind }) => kind === "call");
        if (first !== undefined) open.value = new Set([Number(query.call ?? first.call)]);
      },
    );
  }, [head.id]);
  const roots = useMemo(() => treeOf(events.value ?? []), [events.value]);
  const made = useMemo(() => changesMade(events.value ?? []), [events.value]);
  const rows = useMemo(() => flat(roots, open.value), [roots, open.value]);
  if (events.value === undefined) return <p class="note">Reading the calls …</p>;
  const row = rows[at.value];
  const event = row === undefined ? undefined : "first" in row.item ? row.item.first : row.item;
  const toggle = (index: number, to?: boolean) => {
    const item = rows[index]?.item;
    if (item === undefined || !("first" in item)) return;
    const { call: number } = item.first;
    if (to === open.value.has(number)) return;
    const next = new Set(open.value);
    if (!next.delete(number)) next.add(number);
    open.value = next;
  };
  return (
    <div class="trace">
      <div class="trace-left">
        <p class="note">
          {many(roots.length, "call")}
          {head.dropped === 0 ? "" : ", the first and the last of them"}
        </p>
        <VirtualList
          label="calls"
          role="tree"
          class="tree"
          count={rows.length}
          selected={at.value}
          onSelect={(index) => {
            at.value = index;
          }}
          onClick={(_event, index) => toggle(index)}
          onKey={({ key }) => {
            if (key === "ArrowRight") toggle(at.value, true);
            else if (key === "ArrowLeft") toggle(at.value, false);
            else if (key === "Enter" || key === " ") toggle(at.value);
            else return false;
            return true;
          }}
          rowProps={(index) => {
            const one = rows[index];
            return one === undefined
              ? {}
              : {
                  "aria-level": one.level,
                  ...("first" in one.item ? { "aria-expanded": open.value.has(one.item.first.call) } : {}),
                };
          }}
          row={(index) => {
            const one = rows[index];
            return one === undefined ? (
              ""
            ) : (
              <CallRow
                row={one}
                made={made}
                isOpen={"first" in one.item && open.value.has(one.item.first.call)}
              />
            );
          }}
        />
      </div>
      <div class="trace-right">
        {event === undefined ? "" : <EventSource event={event} all={events.value} made={made} />}
      </div>
    </div>
  );
}

type Made = ReadonlyMap<number, LineEvent["changes"]>;

/** By the event of a line: what it did. The record says at each event what differs since the one before, which the line before has changed. */
export function changesMade(events: readonly LineEvent[]): Made {
  const made = new Map<number, LineEvent["changes"]>();
  const last = new Map<number, number>();
  for (const { kind, call: number, seq, changes } of events) {
    const by = kind === "call" ? seq : last.get(number);
    if (by !== undefined) made.set(by, [...(made.get(by) ?? []), ...changes]);
    if (kind === "line") last.set(number, seq);
  }
  return made;
}

function CallRow({ row: { level, item }, made, isOpen }: { row: Row; made: Made; isOpen: boolean }) {
  const indent = { paddingLeft: `${(level - 1) * 16}px` };
  if (!("first" in item)) {
    const changes = (made.get(item.seq) ?? [])
      .map(([name, value]) => `${name} = ${oneLine(value, 80)}`)
      .join("  ");
    return (
      <>
        <span class="name quiet" style={indent}>
          <span class="twisty" />
          {item.kind === "line" ? `line ${item.line}` : item.kind}
        </span>
        <span class={item.kind === "throw" ? "value why-exception" : "value"}>
          {item.value === undefined ? changes : oneLine(item.value, 200)}
        </span>
      </>
    );
  }
  const { first, end } = item;
  const args = first.changes.map(([name, value]) => `${name} = ${oneLine(value, 60)}`).join(", ");
  return (
    <>
      <span class="name called" style={indent}>
        <span class="twisty" aria-hidden="true">
          {isOpen ? "▾" : "▸"}
        </span>
        {oneLine(first.function, 80)}({args})
      </span>
      <span class={end?.kind === "throw" ? "value result why-exception" : "value result"}>
        {end?.value === undefined
          ? ""
          : `${end.kind === "throw" ? "throws" : "→"} ${oneLine(end.value, 120)}`}
      </span>
      <span class="type">{end === undefined ? "" : `${(end.ms - first.ms).toFixed(1)} ms`}</span>
    </>
  );
}

/** The line of an event, and the values that were known there. */
function EventSource({ event, all, made }: { event: LineEvent; all: readonly LineEvent[]; made: Made }) {
  const file = fileAt(event.path).value;
  const { inline, ran } = useMemo(() => {
    const values = new Map<number, ValueLine[]>();
    const lines = new Set<number>();
    for (const one of all) {
      if (one.call !== event.call || one.path !== event.path) continue;
      if (one.kind === "line") lines.add(one.line);
      if (one.seq > event.seq) continue;
      const changes = made.get(one.seq) ?? [];
      if (changes.length > 0)
        values.set(
          one.line,
          changes.map(([name, value]) => ({
            name,
            value,
            ...(one.seq === event.seq ? { change: "changed" as const } : {}),
          })),
        );
    }
    return { inline: values, ran: lines };
  }, [event, all, made]);
  return (
    <section class="pane source-pane" aria-label="source">
      <h2 class="pane-head">
        <span class="path">{oneLine(event.path, 300)}</span>
      </h2>
      {file.lines === undefined ? (
        <p class="note">{file.missing === undefined ? "Reading …" : oneLine(file.missing, 200)}</p>
      ) : (
        <SourceView
          label={`source of ${event.path}`}
          path={event.path}
          lines={file.lines}
          arrow={event.line}
          moment={event.seq}
          inline={inline}
          ran={ran}
        />
      )}
    </section>
  );
}

function treeOf(events: readonly LineEvent[]): Activation[] {
  const known = new Map<number, Activation>();
  const roots: Activation[] = [];
  for (const event of events) {
    let one = known.get(event.call);
    if (one === undefined) {
      one = { first: event, inside: [] };
      known.set(event.call, one);
      const above = event.parent === undefined ? undefined : known.get(event.parent);
      if (above === undefined) roots.push(one);
      else above.inside.push(one);
      if (event.kind === "call") continue;
    }
    one.inside.push(event);
    if (event.kind === "return" || event.kind === "throw") one.end = event;
  }
  return roots;
}

function flat(roots: readonly Activation[], open: ReadonlySet<number>): Row[] {
  const rows: Row[] = [];
  const add = (item: LineEvent | Activation, level: number) => {
    rows.push({ level, item });
    if ("first" in item && open.has(item.first.call)) for (const one of item.inside) add(one, level + 1);
  };
  for (const root of roots) add(root, 1);
  return rows;
}
