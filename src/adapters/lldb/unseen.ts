/** What of a run is not seen, told where it matters. */
import { basename } from "node:path";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { BuiltFrom } from "../native/built-from.ts";

/** So many files are named. */
const NAMED = 3;

export class Unseen {
  readonly #built: BuiltFrom;
  readonly #placed = new Map<string, number[]>();
  readonly #hit = new Set<number>();

  constructor(built: BuiltFrom) {
    this.#built = built;
  }

  placed<T extends { breakpoints: DebugProtocol.Breakpoint[] }>(group: string, body: T): T {
    const bound = body.breakpoints.filter(({ verified }) => verified);
    this.#placed.set(
      group,
      bound.flatMap(({ id }) => id ?? []),
    );
    return body;
  }

  hit(ids: readonly number[]): void {
    for (const id of ids) this.#hit.add(id);
  }

  /** At the start. */
  optimised(program: string | undefined): string | undefined {
    const found = this.#built.optimised;
    if (found === undefined) return undefined;
    const name = basename(program ?? "the program");
    const { level, files } = found;
    if (files === undefined)
      return `${name} was compiled with ${level}: values may be missing and lines may run out of order; compile with -O0 to avoid that`;
    const more = files.length > NAMED ? ` and ${files.length - NAMED} more files` : "";
    const were = files.length > 1 ? "were" : "was";
    return `${files.slice(0, NAMED).join(", ")}${more} of ${name} ${were} compiled with ${level}: values may be missing and lines may run out of order there`;
  }

  /** At the end: a breakpoint without hits may have been passed where nobody looked. */
  inChildren(): string | undefined {
    const missed = [...this.#placed.values()].flat().some((id) => !this.#hit.has(id));
    return missed && this.#built.forks
      ? "the program can fork: the debugger does not follow children, so what they run is not seen"
      : undefined;
  }
}
