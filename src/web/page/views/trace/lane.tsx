/** Values that are no numbers, over hits: a stretch for each value, with its text where there is room. The table has them all. */
import { useEffect, useRef } from "preact/hooks";
import { many, oneLine } from "../../parts/text.ts";
import { colours } from "../../state/settings.ts";
import { type Buckets, type Column, PLOT_LEFT, PLOT_RIGHT } from "./data.ts";

interface LaneProps {
  name: string;
  buckets: Buckets;
  column: Column;
  hit: number | undefined;
  pick(hit: number): void;
}

const HEIGHT = 24;

export function Lane({ name, buckets, column, hit, pick }: LaneProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scheme = colours.value;
  useEffect(() => {
    const one = canvas.current;
    if (one === null) return;
    const paint = () => drawLane(one, buckets, column, hit);
    const observer = new ResizeObserver(paint);
    observer.observe(one);
    paint();
    return () => observer.disconnect();
  }, [buckets, column, hit, scheme]);
  const onClick = (event: MouseEvent) => {
    const one = canvas.current;
    if (one === null) return;
    const { first, last } = rangeOf(buckets);
    const share = (event.offsetX - PLOT_LEFT) / Math.max(1, one.clientWidth - PLOT_LEFT - PLOT_RIGHT);
    const hit = first + share * (last - first);
    const at = buckets.from.findLast((from) => from <= hit + 0.5);
    if (at !== undefined) pick(at);
  };
  return (
    <figure class="plot" aria-label={`${name} over hits`}>
      <figcaption>
        <code>{oneLine(name, 80)}</code>{" "}
        <span class="quiet">
          {many(column.texts.length, "value")} that{" "}
          {column.texts.length === 1 ? "is no number" : "are no numbers"}
        </span>
      </figcaption>
      <canvas
        ref={canvas}
        class="lane"
        height={HEIGHT}
        onClick={onClick}
        role="img"
        aria-label={`the values of ${name}; the table of hits has them all`}
      />
    </figure>
  );
}

function drawLane(
  canvas: HTMLCanvasElement,
  buckets: Buckets,
  { text, texts }: Column,
  hit: number | undefined,
): void {
  const ratio = devicePixelRatio;
  const width = canvas.clientWidth;
  canvas.width = width * ratio;
  canvas.height = HEIGHT * ratio;
  const paint = canvas.getContext("2d");
  if (paint === null) return;
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  paint.scale(ratio, ratio);
  paint.font = `11px ${colour("--mono")}`;
  paint.textBaseline = "middle";
  const { first, last } = rangeOf(buckets);
  const [leftmost, rightmost] = [PLOT_LEFT, width - PLOT_RIGHT];
  const x = (hit: number) => {
    const place = leftmost + ((rightmost - leftmost) * (hit - first)) / Math.max(1, last - first);
    return Math.max(leftmost, Math.min(rightmost, place));
  };
  const tints = [colour("--accent-back"), colour("--changed-back"), colour("--ran"), colour("--caller")];
  for (let start = 0; start < text.length; ) {
    const value = text[start] ?? null;
    let end = start + 1;
    while (end < text.length && text[end] === value) end++;
    if (value !== null) {
      const [left, right] = [x((buckets.from[start] ?? 0) - 0.5), x((buckets.to[end - 1] ?? 0) + 0.5)];
      paint.fillStyle = value < 0 ? colour("--sunk") : (tints[value % tints.length] ?? "");
      paint.fillRect(left, 2, Math.max(1, right - left), HEIGHT - 4);
      paint.fillStyle = colour("--line");
      paint.fillRect(left, 2, 1, HEIGHT - 4);
      const words = value < 0 ? "several" : oneLine(texts[value] ?? "", 60);
      if (right - left > 28) {
        paint.save();
        paint.beginPath();
        paint.rect(left, 0, right - left, HEIGHT);
        paint.clip();
        paint.fillStyle = colour("--text");
        paint.fillText(words, left + 5, HEIGHT / 2);
        paint.restore();
      }
    }
    start = end;
  }
  if (hit === undefined) return;
  if (hit < first || hit > last) return;
  paint.fillStyle = colour("--here-edge");
  paint.fillRect(x(hit), 0, 1, HEIGHT);
}

function rangeOf({ from, to }: Buckets): { first: number; last: number } {
  return { first: from[0] ?? 0, last: to.at(-1) ?? 0 };
}
