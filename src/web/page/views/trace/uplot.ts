/** One plot, drawn by uPlot: a band from the smallest to the largest number of each bucket. */
import uPlot from "uplot";
import { type Buckets, type Column, PLOT_LEFT, PLOT_RIGHT } from "./data.ts";

export interface Drawing {
  /** Marks a hit. */
  point(hit: number | undefined): void;
  remove(): void;
}

interface Data {
  name: string;
  buckets: Buckets;
  column: Column;
}

interface Acts {
  zoom(first: number, last: number): void;
  pick(hit: number): void;
}

const HEIGHT = 130;
const WHOLE = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((one) => one * 10 ** power)).flat();

export function draw(box: HTMLElement, { buckets, column }: Data, acts: Acts): Drawing {
  const style = getComputedStyle(box);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const font = `11px ${style.fontFamily}`;
  const axis = {
    stroke: colour("--quiet"),
    font,
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  const line = {
    stroke: colour("--plot"),
    width: 1.25,
    spanGaps: false,
    points: { show: buckets.from.length < 120 },
  };
  let marked: number | undefined;
  const plot = new uPlot(
    {
      width: box.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      padding: [8, PLOT_RIGHT, 0, 0],
      scales: { x: { time: false } },
      axes: [
        // Hits are whole.
        { ...axis, size: 26, incrs: WHOLE },
        { ...axis, size: PLOT_LEFT },
      ],
      series: [{}, line, line],
      bands: [{ series: [2, 1], fill: `${colour("--plot")}44` }],
      cursor: { drag: { x: true, y: false, setScale: false }, points: { show: false } },
      hooks: {
        setSelect: [
          (one: uPlot) => {
            const { left, width } = one.select;
            if (width < 4) return;
            const first = one.posToIdx(left);
            const last = one.posToIdx(left + width);
            one.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            acts.zoom(first, last);
          },
        ],
        draw: [(one: uPlot) => mark(one, marked, colour("--here-edge"))],
      },
    },
    [buckets.from, column.min, column.max],
    box,
  );
  plot.over.addEventListener("click", () => {
    const at = plot.cursor.idx;
    const hit = at === undefined || at === null ? undefined : buckets.from[at];
    if (hit !== undefined) acts.pick(hit);
  });
  const observer = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: HEIGHT }));
  observer.observe(box);
  return {
    point: (hit) => {
      marked = hit;
      plot.redraw(false, false);
    },
    remove: () => {
      observer.disconnect();
      plot.destroy();
    },
  };
}

function mark(plot: uPlot, hit: number | undefined, colour: string): void {
  if (hit === undefined) return;
  const x = Math.round(plot.valToPos(hit, "x", true));
  if (x < plot.bbox.left || x > plot.bbox.left + plot.bbox.width) return;
  plot.ctx.save();
  plot.ctx.strokeStyle = colour;
  plot.ctx.lineWidth = devicePixelRatio;
  plot.ctx.beginPath();
  plot.ctx.moveTo(x, plot.bbox.top);
  plot.ctx.lineTo(x, plot.bbox.top + plot.bbox.height);
  plot.ctx.stroke();
  plot.ctx.restore();
}
