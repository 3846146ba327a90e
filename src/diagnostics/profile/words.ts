/** Amounts and shares as text. Pure. */
import { plural, sizeText } from "../../util/text.ts";
import type { Frame, Unit } from "./profile.ts";

export function amountText(amount: number, unit: Unit): string {
  if (unit === "samples") return plural(Math.round(amount), "sample");
  return unit === "bytes" ? sizeText(Math.round(amount)) : timeText(amount);
}

export function timeText(nanoseconds: number): string {
  if (nanoseconds >= 1e9) return `${(nanoseconds / 1e9).toFixed(2)} s`;
  if (nanoseconds >= 1e6) return `${(nanoseconds / 1e6).toFixed(nanoseconds >= 1e7 ? 0 : 1)} ms`;
  return `${Math.round(nanoseconds / 1e3)} µs`;
}

/** "12.3 %" */
export function shareText(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

const MARKS: Partial<Record<NonNullable<Frame["kind"]>, string>> = {
  gc: "garbage collection",
  native: "native",
  kernel: "kernel",
  idle: "idle",
};

/** What a function is that is none of the program's own. */
export function markOf({ kind }: Frame): string | undefined {
  return kind === undefined ? undefined : MARKS[kind];
}
