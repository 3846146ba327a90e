/** What Sonde or a debugger has to say of a launch: never part of what its program prints. The next answer carries what is new. */
import type { Told } from "../../advice/advice.ts";
import type { About } from "../../dap/refused-part.ts";
import { Listeners } from "../../util/listeners.ts";

/** A debugger may say something at every hit. */
const MOST = 100;

/** What a note is about, for those who look for it. */
export type NoteKind = "undebugged" | "handover" | About;

export class Notes {
  readonly onNote = new Listeners<string>();
  #all: Told[] = [];
  #untold: Told[] = [];
  /** Of the session, not of one run of its program: neither a restart nor a talkative debugger takes them away. */
  #lasting: Told[] = [];
  readonly #kinds = new Map<NoteKind, Told[]>();

  add(told: Told, kind?: NoteKind): void {
    const note = typeof told === "string" ? told.trim() : told;
    if (note === "") return;
    this.#all = withNote(this.#all, note);
    if (kind === "handover") this.#lasting = withNote(this.#lasting, note);
    else this.#untold = withNote(this.#untold, note);
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
    return [...this.#lasting, ...this.#untold];
  }

  /** For the answer that carries them. */
  take(): Told[] {
    return [...this.#lasting.splice(0), ...this.#untold.splice(0)];
  }

  /** An answer of its own carries this one. */
  tell(note: Told): void {
    const isOther = (one: Told) => String(one) !== String(note);
    this.#lasting = this.#lasting.filter(isOther);
    this.#untold = this.#untold.filter(isOther);
  }

  /** The program is run once more: what is still untold of the run before is of no use. */
  renew(): void {
    this.#untold = [];
  }

  clear(): void {
    this.#all = [];
    this.#untold = [];
    this.#lasting = [];
    this.#kinds.clear();
  }
}

function withNote(notes: Told[], note: Told): Told[] {
  return notes.some((one) => String(one) === String(note)) ? notes : [...notes, note].slice(-MOST);
}
