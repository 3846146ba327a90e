/** Breakpoints of our own, set by LLDB's commands so that no list of the user's ever holds them: at `main`, and at panics. */
import type { Wire } from "../kit/dialect.ts";
import { command } from "./ask.ts";

/** With it go the rules of lldb_hits.py: a signal in the middle makes no second hit. */
export const OUR_NAME = "sonde";

export class OwnBreakpoint {
  readonly #function: string;
  #id: number | undefined;

  constructor(name: string) {
    this.#function = name;
  }

  /** @param otherwise Where to, as LLDB's options say it, if there is no function of that name. Tells whether there is. */
  async set(wire: Wire, otherwise?: string): Promise<boolean> {
    if (this.#id !== undefined) return true;
    const named = await this.#put(wire, `--name ${this.#function}`);
    if (named || otherwise === undefined) return named;
    await this.remove(wire);
    await this.#put(wire, otherwise);
    return false;
  }

  async #put(wire: Wire, where: string): Promise<boolean> {
    const said = await command(wire, `breakpoint set --breakpoint-name ${OUR_NAME} ${where}`);
    const id = /Breakpoint (\d+):/.exec(said)?.[1];
    this.#id = id === undefined ? undefined : Number(id);
    return !/no locations/.test(said);
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
