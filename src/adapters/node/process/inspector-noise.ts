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
const SEEN = new RegExp(`(?<=^|\\n)${literally(ATTACHED)}|${literally(WAITING)}`, "g");

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
    const held = heldLength(text, this.#atLineStart);
    this.#release(held === 0 ? text : text.slice(0, -held));
    this.#held = held === 0 ? "" : text.slice(-held);
    if (held > 0) this.#timer = setTimeout(() => this.flush(), HOLD_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    const held = this.#held;
    this.#held = "";
    this.#release(held);
  }

  #release(text: string): void {
    if (text === "") return;
    const kept = strip(text, this.#atLineStart);
    this.#atLineStart = text.endsWith("\n");
    if (kept !== "") this.#emit(kept);
  }
}

function strip(text: string, atLineStart: boolean): string {
  if (!LINES.some((line) => text.includes(line))) return text;
  // `^` in the pattern must not match in the middle of the program's line, so something is put in its place.
  return atLineStart ? text.replace(SEEN, "") : `.${text}`.replace(SEEN, "").slice(1);
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

function literally(text: string): string {
  return text.replace(/[.]/g, "\\.").replace("\n", "\\n");
}
