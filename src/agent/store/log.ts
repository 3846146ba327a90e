/**
 * events.jsonl of a session, as its owner writes it: numbered without gaps, whole lines, one write for all that happens in one turn of
 * the event loop. Nothing reaches the disk with a secret in it.
 */
import { constants, mkdirSync } from "node:fs";
import { SondeError } from "../../errors.ts";
import { Listeners } from "../../util/listeners.ts";
import { findSecrets, Masker } from "../../util/secrets/mask.ts";
import { plural } from "../../util/text.ts";
import type { AgentEvent, EventType, Stored, StoredBlob, StoredBody } from "../events.ts";
import { Blobs, LONGEST_BLOB, previewOf } from "./blobs.ts";
import { cleanData } from "./clean-data.ts";
import { isKeptWhenFull } from "./full-log.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER, type SessionFolder } from "./layout.ts";
import { LineWriter } from "./line-writer.ts";
import { cutsFor, piecesOf } from "./pieces.ts";
import { isOwnFolder, openPlain } from "./plain-file.ts";
import { repairTail } from "./tail.ts";

export interface LogOptions {
  /** Of events and blobs together; beyond it only what controls the session is kept. */
  maxBytes?: number;
  masker?: Masker;
}

const DEFAULT_MAX_BYTES = 2 ** 30;
/** Longer text is kept as a blob. */
const LONG_TEXT_BYTES = 4096;
/** Every write goes to the end, so that a second owner, opened by mistake, overwrites nothing. */
const AT_END = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;

export class EventLog {
  readonly folder: SessionFolder;
  readonly blobs: Blobs;
  readonly #writer: LineWriter;
  readonly #masker: Masker;
  readonly #maxBytes: number;
  readonly #listeners = new Listeners<AgentEvent>();
  readonly #began: number;
  #seq: number;
  #blobBytes = 0;
  #isFull = false;
  readonly #cleaner: { masker: Masker; keep(text: string): Stored };

  /** Repairs what a killed owner left in the middle of a line, and goes on with the next number. */
  static open(folder: SessionFolder, options: LogOptions = {}): EventLog {
    mkdirSync(folder.dir, { recursive: true, mode: PRIVATE_FOLDER });
    if (!isOwnFolder(folder.dir))
      throw new SondeError(
        "PERMISSION",
        `${folder.dir} is a link, or somebody else's folder: nothing is recorded there`,
      );
    return new EventLog(folder, openPlain(folder.events, AT_END, PRIVATE_FILE), options);
  }

  private constructor(folder: SessionFolder, file: number, options: LogOptions) {
    this.folder = folder;
    this.blobs = new Blobs(folder.blobs);
    this.#masker = options.masker ?? new Masker();
    this.#maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
    this.#cleaner = { masker: this.#masker, keep: (text) => this.#keep(text) };
    const { size, last } = repairTail(file);
    this.#seq = last?.seq ?? 0;
    this.#began = performance.now() - timeSinceBegin(last);
    this.#writer = new LineWriter(file, size);
  }

  /** Of the last event. */
  get seq(): number {
    return this.#seq;
  }

  /** On disk and about to be. */
  get bytes(): number {
    return this.#writer.size + this.#blobBytes;
  }

