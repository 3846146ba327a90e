/** menu: a list of commands, on the screen or to type at. After each of them it is shown again. */
import { createInterface, type Interface } from "node:readline";
import { createInterface as createQuestions } from "node:readline/promises";
import type { Terminal } from "../terminal.ts";
import { Desk, type DeskOptions } from "./desk.ts";
import { choose } from "./list.ts";
import { ROWS } from "./rows.ts";

type Converse = DeskOptions["converse"];

/** `converse`: how commands are run that are a conversation in a terminal. */
export async function menu(
  args: { plain?: boolean },
  terminal: Terminal,
  converse?: Converse,
): Promise<number> {
  const isScreen = process.stdin.isTTY && process.stdout.isTTY && terminal.env.TERM !== "dumb";
  return args.plain || !isScreen ? typed(terminal) : shown(terminal, converse);
}

async function shown(terminal: Terminal, converse: Converse): Promise<number> {
  const write = (text: string) => void process.stdout.write(text);
  const desk = new Desk({ terminal, write, ask: question, ...(converse === undefined ? {} : { converse }) });
  for (let marked = 0; ; ) {
    const row = await choose(ROWS, marked);
    if (row === undefined) return 0;
    marked = row;
    await ROWS[row]?.run(desk);
    if ((await question("Enter goes back to the menu, q leaves:")) !== "") return 0;
  }
}

/** Undefined for Ctrl-C, Ctrl-D and the end of the input. */
async function question(text: string): Promise<string | undefined> {
  const lines = createQuestions({ input: process.stdin, output: process.stdout });
  const ended = new AbortController();
  lines.once("close", () => ended.abort());
  lines.once("SIGINT", () => ended.abort());
  try {
    return await lines.question(`${text} `, { signal: ended.signal });
  } catch {
    process.stdout.write("\n");
    return undefined;
  } finally {
    lines.close();
  }
}

async function typed(terminal: Terminal): Promise<number> {
  const write = (text: string) => void process.stdout.write(text);
  const lines = new TypedLines();
  const ask = (text: string) => {
    write(`${text} `);
    return lines.next();
  };
  const desk = new Desk({ terminal, write, ask });
  write("sonde menu (plain mode: numbers to type, no full screen)\n");
  try {
    for (;;) {
      for (const [at, { name, about }] of ROWS.entries()) write(`${at + 1}. ${name}: ${about}\n`);
      const answer = (await ask(`number, 1 to ${ROWS.length}, or q to leave:`))?.trim();
      if (answer === undefined || /^(q|quit|exit)$/i.test(answer)) return 0;
      const row = /^\d{1,2}$/.test(answer) ? ROWS[Number(answer) - 1] : undefined;
      if (row === undefined) write(`there is no row ${JSON.stringify(answer)}\n`);
      else await row.run(desk);
    }
  } finally {
    lines.close();
  }
}

/** What is typed, or comes through a pipe, one line at a time; lines that come early wait. */
class TypedLines {
  readonly #interface: Interface;
  readonly #early: string[] = [];
  #waiting: ((line: string | undefined) => void) | undefined;
  #ended = false;

  constructor() {
    this.#interface = createInterface({ input: process.stdin });
    this.#interface.on("line", (line) => this.#take(line));
    this.#interface.on("close", () => {
      this.#ended = true;
      this.#waiting?.(undefined);
    });
  }

  /** Undefined at the end. */
  next(): Promise<string | undefined> {
    const line = this.#early.shift();
    if (line !== undefined || this.#ended) return Promise.resolve(line);
    return new Promise((done) => {
      this.#waiting = done;
    });
  }

  close(): void {
    this.#interface.close();
  }

  #take(line: string): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) waiting(line);
    else this.#early.push(line);
  }
}
