/**
 * A file: gutter with breakpoints, numbers, coloured text, and at line ends what names in the line are worth now. The values come from the
 * stop's snapshot; nothing is asked for them. A click in the gutter, or Space on a line, sets or removes a breakpoint; Enter opens its
 * details.
 */
import { useMemo, useState } from "preact/hooks";
import type { BreakpointRow, SourceLine, ValueLine } from "../state/data.ts";
import { Colours } from "./highlight.ts";
import { oneLine, plain } from "./text.ts";
import { VirtualList } from "./virtual-list.tsx";

export interface SourceViewProps {
  label: string;
  path: string;
  lines: readonly SourceLine[];
  /** Where the program stands, or what is pointed at. */
  arrow?: number | undefined;
  /** The arrow's frame is not the innermost one. */
  isCaller?: boolean;
  /** A reason to bring the arrow into view again. */
  moment?: unknown;
  breakpoints?: ReadonlyMap<number, BreakpointRow>;
  /** By line. */
  inline?: ReadonlyMap<number, readonly ValueLine[]>;
  /** Lines that ran, to be tinted. */
  ran?: ReadonlySet<number>;
  onToggle?(line: number): void;
  onEdit?(line: number): void;
  onCursor?(line: number): void;
}

const WIDEST_LINE = 2000;
const LONGEST_VALUE = 60;

export function SourceView(props: SourceViewProps) {
  const { path, lines, arrow, breakpoints, inline } = props;
  const [cursor, setCursor] = useState<{ moment: unknown; line: number }>();
  const texts = useMemo(() => lines.map(({ text }) => text), [lines]);
  const colours = useMemo(() => new Colours(path, texts), [path, texts]);
  const first = lines[0]?.line ?? 1;
  const at = cursor !== undefined && cursor.moment === props.moment ? cursor.line : (arrow ?? first);
  const lineOf = (index: number) => lines[index]?.line ?? first + index;
  const digits = String(lines.at(-1)?.line ?? 1).length;

  const select = (index: number) => {
    setCursor({ moment: props.moment, line: lineOf(index) });
    props.onCursor?.(lineOf(index));
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === " " && props.onToggle) props.onToggle(at);
    else if (event.key === "Enter" && props.onEdit) props.onEdit(at);
    else return false;
    return true;
  };
  const onClick = (event: MouseEvent, index: number) => {
    if ((event.target as Element).closest("[data-gutter]") === null) return;
    if (event.shiftKey || event.altKey) props.onEdit?.(lineOf(index));
    else props.onToggle?.(lineOf(index));
  };

  const row = (index: number) => {
    const line = lineOf(index);
    const breakpoint = breakpoints?.get(line);
    const values = inline?.get(line) ?? [];
    return (
      <>
        <span
          class="gutter"
          role="gridcell"
          data-gutter=""
          title={props.onToggle ? gutterTitle(breakpoint) : undefined}
        >
          <Mark breakpoint={breakpoint} />
        </span>
        <span class="number" role="gridcell" style={{ width: `${digits + 1}ch` }}>
          {line === arrow ? (
            <span class="arrow" aria-hidden="true">
              {props.isCaller ? "▹" : "▶"}
            </span>
          ) : (
            ""
          )}
          {line}
          {line === arrow ? (
            <span class="unseen">{props.isCaller ? "calls from here" : "the program is here"}</span>
          ) : (
            ""
          )}
        </span>
        <span class="code" role="gridcell">
          <Text text={texts[index] ?? ""} tokens={colours.line(index)} />
          {values.map((value) => (
            <Inline key={value.name} value={value} />
          ))}
        </span>
      </>
    );
  };
  const rowProps = (index: number) => {
    const line = lineOf(index);
    const here = line === arrow ? (props.isCaller ? "caller-line" : "arrow-line") : "";
    const cursorLine = line === at ? "selected" : "";
    return { class: `row source-row ${here} ${cursorLine} ${props.ran?.has(line) ? "ran" : ""}` };
  };
  return (
    <VirtualList
      label={props.label}
      role="grid"
      class="source"
      rowHeight={20}
      count={lines.length}
      row={row}
      rowProps={rowProps}
      selected={at - first}
      onSelect={select}
      onKey={onKey}
      onClick={onClick}
      reveal={{ index: (arrow ?? first) - first, why: props.moment ?? arrow, align: "middle" }}
    />
  );
}

function gutterTitle(breakpoint: BreakpointRow | undefined): string {
  return breakpoint === undefined
    ? "set a breakpoint"
    : `breakpoint ${breakpoint.id}: click to remove, shift-click for its condition`;
}

function Mark({ breakpoint }: { breakpoint: BreakpointRow | undefined }) {
  if (breakpoint === undefined) return <span class="no-mark" aria-hidden="true" />;
  const { condition, hitCondition, logMessage, state } = breakpoint;
  const kind =
    logMessage !== undefined
      ? "log"
      : condition !== undefined || hitCondition !== undefined
        ? "condition"
        : "plain";
  const sign = { log: "◆", condition: "◉", plain: "●" }[kind];
  const words = `breakpoint ${breakpoint.id}${state === "bound" ? "" : `, ${state}`}${kind === "plain" ? "" : `, with a ${kind}`}`;
  return (
    <span class={`mark ${state === "bound" ? "" : "not-bound"}`}>
      <span aria-hidden="true">{state === "bound" ? sign : "○"}</span>
      <span class="unseen">{words}</span>
    </span>
  );
}

export function Text({
  text,
  tokens,
}: {
  text: string;
  tokens: readonly (readonly [string, string])[] | undefined;
}) {
  if (tokens === undefined) return <>{plain(text, WIDEST_LINE)}</>;
  return (
    <>
      {tokens.map(([scope, part], at) =>
        scope === "" ? (
          plain(part)
        ) : (
          <span key={at} class={`t-${scope.replace(/\W/g, "")}`}>
            {plain(part)}
          </span>
        ),
      )}
    </>
  );
}

function Inline({ value }: { value: ValueLine }) {
  const mark = value.change === undefined ? "" : value.change === "new" ? "new" : "changed";
  return (
    <span class={`inline ${mark}`} title={value.was === undefined ? undefined : `was ${oneLine(value.was)}`}>
      {mark === "" ? "" : <span class="unseen">{mark}</span>}
      {oneLine(value.name, 40)} = {oneLine(value.value, LONGEST_VALUE)}
    </span>
  );
}
