/**
 * A control group for what a launch starts, where the system lets us make one (Linux, version 2). Nothing that the program starts
 * can leave it: not by another session, an empty environment or a lost parent.
 */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "../../util/process-facts.ts";

let parent: string | undefined | null;

/** Groups carry the pid of whose they are, so that those of one that was killed can be known. */
const OURS = /^sonde-(\d+)-/;

/** How often it is looked for what was started while the others were moved out. */
const ROUNDS = 20;

/** Could not be removed when they were closed. */
const left = new Set<string>();

export class LaunchGroup {
  readonly folder: string;
  readonly #parent: string;

  private constructor(above: string, name: string) {
    this.#parent = above;
    this.folder = join(above, `sonde-${process.pid}-${name}`);
    mkdirSync(this.folder);
  }

  /** Nothing where there are none, or they are not ours to make. */
  static create(name: string): LaunchGroup | undefined {
    if (parent === undefined) sweepGroups();
    if (parent === null || parent === undefined) return undefined;
    removeLeft();
    try {
      return new LaunchGroup(parent, name);
    } catch {
      return undefined;
    }
  }

  /** With all that it starts from now on. */
  add(pid: number): void {
    move(pid, this.folder);
  }

  pids(): number[] {
    try {
      return readFileSync(join(this.folder, "cgroup.procs"), "latin1")
        .split("\n")
        .filter(Boolean)
        .map(Number);
    } catch {
      return [];
    }
  }

  /**
   * What is still in it is no longer ours, also what is being started now. False if it cannot be removed yet: one that has just
   * ended is still counted. Then that is done when the next is made or closed.
   */
  close(): boolean {
    for (let round = 0, pids = this.pids(); pids.length > 0 && round < ROUNDS; round++, pids = this.pids())
      for (const pid of pids) move(pid, this.#parent);
    left.add(this.folder);
    removeLeft();
    return !left.has(this.folder);
  }
}

/** Only those that are empty: the system refuses the others. */
function removeLeft(): void {
  for (const folder of left) if (removed(folder)) left.delete(folder);
}

function removed(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

/** Empty groups of those who are no more. */
export function sweepGroups(): void {
  parent = ownGroup() ?? null;
  if (parent === null) return;
  try {
    for (const name of readdirSync(parent)) {
      if (isLeftOver(name)) removed(join(parent, name));
    }
  } catch {
    // Not ours to look at.
  }
}

/** Of a daemon that is gone. */
export function isLeftOver(name: string): boolean {
  const pid = OURS.exec(name)?.[1];
  return pid !== undefined && !isAlive(Number(pid));
}

function move(pid: number, folder: string): void {
  try {
    writeFileSync(join(folder, "cgroup.procs"), String(pid));
  } catch {
    // Gone already, or not permitted: then it is known by its mark alone.
  }
}

/** Where we are ourselves. */
function ownGroup(): string | undefined {
  try {
    const mount = readFileSync("/proc/self/mounts", "utf8")
      .split("\n")
      .map((line) => line.split(" "))
      .find(([, , type]) => type === "cgroup2")?.[1];
    const path = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1];
    // A name with blanks would be two to the guard.
    return mount === undefined || path === undefined || /\s/.test(path) ? undefined : join(mount, path);
  } catch {
    return undefined; // not Linux
  }
}
