/** Which functions ran: how often, called by whom, and how long, summed over the processes of a run. */

export interface CodePlace {
  function: string;
  path: string;
  line: number;
}

/** What a collector says; a function is told of as often as there is more to add. */
export interface SeenCalls extends CodePlace {
  count: number;
  /** In itself, and in what it calls outside the user's code. */
  ownMs: number;
  /** From its start to its end, calls within calls of the same function once. */
  wholeMs: number;
  /** None: it was called by no function of the user's. */
  by?: CodePlace;
}

export interface CalledFunction extends CodePlace {
  count: number;
  ownMs: number;
  wholeMs: number;
  /** Most calls first; without a place where it was called from outside the user's code. */
  callers: { function?: string; path?: string; line?: number; count: number }[];
}

interface Sum extends CodePlace {
  count: number;
  ownMs: number;
  wholeMs: number;
  callers: Map<string, { place: CodePlace | undefined; count: number }>;
}

export class CallCounts {
  readonly #sums = new Map<string, Sum>();

  add({ function: name, path, line, count, ownMs, wholeMs, by }: SeenCalls): void {
    const key = keyOf({ function: name, path, line });
    const sum = this.#sums.get(key) ?? {
      function: name,
      path,
      line,
      count: 0,
      ownMs: 0,
      wholeMs: 0,
      callers: new Map(),
    };
    this.#sums.set(key, sum);
    sum.count += count;
    sum.ownMs += ownMs;
    sum.wholeMs += wholeMs;
    const caller = by === undefined ? "" : keyOf(by);
    const before = sum.callers.get(caller)?.count ?? 0;
    if (before + count > 0) sum.callers.set(caller, { place: by, count: before + count });
  }

  get functions(): CalledFunction[] {
    return [...this.#sums.values()]
      .map(({ callers, ownMs, wholeMs, ...rest }) => ({
        ...rest,
        ownMs: rounded(ownMs),
        wholeMs: rounded(Math.max(ownMs, wholeMs)),
        callers: [...callers.values()]
          .sort((one, other) => other.count - one.count)
          .map(({ place, count }) => ({ ...place, count })),
      }))
      .sort((one, other) => other.ownMs - one.ownMs || other.count - one.count);
  }
}

function keyOf({ function: name, path, line }: CodePlace): string {
  return `${line} ${name}\n${path}`;
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
