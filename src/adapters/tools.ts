/** Programs besides debuggers that Sonde installs when asked to, and then uses. */
import type { Told } from "../advice/advice.ts";
import type { Found, Where } from "./adapter.ts";
import { PY_SPY } from "./python/py-spy.ts";
import type { Recipe } from "./recipe.ts";

export interface Tool {
  name: string;
  /** Ways to install it, best first. */
  recipes: readonly Recipe[];
  byHand: Told;
  find(where: Where): Promise<Found>;
}

export const TOOLS: readonly Tool[] = [PY_SPY];
