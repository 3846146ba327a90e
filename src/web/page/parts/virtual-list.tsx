/**
 * A list of any length, of rows of one height: only the rows that can be seen are in the document, and nothing ever moves by itself.
 * `follow`: stays at the end while the reader is there. Arrow keys, Page, Home and End move the selection; Enter opens it.
 * `grid` rows hold gridcells, `listbox` rows plain text, `list` rows anything.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

export const ROW = 24;
/** Taller elements are cut by browsers. */
const TALLEST = 16_000_000;
const BEYOND = 6;
const ROLES = { listbox: "option", grid: "row", list: "listitem", tree: "treeitem" } as const;

export interface VirtualListProps {
  label: string;
  role: keyof typeof ROLES;
  count: number;
  row(index: number): ComponentChildren;
  rowProps?(index: number): Record<string, string | number | boolean | undefined>;
  rowHeight?: number;
  selected?: number | undefined;
  onSelect?(index: number): void;
  onOpen?(index: number): void;
  /** Keys of the list's own, before the arrows; true if it was one. */
  onKey?(event: KeyboardEvent): boolean;
  onClick?(event: MouseEvent, index: number): void;
  follow?: boolean;
  /** So many rows have come before those that were there, when the reason changes: what is looked at stays where it is. */
  grown?: { by: number; why: unknown };
  /** Brought into view when `reveal` or its reason changes. */
  reveal?: { index: number; why: unknown; align?: "middle" };
  class?: string;
  id?: string;
  /** The row that stands on top, above the rows. */
  head?: ComponentChildren;
}

export function VirtualList(props: VirtualListProps) {
  const { count, role, rowHeight = ROW, selected, reveal } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const atEnd = useRef(true);
  const whole = count * rowHeight;
  const tall = Math.min(whole, TALLEST);
  /** Beyond the tallest element a pixel of the bar stands for more than one. */
  const scale = tall <= view.height ? 1 : Math.max(1, (whole - view.height) / (tall - view.height));
  const first = Math.max(0, Math.floor((view.top * scale) / rowHeight) - BEYOND);
  const last = Math.min(count, Math.ceil((view.top * scale + view.height) / rowHeight) + BEYOND);

  useLayoutEffect(() => {
    const one = box.current;
    if (one === null) return;
    const measure = () =>
      setView((was) => (was.height === one.clientHeight ? was : { ...was, height: one.clientHeight }));
    const observer = new ResizeObserver(measure);
    observer.observe(one);
    measure();
    return () => observer.disconnect();
  }, []);

  const show = (index: number, align?: "middle") => {
    const one = box.current;
    if (one === null) return;
    const height = one.clientHeight;
    const top = index * rowHeight;
    const from = one.scrollTop * scale;
    const margin = Math.min(rowHeight * 2, height / 4);
    if (align !== "middle" && top < from) one.scrollTop = top / scale;
    else if (align !== "middle" && top + rowHeight > from + height)
      one.scrollTop = (top + rowHeight - height) / scale;
    else if (align === "middle" && (top < from + margin || top + rowHeight > from + height - margin))
      one.scrollTop = Math.max(0, top - height / 2 + rowHeight) / scale;
    setView({ top: one.scrollTop, height });
  };

  useLayoutEffect(() => {
    const one = box.current;
    if (one === null || !props.grown?.by) return;
    one.scrollTop += (props.grown.by * rowHeight) / scale;
    setView({ top: one.scrollTop, height: one.clientHeight });
  }, [props.grown?.why]);

  useLayoutEffect(() => {
    if (reveal !== undefined && reveal.index >= 0) show(reveal.index, reveal.align);
  }, [reveal?.index, reveal?.why]);

  useEffect(() => {
    const one = box.current;
    if (props.follow && one !== null && atEnd.current) one.scrollTop = one.scrollHeight;
  }, [count, props.follow]);

  const onScroll = () => {
    const one = box.current;
    if (one === null) return;
    atEnd.current = one.scrollTop + one.clientHeight >= one.scrollHeight - rowHeight;
    setView({ top: one.scrollTop, height: one.clientHeight });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== box.current) return;
    if (props.onKey?.(event)) {
      event.preventDefault();
      return;
    }
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1);
    const at = selected ?? -1;
    const moved = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: count - 1,
    }[event.key];
    if (event.key === "Enter" && at >= 0 && props.onOpen) {
      event.preventDefault();
      props.onOpen(at);
    } else if (moved !== undefined && props.onSelect && count > 0) {
      event.preventDefault();
      const to = Math.max(0, Math.min(count - 1, moved));
      props.onSelect(to);
      show(to);
    }
  };

  const onClick = (event: MouseEvent) => {
    const row = (event.target as Element).closest("[data-index]");
    if (row === null || !box.current?.contains(row)) return;
    const index = Number(row.getAttribute("data-index"));
    props.onSelect?.(index);
    props.onClick?.(event, index);
  };

  const prefix = props.id ?? props.label.replace(/\W+/g, "-");
  const rows = [];
  for (let index = first; index < last; index++)
    rows.push(
      <div
        key={index}
        id={`${prefix}-${index}`}
        data-index={index}
        role={ROLES[role]}
        class={index === selected ? "row selected" : "row"}
        style={{ height: `${rowHeight}px` }}
        {...(role === "grid" ? { "aria-rowindex": index + 1 } : {})}
        {...(role === "list" ? {} : { "aria-selected": index === selected })}
        {...props.rowProps?.(index)}
      >
        {props.row(index)}
      </div>,
    );
  const isShown = selected !== undefined && selected >= first && selected < last;
  return (
    <div
      ref={box}
      class={`list ${props.class ?? ""}`}
      role={role}
      aria-label={props.label}
      tabIndex={0}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      onClick={onClick}
      {...(role === "grid" ? { "aria-rowcount": count } : {})}
      {...(isShown && role !== "list" ? { "aria-activedescendant": `${prefix}-${selected}` } : {})}
    >
      {props.head}
      <div class="list-all" style={{ height: `${tall}px` }} role="presentation">
        <div
          class="list-shown"
          role={role === "grid" ? "rowgroup" : "presentation"}
          style={{ transform: `translateY(${first * rowHeight - view.top * (scale - 1)}px)` }}
        >
          {rows}
        </div>
      </div>
    </div>
  );
}
