import type { Program } from "acorn";

/** From `start` to `end` of the text. */
export interface Scope {
  start: number;
  end: number;
  bindings: Map<string, unknown>;
  isFunction: boolean;
  /** From the innermost around an offset outwards. */
  around(offset: number): Scope[];
}

export function analysed(program: Program): { root: Scope };
