/** What the tests of `sonde test` ask and read. */
import type { TestResult } from "../../src/library/commands.generated.ts";
import type { RunOptions, Sonde } from "../support/sonde.ts";

export type Answer = TestResult;

export function asked(sonde: Sonde, words: string[], options: RunOptions = {}): Promise<Answer> {
  return sonde.ask<Answer>(words, { timeoutMs: 90_000, ...options });
}

/** Of one frame, by name. */
export function values({ stop }: Answer, frame: number): Record<string, string> {
  const shown = stop?.frames[frame]?.values ?? [];
  return Object.fromEntries(
    shown.filter(({ name }) => name !== "self").map(({ name, value }) => [name, value]),
  );
}

/** Outward: `cart.py:11 parse`. */
export function places({ stop }: Answer): string[] {
  return (stop?.frames ?? []).map(
    ({ path = "", line, function: name }) => `${path.replace(/^.*\//, "")}:${line} ${name}`,
  );
}
