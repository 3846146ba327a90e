/** Long texts of a session, each kept once under the hash of its bytes. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { SondeError } from "../../errors.ts";
import type { Stored, StoredBlob, StoredBody } from "../events.ts";
import { PRIVATE_FOLDER } from "./layout.ts";
import { missingText } from "./missing.ts";
import { readPlain } from "./plain-file.ts";
import { writeWhole } from "./whole-file.ts";

const PREVIEW_CHARACTERS = 200;
/** Requests repeat what was said before: asking the disk each time would cost more than remembering. */
const MOST_KNOWN = 200_000;
/** Longer ones are not read. */
export const LONGEST_BLOB = 64 << 20;
/** Of one text that is kept in pieces: a short list can name a long piece again and again. */
const LONGEST_BODY = 256 << 20;

export class Blobs {
  readonly #dir: string;
  readonly #known = new Set<string>();
  #made = false;

  /** `dir`: the folder of a session's blobs. It is made with the first of them. */
  constructor(dir: string) {
    this.#dir = dir;
  }

  /** As it is: secrets have been masked before. `written` is told how many bytes that took on disk. */
  put(content: string | Buffer, written?: (bytes: number) => void): StoredBlob {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    const blob = createHash("sha256").update(bytes).digest("hex");
    if (!this.#known.has(blob)) {
      if (this.#write(blob, bytes)) written?.(bytes.length);
      if (this.#known.size >= MOST_KNOWN) this.#known.clear();
      this.#known.add(blob);
    }
    return { blob, bytes: bytes.length, preview: previewOf(content) };
  }

  #write(blob: string, bytes: Buffer): boolean {
    if (!this.#made) mkdirSync(this.#dir, { recursive: true, mode: PRIVATE_FOLDER });
    this.#made = true;
    const path = join(this.#dir, blob);
    if (existsSync(path)) return false;
    writeWhole(path, bytes);
    return true;
  }

  /** Throws, in words, when it is not there, no regular file, or too long. */
  read(ref: string | StoredBlob): Buffer {
    const blob = typeof ref === "string" ? ref : ref.blob;
    // Also a name in another tool's file: it must not lead anywhere else.
    if (!/^[0-9a-f]{64}$/.test(blob))
      throw new SondeError("BAD_ARGUMENT", `${JSON.stringify(blob).slice(0, 100)} is not the name of a blob`);
    try {
      return readPlain(join(this.#dir, blob), LONGEST_BLOB);
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== "ENOENT") throw thrown;
      throw new SondeError(
        "REQUEST_FAILED",
        `a part of this recording is missing: ${join(this.#dir, blob)}`,
        {
          hint: "the recording was cut short, or its files were removed",
          cause: thrown,
        },
      );
    }
  }

  text(stored: Stored): string {
    return typeof stored === "string" ? stored : this.read(stored).toString("utf8");
  }

  readBody(body: StoredBody): string {
    if (typeof body === "string" || "blob" in body) return this.text(body);
    const pieces = this.read(body.pieces).toString("latin1").split("\n").filter(Boolean);
    const parts: Buffer[] = [];
    let total = 0;
    for (const piece of pieces) {
      const part = this.read(piece);
      total += part.length;
      if (total > LONGEST_BODY)
        throw new SondeError(
          "REQUEST_FAILED",
          `a text of this recording is larger than ${LONGEST_BODY} bytes`,
        );
      parts.push(part);
    }
    return Buffer.concat(parts).toString("utf8");
  }

  /** For somebody who reads it: what cannot be read is said to be missing, and the rest goes on. */
  shown(body: StoredBody): string {
    try {
      return this.readBody(body);
    } catch {
      return missingText(body); // why is of use only to those who cannot go on: they call the others
    }
  }
}

export function isStoredBlob(value: unknown): value is StoredBlob {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as Partial<StoredBlob>).blob === "string" &&
    typeof (value as Partial<StoredBlob>).bytes === "number"
  );
}

export function previewOf(content: string | Buffer): string {
  const text =
    typeof content === "string" ? content : content.subarray(0, PREVIEW_CHARACTERS).toString("utf8");
  if (text.length <= PREVIEW_CHARACTERS) return text;
  const last = text.charCodeAt(PREVIEW_CHARACTERS - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? PREVIEW_CHARACTERS - 1 : PREVIEW_CHARACTERS);
}
