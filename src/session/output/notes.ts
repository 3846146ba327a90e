/** What Sonde or a debugger has to say of a launch: never part of what its program prints. The next answer carries what is new. */
import type { Told } from "../../advice/advice.ts";
import type { About } from "../../dap/refused-part.ts";
import { Listeners } from "../../util/listeners.ts";

/** A debugger may say something at every hit. */
const MOST = 100;

/** What a note is about, for those who look for it. */
export type NoteKind = "undebugged" | About;

export class Notes {
  readonly onNote = new Listeners<string>();
  #all: Told[] = [];
  #untold: Told[] = [];
  readonly #kinds = new Map<NoteKind, Told[]>();

  add(told: Told, kind?: NoteKind): void {
    const note = typeof told === "string" ? told.trim() : told;
    if (note === "") return;
    this.#all = withNote(this.#all, note);
    this.#untold = withNote(this.#untold, note);
    if (kind !== undefined) this.#kinds.set(kind, withNote(this.#kinds.get(kind) ?? [], note));
    this.onNote.emit(String(note));
  }

  /** Each once, as they came. */
  get all(): readonly Told[] {
    return this.#all;
  }

  of(kind: NoteKind): readonly Told[] {
    return this.#kinds.get(kind) ?? [];
  }

  /** Those that no answer has carried yet. */
  get untold(): readonly Told[] {
    return this.#untold;
  }

  /** For the answer that carries them. */
  take(): Told[] {
    return this.#untold.splice(0);
  }

  clear(): void {
    this.#all = [];
    this.#untold = [];
    this.#kinds.clear();
  }
}

function withNote(notes: Told[], note: Told): Told[] {
  return notes.some((one) => String(one) === String(note)) ? notes : [...notes, note].slice(-MOST);
}
