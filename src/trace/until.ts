/** The moment that a recording is to end with: a run may go on after it, and come by the same line again. Pure. */
import type { SeenLine } from "./collector.ts";
import type { Moment } from "./plan.ts";

export class Until {
  readonly #moment: Moment;
  /** By activation, of those in that file. */
  readonly #variables = new Map<number, Map<string, string>>();
  #call: number | undefined;
  #isPast = false;

  constructor(moment: Moment) {
    this.#moment = moment;
  }

  /** Whether the statement has been left. */
  get isPast(): boolean {
    return this.#isPast;
  }

  see({ kind, path, line, call, changes, gone = [] }: SeenLine): void {
    const { path: own, first, last } = this.#moment;
    if (path !== own) return;
    const isThere = kind === "line" && line >= first && line <= last;
    if (call === this.#call && !isThere) this.#isPast = true;
    const variables = this.#variables.get(call) ?? new Map<string, string>();
    for (const [name, value] of changes) variables.set(name, value);
    for (const name of gone) variables.delete(name);
    if (kind === "return" || kind === "throw") this.#variables.delete(call);
    else this.#variables.set(call, variables);
    if (isThere && this.#isIt(variables)) this.#call = call;
  }

  /** All that are known on both sides are the same, and there is one at least. */
  #isIt(variables: ReadonlyMap<string, string>): boolean {
    const known = this.#moment.values.flatMap(({ name, value }) => {
      const recorded = variables.get(name);
      return recorded === undefined ? [] : [isSame(recorded, value)];
    });
    return known.length > 0 && known.every((one) => one);
  }
}

function isSame(recorded: string, seen: string): boolean {
  const [one, two] = [recorded, seen].map((text) => text.replace(/…$/, ""));
  const isCut = one !== recorded || two !== seen;
  if (one === undefined || two === undefined) return false;
  return isCut ? one.startsWith(two) || two.startsWith(one) : one === two;
}
