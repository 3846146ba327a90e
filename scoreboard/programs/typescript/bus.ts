// Events that are sent to listeners, waited for, and stored for those who come late.

type Listener = (event: string, data: number) => Promise<number> | number;

interface Entry {
  pattern: string;
  listener: Listener;
  once: boolean;
}

export class Bus {
  readonly #entries: Entry[] = [];
  readonly #kept: { event: string; data: number }[] = [];
  readonly #keep: number;
  sent = 0;
  errors: string[] = [];

  constructor(keep: number) {
    this.#keep = keep;
  }

  on(pattern: string, listener: Listener, once = false): () => void {
    const entry = { pattern, listener, once };
    this.#entries.push(entry);
    return () => {
      const at = this.#entries.indexOf(entry);
      if (at >= 0) this.#entries.splice(at, 1);
    };
  }

  async replay(pattern: string, listener: Listener): Promise<number> {
    let count = 0;
    for (const { event, data } of this.#kept) {
      if (!fits(pattern, event)) continue;
      await listener(event, data);
      count++;
    }
    return count;
  }

  async emit(event: string, data: number): Promise<number> {
    this.sent++;
    this.#kept.push({ event, data });
    if (this.#kept.length > this.#keep) this.#kept.shift();
    let sum = 0;
    for (const entry of [...this.#entries]) {
      if (!fits(entry.pattern, event)) continue;
      if (entry.once) this.#entries.splice(this.#entries.indexOf(entry), 1);
      try {
        sum += await entry.listener(event, data);
      } catch (error) {
        this.errors.push(`${event}: ${(error as Error).message}`);
      }
    }
    return sum;
  }
}

export function fits(pattern: string, event: string): boolean {
  const [wanted, given] = [pattern.split("."), event.split(".")];
  for (let i = 0; i < wanted.length; i++) {
    if (wanted[i] === "**") return true;
    if (wanted[i] !== "*" && wanted[i] !== given[i]) return false;
  }
  return wanted.length === given.length;
}

// driver

export async function scenario() {
  const bus = new Bus(3);
  const seen: string[] = [];
  const later = async (event: string, data: number) => {
    await Promise.resolve();
    seen.push(`${event}=${data}`);
    return data * 2;
  };
  const stop = bus.on("user.*", later);
  bus.on("**", (event) => event.length, true);
  bus.on("user.left", () => {
    throw new Error("nobody");
  });
  const sums = [await bus.emit("user.new", 4), await bus.emit("user.left", 5)];
  stop();
  sums.push(await bus.emit("user.new", 6), await bus.emit("disk.full", 1));
  const replayed: string[] = [];
  const count = await bus.replay("user.*", (event, data) => replayed.push(`${event} ${data}`));
  return { seen, sums, count, replayed, errors: bus.errors, sent: bus.sent };
}

if (process.argv[1]?.endsWith("bus.ts")) console.log(await scenario());
