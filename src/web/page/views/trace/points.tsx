/** Values over hits: a plot for numbers, a lane for other values, the table, and the source line at the right. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { SourceView } from "../../parts/source-view.tsx";
import { count, fileName, many, oneLine } from "../../parts/text.ts";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { fileAt } from "../../state/files.ts";
import { useKeys } from "../../state/keys.ts";
import { call } from "../../state/link.ts";
import { go, replaceQuery } from "../../state/router.ts";
import { tell, tellError } from "../../state/say.ts";
import { type Buckets, type Columns, indexOfHit, type PointHit, Rows } from "./data.ts";
import { Lane } from "./lane.tsx";
import { Plot } from "./plot.tsx";

interface Props {
  data: Columns;
  query: Readonly<Record<string, string>>;
}

const BUCKETS = 1600;
const MOST_FOUND = 5000;

export function Points({ data, query }: Props) {
  const { head, point, kept } = data;
  const place = head.plan.points[point];
  const all = kept[point] ?? 0;
  const whole = data.buckets ?? { from: [], to: [], columns: [] };
  const shown = useSignal<{ buckets: Buckets; from: number; to: number }>({
    buckets: whole,
    from: 0,
    to: all,
  });
  const rows = useSignal<Rows | undefined>(undefined);
  const filter = useSignal<{ text: string; found: number } | undefined>(undefined);
  const selected = useSignal(0);
  const reveal = useSignal({ index: 0, why: 0 });
  const only = query.expr;

  useEffect(() => {
    rows.value = new Rows(head.id, place?.key ?? "", all);
    const hit = Number(query.hit ?? Number.NaN);
    if (Number.isFinite(hit)) jump(hit);
    if (query.where !== undefined) void search(query.where);
  }, []);

  const list = rows.value;
  const version = list?.version.value;
  const current = version === undefined ? undefined : list?.get(selected.value);

  const show = (index: number) => {
    selected.value = index;
    reveal.value = { index, why: reveal.value.why + 1 };
  };
  const jump = (hit: number) => {
    const index = filter.value === undefined ? indexOfHit(whole, all, hit) : undefined;
    if (index === undefined) tell(`hit ${hit} was not kept`);
    else {
      show(index);
      replaceQuery({ hit: String(hit) });
    }
  };
  const search = async (text: string) => {
    replaceQuery({ where: text === "" ? undefined : text });
    if (text === "") {
      filter.value = undefined;
      rows.value = new Rows(head.id, place?.key ?? "", all);
      return;
    }
    const args = { id: head.id, at: place?.key, where: text, rows: MOST_FOUND };
    const answer = await call<Columns>("trace columns", args);
    if (!answer.ok) {
      tellError(answer.error);
      return;
    }
    filter.value = { text, found: answer.data.found ?? 0 };
    rows.value = new Rows(head.id, place?.key ?? "", all, answer.data.rows ?? []);
    show(0);
  };
  /** By buckets of what is shown. */
  const zoom = async (first: number, last: number) => {
    const { from, to, buckets } = shown.value;
    const size = (to - from) / Math.max(1, buckets.from.length);
    const next = {
      from: Math.max(0, Math.floor(from + first * size)),
      to: Math.min(all, Math.ceil(from + (last + 1) * size)),
    };
    if (next.to - next.from < 2) return;
    const args = { id: head.id, at: place?.key, ...next, buckets: BUCKETS };
    const answer = await call<Columns>("trace columns", args, { quiet: true });
    if (answer.ok && answer.data.buckets !== undefined)
      shown.value = { ...next, buckets: answer.data.buckets };
  };
  const back = () => {
    shown.value = { buckets: whole, from: 0, to: all };
  };
  const middle = (by: number) => {
    const length = shown.value.buckets.from.length;
    const half = Math.floor((length * by) / 2);
    void zoom(Math.floor(length / 2) - half, Math.floor(length / 2) + half);
  };
  useKeys(`trace ${head.id}`, [
    { key: "j", does: "next hit", run: () => show(Math.min((list?.count ?? 1) - 1, selected.value + 1)) },
    { key: "k", does: "hit before", run: () => show(Math.max(0, selected.value - 1)) },
    { key: "+", does: "look closer at the plot's middle", run: () => middle(0.5) },
    { key: "0", does: "the whole plot", run: back },
  ]);

  const expressions = place?.expressions ?? [];
  const drawn = expressions
    .map((name, at) => ({ name, at }))
    .filter(({ name }) => only === undefined || name === only);
  if (place === undefined) return <p class="note">This trace has no places.</p>;
  return (
    <div class="trace">
      <div class="trace-left">
        <div class="tools">
          {head.plan.points.length < 2 ? (
            <code>{oneLine(place.key, 120)}</code>
          ) : (
            <select
              aria-label="place"
              onChange={(event) =>
                go(`/t/${head.id}?at=${encodeURIComponent((event.currentTarget as HTMLSelectElement).value)}`)
              }
            >
              {head.plan.points.map(({ key }, index) => (
                <option key={key} value={key} selected={index === point}>
                  {oneLine(key, 80)} ({count(head.counts[index] ?? 0)})
                </option>
              ))}
            </select>
          )}
          {expressions.length < 2 ? (
            ""
          ) : (
            <select
              aria-label="expression"
              onChange={(event) =>
                replaceQuery({ expr: (event.currentTarget as HTMLSelectElement).value || undefined })
              }
            >
              <option value="">all expressions</option>
              {expressions.map((name) => (
                <option key={name} value={name} selected={name === only}>
                  {oneLine(name, 60)}
                </option>
              ))}
            </select>
          )}
          <Field
            label="only hits where"
            example={`${expressions[0] ?? "x"} < 0`}
            value={query.where ?? ""}
            done={(text) => void search(text)}
            isSearch
          />
          <Field label="go to hit" example="number" value="" done={(text) => jump(Number(text))} />
          {filter.value === undefined ? (
            ""
          ) : (
            <span class="tag">
              {many(filter.value.found, "hit")}
              {filter.value.found > MOST_FOUND ? `, the first ${count(MOST_FOUND)} shown` : ""}
            </span>
          )}
          {shown.value.from === 0 && shown.value.to === all ? (
            ""
          ) : (
            <button type="button" onClick={back}>
              whole plot
            </button>
          )}
        </div>
        <div class="plots" tabIndex={0} role="region" aria-label="plots">
          {drawn.map(({ name, at }) => (
            <Drawn
              key={name}
              name={name}
              buckets={shown.value.buckets}
              at={at}
              hit={current?.hit}
              zoom={(first, last) => void zoom(first, last)}
              pick={jump}
            />
          ))}
        </div>
        {list === undefined ? (
          ""
        ) : (
          <VirtualList
            label="hits"
            role="grid"
            class="hits"
            count={list.count}
            selected={selected.value}
            onSelect={(index) => {
              selected.value = index;
            }}
            reveal={{ index: reveal.value.index, why: reveal.value.why }}
            head={<HitHead expressions={drawn.map(({ name }) => name)} />}
            row={(index) => (
              <HitRow
                hit={list.get(index)}
                columns={drawn.map(({ at }) => at)}
                before={index === 0 ? undefined : list.get(index - 1)}
              />
            )}
          />
        )}
      </div>
      <div class="trace-right">
        <HitSource path={place.path} line={place.line} hit={current} />
      </div>
    </div>
  );
}

