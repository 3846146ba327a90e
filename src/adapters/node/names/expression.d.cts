import type { Meaning } from "./names.cjs";

export function translated(
  text: string,
  meaning: (name: string) => Meaning,
  refuse: (name: string, fault: string) => string,
): string;
export function failing(name: string, fault: string): string;
