import type { Program } from "acorn";

/** What a name means: the text to write instead, or why that cannot be told. */
export type Meaning = { text: string; fault?: undefined } | { fault: string; text?: undefined };

export interface NameMap {
  /** Decoded, by line. */
  mappings: readonly (readonly number[])[][];
  names: readonly string[];
  /** The map's field of that name, as it stands there. */
  scopes?: unknown;
  textOf(source: number): string | undefined;
}

export class Names {
  constructor(program: Program, text: string, map: NameMap);
  annotate(): void;
  meaning(name: string, offset: number): Meaning;
  original(name: string, offset: number, end: number): string;
}
