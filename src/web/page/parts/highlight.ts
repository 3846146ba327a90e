/**
 * Colours of source text, as tokens per line (never as HTML). highlight.js and a language are loaded when the first file needs them;
 * until then, and where no language is known, lines are plain. Long files are coloured a slice at a time, as they are looked at.
 */
import { signal } from "@preact/signals";
import type { Token } from "./token.ts";

interface Highlighter {
  highlight(text: string, language: string): readonly (readonly Token[])[];
}

const LANGUAGES: Record<string, string> = {
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascript",
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "typescript",
  py: "python",
  go: "go",
  rs: "rust",
  c: "c",
  h: "cpp",
  cc: "cpp",
  cpp: "cpp",
  cxx: "cpp",
  hpp: "cpp",
  java: "java",
  rb: "ruby",
  php: "php",
  pl: "perl",
  pm: "perl",
};

/** Lines that are coloured at once; a text that spans two slices may be taken wrong at the border. */
const SLICE = 1000;
const LONGEST_LINE = 2000;

const highlighter = signal<Highlighter | undefined>(undefined);
let isLoading = false;

export function languageOf(path: string): string | undefined {
  return LANGUAGES[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ""];
}

/** Asks for the tokens of single lines of one text. */
export class Colours {
  readonly #lines: readonly string[];
  readonly #language: string | undefined;
  readonly #slices = new Map<number, readonly (readonly Token[])[]>();

  constructor(path: string, lines: readonly string[]) {
    this.#lines = lines;
    this.#language = languageOf(path);
  }

  /** By its index; undefined while it is plain. Reading it in a component draws that again when the colours are there. */
  line(index: number): readonly Token[] | undefined {
    if (this.#language === undefined) return undefined;
    const ready = highlighter.value;
    if (ready === undefined) {
      load();
      return undefined;
    }
    const slice = Math.floor(index / SLICE);
    let known = this.#slices.get(slice);
    if (known === undefined) {
      const text = this.#lines.slice(slice * SLICE, (slice + 1) * SLICE);
      const isSensible = text.every((one) => one.length < LONGEST_LINE);
      known = isSensible ? ready.highlight(text.join("\n"), this.#language) : [];
      this.#slices.set(slice, known);
    }
    return known[index - slice * SLICE];
  }
}

function load(): void {
  if (isLoading) return;
  isLoading = true;
  void import("./highlighter.ts").then(({ highlight }) => {
    highlighter.value = { highlight };
  });
}
