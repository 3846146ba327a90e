/** Painting the boxes of a flame graph, and finding them again under the pointer. */
import { oneLine } from "../text.ts";
import type { Boxes, FlameFrame } from "./boxes.ts";

export const ROW_HEIGHT = 18;
const NARROWEST = 0.4;
const TEXT_FROM = 26;

export interface Span {
  from: number;
  to: number;
}

/** The colour of a frame, as the name of a token; and what stands before its name. */
export type Colouring = (frame: number) => { token: string; sign?: string };

export interface Picture {
  boxes: Boxes;
  frames: readonly FlameFrame[];
  marked: ReadonlySet<number>;
  span: Span;
  box: number | undefined;
  width: number;
  height: number;
  isUp: boolean;
  colouring: Colouring;
}

export function drawBoxes(canvas: HTMLCanvasElement, picture: Picture): void {
  const { boxes, frames, marked, span, width, height, isUp } = picture;
  const ratio = devicePixelRatio;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const paint = canvas.getContext("2d");
  if (paint === null) return;
  const style = getComputedStyle(canvas);
  const tokens = new Map<string, string>();
  const colour = (name: string) => {
    const known = tokens.get(name) ?? style.getPropertyValue(name).trim();
    tokens.set(name, known);
    return known;
  };
  paint.scale(ratio, ratio);
  paint.font = `11px ${colour("--mono")}`;
  paint.textBaseline = "middle";
  const each = paint.measureText("m").width;
  const scale = width / Math.max(1e-9, span.to - span.from);
  for (let depth = 0; depth < boxes.depth; depth++) {
    const y = isUp ? height - (depth + 1) * ROW_HEIGHT : depth * ROW_HEIGHT;
    const end = boxes.rows[depth + 1] ?? 0;
    let painted = -1;
    for (let index = firstIn(boxes, depth, span.from); index < end; index++) {
      const from = boxes.from[index] ?? 0;
      if (from >= span.to) break;
      const left = Math.max(0, (from - span.from) * scale);
      const right = Math.min(width, ((boxes.to[index] ?? 0) - span.from) * scale);
      // What is narrower than a pixel is painted once for each.
      if (right - left < NARROWEST && Math.floor(left) === painted) continue;
      painted = Math.floor(left);
      const frame = boxes.frame[index] ?? 0;
      const { token, sign = "" } = picture.colouring(frame);
      paint.fillStyle = colour(marked.has(frame) ? "--flame-found" : token);
      const wide = Math.max(0.6, right - left - 0.6);
      paint.fillRect(left, y, wide, ROW_HEIGHT - 1);
      if (index === picture.box) {
        paint.strokeStyle = colour("--accent");
        paint.lineWidth = 2;
        paint.strokeRect(left + 1, y + 1, Math.max(1, wide - 2), ROW_HEIGHT - 3);
      }
      const letters = Math.floor((wide - 6) / each);
      if (wide < TEXT_FROM || letters < 2) continue;
      const words = `${marked.has(frame) ? "◆ " : ""}${sign}${oneLine(frames[frame]?.name ?? "", 200)}`;
      paint.fillStyle = colour("--flame-text");
      paint.fillText(
        words.length > letters ? `${words.slice(0, letters - 1)}…` : words,
        left + 3,
        y + ROW_HEIGHT / 2,
      );
    }
  }
}

/** The first box of a depth that ends after a place. */
function firstIn({ rows, to }: Boxes, depth: number, place: number): number {
  let low = rows[depth] ?? 0;
  let high = rows[depth + 1] ?? low;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((to[middle] ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function boxAt(boxes: Boxes, span: Span, width: number, x: number, y: number): number | undefined {
  const depth = Math.floor(y / ROW_HEIGHT);
  if (depth < 0 || depth >= boxes.depth) return undefined;
  const place = span.from + ((span.to - span.from) * x) / Math.max(1, width);
  const index = firstIn(boxes, depth, place);
  return index < (boxes.rows[depth + 1] ?? 0) && (boxes.from[index] ?? 0) <= place ? index : undefined;
}

/** Up to the caller, down to the widest called, or beside. */
export function neighbour(
  boxes: Boxes,
  box: number | undefined,
  down: number,
  side: number,
): number | undefined {
  if (box === undefined) return boxes.from.length === 0 ? undefined : 0;
  const depth = boxes.rows.findLastIndex((start) => start <= box);
  const within = (index: number, row: number) =>
    index >= (boxes.rows[row] ?? 0) && index < (boxes.rows[row + 1] ?? 0);
  if (side !== 0) return within(box + side, depth) ? box + side : box;
  const row = depth + down;
  if (row < 0 || row >= boxes.depth) return box;
  if (down < 0) {
    const above = firstIn(boxes, row, boxes.from[box] ?? 0);
    return within(above, row) ? above : box;
  }
  let widest: number | undefined;
  for (
    let index = firstIn(boxes, row, boxes.from[box] ?? 0);
    within(index, row) && (boxes.from[index] ?? 0) < (boxes.to[box] ?? 0);
    index++
  ) {
    const wide = (boxes.to[index] ?? 0) - (boxes.from[index] ?? 0);
    if (widest === undefined || wide > (boxes.to[widest] ?? 0) - (boxes.from[widest] ?? 0)) widest = index;
  }
  return widest ?? box;
}
