/** Source files that views have asked for. Fetched once a tab, with `source`; the server only gives what a session or record named. */
import { type Signal, signal } from "@preact/signals";
import type { SourceAnswer, SourceLine } from "./data.ts";
import { call } from "./link.ts";

export interface FileState {
  path: string;
  /** Undefined until they are here. */
  lines?: readonly SourceLine[];
  /** Why there are none. */
  missing?: string;
}

const MOST_LINES = 200_000;
const files = new Map<string, Signal<FileState>>();

export function fileAt(path: string, session?: string): Signal<FileState> {
  const known = files.get(path);
  if (known !== undefined) return known;
  const file = signal<FileState>({ path });
  files.set(path, file);
  void fetchFile(file, path, session);
  return file;
}

/** The file may have been edited: the next look reads it again. */
export function forgetFiles(): void {
  files.clear();
}

async function fetchFile(file: Signal<FileState>, path: string, session?: string): Promise<void> {
  const answer = await call<SourceAnswer>(
    "source",
    { location: `${path}:1`, context: MOST_LINES },
    { quiet: true, ...(session === undefined ? {} : { session }) },
  );
  if (answer.ok) file.value = { path, lines: answer.data.lines };
  else {
    const { message } = answer.error;
    file.value = { path, missing: typeof message === "string" ? message : "there is no text of this file" };
  }
}
