/** Bodies that were compressed for their way. */
import { pipeline, Readable, type Transform } from "node:stream";
import * as zlib from "node:zlib";

/** Not in every Node that runs this. */
const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Transform };

const UNPACKERS: Readonly<Record<string, () => Transform>> = {
  gzip: zlib.createGunzip,
  "x-gzip": zlib.createGunzip,
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress,
  ...(createZstdDecompress && { zstd: createZstdDecompress }),
};

/** What a `content-encoding` names, in the order in which it was done. */
export function encodingsOf(header: string | undefined): string[] {
  const names = (header ?? "").split(",").map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== "" && name !== "identity");
}

export function canUnpack(encodings: readonly string[]): boolean {
  return encodings.every((name) => Object.hasOwn(UNPACKERS, name));
}

/** As it comes. Throws where it is not what its encodings say, or breaks off. */
export function unpacked(chunks: AsyncIterable<Buffer>, encodings: readonly string[]): AsyncIterable<Buffer> {
  return encodings.toReversed().reduce((packed, name) => {
    const unpacker = UNPACKERS[name]?.();
    if (!unpacker) throw new Error(`the encoding ${name} is not supported`);
    pipeline(Readable.from(packed), unpacker, () => {}); // told to who reads on
    return unpacker;
  }, chunks);
}

/** Rejects what cannot be read, and what would have more than `most` bytes. */
export async function unpackWhole(
  bytes: Buffer,
  encodings: readonly string[],
  most = Number.POSITIVE_INFINITY,
): Promise<Buffer> {
  if (encodings.length === 0 || bytes.length === 0) return bytes;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of unpacked(Readable.from([bytes]), encodings)) {
    length += chunk.length;
    if (length > most) throw new Error(`it has more than ${most / 2 ** 20} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
