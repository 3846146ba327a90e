/**
 * A step in the user's sense. V8 steps by statements of the generated code and into Node's own; a step here goes on until
 * it stands on another line of code that is not Node's. V8's own way of hiding scripts is no help: it does not cover the
 * part of Node that comes out of the snapshot. Pure: says what to do next.
 */

export type StepKind = "over" | "into" | "out";

/** One command of V8; or to run until a frame of the user's goes on ("land"); or to let the program go. */
export type StepMove = "over" | "into" | "out" | "land" | "resume";

/** Where the program stands, as far as a step cares. */
export interface Spot {
  /** Number of frames on the stack. */
  depth: number;
  /** Which function, by its place in the code. */
  function: string;
  /** The original line; undefined when generated code came from nowhere. */
  place: string | undefined;
  mapped: boolean;
  /** Node's own code. */
  internal: boolean;
  /** Some frame further out is not Node's. */
  hasUserBelow: boolean;
  inFinally: boolean;
  /** Behind the last line of the file, where a module returns. */
  isTail: boolean;
}

/** Single steps of V8 that one step may take; a loop on one line would otherwise never end it. */
const BUDGET = 300;
/** How far into Node's code to look for a callback of the user's. */
const INSIDE_NODE = 60;

export class Step {
  readonly kind: StepKind;
  readonly #origin: Spot;
  #left = BUDGET;
  #inside = INSIDE_NODE;
  /** The program was let go to come back to a frame of the user's. */
  #landing = false;

  constructor(kind: StepKind, origin: Spot) {
    this.kind = kind;
    this.#origin = origin;
  }

  /** How many of the outermost frames it may come back to. */
  get reach(): number {
    return this.kind === "out" ? this.#origin.depth - 1 : this.#origin.depth;
  }

  /** V8 loses a step out of a `finally` that stands behind a `return`: it needs a net. */
  get needsNet(): boolean {
    return this.#origin.inFinally;
  }

  /** The program was let go: the next stop is where it came back. */
  letGo(): void {
    this.#landing = true;
  }

  /** How to go on from where V8 stopped; undefined if this is where the user wanted to be. */
  next(spot: Spot): StepMove | undefined {
    if (this.#left-- <= 0) return undefined;
    if (spot.internal) return this.#leaveNode(spot);
    const { depth, function: origin, place } = this.#origin;
    const isOut = this.kind === "out";
    if (this.#landing && spot.depth > this.reach) return "resume";
    const again: StepMove = this.kind === "into" ? "into" : "over";
    // Out of a function called on the file's last line there is still the caller to show.
    if ((spot.isTail && !isOut) || (spot.mapped && spot.place === undefined)) return again;
    const isHere = spot.depth === depth && spot.function === origin;
    const stayed = (spot.mapped || this.#landing) && isHere && spot.place === place;
    return stayed && !isOut ? again : undefined;
  }

  #leaveNode(spot: Spot): StepMove {
    const isDeeper = spot.depth > this.#origin.depth;
    if (this.kind === "into" && isDeeper && this.#inside-- > 0) return "into";
    // With nothing of the user's to come back to, the step was over with the last of it.
    return spot.hasUserBelow ? "land" : "resume";
  }
}
