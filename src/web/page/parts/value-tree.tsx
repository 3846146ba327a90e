/**
 * Values and their parts. What is open stays open across steps: it is remembered by the path of names, and opened again with the new
 * stop's handles. Until they are there the old parts are shown, marked as such. Changed values come first only where the caller says so.
 */
import { type Signal, signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ValueLine } from "../state/data.ts";
import { underWay } from "../state/doing.ts";
import { call } from "../state/link.ts";
import { oneLine } from "./text.ts";
import { VirtualList } from "./virtual-list.tsx";

export interface ValueTreeProps {
  label: string;
  session: string;
  values: readonly ValueLine[];
  /** Changes when values have to be asked for again. */
  moment: number;
  /** The number of the stop: changes are those since the one before. */
  stop: number;
  /** What is open and known, kept by the view across stops. */
  memory: TreeMemory;
  /** Edits a value at the top. */
  onEdit?(value: ValueLine): void;
  /** For parts of rows behind the value: a button to remove a watch. */
  after?(value: ValueLine): preact.ComponentChildren;
}

export interface TreeMemory {
  open: Signal<ReadonlySet<string>>;
  parts: Signal<ReadonlyMap<string, Parts>>;
}

export function treeMemory(): TreeMemory {
  return {
    open: signal<ReadonlySet<string>>(new Set()),
    parts: signal<ReadonlyMap<string, Parts>>(new Map()),
  };
}

interface Parts {
  moment: number;
  stop: number;
  /** Those of the stop before, as far as they were open. */
  before?: readonly ValueLine[] | undefined;
  values: readonly ValueLine[];
  more: number;
  error?: string;
}

interface Row {
  path: string;
  level: number;
  value: ValueLine;
  isOld: boolean;
  /** The row stands for parts that are not shown. */
  more?: { handle: string; shown: number };
}

const STEP = 100;

export function ValueTree(props: ValueTreeProps) {
  const { values, moment, stop, session } = props;
  const { open, parts } = props.memory;
  const selected = useSignal<string | undefined>(undefined);
  const latest = useRef(moment);
  latest.current = moment;
  const rows = rowsOf(values, moment, open.value, parts.value);

  /** Fetches what is open and not of this stop. */
  const handles = wanted(rows, moment, open.value, parts.value);
  const key = handles.map(([path, handle]) => `${path}${handle}`).join();
  useEffect(() => {
    for (const [path, handle] of handles) void fetchParts(path, handle);
  }, [key, moment]);

  const fetchParts = async (path: string, handle: string, start = 0) => {
    const answer = await call<{ values: ValueLine[]; more: number }>(
      "variables",
      { handle, ...(start > 0 ? { start } : {}), count: STEP },
      { session, quiet: true },
    );
    // The program has moved on: what is open is asked for again, with the new handles.
    if (latest.current !== moment) return;
    const known = parts.peek().get(path);
    // It has begun to move, and what came may be of either side of the step: its next stop asks again.
    if ((!answer.ok || underWay.peek() > 0) && known !== undefined) return;
    const before = known?.stop === stop ? known.before : known?.values;
    const common = { moment, stop, before };
    const next: Parts = answer.ok
      ? {
          ...common,
          values:
            start > 0
              ? [...(known?.values ?? []), ...answer.data.values]
              : compared(answer.data.values, before),
          more: answer.data.more,
        }
      : {
          ...common,
          values: [],
          more: 0,
          error: typeof answer.error.message === "string" ? answer.error.message : answer.error.code,
        };
    parts.value = new Map(parts.peek()).set(path, next);
  };

  const toggle = (row: Row, to?: boolean) => {
    if (row.more !== undefined) {
      void fetchParts(row.path, row.more.handle, row.more.shown);
      return;
    }
    if (!hasParts(row.value)) return;
    const isOpen = open.value.has(row.path);
    if (to === isOpen) return;
    const next = new Set(open.value);
    if (isOpen) next.delete(row.path);
    else next.add(row.path);
    open.value = next;
  };
  /** By a double click; what has parts is opened by it, and changed by Enter. */
  const isEdited = (row: Row) => props.onEdit !== undefined && row.level === 1 && !hasParts(row.value);
  const at = rows.findIndex(({ path, more }) => path === selected.value && more === undefined);
  const onKey = (event: KeyboardEvent) => {
    const row = rows[at];
    if (row === undefined) return false;
    if (event.key === "ArrowRight") toggle(row, true);
    else if (event.key === "ArrowLeft" && open.value.has(row.path)) toggle(row, false);
    else if (event.key === "ArrowLeft") selected.value = row.path.slice(0, row.path.lastIndexOf("\u0000"));
    else if (event.key === "Enter" && row.level === 1 && props.onEdit) props.onEdit(row.value);
    else if (event.key === " " || event.key === "Enter") toggle(row);
    else return false;
    return true;
  };
  return (
    <VirtualList
      label={props.label}
      role="tree"
      class="tree"
      count={rows.length}
      selected={at}
      onSelect={(index) => {
        selected.value = rows[index]?.path;
      }}
      onKey={onKey}
      onClick={(event, index) => {
        const row = rows[index];
        if (row === undefined || (event.target as Element).closest("button, input") !== null) return;
        if (event.detail === 2 && isEdited(row)) props.onEdit?.(row.value);
        else toggle(row);
      }}
      rowProps={(index) => {
        const row = rows[index];
        if (row === undefined) return {};
        return {
          "aria-level": row.level,
          class: `row ${index === at ? "selected" : ""} ${row.isOld ? "old" : ""} ${row.value.change ?? ""}`,
          ...(hasParts(row.value) ? { "aria-expanded": open.value.has(row.path) } : {}),
          ...(isEdited(row) ? { title: "a double click or Enter changes it" } : {}),
        };
      }}
      row={(index) => {
        const row = rows[index];
        return row === undefined ? (
          ""
        ) : (
          <ValueRow row={row} isOpen={open.value.has(row.path)} props={props} />
        );
      }}
    />
  );
}

