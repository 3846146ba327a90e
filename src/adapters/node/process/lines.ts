/** Lines of text out of chunks of bytes, however long. */
import { StringDecoder } from "node:string_decoder";

export class LineReader {
  readonly #decoder = new StringDecoder("utf8");
  readonly #onLine: (line: string) => void;
  #parts: string[] = [];

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    const [first = "", ...rest] = this.#decoder.write(chunk).split("\n");
    this.#parts.push(first);
    for (const next of rest) {
      const line = this.#parts.join("");
      this.#parts = [next];
      this.#onLine(line);
    }
  }
}
