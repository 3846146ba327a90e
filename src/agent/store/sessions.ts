/** The sessions of a folder: begun, ended, listed, found. */
import { randomInt } from "node:crypto";
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { advice, shell } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { privateFolder } from "../../util/own-folder.ts";
import { identityOf } from "../../util/process-facts.ts";
import { Masker } from "../../util/secrets/mask.ts";
import { cut } from "../../util/text.ts";
import { cleanData } from "./clean-data.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER, type SessionFolder, sessionFolder, sessionsFolder } from "./layout.ts";
import { newestFirst, rowsOf, type SessionRow } from "./listing.ts";
import { isOwnFolder } from "./plain-file.ts";
import { readRecord, type SessionRecord, writeRecord } from "./record.ts";
import { currentId, registerSessions } from "./register.ts";

export type { SessionRow } from "./listing.ts";

export interface SessionFacts {
  cwd: string;
  route: SessionRecord["route"];
  version: string;
  /** This process, if left out. */
  pid?: number;
  client?: string;
  argv?: string[];
  name?: string;
  /** Its path may hold the id, which is not known before. */
  socket?: string | ((id: string) => string);
}

export interface CreatedSession extends SessionFolder {
  session: SessionRecord;
}

export function createSession(root: string, facts: SessionFacts): CreatedSession {
  const all = sessionsFolder(root);
  privateFolder(root);
  privateFolder(all);
  const began = beginning();
  for (;;) {
    const folder = sessionFolder(root, newId(began));
    const session = recordOf(folder.id, began, facts);
    // Made aside: whoever lists the sessions sees a folder with its record or none.
    const aside = join(all, `.${folder.id}.${process.pid}`);
    mkdirSync(aside, { mode: PRIVATE_FOLDER });
    try {
      writeRecord({ ...folder, record: join(aside, "session.json") }, session);
      for (const name of ["events.jsonl", "commands.jsonl"])
        writeFileSync(join(aside, name), "", { mode: PRIVATE_FILE });
      renameSync(aside, folder.dir);
    } catch (thrown) {
      rmSync(aside, { recursive: true, force: true });
      const { code } = thrown as NodeJS.ErrnoException;
      if (code === "ENOTEMPTY" || code === "EEXIST" || code === "ENOTDIR") continue; // the id is taken
      throw thrown;
    }
    registerSessions(root);
    return { ...folder, session };
  }
}

let lastBegan = 0;

/** Two that begin in the same millisecond are still told apart: one of them is the newest. */
function beginning(): Date {
  lastBegan = Math.max(Date.now(), lastBegan + 1);
  return new Date(lastBegan);
}

function recordOf(id: string, began: Date, facts: SessionFacts): SessionRecord {
  const { pid = process.pid, socket, argv, ...rest } = facts;
  const processStart = identityOf(pid);
  const path = typeof socket === "function" ? socket(id) : socket;
  return {
    id,
    pid,
    ...(processStart !== undefined && { processStart }),
    startTime: began.toISOString(),
    ...rest,
    ...(argv !== undefined && { argv: maskedWords(argv) }),
    ...(path !== undefined && { socket: path }),
  };
}

const LONGEST_WORD = 1000;
const MOST_CHARACTERS = 8000;

/** People pass keys on command lines, and whole prompts: the record only says what was run. */
function maskedWords(argv: readonly string[]): string[] {
  const { argv: words } = cleanData({ argv }, { masker: new Masker(), keep: (text) => text });
  const kept: string[] = [];
  let room = MOST_CHARACTERS;
  for (const word of words as string[]) {
    const short = cut(word, LONGEST_WORD);
    room -= short.length;
    if (room < 0) return [...kept, "…"];
    kept.push(short);
  }
  return kept;
}

/** `debug_20260123_131000_abc1`, in UTC. */
function newId(began: Date): string {
  const [day = "", time = ""] = began.toISOString().replace(/[-:]/g, "").split("T");
  const tail = randomInt(36 ** 4)
    .toString(36)
    .padStart(4, "0");
  return `debug_${day}_${time.slice(0, 6)}_${tail}`;
}

export interface SessionEnd {
  exit?: number | null;
  signal?: string;
  ended?: "clean" | "died";
}