function ValueRow({ row, isOpen, props }: { row: Row; isOpen: boolean; props: ValueTreeProps }) {
  const { value, level } = row;
  if (row.more !== undefined)
    return (
      <span class="more" style={{ paddingLeft: `${level * 14}px` }}>
        {value.name}
      </span>
    );
  return (
    <>
      <span class="name" style={{ paddingLeft: `${(level - 1) * 14}px` }}>
        <span class="twisty" aria-hidden="true">
          {hasParts(value) ? (isOpen ? "▾" : "▸") : ""}
        </span>
        {oneLine(value.name, 80)}
      </span>
      <span class="equals" aria-hidden="true">
        =
      </span>
      <span
        class={`value ${shapeOf(value)}`}
        title={value.was === undefined ? undefined : `was ${oneLine(value.was, 120)}`}
      >
        {oneLine(value.value, 300)}
      </span>
      {value.change === undefined ? "" : <span class="change">{value.change}</span>}
      {value.type === undefined ? "" : <span class="type">{oneLine(value.type, 60)}</span>}
      {level === 1 && props.after ? props.after(value) : ""}
    </>
  );
}

function hasParts({ handle, children }: ValueLine): boolean {
  return handle !== undefined || (children?.length ?? 0) > 0;
}

/** For the colour of a value, never alone: the text tells too. */
export function shapeOf({ value, type }: ValueLine): string {
  if (/^["'`]/.test(value) || type === "string" || type === "str") return "v-string";
  if (/^-?[\d.]/.test(value)) return "v-number";
  return /^(true|false|null|undefined|None|True|False|nil|nullptr|<unavailable>)$/.test(value)
    ? "v-word"
    : "v-other";
}

function rowsOf(
  values: readonly ValueLine[],
  moment: number,
  open: ReadonlySet<string>,
  parts: ReadonlyMap<string, Parts>,
): Row[] {
  const rows: Row[] = [];
  const add = (value: ValueLine, above: string, level: number, isOld: boolean) => {
    const path = above === "" ? value.name : `${above}\u0000${value.name}`;
    rows.push({ path, level, value, isOld });
    if (!open.has(path) || !hasParts(value) || level > 40) return;
    const known = parts.get(path);
    const old = known !== undefined && known.moment !== moment;
    for (const child of known?.values ?? value.children ?? []) add(child, path, level + 1, isOld || old);
    if (known?.error !== undefined)
      rows.push({
        path: `${path}\u0000!`,
        level: level + 1,
        value: { name: "", value: known.error },
        isOld: false,
      });
    if (known !== undefined && known.more > 0 && value.handle !== undefined)
      rows.push({
        path,
        level: level + 1,
        value: { name: `… ${known.more} more`, value: "" },
        isOld: false,
        more: { handle: value.handle, shown: known.values.length },
      });
  };
  for (const value of values) add(value, "", 1, false);
  return rows;
}

/** Of rows with handles of this stop. */
function wanted(
  rows: readonly Row[],
  moment: number,
  open: ReadonlySet<string>,
  parts: ReadonlyMap<string, Parts>,
): [path: string, handle: string][] {
  return rows.flatMap(({ path, value, isOld, more }) =>
    more === undefined &&
    !isOld &&
    open.has(path) &&
    value.handle !== undefined &&
    parts.get(path)?.moment !== moment
      ? [[path, value.handle] as [string, string]]
      : [],
  );
}

/** Parts are compared with those of the stop before, as the snapshot's own values are. */
function compared(values: readonly ValueLine[], before: readonly ValueLine[] | undefined): ValueLine[] {
  if (before === undefined) return [...values];
  const old = new Map(before.map((one) => [one.name, one]));
  return values.map((one) => {
    const was = old.get(one.name);
    if (was === undefined) return { ...one, change: "new" };
    return was.value === one.value ? one : { ...one, change: "changed", was: was.value };
  });
}
