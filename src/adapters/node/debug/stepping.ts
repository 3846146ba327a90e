/**
 * A step in the user's sense. V8 steps by statements of the generated code; a step here goes on until the place the user
 * sees has changed, and survives the pauses that hold scripts (V8 forgets a step when it is resumed).
 */

export type StepKind = "over" | "into" | "out";
export type StepCommand = "Debugger.stepOver" | "Debugger.stepInto" | "Debugger.stepOut";

/** Where the program stands, as far as a step cares. */
export interface Spot {
  /** Number of frames on the stack. */
  depth: number;
  /** Which function, by its place in the code. */
  function: string;
  /** The original line; undefined when generated code came from nowhere. */
  place: string | undefined;
  mapped: boolean;
  internal: boolean;
}

/** Single steps of V8 that one step may take; a loop on one line would otherwise never end it. */
const BUDGET = 200;

export class Step {
  readonly kind: StepKind;
  readonly #origin: Spot;
  #left = BUDGET;
  /** A held script broke into the step; frames above the origin must be left first. */
  #returning = false;

  constructor(kind: StepKind, origin: Spot) {
    this.kind = kind;
    this.#origin = origin;
  }

  get isReturning(): boolean {
    return this.#returning;
  }

  /** How to go on after a pause that was not the user's. */
  afterHold(): StepCommand {
    if (this.kind === "into") return "Debugger.stepInto";
    this.#returning = true;
    return "Debugger.stepOut";
  }

  /** How to go on from where V8 stopped; undefined if this is where the user wanted to be. */
  next(spot: Spot): StepCommand | undefined {
    if (this.#left-- <= 0) return undefined;
    if (this.#returning) {
      const arrived =
        this.kind === "out" ? spot.depth < this.#origin.depth : spot.depth <= this.#origin.depth;
      if (!arrived) return "Debugger.stepOut";
    }
    if (spot.internal) return "Debugger.stepOut";
    if (spot.mapped && spot.place === undefined)
      return this.kind === "into" ? "Debugger.stepInto" : "Debugger.stepOver";
    const stayed =
      (spot.mapped || this.#returning) &&
      spot.depth === this.#origin.depth &&
      spot.function === this.#origin.function &&
      spot.place === this.#origin.place;
    this.#returning = false;
    if (!stayed || this.kind === "out") return undefined;
    return this.kind === "into" ? "Debugger.stepInto" : "Debugger.stepOver";
  }
}
