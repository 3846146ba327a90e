/**
 * Takes Node's own inspector lines out of the program's stderr. They are written by the runtime to the same pipe as the
 * program's output and cannot be switched off.
 */

/** How long the beginning of such a line is held back; the runtime writes a line at once. */
const HOLD_MS = 50;

const ATTACHED = "Debugger attached.\n";
/** Also in the middle of a line: the program's last words often have no line break. */
const WAITING = "Waiting for the debugger to disconnect...\n";
const LINES = [ATTACHED, WAITING];
const SEEN = new RegExp(`(?<=^|\\n)${escape(ATTACHED)}|${escape(WAITING)}`, "g");

export class InspectorNoise {
  readonly #emit: (text: string) => void;
  #held = "";
  #atLineStart = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(emit: (text: string) => void) {
    this.#emit = emit;
  }

  push(chunk: string): void {
    clearTimeout(this.#timer);
    const text = this.#held + chunk;
    this.#held = "";
    const kept = this.#strip(text);
    const held = heldLength(kept, this.#atLineStart);
    this.#release(held === 0 ? kept : kept.slice(0, -held));
    if (held === 0) return;
    this.#held = kept.slice(-held);
    this.#timer = setTimeout(() => this.flush(), HOLD_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    const held = this.#held;
    this.#held = "";
    this.#release(held);
  }

  #strip(text: string): string {
    if (!LINES.some((line) => text.includes(line))) return text;
    // The blank line-start marker: `^` in the pattern must not match in the middle of a program's line.
    return this.#atLineStart ? text.replace(SEEN, "") : `.${text}`.replace(SEEN, "").slice(1);
  }

  #release(text: string): void {
    if (text === "") return;
    this.#atLineStart = text.endsWith("\n");
    this.#emit(text);
  }
}

/** Length of the text's end that may be the beginning of one of the lines. */
function heldLength(text: string, atLineStart: boolean): number {
  const longest = Math.min(text.length, WAITING.length - 1);
  for (let length = longest; length > 0; length--) {
    const end = text.slice(-length);
    const startsLine = length === text.length ? atLineStart : text.at(-length - 1) === "\n";
    if (WAITING.startsWith(end) || (startsLine && ATTACHED.startsWith(end))) return length;
  }
  return 0;
}

function escape(text: string): string {
  return text.replace(/[.]/g, "\\.").replace("\n", "\\n");
}
