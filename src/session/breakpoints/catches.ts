/** Which exceptions stop the program. */
import type { Debuggee } from "../debuggee.ts";

export interface Catch {
  id: number;
  /** The name the user typed. */
  name: string;
  filters: string[];
  condition?: string;
}

export class Catches {
  #all: Catch[] = [];
  #nextId = 1;

  list(): readonly Catch[] {
    return this.#all;
  }

  clear(): void {
    this.#all = [];
  }

  declare(name: string, filters: string[], condition?: string): Catch {
    const same = this.#all.find((one) => one.name === name && one.condition === condition);
    if (same) return same;
    const entry: Catch = {
      id: this.#nextId++,
      name,
      filters,
      ...(condition === undefined ? {} : { condition }),
    };
    this.#all.push(entry);
    return entry;
  }

  drop(which: readonly Catch[]): void {
    this.#all = this.#all.filter((entry) => !which.includes(entry));
  }

  async send(debuggee: Debuggee): Promise<void> {
    const known = new Set(
      (debuggee.capabilities.exceptionBreakpointFilters ?? []).map((filter) => filter.filter),
    );
    const plain = this.#all
      .filter((entry) => entry.condition === undefined)
      .flatMap((entry) => entry.filters);
    const conditional = this.#all.filter((entry) => entry.condition !== undefined);
    if (known.size === 0 && plain.length === 0) return;
    await debuggee.client.request("setExceptionBreakpoints", {
      filters: [...new Set(plain)].filter((filter) => known.has(filter)),
      ...(conditional.length === 0
        ? {}
        : {
            filterOptions: conditional.flatMap((entry) =>
              entry.filters.map((filterId) => ({
                filterId,
                ...(entry.condition ? { condition: entry.condition } : {}),
              })),
            ),
          }),
    });
  }
}
