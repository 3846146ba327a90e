/**
 * A run in a terminal: its events as they come, what is held, and commands. Full screen where there is a terminal; lines one after the
 * other where there is none, or where they were asked for.
 */
import { createInterface, emitKeypressEvents } from "node:readline";
import { type Output, Screen } from "../../util/terminal/screen.ts";
import type { Key } from "../../util/terminal/typing.ts";
import { oneLine } from "../../util/text.ts";
import type { AgentEvent } from "../events.ts";
import { eventLine } from "../explain/event-line.ts";
import { followLines } from "../store/follow.ts";
import { lastEvents } from "../store/reader.ts";
import type { SessionRow } from "../store/sessions.ts";
import { parseEvent } from "../store/tail.ts";
import { pressed, type Wish } from "./keys.ts";
import { paint, standing } from "./paint.ts";
import { newState, type ViewState, withEvents } from "./state.ts";

export interface AttachOptions {
  session: SessionRow;
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream | (Output & NodeJS.EventEmitter);
  plain: boolean;
  /** Runs `sonde agent …` on this session. */
  execute(words: string[]): Promise<{ text: string; exit: number }>;
  /** A command line into its words; undefined for one with an open quote. */
  split(line: string): string[] | undefined;
  /** What an event keeps elsewhere, put into it. */
  whole(event: AgentEvent): Promise<unknown>;
  signal: AbortSignal;
}

/** Of what happened before, shown at first. */
const EARLIER = 500;

export async function attach(options: AttachOptions): Promise<void> {
  const leave = new AbortController();
  const signal = AbortSignal.any([options.signal, leave.signal]);
  const view = options.plain ? new PlainView(options, leave) : new FullView(options, leave);
  try {
    await view.open();
    await follow(options.session, signal, (events) => view.add(events));
  } finally {
    view.close();
  }
}

async function follow(
  session: SessionRow,
  signal: AbortSignal,
  add: (events: AgentEvent[]) => void,
): Promise<void> {
  const path = session.folder.events;
  const progress = { offset: 0, skipped: 0 };
  add(await lastEvents(path, EARLIER, progress));
  for await (const lines of followLines(path, { from: progress.offset, signal }))
    add(lines.flatMap((line) => parseEvent(line) ?? []));
}

/** Lines only: no spinner, no clock, no box, nothing that is drawn again. */
class PlainView {
  readonly #options: AttachOptions;
  readonly #leave: AbortController;
  #state: ViewState;
  #lines: ReturnType<typeof createInterface> | undefined;

  constructor(options: AttachOptions, leave: AbortController) {
    this.#options = options;
    this.#leave = leave;
    this.#state = newState(titleOf(options.session));
  }

  async open(): Promise<void> {
    const { output, input } = this.#options;
    output.write(`plain mode · ${this.#state.title}\n`);
    output.write(
      "type a command of `sonde agent` (pause, resume, step, inspect messages, …); `quit` leaves\n",
    );
    this.#lines = createInterface({ input });
    this.#lines.on("line", (line) => void this.#run(line));
    this.#lines.on("close", () => this.#leave.abort());
  }

  close(): void {
    this.#lines?.close();
  }

  add(events: readonly AgentEvent[]): void {
    const before = standing(this.#state);
    this.#state = withEvents(this.#state, events);
    for (const event of events) this.#options.output.write(`${eventLine(event)}\n`);
    const now = standing(this.#state);
    if (now !== before) this.#options.output.write(`now: ${now}\n`);
  }

  async #run(line: string): Promise<void> {
    const words = this.#options.split(line.trim());
    if (words === undefined) return void this.#options.output.write("a quote is not closed\n");
    if (words.length === 0) return;
    if (words[0] === "quit" || words[0] === "exit") return this.#leave.abort();
    const { text } = await this.#options.execute(words);
    this.#options.output.write(text);
  }
}

class FullView {
  readonly #options: AttachOptions;
  readonly #leave: AbortController;
  readonly #screen: Screen;
  #state: ViewState;
  #clock: NodeJS.Timeout | undefined;
  #due = false;
  readonly #onKey = (_text: string | undefined, key: Key) => this.#press(key);
  readonly #onResize = () => {
    this.#screen.forget();
    this.#draw();
  };

  constructor(options: AttachOptions, leave: AbortController) {
    this.#options = options;
    this.#leave = leave;
    this.#screen = new Screen(options.output);
    this.#state = newState(titleOf(options.session));
  }

  async open(): Promise<void> {
    const { input, output } = this.#options;
    this.#screen.open();
    emitKeypressEvents(input);
    input.setRawMode?.(true);
    input.on("keypress", this.#onKey);
    input.on("end", () => this.#leave.abort());
    input.resume();
    output.on("resize", this.#onResize);
    this.#draw();
  }

  close(): void {
    const { input, output } = this.#options;
    clearInterval(this.#clock);
    input.off("keypress", this.#onKey);
    output.off("resize", this.#onResize);
    input.setRawMode?.(false);
    input.pause();
    this.#screen.close();
  }

  add(events: readonly AgentEvent[]): void {
    this.#change(withEvents(this.#state, events));
  }

  #press(key: Key): void {
    const { state, wish } = pressed({ ...this.#state, message: "" }, key);
    this.#change(state);
    if (wish) void this.#fulfil(wish);
  }

  async #fulfil(wish: Wish): Promise<void> {
    if (wish.do === "leave") return this.#leave.abort();
    if (wish.do === "open") return this.#open(this.#state.events[wish.index]);
    const words = wish.do === "run" ? wish.words : this.#options.split(wish.text);
    if (words === undefined) return this.#change({ ...this.#state, message: "a quote is not closed" });
    this.#change({ ...this.#state, message: `sonde agent ${words.join(" ")} …` });
    const { text } = await this.#options.execute(words);
    const lines = text.trimEnd().split("\n");
    const isShort = lines.length <= 1;
    this.#change({
      ...this.#state,
      message: lines[0] ?? "",
      ...(isShort
        ? {}
        : { panel: { title: `sonde agent ${words.join(" ")}`, text: text.trimEnd(), top: 0 } }),
    });
  }

  async #open(event: AgentEvent | undefined): Promise<void> {
    if (!event) return;
    const text = JSON.stringify(await this.#options.whole(event), null, 2);
    const title = `${event.type} ${event.seq ?? ""}`;
    this.#change({ ...this.#state, panel: { title, text: text.replaceAll("\\n", "\n  "), top: 0 } });
  }

  #change(state: ViewState): void {
    this.#state = state;
    this.#keepTime();
    if (this.#due) return;
    this.#due = true;
    // A flood of events is painted once for all that came together.
    setImmediate(() => {
      this.#due = false;
      this.#draw();
    });
  }

  /** Only what is held has a clock. */
  #keepTime(): void {
    if (this.#state.stops.length === 0) {
      clearInterval(this.#clock);
      this.#clock = undefined;
    } else this.#clock ??= setInterval(() => this.#draw(), 1000);
  }

  #draw(): void {
    this.#screen.paint(paint(this.#state, this.#screen, Date.now()));
  }
}

function titleOf({ id, client, cwd }: SessionRow): string {
  return oneLine([id, client, cwd].filter((one) => one !== undefined && one !== "").join(" · "));
}
