/** Numbers over hits: the range of each bucket. uPlot is loaded when the first is drawn. Drag to look closer, click to go to a hit. */
import { useEffect, useRef } from "preact/hooks";
import { count, oneLine } from "../../parts/text.ts";
import { colours } from "../../state/settings.ts";
import type { Buckets, Column } from "./data.ts";
import type { Drawing } from "./uplot.ts";

export interface PlotProps {
  name: string;
  buckets: Buckets;
  column: Column;
  hit: number | undefined;
  zoom(first: number, last: number): void;
  pick(hit: number): void;
}

export function Plot(props: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const { name, buckets, column, hit } = props;
  const scheme = colours.value;
  useEffect(() => {
    const one = box.current;
    let isGone = false;
    if (one === null) return;
    void import("./uplot.ts").then(({ draw }) => {
      if (isGone) return;
      drawing.current = draw(
        one,
        { name, buckets, column },
        {
          zoom: (first, last) => latest.current.zoom(first, last),
          pick: (at) => latest.current.pick(at),
        },
      );
      drawing.current.point(latest.current.hit);
    });
    return () => {
      isGone = true;
      drawing.current?.remove();
      drawing.current = undefined;
    };
  }, [buckets, column, name, scheme]);
  useEffect(() => drawing.current?.point(hit), [hit]);
  return (
    <figure class="plot" aria-label={`${name} over hits`}>
      <figcaption>
        <code>{oneLine(name, 80)}</code> <span class="quiet">{rangeText(column, buckets)}</span>
      </figcaption>
      <div ref={box} class="plot-box" aria-hidden="true" />
    </figure>
  );
}

function rangeText({ min, max }: Column, { from, to }: Buckets): string {
  const numbers = (all: readonly (number | null)[]) => all.filter((one) => one !== null);
  const low = numbers(min).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = numbers(max).reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return `from ${low} to ${high}, hits ${count(from[0] ?? 0)} to ${count(to.at(-1) ?? 0)}`;
}