/** A plot where there are numbers, a lane where there is anything else. */
function Drawn(props: {
  name: string;
  buckets: Buckets;
  at: number;
  hit: number | undefined;
  zoom(first: number, last: number): void;
  pick(hit: number): void;
}) {
  const column = props.buckets.columns[props.at];
  const hasNumbers = useMemo(() => column?.min.some((one) => one !== null) ?? false, [column]);
  const hasTexts = useMemo(() => column?.text.some((one) => one !== null) ?? false, [column]);
  if (column === undefined) return null;
  return (
    <>
      {hasNumbers ? <Plot {...props} column={column} /> : ""}
      {hasTexts ? <Lane {...props} column={column} /> : ""}
    </>
  );
}

function HitHead({ expressions }: { expressions: readonly string[] }) {
  return (
    <div class="row list-head" role="row">
      <span class="cell hit-number" role="columnheader">
        hit
      </span>
      <span class="cell hit-time" role="columnheader">
        ms
      </span>
      {expressions.map((name) => (
        <span key={name} class="cell hit-value" role="columnheader">
          {oneLine(name, 60)}
        </span>
      ))}
    </div>
  );
}

function HitRow({
  hit,
  columns,
  before,
}: {
  hit: PointHit | undefined;
  columns: readonly number[];
  before: PointHit | undefined;
}) {
  if (hit === undefined)
    return (
      <span class="cell quiet" role="gridcell">
        …
      </span>
    );
  return (
    <>
      <span class="cell hit-number" role="gridcell">
        {hit.hit}
      </span>
      <span class="cell hit-time" role="gridcell">
        {hit.ms.toFixed(1)}
      </span>
      {columns.map((at) => {
        const value = hit.values[at] ?? "";
        const isChanged = before !== undefined && before.values[at] !== value;
        return (
          <span key={at} class={`cell hit-value ${isChanged ? "differs" : ""}`} role="gridcell">
            {oneLine(value, 200)}
          </span>
        );
      })}
    </>
  );
}

function HitSource({ path, line, hit }: { path: string; line: number; hit: PointHit | undefined }) {
  const file = fileAt(path).value;
  return (
    <>
      <section class="pane source-pane" aria-label="source">
        <h2 class="pane-head">
          <span class="path">{oneLine(path, 300)}</span>
        </h2>
        {file.lines === undefined ? (
          <p class="note">{file.missing === undefined ? "Reading …" : oneLine(file.missing, 200)}</p>
        ) : (
          <SourceView label={`source of ${path}`} path={path} lines={file.lines} arrow={line} moment={path} />
        )}
      </section>
      <section class="pane called-pane" aria-label="called from">
        <h2 class="pane-head">
          {hit === undefined ? "called from" : `hit ${count(hit.hit)} · ${oneLine(hit.thread, 60)}`}
        </h2>
        <ol class="called">
          {(hit?.frames ?? []).map((frame, index) => (
            <li key={`${index} ${frame.line}`}>
              <code>{oneLine(frame.function, 100)}</code>{" "}
              <span class="quiet">
                {frame.path === undefined ? "" : `${oneLine(fileName(frame.path), 80)}:${frame.line}`}
              </span>
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}

interface FieldProps {
  label: string;
  example: string;
  value: string;
  done(text: string): void;
  isSearch?: boolean;
}

function Field({ label, example, value, done, isSearch }: FieldProps) {
  return (
    <form
      class="tool-form"
      onSubmit={(event) => {
        event.preventDefault();
        done(
          (
            (event.currentTarget as HTMLFormElement).elements.namedItem("text") as HTMLInputElement
          ).value.trim(),
        );
      }}
    >
      <input
        name="text"
        {...(isSearch ? { "data-search": "" } : {})}
        aria-label={label}
        placeholder={`${label}: ${example}`}
        defaultValue={value}
        autocomplete="off"
        spellcheck={false}
      />
    </form>
  );
}
