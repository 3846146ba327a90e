/** A first look through all parts, which only learns: what one of them names a secret stands in others without its name. */
import { findSecrets } from "../../util/secrets/mask.ts";
import type { Item } from "./item.ts";
import type { KnownValues } from "./known-values.ts";

/** As in redaction: no secret that is found depends on more than this after its beginning, or before it. */
const HELD = 48 << 10;
const BEFORE = 2 << 10;
const WINDOW = 256 << 10;

export async function learn(items: readonly Item[], known: KnownValues, signal: AbortSignal): Promise<void> {
  for (const item of items) {
    if (item.kind !== "text") continue;
    const learning = new Learning(known);
    for await (const bytes of item.open()) {
      signal.throwIfAborted();
      learning.push(bytes);
    }
    learning.end();
  }
}

/** Of text that comes in parts, in bounded memory. */
class Learning {
  readonly #known: KnownValues;
  /** Each character is a byte. */
  #text = "";
  /** How much of it was looked at already, and stands there for what follows. */
  #seen = 0;

  constructor(known: KnownValues) {
    this.#known = known;
  }

  push(bytes: Buffer): void {
    this.#text += bytes.toString("latin1");
    if (this.#text.length < WINDOW + HELD + BEFORE) return;
    const until = this.#text.length - HELD;
    this.#look(until);
    this.#text = this.#text.slice(until - BEFORE);
    this.#seen = BEFORE;
  }

  end(): void {
    this.#look(this.#text.length);
  }

  #look(until: number): void {
    for (const { start, end, kind } of findSecrets(this.#text))
      if (start >= this.#seen && start < until)
        this.#known.addFound(Buffer.from(this.#text.slice(start, end), "latin1").toString(), kind);
  }
}
