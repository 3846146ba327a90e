// Seats of a small theatre, sold by several tills at once through a store that answers later.
class Store {
  #rows = new Map();
  #delay = 0;

  constructor(rows) {
    for (const [row, seats] of Object.entries(rows)) this.#rows.set(row, { free: seats, sold: [] });
  }

  async read(row) {
    await this.#later();
    const found = this.#rows.get(row);
    if (!found) throw new RangeError(`there is no row ${row}`);
    return { free: found.free, sold: [...found.sold] };
  }

  async write(row, state) {
    await this.#later();
    this.#rows.set(row, state);
  }

  /** Answers come in the order of the questions. */
  #later() {
    this.#delay += 1;
    return new Promise((resolve) => setImmediate(resolve, this.#delay));
  }
}

export class BoxOffice {
  constructor(rows) {
    this.store = new Store(rows);
    this.refused = [];
  }

  /** Sells `count` seats of a row to a customer; false if there are not enough. */
  async sell(customer, row, count) {
    const state = await this.store.read(row);
    if (state.free < count) {
      this.refused.push(customer);
      return false;
    }
    const first = state.sold.length + 1;
    const seats = Array.from({ length: count }, (_, index) => `${row}${first + index}`);
    await this.store.write(row, {
      free: state.free - count,
      sold: [...state.sold, ...seats.map((seat) => ({ seat, customer }))],
    });
    return true;
  }

  /** Orders of one evening, all tills together. */
  async evening(orders) {
    const answers = await Promise.all(
      orders.map(({ customer, row, count }) => this.sell(customer, row, count)),
    );
    return answers.filter(Boolean).length;
  }

  async plan(row) {
    const { free, sold } = await this.store.read(row);
    return { free, taken: sold.map(({ seat, customer }) => `${seat}:${customer}`) };
  }
}
