/**
 * A terminal as lines: only those that changed are written, in one piece. On the alternate screen, so that what was there comes back.
 */
export interface Output {
  write(text: string): unknown;
  columns?: number;
  rows?: number;
}

const ENTER = "\x1b[?1049h\x1b[?25l";
const LEAVE = "\x1b[?25h\x1b[?1049l";
/** A terminal that knows these shows all of it at once; the others ignore them. */
const BEGIN = "\x1b[?2026h";
const END = "\x1b[?2026l";

export class Screen {
  readonly #output: Output;
  #shown: string[] = [];
  #open = false;

  constructor(output: Output) {
    this.#output = output;
  }

  get columns(): number {
    return Math.max(20, this.#output.columns ?? 80);
  }

  get rows(): number {
    return Math.max(6, this.#output.rows ?? 24);
  }

  open(): void {
    this.#open = true;
    this.#output.write(ENTER);
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#output.write(LEAVE);
  }

  /** After the terminal has changed its size, or was written to by somebody else. */
  forget(): void {
    this.#shown = [];
    if (this.#open) this.#output.write("\x1b[2J");
  }

  /** `lines`: no wider than the terminal. */
  paint(lines: readonly string[]): void {
    if (!this.#open) return;
    let text = "";
    for (let row = 0; row < this.rows; row++) {
      const line = lines[row] ?? "";
      if (this.#shown[row] !== line) text += `\x1b[${row + 1};1H\x1b[0m\x1b[2K${line}`;
      this.#shown[row] = line;
    }
    if (text !== "") this.#output.write(`${BEGIN}${text}${END}`);
  }
}
