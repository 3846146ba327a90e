/** The log on the whole screen of a terminal, until the reader leaves. The terminal is as before afterwards, however it ends. */
import { emitKeypressEvents } from "node:readline";
import type { LogFilter } from "../../util/log/reader.ts";
import { type Output, Screen } from "../../util/terminal/screen.ts";
import type { Key } from "../../util/terminal/typing.ts";
import { pressed } from "./keys.ts";
import { bodyRows, paint } from "./paint.ts";
import { copied, type Following, firstView, follow, read, type Source, startFollowing } from "./source.ts";
import { type View, withNew } from "./view.ts";

export interface ViewerOptions {
  source: Source;
  filter: LogFilter;
  most?: number | undefined;
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream | (Output & NodeJS.EventEmitter);
  signal: AbortSignal;
}

export async function viewLog(options: ViewerOptions): Promise<void> {
  const leave = new AbortController();
  const signal = AbortSignal.any([options.signal, leave.signal]);
  const following = startFollowing(options.source, signal);
  const viewer = new Viewer(options, following, () => leave.abort());
  const left = new Promise<void>((done) => signal.addEventListener("abort", () => done(), { once: true }));
  // Also for an error that nobody catches.
  const restore = () => viewer.close();
  process.once("exit", restore);
  try {
    viewer.open();
    void follow(following, {
      entries: (added) => viewer.change(withNew(viewer.view, added)),
      failed: (message) => viewer.change({ ...viewer.view, message }),
    });
    await left;
  } finally {
    viewer.close();
    process.off("exit", restore);
  }
}

class Viewer {
  readonly #options: ViewerOptions;
  readonly #leave: () => void;
  readonly #screen: Screen;
  view: View;
  #isOpen = false;
  #isDue = false;
  readonly #onKey = (_text: string | undefined, key: Key) => this.#press(key);
  readonly #onResize = () => {
    this.#screen.forget();
    this.#draw();
  };

  constructor(options: ViewerOptions, following: Following, leave: () => void) {
    this.#options = options;
    this.#leave = leave;
    this.#screen = new Screen(options.output);
    this.view = firstView(options.source, options.filter, options.most, following);
  }

  open(): void {
    const { input, output } = this.#options;
    this.#isOpen = true;
    this.#screen.open();
    emitKeypressEvents(input);
    input.setRawMode?.(true);
    input.on("keypress", this.#onKey);
    input.once("end", this.#leave);
    input.resume();
    output.on("resize", this.#onResize);
    this.#draw();
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { input, output } = this.#options;
    input.off("keypress", this.#onKey).off("end", this.#leave);
    output.off("resize", this.#onResize);
    input.setRawMode?.(false);
    input.pause();
    this.#screen.close();
  }

  /** What comes together is painted together. */
  change(view: View): void {
    this.view = view;
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#draw();
    });
  }

  #press(key: Key): void {
    const { source } = this.#options;
    const { view, wish } = pressed(this.view, key);
    if (wish?.do === "older" || wish?.do === "read") this.change(read(view, wish, source));
    else this.change(view);
    if (wish?.do === "leave") this.#leave();
    if (wish?.do === "copy")
      void copied(wish, source).then((message) => this.change({ ...this.view, message }));
  }

  #draw(): void {
    if (!this.#isOpen) return;
    this.view = { ...this.view, rows: bodyRows(this.#screen) };
    this.#screen.paint(paint(this.view, this.#screen));
  }
}
