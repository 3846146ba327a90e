/** Profiles that are kept: a folder for each (p1, p2, …), private to the user, with what was found and its files for other tools. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { advice, call, type Told } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { lastNumber, rememberNumber } from "../../util/numbering.ts";
import { privateFolder } from "../../util/own-folder.ts";
import { toFolded } from "./formats/folded.ts";
import { toPprof } from "./formats/pprof/write.ts";
import { toSpeedscope } from "./formats/speedscope.ts";
import type { Profile } from "./profile.ts";
import type { ProfileFile, ProfileKind, Taken } from "./sampler.ts";
import { toSvg } from "./svg.ts";

/** How many are kept, and how large all of them may be with their files; the oldest go first. */
const MOST = 100;
const MOST_BYTES = 2 * 1024 ** 3;
const WHOLE = "profile.json";
/** Without the samples: all that a list shows. Written last, so that what has one is whole. */
const HEAD = "head.json";

export interface ProfileHead {
  id: string;
  kind: ProfileKind;
  /** What was profiled: a command line, a session, a process. */
  title: string;
  /** The run of an agent whose own process was profiled. */
  agent?: string;
  cwd: string;
  /** ISO 8601. */
  began: string;
  seconds: number;
  means: string;
  period: number;
  end: Taken["end"];
  /** Plain text once it is kept. */
  notes: Told[];
  files: ProfileFile[];
}

export interface StoredProfile extends ProfileHead {
  profile: Profile;
}

/** Folders of those that are being taken. */
const taking = new Set<string>();

/** The folder of a new one; `release` when it is kept, or given up. */
export function newFolder(root: string): { id: string; folder: string; release(): void } {
  privateFolder(root);
  for (let number = Math.max(idsIn(root).at(-1) ?? 0, lastNumber(root)) + 1; ; number++) {
    const folder = join(root, `p${number}`);
    try {
      mkdirSync(folder, { mode: 0o700 });
      privateFolder(folder);
      taking.add(folder);
      rememberNumber(root, number);
      return { id: `p${number}`, folder, release: () => void taking.delete(folder) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/** With its files for other tools. */
export function save(
  root: string,
  head: Omit<ProfileHead, "files">,
  taken: Pick<Taken, "profile" | "files">,
): StoredProfile {
  const folder = join(root, head.id);
  const { profile } = taken;
  const write = (kind: ProfileFile["kind"], name: string, data: string | Buffer): ProfileFile => {
    const path = join(folder, name);
    writeFileSync(path, data, { mode: 0o600 });
    return { kind, path };
  };
  const title = `${head.title} (${head.kind}, ${head.began.slice(0, 19).replace("T", " ")})`;
  const facts = { began: Date.parse(head.began), seconds: head.seconds, period: head.period };
  const files = [
    write("svg", "flame.svg", toSvg(profile, title)),
    ...taken.files,
    write("speedscope", "speedscope.json", toSpeedscope(profile, title)),
    write("folded", "stacks.folded", toFolded(profile)),
    write("pprof", "profile.pb.gz", toPprof(profile, facts)),
  ];
  const stored: StoredProfile = { ...head, files, profile };
  write("folded", WHOLE, JSON.stringify({ version: 1, ...stored }));
  write("folded", HEAD, JSON.stringify({ version: 1, ...head, files }));
  sweep(root, head.id);
  return stored;
}

/** Newest first. */
export function list(root: string): { head: ProfileHead; bytes: number }[] {
  checkFolder(root);
  return idsIn(root)
    .reverse()
    .flatMap((number) => {
      const head = readHead(root, `p${number}`);
      return head === undefined ? [] : [{ head, bytes: bytesIn(join(root, head.id)) }];
    });
}

/** One that is kept; unless said, the newest that can be read: one may be on its way, another was cut short. */
export function stored(root: string, id: string | undefined): StoredProfile {
  checkFolder(root);
  if (id === undefined) {
    for (const number of idsIn(root).reverse()) {
      const newest = readWhole(root, `p${number}`);
      if (newest) return newest;
    }
    throw missing("there are no profiles");
  }
  const found = /^p\d+$/.test(id) ? readWhole(root, id) : undefined;
  if (found) return found;
  throw missing(`there is no profile ${id}`);
}

/** What others put there would be shown as ours. */
function checkFolder(root: string): void {
  if (existsSync(root)) privateFolder(root);
}

function missing(what: string): SondeError {
  return new SondeError("BAD_ARGUMENT", what, {
    hint: advice`${call("profile list")} lists the saved ones`,
  });
}

function readHead(root: string, id: string): ProfileHead | undefined {
  return readVersion<ProfileHead>(root, id, HEAD);
}

function readWhole(root: string, id: string): StoredProfile | undefined {
  return readVersion<StoredProfile>(root, id, WHOLE);
}

function readVersion<T>(root: string, id: string, name: string): T | undefined {
  try {
    const { version, ...read } = JSON.parse(readFileSync(join(root, id, name), "utf8")) as T & {
      version: number;
    };
    return version === 1 ? ({ ...read, id } as T) : undefined;
  } catch {
    return undefined; // being taken at this moment, or cut short
  }
}

/** In order. */
function idsIn(root: string): number[] {
  try {
    return readdirSync(root)
      .flatMap((name) => /^p(\d+)$/.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  } catch {
    return []; // none yet
  }
}

function bytesIn(folder: string): number {
  try {
    return readdirSync(folder).reduce(
      (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  } catch {
    return 0; // it was removed meanwhile
  }
}

/** Those that are too many or too large together, but for the one that was just taken, and those still being taken. */
function sweep(root: string, kept: string): void {
  let [count, bytes] = [0, 0];
  for (const number of idsIn(root).reverse()) {
    const folder = join(root, `p${number}`);
    count++;
    bytes += bytesIn(folder);
    const isOver = count > MOST || bytes > MOST_BYTES;
    if (isOver && `p${number}` !== kept && !taking.has(folder))
      rmSync(folder, { recursive: true, force: true });
  }
}
