/** Where the files of a session are. Other tools use the same layout: what they leave out is not needed to read theirs. */
import { join } from "node:path";
import { SondeError } from "../../errors.ts";

export interface SessionFolder {
  root: string;
  id: string;
  dir: string;
  events: string;
  commands: string;
  /** session.json */
  record: string;
  blobs: string;
  stream: string;
}

/** Only the user may read what agents say. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

export function sessionsFolder(root: string): string {
  return join(root, "sessions");
}

export function indexFile(root: string): string {
  return join(root, "index.json");
}

export function currentLink(root: string): string {
  return join(root, "current");
}

/** `root`: `<state>/agents`, or any folder of this layout. */
export function sessionFolder(root: string, id: string): SessionFolder {
  if (!isSessionId(id))
    throw new SondeError("BAD_ARGUMENT", `${JSON.stringify(id)} is not the id of an agent session`);
  const dir = join(sessionsFolder(root), id);
  return {
    root,
    id,
    dir,
    events: join(dir, "events.jsonl"),
    commands: join(dir, "commands.jsonl"),
    record: join(dir, "session.json"),
    blobs: join(dir, "blobs"),
    stream: join(dir, "stream"),
  };
}

/** Any plain name of a folder; those that begin with a dot are being made or removed. */
export function isSessionId(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,120}$/.test(name);
}
