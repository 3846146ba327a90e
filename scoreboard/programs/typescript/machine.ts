// A vending machine: states, coins, change.

type State = "idle" | "paying" | "serving" | "empty";
type Event = { kind: "coin"; value: number } | { kind: "choose"; item: string } | { kind: "cancel" };

interface Slot {
  price: number;
  count: number;
}

export class Machine {
  state: State = "idle";
  credit = 0;
  coins: Map<number, number>;
  readonly log: string[] = [];
  readonly slots: Map<string, Slot>;

  constructor(slots: Record<string, Slot>, coins: [number, number][]) {
    this.slots = new Map(Object.entries(slots).map(([name, slot]) => [name, { ...slot }]));
    this.coins = new Map(coins);
  }

  change(amount: number): number[] | undefined {
    const paid: number[] = [];
    const left = new Map(this.coins);
    let open = amount;
    for (const value of [...left.keys()].sort((a, b) => b - a)) {
      while (open >= value && (left.get(value) ?? 0) > 0) {
        open -= value;
        left.set(value, (left.get(value) ?? 0) - 1);
        paid.push(value);
      }
    }
    if (open > 0) return undefined;
    this.coins = left;
    return paid;
  }

  send(event: Event): void {
    const before = this.state;
    if (event.kind === "coin") this.#coin(event.value);
    else if (event.kind === "choose") this.#choose(event.item);
    else this.#cancel();
    this.log.push(`${before} ${event.kind} ${this.state} ${this.credit}`);
  }

  #coin(value: number): void {
    if (this.state === "empty") return;
    this.credit += value;
    this.coins.set(value, (this.coins.get(value) ?? 0) + 1);
    this.state = "paying";
  }

  #choose(item: string): void {
    const slot = this.slots.get(item);
    if (this.state !== "paying" || slot === undefined || slot.count === 0) return;
    if (this.credit < slot.price) return;
    const back = this.change(this.credit - slot.price);
    if (back === undefined) return;
    slot.count--;
    this.credit = 0;
    this.state = this.#isEmpty() ? "empty" : "idle";
    this.log.push(`${item} and ${back.join("+") || "nothing"}`);
  }

  #cancel(): void {
    const back = this.change(this.credit);
    this.credit = 0;
    this.state = "idle";
    this.log.push(`back ${back?.join("+") ?? "lost"}`);
  }

  #isEmpty(): boolean {
    return [...this.slots.values()].every(({ count }) => count === 0);
  }
}

// driver

export function scenario(): { log: string[]; coins: [number, number][] } {
  const machine = new Machine({ tea: { price: 70, count: 2 }, gum: { price: 35, count: 1 } }, [
    [50, 1],
    [20, 2],
    [10, 1],
    [5, 2],
  ]);
  machine.send({ kind: "choose", item: "tea" });
  for (const value of [50, 10]) machine.send({ kind: "coin", value });
  machine.send({ kind: "choose", item: "tea" });
  machine.send({ kind: "coin", value: 50 });
  machine.send({ kind: "choose", item: "tea" });
  machine.send({ kind: "coin", value: 100 });
  machine.send({ kind: "choose", item: "gum" });
  machine.send({ kind: "coin", value: 20 });
  machine.send({ kind: "cancel" });
  machine.send({ kind: "coin", value: 100 });
  machine.send({ kind: "choose", item: "gum" });
  machine.send({ kind: "choose", item: "tea" });
  machine.send({ kind: "coin", value: 5 });
  return { log: machine.log, coins: [...machine.coins] };
}

if (process.argv[1]?.endsWith("machine.ts")) console.log(scenario());
