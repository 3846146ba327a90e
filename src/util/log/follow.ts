/** Entries as they are written, by any process. The folder is watched, not the files: a new day and a full file bring new ones. */
import { closeSync, fstatSync, lstatSync, mkdirSync, readSync, watch } from "node:fs";
import { join } from "node:path";
import { SondeError } from "../../errors.ts";
import { WholeLines } from "../whole-lines.ts";
import { type Entry, PRINTED, parseEntry } from "./entry.ts";
import { asLogFile, logFiles, openToRead } from "./files.ts";

const CHUNK = 1 << 16;
const LONGEST_LINE = 1 << 20;
/** Read at one go; in between others have their turn. */
const BATCH_BYTES = 1 << 20;

export interface Follow {
  /** In batches, oldest first, until it is aborted. */
  entries(): AsyncGenerator<Entry[]>;
  /** How long each file was when it began: what was there before is what readLog finds within these. */
  ends: ReadonlyMap<string, number>;
}

interface Position {
  lines: WholeLines;
  ino: number;
}

/** What is written from this call on. Throws where the system can watch nothing more. */
export function followLog(folder: string, signal: AbortSignal): Follow {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const positions = new Map<string, Position>();
  const changed = new Set<string>();
  /** Made, removed or renamed: perhaps another file by the same name. */
  const renewed = new Set<string>();
  let wake = () => {};
  const watcher = watched(folder, (event, name) => {
    if (name === null) for (const file of logFiles(folder)) changed.add(file.name);
    else if (asLogFile(name)) {
      changed.add(name);
      if (event === "rename") renewed.add(name);
    }
    wake();
  });
  // After the watch has begun: nothing is written in between unseen.
  for (const { name } of logFiles(folder)) {
    const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (stats) positions.set(name, { lines: new WholeLines(stats.size, LONGEST_LINE), ino: stats.ino });
  }
  const ends = new Map([...positions].map(([name, { lines }]) => [name, lines.end]));
  const stop = () => {
    watcher.close();
    wake();
  };
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });

  async function* entries(): AsyncGenerator<Entry[]> {
    try {
      while (!signal.aborted) {
        for (const name of [...changed].sort(byName)) {
          changed.delete(name);
          const { found, more } = readOn(join(folder, name), positions, {
            name,
            renewed: renewed.delete(name),
          });
          if (more) changed.add(name);
          if (found.length > 0) yield found;
        }
        if (changed.size > 0) await new Promise((done) => setImmediate(done));
        else
          await new Promise<void>((done) => {
            wake = done;
            if (signal.aborted || changed.size > 0) done();
          });
      }
    } finally {
      signal.removeEventListener("abort", stop);
      watcher.close();
    }
  }
  return { entries, ends };
}

function watched(folder: string, onChange: (event: string, name: string | null) => void) {
  try {
    const watcher = watch(folder, onChange);
    watcher.on("error", () => watcher.close()); // the folder is gone
    return watcher;
  } catch (thrown) {
    const why = (thrown as NodeJS.ErrnoException).code ?? String(thrown);
    throw new SondeError(
      "REQUEST_FAILED",
      `the log cannot be followed: its folder cannot be watched (${why})`,
    );
  }
}

function byName(a: string, b: string): number {
  const [one, two] = [asLogFile(a), asLogFile(b)];
  return one?.day === two?.day ? (one?.index ?? 0) - (two?.index ?? 0) : a < b ? -1 : 1;
}

function readOn(
  path: string,
  positions: Map<string, Position>,
  { name, renewed }: { name: string; renewed: boolean },
): { found: Entry[]; more: boolean } {
  const file = openToRead(path);
  if (file === undefined) {
    positions.delete(name);
    return { found: [], more: false };
  }
  try {
    const { size, ino } = fstatSync(file);
    let position = positions.get(name);
    // New, replaced or cut short: from its beginning.
    const isOther =
      position === undefined ||
      position.ino !== ino ||
      size < position.lines.end ||
      (renewed && size === position.lines.end);
    if (position === undefined || isOther) position = { lines: new WholeLines(0, LONGEST_LINE), ino };
    positions.set(name, position);
    const { lines } = position;
    const chunk = Buffer.allocUnsafe(CHUNK);
    const found: Entry[] = [];
    for (let read = 0; read < BATCH_BYTES; ) {
      const count = readSync(file, chunk, 0, CHUNK, lines.end);
      if (count === 0) return { found, more: false };
      read += count;
      for (const line of lines.push(chunk.subarray(0, count))) add(found, line);
    }
    return { found, more: true };
  } finally {
    closeSync(file);
  }
}

function add(found: Entry[], line: string): void {
  if (line === "") return;
  const entry = parseEntry(line);
  const before = found.at(-1);
  if (entry.kind === PRINTED && before?.kind === PRINTED) before.message += `\n${entry.message}`;
  else found.push(entry);
}
