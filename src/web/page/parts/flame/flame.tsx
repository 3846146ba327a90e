/**
 * A flame graph on a canvas. A click or Enter makes a box fill the width, Escape goes back; arrows move from box to box, w a s d move and
 * zoom the view. What is pointed at is written below it; the table of functions beside it has the same numbers.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { colours } from "../../state/settings.ts";
import { fileName, oneLine } from "../text.ts";
import type { Boxes, FlameFrame } from "./boxes.ts";
import { boxAt, type Colouring, drawBoxes, neighbour, ROW_HEIGHT, type Span } from "./draw.ts";

export interface FlameProps {
  label: string;
  boxes: Boxes;
  frames: readonly FlameFrame[];
  /** Frames to be marked: those a search finds, or the chosen one. */
  marked: ReadonlySet<number>;
  colouring: Colouring;
  /** What a weight is, in words. */
  amount(weight: number): string;
  /** Grows upwards. */
  isUp?: boolean;
  onFrame?(frame: number): void;
}

export function Flame(props: FlameProps) {
  const { boxes, frames, marked, isUp = false } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [span, setSpan] = useState<Span>({ from: 0, to: boxes.width });
  const [box, setBox] = useState<number>();
  const [hover, setHover] = useState<number>();
  const [size, setSize] = useState({ width: 800, height: 300 });
  const scheme = colours.value;
  const height = Math.max(size.height, boxes.depth * ROW_HEIGHT + 2);

  useEffect(() => {
    setSpan({ from: 0, to: boxes.width });
    setBox(undefined);
    setHover(undefined);
  }, [boxes]);
  useEffect(() => {
    const frame = canvas.current?.parentElement;
    if (!frame) return;
    const measure = () => setSize({ width: frame.clientWidth, height: frame.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(frame);
    measure();
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (canvas.current !== null)
      drawBoxes(canvas.current, {
        boxes,
        frames,
        marked,
        span,
        box,
        width: size.width,
        height,
        isUp,
        colouring: props.colouring,
      });
  }, [boxes, marked, span, box, size, height, scheme, props.colouring]);

  const zoomTo = (index: number | undefined) => {
    if (index === undefined) setSpan({ from: 0, to: boxes.width });
    else setSpan({ from: boxes.from[index] ?? 0, to: boxes.to[index] ?? boxes.width });
  };
  const at = (event: MouseEvent) =>
    boxAt(boxes, span, size.width, event.offsetX, isUp ? height - event.offsetY : event.offsetY);
  const choose = (index: number | undefined) => {
    setBox(index);
    if (index !== undefined) props.onFrame?.(boxes.frame[index] ?? 0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = { ArrowUp: isUp ? 1 : -1, ArrowDown: isUp ? -1 : 1 }[event.key];
    const side = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const width = span.to - span.from;
    if (arrow !== undefined) choose(neighbour(boxes, box, arrow, 0));
    else if (side !== undefined) choose(neighbour(boxes, box, 0, side));
    else if (event.key === "Enter") zoomTo(box);
    else if (event.key === "Escape") zoomTo(undefined);
    else if (event.key === "a" || event.key === "d") move(event.key === "a" ? -width / 4 : width / 4);
    else if (event.key === "w" || event.key === "s") scale(event.key === "w" ? 0.5 : 2);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const move = (by: number) => {
    const width = span.to - span.from;
    const from = Math.max(0, Math.min(boxes.width - width, span.from + by));
    setSpan({ from, to: from + width });
  };
  const scale = (by: number) => {
    const width = Math.min(boxes.width, (span.to - span.from) * by);
    const from = Math.max(0, Math.min(boxes.width - width, (span.from + span.to - width) / 2));
    setSpan({ from, to: from + width });
  };
  const shown = hover ?? box;
  return (
    <div class="flame">
      <div class={isUp ? "flame-box flame-up" : "flame-box"}>
        <canvas
          ref={canvas}
          tabIndex={0}
          role="img"
          aria-label={`${props.label}; the table has the same functions`}
          onMouseMove={(event) => setHover(at(event))}
          onMouseLeave={() => setHover(undefined)}
          onClick={(event) => {
            const index = at(event);
            choose(index);
            if (event.detail > 1 || index === undefined) zoomTo(index);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <p class="flame-words">
        {shown === undefined ? (
          <span class="quiet">
            {props.label}: click chooses, double click or Enter fills the width, Escape goes back, w a s d
            move
          </span>
        ) : (
          <Words
            frame={frames[boxes.frame[shown] ?? 0]}
            weight={(boxes.to[shown] ?? 0) - (boxes.from[shown] ?? 0)}
            whole={boxes.width}
            amount={props.amount}
          />
        )}
      </p>
    </div>
  );
}

function Words({
  frame,
  weight,
  whole,
  amount,
}: {
  frame: FlameFrame | undefined;
  weight: number;
  whole: number;
  amount(weight: number): string;
}) {
  if (frame === undefined) return null;
  return (
    <>
      <strong>{oneLine(frame.name, 120)}</strong>{" "}
      <span class="quiet">
        {frame.file === undefined ? "" : `${oneLine(fileName(frame.file), 100)}:${frame.line ?? ""}`}
      </span>{" "}
      {((weight / Math.max(whole, 1e-9)) * 100).toFixed(1)} % · {amount(weight)}
    </>
  );
}
