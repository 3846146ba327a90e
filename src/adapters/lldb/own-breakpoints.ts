/** Breakpoints of our own, set by LLDB's commands so that no list of the user's ever holds them: at `main`, and at panics. */
import type { Wire } from "../kit/dialect.ts";
import { command } from "./ask.ts";

export class OwnBreakpoint {
  readonly #function: string;
  #id: number | undefined;

  constructor(name: string) {
    this.#function = name;
  }

  async set(wire: Wire): Promise<void> {
    if (this.#id !== undefined) return;
    const said = await command(wire, `breakpoint set --name ${this.#function}`);
    const id = /Breakpoint (\d+):/.exec(said)?.[1];
    this.#id = id === undefined ? undefined : Number(id);
  }

  async remove(wire: Wire): Promise<void> {
    const id = this.#id;
    if (id === undefined) return;
    this.#id = undefined;
    await command(wire, `breakpoint delete ${id}`);
  }

  /** Whether it is among these, and the others. */
  in(ids: readonly number[]): { hit: boolean; others: number[] } {
    const hit = this.#id !== undefined && ids.includes(this.#id);
    return { hit, others: ids.filter((id) => id !== this.#id) };
  }
}
