/** Profiles that are kept: a folder for each (p1, p2, …), private to the user, with what was found and its files for other tools. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { advice, call, type Told } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { privateFolder } from "../../util/own-folder.ts";
import { toFolded } from "./formats/folded.ts";
import { toPprof } from "./formats/pprof.ts";
import { toSpeedscope } from "./formats/speedscope.ts";
import type { Profile } from "./profile.ts";
import type { ProfileFile, ProfileKind, Taken } from "./sampler.ts";
import { toSvg } from "./svg.ts";

/** How many are kept; the oldest go first. */
const MOST = 100;
const HEAD = "profile.json";

export interface ProfileHead {
  id: string;
  kind: ProfileKind;
  /** What was profiled: a command line, a session, a process. */
  title: string;
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

/** The folder of a new one. */
export function newFolder(root: string): { id: string; folder: string } {
  privateFolder(root);
  for (let number = (idsIn(root).at(-1) ?? 0) + 1; ; number++) {
    const folder = join(root, `p${number}`);
    try {
      mkdirSync(folder, { mode: 0o700 });
      return { id: `p${number}`, folder };
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
  write("folded", HEAD, JSON.stringify({ version: 1, ...stored }));
  sweep(root);
  return stored;
}

/** Newest first. */
export function list(root: string): { head: ProfileHead; bytes: number }[] {
  return idsIn(root)
    .reverse()
    .flatMap((number) => {
      const found = readStored(root, `p${number}`);
      if (found === undefined) return [];
      const { profile: _, ...head } = found;
      const folder = join(root, head.id);
      const bytes = readdirSync(folder).reduce(
        (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
        0,
      );
      return [{ head, bytes }];
    });
}

/** One that is kept; the newest unless said. */
export function stored(root: string, id: string | undefined): StoredProfile {
  const newest = idsIn(root).at(-1);
  const wanted = id ?? (newest === undefined ? undefined : `p${newest}`);
  const found = wanted === undefined || !/^p\d+$/.test(wanted) ? undefined : readStored(root, wanted);
  if (found) return found;
  throw new SondeError(
    "BAD_ARGUMENT",
    wanted === undefined ? "there are no profiles" : `there is no profile ${wanted}`,
    {
      hint: advice`${call("profile list")} shows those there are`,
    },
  );
}

function readStored(root: string, id: string): StoredProfile | undefined {
  try {
    const read = JSON.parse(readFileSync(join(root, id, HEAD), "utf8")) as StoredProfile & {
      version: number;
    };
    return read.version === 1 ? { ...read, id } : undefined;
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

function sweep(root: string): void {
  for (const number of idsIn(root).slice(0, -MOST))
    rmSync(join(root, `p${number}`), { recursive: true, force: true });
}
