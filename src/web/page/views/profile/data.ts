/** What the profile commands answer, and the words for amounts. */
import type { FlameFrame, StackTree, Timeline } from "../../parts/flame/boxes.ts";
import { bytes, count, duration } from "../../parts/text.ts";

export type Unit = "ns" | "bytes" | "samples";

export interface Stacks extends StackTree {
  id: string;
  unit: Unit;
  hasTime: boolean;
  timeline?: Timeline;
}

export interface ProfileAnswer {
  id: string;
  kind: string;
  title: string;
  seconds: number;
  means: string;
  unit: Unit;
  busy: number;
  idle: number;
  samples: number;
  functions: number;
  files: { kind: string; path: string }[];
  notes: import("../../../protocol.ts").PageTold[];
}

export function amountIn(unit: Unit): (weight: number) => string {
  if (unit === "ns") return duration;
  return unit === "bytes" ? bytes : (weight) => `${count(Math.round(weight))} samples`;
}

export function isLibrary({ file, kind }: FlameFrame): boolean {
  return (
    kind !== undefined ||
    file === undefined ||
    !file.startsWith("/") ||
    /\/(node_modules|site-packages|dist-packages|lib\/python[\d.]+|go\/src|pkg\/mod)\//.test(file)
  );
}
