/** V8's breakpoints and whom each was set for. */
import type { Protocol } from "devtools-protocol";
import { regExpText } from "../../../util/text.ts";
import type { Cdp } from "../target.ts";
import { reasonOf } from "./host.ts";
import type { Point } from "./source-map.ts";

export type Owner = { kind: "line" | "function"; id: number } | { kind: "entry" };

/** A compiled script, or every script of a URL, loaded or yet to come. */
export type Where = { scriptId: string; url: string } | { url: string } | { urlPattern: string };

export interface Placement {
  id: string;
  owner: Owner;
  /** Where V8 was asked to put it. */
  point: Point;
  locations: Protocol.Debugger.Location[];
}

export class Placements {
  readonly #cdp: Cdp;
  readonly #byId = new Map<string, Placement>();
  /** Taken away again. */
  readonly #gone = new Set<string>();

  constructor(cdp: Cdp) {
    this.#cdp = cdp;
  }

  async add(where: Where, point: Point, condition: string | undefined, owner: Owner): Promise<Placement> {
    const { id, locations } = await this.#send(where, point, condition);
    const placement = { id, owner, point, locations };
    this.#byId.set(id, placement);
    this.#gone.delete(id);
    return placement;
  }

  async remove(id: string): Promise<void> {
    if (!this.#byId.delete(id)) return;
    this.#gone.add(id);
    await this.#cdp.send("Debugger.removeBreakpoint", { breakpointId: id });
  }

  get(id: string): Placement | undefined {
    return this.#byId.get(id);
  }

  /** V8 had stopped before it heard that these were taken away. */
  areGone(ids: string[]): boolean {
    return ids.length > 0 && ids.every((id) => this.#gone.has(id));
  }

  /** Whose breakpoints were hit. */
  owners(ids: string[]): Owner[] {
    return ids.flatMap((id) => this.#byId.get(id)?.owner ?? []);
  }

  async #send(
    where: Where,
    point: Point,
    condition: string | undefined,
  ): Promise<Omit<Placement, "owner" | "point">> {
    const { line: lineNumber, column: columnNumber } = point;
    const when = condition === undefined ? {} : { condition };
    if ("scriptId" in where) {
      const location = { scriptId: where.scriptId, lineNumber, columnNumber };
      try {
        const { breakpointId, actualLocation } = await this.#cdp.send("Debugger.setBreakpoint", {
          location,
          ...when,
        });
        return { id: breakpointId, locations: [actualLocation] };
      } catch (error) {
        if (!isTaken(error)) throw error;
      }
    }
    return this.#sendByUrl(
      "urlPattern" in where ? where.urlPattern : `^${regExpText(where.url)}$`,
      point,
      when,
    );
  }

  /** V8 takes one breakpoint per place and spelling of the URL; a log message and a stop may well share a line. */
  async #sendByUrl(
    pattern: string,
    { line, column }: Point,
    when: { condition?: string },
  ): Promise<Omit<Placement, "owner" | "point">> {
    for (let same = 0; ; same++) {
      const urlRegex = pattern + "(?:)".repeat(same);
      try {
        const { breakpointId, locations } = await this.#cdp.send("Debugger.setBreakpointByUrl", {
          urlRegex,
          lineNumber: line,
          columnNumber: column,
          ...when,
        });
        return { id: breakpointId, locations };
      } catch (error) {
        if (!isTaken(error) || same > 20) throw error;
      }
    }
  }
}

/** "Breakpoint at specified location already exists." */
const isTaken = (error: unknown): boolean => /already exists/.test(reasonOf(error));
