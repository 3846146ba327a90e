/** The menu as a list on the screen: arrows or numbers choose, Enter runs. Pure but for `choose`. */
import { emitKeypressEvents } from "node:readline";
import { Screen } from "../../util/terminal/screen.ts";
import { inWidth, padded } from "../../util/terminal/width.ts";
import type { Row } from "./rows.ts";

interface Key {
  name?: string | undefined;
  sequence?: string | undefined;
  ctrl?: boolean | undefined;
}

/** The number of the row that is to run, where to leave, or where the mark is now. */
export type Pressed = { run: number } | { leave: true } | { marked: number };

export function pressed(key: Key, marked: number, count: number): Pressed {
  const { name = "", sequence = "", ctrl = false } = key;
  if (name === "escape" || sequence === "q" || (ctrl && (name === "c" || name === "d")))
    return { leave: true };
  if (name === "return" || name === "enter") return { run: marked };
  // 0 is the tenth.
  if (/^\d$/.test(sequence)) {
    const row = (Number(sequence) + 9) % 10;
    return row < count ? { run: row } : { marked };
  }
  if (name === "up" || sequence === "k") return { marked: (marked + count - 1) % count };
  if (name === "down" || sequence === "j") return { marked: (marked + 1) % count };
  if (name === "home") return { marked: 0 };
  return { marked: name === "end" ? count - 1 : marked };
}

export function painted(rows: readonly Row[], marked: number, columns: number): string[] {
  const names = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, about }, at) => {
    const text = padded(
      `${at === marked ? ">" : " "} ${(at + 1) % 10}  ${name.padEnd(names)}  ${about}`,
      columns,
    );
    return at === marked ? `\x1b[7m${text}` : text;
  });
  const help = "arrows or numbers choose, Enter runs, q leaves; sonde menu --plain is a numbered list";
  return ["sonde menu (full screen)", "", ...lines, "", help].map((line) =>
    line.startsWith("\x1b") ? line : inWidth(line, columns),
  );
}

/** Undefined to leave. */
export function choose(rows: readonly Row[], start: number): Promise<number | undefined> {
  const { stdin, stdout } = process;
  const screen = new Screen(stdout);
  let marked = start;
  const draw = () => screen.paint(painted(rows, marked, screen.columns));
  const redraw = () => {
    screen.forget();
    draw();
  };
  screen.open();
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.resume();
  stdout.on("resize", redraw);
  draw();
  return new Promise((done) => {
    const finish = (row: number | undefined) => {
      stdin.off("keypress", onKey).off("end", onEnd);
      stdout.off("resize", redraw);
      process.off("SIGTERM", onEnd).off("SIGHUP", onEnd);
      stdin.setRawMode(false);
      stdin.pause();
      screen.close();
      done(row);
    };
    const onEnd = () => finish(undefined);
    const onKey = (_text: string | undefined, key: Key) => {
      const what = pressed(key, marked, rows.length);
      if ("leave" in what) return finish(undefined);
      if ("run" in what) return finish(what.run);
      marked = what.marked;
      draw();
    };
    stdin.on("keypress", onKey).on("end", onEnd);
    process.on("SIGTERM", onEnd).on("SIGHUP", onEnd);
  });
}
