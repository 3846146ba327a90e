/** V8's breakpoints and whom each was set for. */
import type { Protocol } from "devtools-protocol";
import type { Cdp } from "../target.ts";
import type { Point } from "./source-map.ts";

export type Owner = { kind: "line" | "function"; id: number } | { kind: "entry" };

/** A compiled script, or every script of a URL, loaded or yet to come. */
export type Where = { scriptId: string } | { url: string } | { urlPattern: string };

export interface Placement {
  id: string;
  owner: Owner;
  locations: Protocol.Debugger.Location[];
}

export class Placements {
  readonly #cdp: Cdp;
  readonly #byId = new Map<string, Placement>();
  /** Of two breakpoints at one place V8 keeps the first; the others ride on it. */
  readonly #riders = new Map<string, Owner[]>();

  constructor(cdp: Cdp) {
    this.#cdp = cdp;
  }

  async add(
    where: Where,
    point: Point,
    condition: string | undefined,
    owner: Owner,
  ): Promise<Placement | undefined> {
    try {
      const { id, locations } = await this.#send(where, point, condition);
      const placement = { id, owner, locations };
      this.#byId.set(id, placement);
      return placement;
    } catch (error) {
      // "Breakpoint at specified location already exists."
      if (!(error instanceof Error) || !/already exists/.test(error.message)) throw error;
      const first = [...this.#byId.values()].find(
        (one) => "scriptId" in where && isAt(one, where.scriptId, point),
      );
      if (first === undefined) return undefined;
      this.#riders.set(first.id, [...(this.#riders.get(first.id) ?? []), owner]);
      return { id: first.id, owner, locations: first.locations };
    }
  }

  async remove(id: string): Promise<void> {
    if (!this.#byId.delete(id)) return;
    this.#riders.delete(id);
    await this.#cdp.send("Debugger.removeBreakpoint", { breakpointId: id });
  }

  get(id: string): Placement | undefined {
    return this.#byId.get(id);
  }

  /** Whose breakpoints were hit. */
  owners(ids: string[]): Owner[] {
    return ids.flatMap((id) => {
      const placement = this.#byId.get(id);
      return placement === undefined ? [] : [placement.owner, ...(this.#riders.get(id) ?? [])];
    });
  }

  async #send(where: Where, { line, column }: Point, condition: string | undefined) {
    const when = condition === undefined ? {} : { condition };
    if ("scriptId" in where) {
      const location = { scriptId: where.scriptId, lineNumber: line, columnNumber: column };
      const { breakpointId, actualLocation } = await this.#cdp.send("Debugger.setBreakpoint", {
        location,
        ...when,
      });
      return { id: breakpointId, locations: [actualLocation] };
    }
    const { breakpointId, locations } = await this.#cdp.send("Debugger.setBreakpointByUrl", {
      ...("url" in where ? { url: where.url } : { urlRegex: where.urlPattern }),
      lineNumber: line,
      columnNumber: column,
      ...when,
    });
    return { id: breakpointId, locations };
  }
}

function isAt({ locations }: Placement, scriptId: string, { line }: Point): boolean {
  return locations.some((location) => location.scriptId === scriptId && location.lineNumber >= line);
}
