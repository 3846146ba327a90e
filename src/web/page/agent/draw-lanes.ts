/** Lanes on a canvas. What falls on the same pixel is drawn once, so a hundred thousand spans cost what the width costs. */
import type { Lane, Span, Window } from "./spans.ts";

/** Pixels. */
export const LANE = 20;
export const STRIP = 14;
const GAP = 3;

interface Picture {
  lanes: readonly Lane[];
  window: Window;
  whole: Window;
  selectedAt: number | undefined;
}

const COLOURS: Record<Span["kind"], string> = {
  model: "--lane-model",
  tool: "--lane-tool",
  held: "--here-edge",
  sonde: "--lane-sonde",
};

export function drawLanes(canvas: HTMLCanvasElement, { lanes, window, whole, selectedAt }: Picture): void {
  const width = canvas.clientWidth;
  const height = lanes.length * LANE + STRIP;
  const ratio = devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const to = canvas.getContext("2d");
  if (to === null || width === 0) return;
  to.scale(ratio, ratio);
  const styles = getComputedStyle(canvas);
  const known = new Map<string, string>();
  const colour = (name: string) => {
    const found = known.get(name) ?? (styles.getPropertyValue(name).trim() || "#888");
    known.set(name, found);
    return found;
  };
  const line = colour("--line");
  const bad = colour("--bad");
  for (const [index, lane] of lanes.entries()) {
    const top = index * LANE;
    to.fillStyle = line;
    to.fillRect(0, top + LANE - 1, width, 1);
    drawSpans(to, lane.spans, { window, width, top: top + GAP, height: LANE - 2 * GAP - 1, colour, bad });
  }
  const top = lanes.length * LANE;
  for (const lane of lanes)
    drawSpans(to, lane.spans, { window: whole, width, top: top + 5, height: 4, colour, bad });
  const scale = width / (whole.to - whole.from || 1);
  to.strokeStyle = colour("--accent");
  to.strokeRect(
    (window.from - whole.from) * scale + 0.5,
    top + 2.5,
    Math.max(2, (window.to - window.from) * scale - 1),
    STRIP - 5,
  );
  if (selectedAt === undefined) return;
  const x = ((selectedAt - window.from) / (window.to - window.from || 1)) * width;
  to.fillStyle = colour("--accent");
  to.fillRect(Math.round(x) - 0.5, 0, 1.5, top);
}

interface Where {
  window: Window;
  width: number;
  top: number;
  height: number;
  colour(name: string): string;
  bad: string;
}

function drawSpans(
  to: CanvasRenderingContext2D,
  spans: readonly Span[],
  { window, width, top, height, colour, bad }: Where,
): void {
  const scale = width / (window.to - window.from || 1);
  let drawn = -1;
  for (const { from, to: end, kind, failed } of spans) {
    if (end < window.from || from > window.to) continue;
    const left = Math.max(0, (from - window.from) * scale);
    const right = Math.min(width, Math.max(left + 1.5, (end - window.from) * scale));
    if (right <= drawn && !failed) continue;
    to.fillStyle = failed ? bad : colour(COLOURS[kind]);
    const begin = failed ? left : Math.max(left, drawn);
    to.fillRect(begin, top, Math.max(1, right - begin), height);
    drawn = Math.max(drawn, right);
  }
}

/** The span at a moment, or the nearest that is not far. */
export function rowAt({ spans }: Lane, at: number, near: number): number | undefined {
  let best: { row: number; away: number } | undefined;
  for (const { row, from, to } of spans) {
    const away = at < from ? from - at : at > to ? at - to : 0;
    if (away <= near && (best === undefined || away <= best.away)) best = { row, away };
  }
  return best?.row;
}
