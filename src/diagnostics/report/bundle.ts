/**
 * The report's file: a gzipped tar that depends on nothing but what is in it. No times, no owners, a fixed order; the same parts make
 * the same bytes. Nothing is held whole in memory.
 */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type Pack, pack } from "tar-stream";
import { SondeError } from "../../errors.ts";
import type { Item } from "./item.ts";
import { Redaction } from "./redaction.ts";
import type { Redactor } from "./redactor.ts";
import { contentOf, type Part, type Survey } from "./survey.ts";

/** Everything lies in one folder: unpacking strews nothing about. */
const FOLDER = "sonde-report";
const MANIFEST = "manifest.json";
const NO_TIME = new Date(0);
/** Never through a link, never over something that is there. */
const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

export interface Bundle {
  items: readonly Item[];
  survey: Survey;
  redactor: Redactor;
  /** Of Sonde. */
  version: string;
}

/** The bytes of the file. Nothing is left of it unless it is whole. */
export async function writeBundle(path: string, bundle: Bundle, signal: AbortSignal): Promise<number> {
  const file = await open(path, FLAGS, 0o600);
  try {
    await file.chmod(0o600); // whatever the umask says
    await packInto(file, bundle, signal);
    const { size } = await stat(path);
    return size;
  } catch (error) {
    await unlink(path);
    throw error;
  }
}

async function stat(path: string): Promise<{ size: number }> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    return await file.stat();
  } finally {
    await file.close();
  }
}

async function packInto(file: FileHandle, bundle: Bundle, signal: AbortSignal): Promise<void> {
  const tar = pack();
  const written = pipeline(tar as unknown as Readable, createGzip({ level: 6 }), file.createWriteStream(), {
    signal,
  });
  const filled = fill(tar, bundle);
  // Whichever fails first is the reason; the other fails because of it.
  filled.catch((error: Error) => tar.destroy(error));
  written.catch((error: Error) => tar.destroy(error));
  const [first, second] = await Promise.allSettled([filled, written]);
  if (first.status === "rejected" && second.status === "rejected") throw worse(first.reason, second.reason);
  if (first.status === "rejected") throw first.reason;
  if (second.status === "rejected") throw second.reason;
}

/** Of a full disk both tell, but only one of them says so. */
function worse(filling: unknown, writing: unknown): unknown {
  return filling instanceof SondeError ? filling : writing;
}

async function fill(tar: Pack, { items, survey, redactor, version }: Bundle): Promise<void> {
  const manifest = Buffer.from(`${JSON.stringify(manifestOf(survey, version), null, 2)}\n`);
  await entry(tar, MANIFEST, manifest.length, [manifest]);
  for (const [at, item] of items.entries()) {
    const part = survey.parts[at];
    if (part === undefined) continue;
    await entry(tar, item.name, part.bytes, unchanged(item, part, redactor));
  }
  tar.finalize();
}

export function manifestOf({ parts, missing, removed }: Survey, version: string) {
  return { product: "sonde", version, format: 1, parts, missing, removed };
}

async function entry(
  tar: Pack,
  name: string,
  size: number,
  content: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<void> {
  const header = {
    name: `${FOLDER}/${name}`,
    size,
    mode: 0o600,
    mtime: NO_TIME,
    uid: 0,
    gid: 0,
    type: "file" as const,
  };
  const sink = tar.entry(header) as unknown as Writable;
  await pipeline(Readable.from(content, { objectMode: true }), sink);
}

/** Its size stands before it: a file that is another by now would spoil all that follows. */
async function* unchanged(item: Item, part: Part, redactor: Redactor): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of contentOf(item, new Redaction(redactor))) {
    bytes += chunk.length;
    if (bytes > part.bytes) break;
    hash.update(chunk);
    yield chunk;
  }
  if (bytes === part.bytes && hash.digest("hex") === part.sha256) return;
  throw new SondeError("REQUEST_FAILED", `${part.name} changed while the report was written`, {
    hint: "try again",
  });
}
