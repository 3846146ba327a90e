/** How an error reads in a terminal or to a model: what happened, then what to do. */
import type { ErrorShape } from "../errors.ts";

export function errorText(error: ErrorShape): string {
  return `error ${error.code}: ${error.message}\n${error.hint ? `hint: ${error.hint}\n` : ""}`;
}
