/** One source map: generated ↔ original. Lines and columns are 0-based throughout, as in CDP. */
import { readFileSync } from "node:fs";
import {
  decodedMappings,
  eachMapping,
  originalPositionFor,
  type TraceMap,
  traceSegment,
} from "@jridgewell/trace-mapping";
import type { Program } from "acorn";
import { Names } from "../names/names.cjs";
import { type MappedSource, mappedSources } from "./mapped-source.ts";

export type { MappedSource };

export interface Point {
  line: number;
  column: number;
}

export interface OriginalPoint extends Point {
  source: MappedSource;
}

/** Original line → the first generated point that came from it. */
type Lines = Map<number, Point>;

export class SourceMap {
  readonly sources: MappedSource[];
  readonly #map: TraceMap;
  readonly #scopes: unknown;
  #lines: Lines[] | undefined;
  #first: Point | undefined;

  /** `scopes`: that field of the map, which nobody has read. */
  constructor(map: TraceMap, url: string, scopes?: unknown) {
    this.#map = map;
    this.#scopes = scopes;
    this.sources = mappedSources(map, url);
  }

  sourceAt(path: string): MappedSource | undefined {
    return this.sources.find((source) => source.path === path);
  }

  original({ line, column }: Point): OriginalPoint | undefined {
    const found = originalPositionFor(this.#map, { line: line + 1, column });
    if (found.source === null) return undefined;
    const source = this.sources[this.#map.resolvedSources.indexOf(found.source)];
    return source === undefined ? undefined : { source, line: found.line - 1, column: found.column };
  }

  /** What the source calls the name of this length that ends at this point of the generated text. */
  nameBefore({ line, column }: Point, length: number): string | undefined {
    const found = traceSegment(this.#map, line, column - 1);
    const name = found?.[4];
    return name === undefined || found?.[0] !== column - length ? undefined : this.#map.names[name];
  }

  /** Of the text that it is the map of. */
  names(program: Program, text: string): Names {
    return new Names(program, text, {
      mappings: decodedMappings(this.#map) as readonly (readonly number[])[][],
      names: this.#map.names,
      scopes: this.#scopes,
      textOf: (index) => this.sources[index]?.content ?? fileText(this.sources[index]?.path),
    });
  }

  /** Where the code of an original line begins; of the next line that has any, if this one has none. */
  generated(source: MappedSource, line: number): (Point & { originalLine: number }) | undefined {
    const lines = this.#index()[source.index];
    if (lines === undefined) return undefined;
    const exact = lines.get(line);
    if (exact !== undefined) return { ...exact, originalLine: line };
    let next = Number.POSITIVE_INFINITY;
    for (const candidate of lines.keys()) if (candidate > line && candidate < next) next = candidate;
    const point = lines.get(next);
    return point === undefined ? undefined : { ...point, originalLine: next };
  }

  /** The first generated point that came from anywhere. */
  get first(): Point | undefined {
    this.#index();
    return this.#first;
  }

  /** Original lines that have code, in order. */
  linesOf(source: MappedSource): number[] {
    return [...(this.#index()[source.index]?.keys() ?? [])].sort((a, b) => a - b);
  }

  /** The code nearest to a column of an original line, for breakpoints inside a line. */
  generatedAt(source: MappedSource, line: number, column: number): Point | undefined {
    let best: (Point & { away: number }) | undefined;
    eachMapping(this.#map, (mapping) => {
      if (mapping.originalLine !== line + 1 || this.#sourceIndex(mapping.source) !== source.index) return;
      const away = Math.abs(mapping.originalColumn - column);
      if (best !== undefined && best.away <= away) return;
      best = { line: mapping.generatedLine - 1, column: mapping.generatedColumn, away };
    });
    return best ?? this.generated(source, line);
  }

  #sourceIndex(name: string | null): number {
    return name === null ? -1 : this.#map.resolvedSources.indexOf(name);
  }

  #index(): Lines[] {
    if (this.#lines !== undefined) return this.#lines;
    const lines: Lines[] = this.sources.map(() => new Map());
    const indexOf = new Map(this.#map.resolvedSources.map((name, at) => [name, at]));
    // Mappings come in generated order, so the first seen for a line is the earliest code of it.
    eachMapping(this.#map, (mapping) => {
      if (mapping.source === null) return;
      const of = lines[indexOf.get(mapping.source) ?? -1];
      const line = mapping.originalLine - 1;
      const point = { line: mapping.generatedLine - 1, column: mapping.generatedColumn };
      this.#first ??= point;
      if (of !== undefined && !of.has(line)) of.set(line, point);
    });
    this.#lines = lines;
    return lines;
  }
}

function fileText(path: string | undefined): string | undefined {
  try {
    return path === undefined ? undefined : readFileSync(path, "utf8");
  } catch {
    return undefined; // gone meanwhile: the map's own names serve
  }
}