  /** One that is not kept, because the log is full, has no number. */
  append(type: EventType, data: Readonly<Record<string, unknown>>): AgentEvent {
    this.#sayLost();
    if (this.#isFull && !isKeptWhenFull(type)) return this.#tell(this.#event(type, data, undefined));
    const event = this.#tell(this.#write(type, data));
    if (!this.#isFull && this.bytes > this.#maxBytes) this.#sayFull();
    return event;
  }

  #write(type: EventType, data: Readonly<Record<string, unknown>>): AgentEvent {
    const event = this.#event(type, data, this.#seq + 1);
    this.#seq += 1;
    this.#writer.add(JSON.stringify(event));
    return event;
  }

  #event(type: EventType, data: Readonly<Record<string, unknown>>, seq: number | undefined): AgentEvent {
    return {
      type,
      timestamp: new Date().toISOString(),
      sessionId: this.folder.id,
      ...(seq !== undefined && { seq }),
      at: Math.round((performance.now() - this.#began) * 1000) / 1000,
      data: cleanData(data, this.#cleaner),
    };
  }

  #tell(event: AgentEvent): AgentEvent {
    this.#listeners.emit(event);
    return event;
  }

  #sayLost(): void {
    const lost = this.#writer.takeLost();
    if (lost === 0) return;
    const message = `${plural(lost, "event")} could not be written: no space was left on the disk`;
    this.#tell(this.#write("error", { message, context: "recording" }));
  }

  #sayFull(): void {
    this.#isFull = true;
    const megabytes = Math.round(this.#maxBytes / 2 ** 20);
    const message = `the recording has reached its limit of ${megabytes} MB: from here on only what controls the session is kept`;
    this.#tell(this.#write("error", { message, context: "recording" }));
  }

  /** Text for an event. Without secrets; a blob if it is long. */
  store(text: string): Stored {
    return this.#keep(this.#masker.mask(text).text);
  }

  #keep(masked: string): Stored {
    // No character takes more than three bytes for each of its units.
    if (masked.length * 3 <= LONG_TEXT_BYTES || Buffer.byteLength(masked) <= LONG_TEXT_BYTES) return masked;
    if (this.#isFull || Buffer.byteLength(masked) > LONGEST_BLOB)
      return `${previewOf(masked)}… [${Buffer.byteLength(masked)} bytes, not kept]`;
    return this.#put(masked);
  }

  /** Always a blob: bytes as they came, but for secrets. Undefined when the log is full or they are too many. */
  storeRaw(content: string | Buffer): StoredBlob | undefined {
    if (this.#isFull || content.length > LONGEST_BLOB) return undefined;
    if (typeof content === "string") return this.#put(this.#masker.mask(content).text);
    // One character a byte: bytes that are no text stay what they are.
    const { text, masked } = this.#masker.mask(content.toString("latin1"));
    return this.#put(masked === 0 ? content : Buffer.from(text, "latin1"));
  }

  /**
   * An answer as it came. A stream cuts words anywhere, also in the middle of a secret, which is then not found in it: if there is one in
   * what it says, taken together, its bytes are not kept.
   */
  storeAnswer(bytes: Buffer, said: unknown): StoredBlob | undefined {
    return findSecrets(JSON.stringify(said) ?? "").length > 0 ? undefined : this.storeRaw(bytes);
  }

  /** A request body. `cuts`: where parts of it begin that other requests may repeat, as offsets in `text`. */
  storeBody(text: string, cuts: readonly number[]): StoredBody {
    const secrets = findSecrets(text);
    const masked = this.#masker.replace(text, secrets);
    const stays = masked.length * 3 <= LONG_TEXT_BYTES || this.#isFull;
    const places = stays ? [] : cutsFor(text.length, cuts, secrets);
    if (places.length === 0) return this.#keep(masked);
    const pieces = piecesOf(text, places, secrets).map((piece) =>
      this.#masker.replace(piece.text, piece.secrets),
    );
    const blobs = pieces.map((piece) => this.#put(piece));
    const bytes = blobs.reduce((sum, one) => sum + one.bytes, 0);
    const list = this.#put(blobs.map(({ blob }) => `${blob}\n`).join(""));
    return { pieces: list.blob, bytes, preview: previewOf(masked) };
  }

  #put(content: string | Buffer): StoredBlob {
    return this.blobs.put(content, (bytes) => {
      this.#blobBytes += bytes;
    });
  }

  /** All events so far are in the file. */
  flush(): void {
    this.#writer.flush();
  }

  close(): void {
    this.#writer.close();
  }

  /** Each event as it was written, at once. */
  onEvent(listener: (event: AgentEvent) => void): () => void {
    return this.#listeners.add(listener);
  }
}

/** A session that is opened again goes on by the clock on the wall, the only one that both owners knew. */
function timeSinceBegin(last: AgentEvent | undefined): number {
  if (last?.at === undefined) return 0;
  const since = Date.now() - Date.parse(last.timestamp);
  return last.at + Math.max(since, 0);
}
