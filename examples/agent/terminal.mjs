// What the user sees, and what they are asked.
import { createInterface } from "node:readline";

export class Terminal {
  #atLineStart = true;
  #lines;
  /** Lines that come while nobody asks are kept. */
  #answers;
  #ended = false;

  /** What the model says goes to stdout, everything else to stderr: `agent.mjs -p … > answer.txt` works. */
  write(text) {
    process.stdout.write(text);
    this.#atLineStart = text.endsWith("\n");
  }

  endLine() {
    if (!this.#atLineStart) this.write("\n");
  }

  note(text) {
    this.endLine();
    process.stderr.write(`[${text}]\n`);
  }

  /** Undefined when there is no more input. */
  async question(text) {
    this.#open();
    if (!this.#ended) {
      this.#lines.setPrompt(text);
      this.#lines.prompt();
    }
    const { value } = await this.#answers.next();
    return value;
  }

  #open() {
    if (this.#lines) return;
    this.#lines = createInterface({ input: process.stdin, output: process.stderr });
    this.#answers = this.#lines[Symbol.asyncIterator]();
    this.#lines.once("close", () => {
      this.#ended = true;
    });
    // In a terminal readline takes Ctrl-C for itself. Where nobody listens for it, there is nothing to interrupt, and it ends the input.
    this.#lines.on("SIGINT", () => process.emit("SIGINT") || this.#lines.close());
  }

  get canAsk() {
    return process.stdin.isTTY === true;
  }

  close() {
    this.#lines?.close();
  }
}
