/** How much of a profile that somebody else wrote is read: what is small as a file may stand for far more than memory holds. Pure. */
import { plural } from "../../util/text.ts";

/** Also of what is compressed. */
export const MOST_BYTES = 64 << 20;
/** JSON is read in one go, in the daemon: of a larger file, half a second passes in which nobody else is served. */
export const MOST_JSON_BYTES = 24 << 20;
/** Of samples, functions and places in the code, each. */
export const MOST_ENTRIES = 250_000;
/** In all stacks together. */
export const MOST_FRAMES = 3_000_000;

/** Its message says what there is too much of; who reads it knows where that came from, and what to do. */
export class TooLarge extends Error {
  override readonly name = "TooLarge";

  static bytes(most: number = MOST_BYTES): TooLarge {
    return new TooLarge(`it is larger than ${most >> 20} MB`);
  }

  static count(most: number, what: string): TooLarge {
    return new TooLarge(`it has more than ${plural(most, what)}`);
  }
}
