/** What Sonde or a debugger has to say of a launch: never part of what its program prints. The next answer carries what is new. */
import { Listeners } from "../../util/listeners.ts";

/** A debugger may say something at every hit. */
const MOST = 100;

export class Notes {
  readonly onNote = new Listeners<string>();
  #all: string[] = [];
  #untold: string[] = [];

  add(text: string): void {
    const note = text.trim();
    if (note === "") return;
    this.#all = withNote(this.#all, note);
    this.#untold = withNote(this.#untold, note);
    this.onNote.emit(note);
  }

  /** Each once, as they came. */
  get all(): readonly string[] {
    return this.#all;
  }

  /** Those that no answer has carried yet. */
  get untold(): readonly string[] {
    return this.#untold;
  }

  /** For the answer that carries them. */
  take(): string[] {
    return this.#untold.splice(0);
  }

  clear(): void {
    this.#all = [];
    this.#untold = [];
  }
}

function withNote(notes: string[], note: string): string[] {
  return notes.includes(note) ? notes : [...notes, note].slice(-MOST);
}
