/** What of a run is not seen, told where it matters. */
import { basename } from "node:path";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { BuiltFrom } from "../native/built-from.ts";

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
    const level = this.#built.optimised;
    if (level === undefined) return undefined;
    return `${basename(program ?? "the program")} was compiled with ${level}: values may be missing and lines may run out of order; compile with -O0 to avoid that`;
  }

  /** At the end: a breakpoint without hits may have been passed where nobody looked. */
  inChildren(): string | undefined {
    const missed = [...this.#placed.values()].flat().some((id) => !this.#hit.has(id));
    return missed && this.#built.forks
      ? "the program can fork: the debugger does not follow children, so what they run is not seen"
      : undefined;
  }
}
