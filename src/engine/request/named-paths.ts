/**
 * Files that answers to the page have named: of a session's frames and breakpoints, of traces and profiles. The page may show the text of
 * these and of no others.
 */
import type { Command } from "../../commands/define.ts";

const MOST_PATHS = 20_000;
/** Of one answer: numbers by the million are passed over, a list of anything else is looked at up to here. */
const MOST_LOOKED_AT = 200_000;
/** Their answers hold what others wrote (a model, a tool, a debugger's own messages): a file that is named there is one that anybody may name. */
const QUOTING: ReadonlySet<Command["group"]> = new Set(["agents", "adapter"]);
const KEYS = new Set(["path", "file", "program"]);

export class NamedPaths {
  readonly #paths = new Set<string>();

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  /** `asked`: what the page itself said is not named by being repeated. */
  take(
    { group }: Pick<Command, "group">,
    data: unknown,
    asked: Readonly<Record<string, unknown>> = {},
  ): void {
    if (QUOTING.has(group)) return;
    const own = new Set(Object.values(asked).filter((one) => typeof one === "string"));
    let left = MOST_LOOKED_AT;
    const look = (value: unknown): void => {
      if (typeof value !== "object" || value === null || left-- <= 0) return;
      if (Array.isArray(value)) {
        if (typeof value[0] !== "number") for (const one of value) look(one);
        return;
      }
      for (const [key, one] of Object.entries(value))
        if (typeof one === "string") {
          if (!own.has(one)) this.#name(key, one);
        } else look(one);
    };
    look(data);
  }

  #name(key: string, text: string): void {
    if (!KEYS.has(key) || !text.startsWith("/")) return;
    if (this.#paths.size >= MOST_PATHS) this.#paths.clear(); // what is looked at is named again
    this.#paths.add(text);
  }
}
