/** Stops once at the first statement of the main script, whatever it was compiled from. */
import type { Cdp } from "../target.ts";
import type { Arrival, Binder } from "./arrivals.ts";
import { isJavaScript, outlineFile, outlineText } from "./file-check.ts";
import type { Gate, Holding } from "./gate.ts";
import type { Placements } from "./placements.ts";
import { urlPatternOf } from "./script-url.ts";
import type { Point, SourceMap } from "./source-map.ts";

export class Entry implements Binder {
  readonly #cdp: Cdp;
  readonly #placements: Placements;
  readonly #gate: Gate;
  readonly #program: string;
  readonly #placed = new Set<string>();
  #done = false;

  constructor(tools: { cdp: Cdp; placements: Placements; gate: Gate }, program: string) {
    this.#cdp = tools.cdp;
    this.#placements = tools.placements;
    this.#gate = tools.gate;
    this.#program = program;
  }

  get holding(): Holding {
    return this.#done ? "none" : "all";
  }

  wants(_path: string, hasMap: boolean): boolean {
    return hasMap && !this.#done;
  }

  async arm(): Promise<void> {
    const outline = await outlineFile(this.#cdp, this.#program);
    if (outline.mapped || !isJavaScript(this.#program)) await this.#gate.hold("entry", "mapped");
    if (!outline.mapped)
      await this.#place(
        { urlPattern: urlPatternOf(this.#program) },
        outline.top[0] ?? { line: outline.lines[0] ?? 0, column: 0 },
      );
  }

  /** The program came with a map: its first statement is somewhere else than the file's text says. */
  async bind(arrival: Arrival): Promise<void> {
    const { map, path, where } = arrival;
    if (map === undefined || this.#done) return;
    if (path !== this.#program && map.sourceAt(this.#program) === undefined) return;
    const text = await arrival.text();
    const bodyAt = async (from: Point) => (await outlineText(this.#cdp, text, from))?.top ?? [];
    const first = await firstMapped(map, bodyAt);
    await this.#clear();
    await this.#place(where, first);
  }

  /** It was hit: once is enough. */
  async reached(): Promise<void> {
    this.#done = true;
    await Promise.all([this.#clear(), this.#gate.hold("entry", "none")]);
  }

  async #place(where: Arrival["where"] | { urlPattern: string }, point: Point): Promise<void> {
    const placement = await this.#placements.add(where, point, undefined, { kind: "entry" });
    this.#placed.add(placement.id);
  }

  async #clear(): Promise<void> {
    const old = [...this.#placed];
    this.#placed.clear();
    await Promise.all(old.map((id) => this.#placements.remove(id)));
  }
}

/** The first statement of the script's own body that came from the original; failing that, of a wrapper around it all. */
async function firstMapped(map: SourceMap, bodyAt: (from: Point) => Promise<Point[]>): Promise<Point> {
  const start = { line: 0, column: 0 };
  for (const from of [start, { line: map.first?.line ?? 0, column: 0 }]) {
    const found = (await bodyAt(from)).find((point) => map.original(point) !== undefined);
    if (found !== undefined) return found;
  }
  return map.first ?? start;
}
