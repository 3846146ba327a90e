/** Which lines ran in tests: in how many calls of tests' functions that returned, and in how many that an exception left. Pure. */

/** What a collector says of calls of tests' functions; there may be more. */
export interface SeenRan {
  /** Calls that returned, and that an exception left. */
  returned: number;
  thrown: number;
  files: [path: string, lines: [line: number, returned: number, thrown: number][]][];
}

/** In so many calls of each kind. */
export interface Times {
  returned: number;
  thrown: number;
}

export class Spectrum {
  returned = 0;
  thrown = 0;
  readonly #lines = new Map<string, Times>();

  add({ returned, thrown, files }: SeenRan): void {
    this.returned += returned;
    this.thrown += thrown;
    for (const [path, lines] of files)
      for (const [line, more, left] of lines) {
        const times = this.of(path, line);
        this.#lines.set(keyOf(path, line), {
          returned: times.returned + more,
          thrown: times.thrown + left,
        });
      }
  }

  of(path: string, line: number): Times {
    return this.#lines.get(keyOf(path, line)) ?? { returned: 0, thrown: 0 };
  }

  /** From 0 to 1: how much a line is of the calls that failed, and of no others (Ochiai's measure). */
  weight(path: string, line: number): number {
    const { returned, thrown } = this.of(path, line);
    return thrown === 0 ? 0 : thrown / Math.sqrt(this.thrown * (thrown + returned));
  }
}

function keyOf(path: string, line: number): string {
  return `${line} ${path}`;
}
