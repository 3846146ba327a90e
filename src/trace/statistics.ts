/** What can be said of an expression over all hits, also those that are not kept. */
import { numberIn } from "./numbers.ts";
import { UNAVAILABLE } from "./plan.ts";

export interface Extreme {
  value: string;
  hit: number;
}

export interface Statistics {
  first: string;
  last: string;
  /** How often it differed from the hit before. */
  changes: number;
  unavailable: number;
  /** Where every value is a number. */
  min?: Extreme;
  max?: Extreme;
}

export class Tally {
  #hits = 0;
  #first = "";
  #last = "";
  #changes = 0;
  #unavailable = 0;
  #numeric = true;
  #min: (Extreme & { number: number }) | undefined;
  #max: (Extreme & { number: number }) | undefined;

  add(value: string, hit: number): void {
    if (this.#hits++ === 0) this.#first = value;
    else if (value !== this.#last) this.#changes++;
    else return; // nothing that has not been counted, but for what is missing
    this.#last = value;
    if (value === UNAVAILABLE) return;
    const number = this.#numeric ? numberIn(value) : undefined;
    if (number === undefined) {
      this.#numeric = false;
      return;
    }
    if (this.#min === undefined || number < this.#min.number) this.#min = { value, hit, number };
    if (this.#max === undefined || number > this.#max.number) this.#max = { value, hit, number };
  }

  missed(): void {
    this.#unavailable++;
  }

  get statistics(): Statistics {
    const [min, max] = [this.#min, this.#max];
    return {
      first: this.#first,
      last: this.#last,
      changes: this.#changes,
      unavailable: this.#unavailable,
      ...(this.#numeric && min && max
        ? { min: { value: min.value, hit: min.hit }, max: { value: max.value, hit: max.hit } }
        : {}),
    };
  }
}
