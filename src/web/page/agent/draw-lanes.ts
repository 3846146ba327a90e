/** Lanes on a canvas. What falls on the same pixel is drawn once, so a hundred thousand spans are as few rectangles as the width has pixels. */
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
  hits: "--lane-hits",
  busy: "--lane-busy",
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

/** Half pixels, so that two spans with a little time between them are seen to be two. */
const FINE = 2;
const KINDS: readonly Span["kind"][] = ["model", "tool", "held", "sonde"];

function drawSpans(
  to: CanvasRenderingContext2D,
  spans: readonly Span[],
  { window, width, top, height, colour, bad }: Where,
): void {
  const [first] = spans;
  if (first === undefined) return;
  if (first.level !== undefined) {
    to.fillStyle = colour(COLOURS[first.kind]);
    const scale = width / (window.to - window.from || 1);
    for (const { from, to: end, level = 1 } of spans) {
      if (end < window.from || from > window.to) continue;
      const high = Math.max(2, Math.round(level * height));
      to.fillRect(
        (from - window.from) * scale,
        top + height - high,
        Math.max(1.5, (end - from) * scale),
        high,
      );
    }
    return;
  }
  const { kinds, failed } = marksOf(spans, window, width * FINE);
  runsOf(kinds, (from, end, mark) => {
    to.fillStyle = colour(COLOURS[KINDS[mark - 1] ?? first.kind]);
    to.fillRect(from / FINE, top, (end - from) / FINE, height);
  });
  // Only a part of the height: where much was done, a failure does not hide it.
  to.fillStyle = bad;
  runsOf(failed, (from, end) =>
    to.fillRect(from / FINE, top, (end - from) / FINE, Math.max(2, Math.round(height * 0.45))),
  );
}

/** Places beside each other with the same mark. */
function runsOf(marks: Uint8Array, draw: (from: number, end: number, mark: number) => void): void {
  for (let from = 0; from < marks.length; ) {
    const mark = marks[from] ?? 0;
    let end = from + 1;
    while (end < marks.length && marks[end] === mark) end += 1;
    if (mark !== 0) draw(from, end, mark);
    from = end;
  }
}

/** What is at each place of the width, and what failed there. Each span has a pixel and a half at least. */
export function marksOf(
  spans: readonly Span[],
  window: Window,
  places: number,
): { kinds: Uint8Array; failed: Uint8Array } {
  const long = Math.max(0, Math.ceil(places));
  const [kinds, failures] = [new Uint8Array(long), new Uint8Array(long)];
  const scale = places / (window.to - window.from || 1);
  const least = 1.5 * FINE;
  for (const { from, to, kind, failed } of spans) {
    if (to < window.from || from > window.to) continue;
    const left = Math.max(0, Math.floor((from - window.from) * scale));
    const right = Math.min(long, Math.ceil(Math.max(left + least, (to - window.from) * scale)));
    const mark = KINDS.indexOf(kind) + 1;
    for (let at = left; at < right; at++) if (kinds[at] === 0) kinds[at] = mark;
    if (failed) failures.fill(1, left, right);
  }
  return { kinds, failed: failures };
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