/** Its files stay, for replay. */
export function endSession(folder: SessionFolder, how: SessionEnd = {}): void {
  const record = isOwnFolder(folder.dir) ? readRecord(folder) : undefined;
  // Removed in the meantime, put elsewhere, or another tool's.
  if (record === undefined || record.route === undefined) return;
  if (record.ended === undefined) {
    const ended = { ...(record as SessionRecord), endTime: new Date().toISOString(), ended: "clean", ...how };
    writeRecord(folder, ended as SessionRecord);
  }
  registerSessions(folder.root);
}

/** Newest first. A session whose process has died is marked as ended, and kept. */
export async function listSessions(root: string): Promise<SessionRow[]> {
  return liveRows(root);
}

function liveRows(root: string): SessionRow[] {
  const rows = rowsOf(root);
  const died = rows.filter((row) => !row.foreign && !row.alive && row.ended === undefined);
  if (died.length === 0) return rows;
  const marked = new Map(died.map((row) => [row.id, asDied(row)]));
  const written = [...marked.values()].filter(writeDown);
  try {
    if (written.length > 0) registerSessions(root);
  } catch {
    // A folder that may only be read is listed all the same.
  }
  return rows.map((row) => marked.get(row.id) ?? row).sort(newestFirst);
}

/**
 * Its socket stays where it is: the record may be a stranger's, and name any socket of the user. Its owner removes it at the end, and one
 * that a killed owner leaves is in nobody's way, since no other session has that name.
 */
function asDied(row: SessionRow): SessionRow {
  return { ...row, ended: "died", endTime: lastChange(row.folder) };
}

/** Whether it could be: not in a folder that may only be read, nor through a link, nor in what is somebody else's. */
function writeDown({ folder, alive: _alive, foreign: _foreign, ...record }: SessionRow): boolean {
  if (!isOwnFolder(folder.dir)) return false;
  try {
    writeRecord(folder, record);
    return true;
  } catch {
    return false; // as above
  }
}

/** The last that was heard of it. */
function lastChange({ events, dir }: SessionFolder): string {
  const stats = statSync(events, { throwIfNoEntry: false }) ?? statSync(dir, { throwIfNoEntry: false });
  return (stats?.mtime ?? new Date()).toISOString();
}

/**
 * By id, by the beginning of one, by its end (`abc1`), or by name, where the newest counts, and one that is alive before one that has
 * ended; `current` is what the link names. Without a word: the only one alive; if none is, the newest.
 */
export function findSession(root: string, wanted?: string): SessionRow {
  const rows = liveRows(root);
  const alive = rows.filter((row) => row.alive);
  if (wanted === undefined || wanted === "") {
    if (alive.length > 1) throw ambiguous("several agents are running", alive);
    return alive[0] ?? rows[0] ?? fail(`no agent session in ${root}`);
  }
  if (wanted === "current") {
    const id = currentId(root);
    return rows.find((row) => row.id === id) ?? rows[0] ?? fail(`no agent session in ${root}`);
  }
  const exact = rows.find((row) => row.id === wanted);
  if (exact !== undefined) return exact;
  const named = [...alive, ...rows].find((row) => row.name === wanted);
  if (named !== undefined) return named;
  const similar = rows.filter(({ id }) => id.startsWith(wanted) || id.endsWith(`_${wanted}`));
  if (similar.length > 1) throw ambiguous(`several agent sessions begin with ${wanted}`, similar);
  return similar[0] ?? fail(`no agent session ${JSON.stringify(wanted)} in ${root}`);
}

const MOST_NAMED = 10;

function ambiguous(what: string, rows: readonly SessionRow[]): SondeError {
  const shown = rows
    .slice(0, MOST_NAMED)
    .map(({ id, name, cwd }) => `${id}${name ? ` (${name})` : ""} ${cwd}`);
  const more = rows.length > MOST_NAMED ? `\n… and ${rows.length - MOST_NAMED} more` : "";
  return new SondeError("AMBIGUOUS_SESSION", `${what}:\n${shown.join("\n")}${more}`, {
    hint: "name one of them with -s",
  });
}

function fail(message: string): never {
  throw new SondeError("NO_SESSION", message, {
    hint: advice`${shell("sonde agent sessions --all")} lists them`,
  });
}
