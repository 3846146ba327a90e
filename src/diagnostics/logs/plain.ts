/** The log as lines, with commands that are typed: nothing is drawn again, nothing moves, no boxes. */
import { createInterface } from "node:readline";
import { type Entry, entryText, isLevel, LEVELS } from "../../util/log/entry.ts";
import type { LogFilter } from "../../util/log/reader.ts";
import { plural } from "../../util/text.ts";
import { copied, type Following, firstView, follow, read, type Source, startFollowing } from "./source.ts";
import { type View, withNew } from "./view.ts";

export interface PlainOptions {
  source: Source;
  filter: LogFilter;
  most?: number | undefined;
  following: boolean;
  input: NodeJS.ReadableStream;
  output: { write(text: string): unknown };
  signal: AbortSignal;
}

const COMMANDS = [
  ["o", "50 older entries"],
  ["f", "follow, or stop following"],
  ["/text", "only entries with this text; / alone: all"],
  ["l level", `only this level and above (${LEVELS.join(", ")}); l alone: all`],
  ["p pid", "only of this process; p alone: all"],
  ["y 3-7", "copy the entries with these numbers; y 3: one; y: the last"],
  ["?", "this list"],
  ["q", "leave"],
] as const;

export async function plainLog(options: PlainOptions): Promise<void> {
  const leave = new AbortController();
  const signal = AbortSignal.any([options.signal, leave.signal]);
  const lines = createInterface({ input: options.input });
  const following = startFollowing(options.source, signal);
  const log = new PlainLog(options, following, () => leave.abort());
  const left = new Promise<void>((done) => signal.addEventListener("abort", () => done(), { once: true }));
  let busy = Promise.resolve();
  lines.on("line", (line) => {
    busy = busy.then(() => log.obey(line.trim()));
  });
  lines.on("close", () => void busy.then(() => leave.abort()));
  try {
    log.open();
    void follow(following, {
      entries: (added) => log.add(added),
      failed: (message) => log.say(message),
    });
    await left;
  } finally {
    lines.close();
  }
}

class PlainLog {
  readonly #options: PlainOptions;
  readonly #leave: () => void;
  #view: View;
  #isFollowing: boolean;
  /** Of the first entry that is loaded: older ones have smaller numbers, so that none ever changes. */
  #first = 1;

  constructor(options: PlainOptions, following: Following, leave: () => void) {
    this.#options = options;
    this.#leave = leave;
    this.#isFollowing = options.following;
    this.#view = firstView(options.source, options.filter, options.most, following);
  }

  say(text: string): void {
    this.#options.output.write(`${text}\n`);
  }

  open(): void {
    this.say("plain mode: sonde logs. Type a command and Enter: ? lists them, q leaves.");
    this.#show(0, this.#view.entries.length);
    if (this.#view.message !== "") this.say(this.#view.message);
    this.say(this.#standing());
  }

  add(added: readonly Entry[]): void {
    const before = this.#view;
    this.#view = withNew(before, added);
    const { entries, dropped } = this.#view;
    const gone = dropped - before.dropped;
    this.#first += gone;
    if (this.#isFollowing) this.#show(Math.max(0, before.entries.length - gone), entries.length);
  }

  async obey(line: string): Promise<void> {
    const word = line.startsWith("/") ? "/" : (line.split(/\s+/)[0] ?? "");
    const rest = line.slice(word.length).trim();
    switch (word) {
      case "":
        return;
      case "q":
        return this.#leave();
      case "?":
        return this.say(COMMANDS.map(([name, about]) => `${name}: ${about}`).join("\n"));
      case "o":
        return this.#older();
      case "f":
        this.#isFollowing = !this.#isFollowing;
        return this.say(this.#standing());
      case "/":
        return this.#read({ grep: rest === "" ? undefined : rest });
      case "l":
        if (rest !== "" && !isLevel(rest)) return this.say(`no such level; there are ${LEVELS.join(", ")}`);
        return this.#read({ level: isLevel(rest) ? rest : undefined });
      case "p":
        if (!/^\d*$/.test(rest))
          return this.say(`a process is a number; there are ${this.#view.pids.join(", ")}`);
        return this.#read({ pid: rest === "" ? undefined : Number(rest) });
      case "y":
        return this.#copy(rest);
      default:
        return this.say("no such command; ? lists them");
    }
  }

  #older(): void {
    if (this.#view.older === undefined) {
      this.say("there is nothing older");
      return;
    }
    const before = this.#view.entries.length;
    this.#view = read(this.#view, { do: "older" }, this.#options.source);
    const count = this.#view.entries.length - before;
    this.#first -= count;
    this.#show(0, count);
    this.say(this.#view.message);
  }

  #read(change: Partial<LogFilter>): void {
    const filter = { ...this.#view.filter, ...change };
    this.#view = read(this.#view, { do: "read", filter }, this.#options.source);
    this.#first = 1;
    this.#show(0, this.#view.entries.length);
    if (this.#view.message !== "") this.say(this.#view.message);
    this.say(this.#standing());
  }

  async #copy(range: string): Promise<void> {
    const [, from, to] = /^(-?\d+)(?:-(\d+))?$/.exec(range) ?? [];
    const last = this.#view.entries.length - 1;
    if (range !== "" && from === undefined) return this.say("which? y 3, or y 3-7");
    const first = from === undefined ? last : Number(from) - this.#first;
    const end = to === undefined ? first : Number(to) - this.#first;
    const chosen = first < 0 ? [] : this.#view.entries.slice(first, end + 1);
    if (chosen.length === 0) return this.say("no entry has that number");
    const text = chosen.map((entry) => `${entryText(entry)}\n`).join("");
    const what = plural(chosen.length, "entry", "entries");
    this.say(await copied({ do: "copy", text, what }, this.#options.source));
  }

  #show(from: number, to: number): void {
    for (const [at, entry] of this.#view.entries.slice(from, to).entries())
      this.say(`${this.#first + from + at}. ${entryText(entry)}`);
  }

  #standing(): string {
    const { level, pid, grep } = this.#view.filter;
    return [
      `${plural(this.#view.entries.length, "entry", "entries")}`,
      this.#isFollowing ? "following" : "not following",
      level && `level ${level}`,
      pid && `pid ${pid}`,
      grep && `with "${grep}"`,
    ]
      .filter(Boolean)
      .join(", ");
  }
}
