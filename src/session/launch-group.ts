/**
 * A control group for what a launch starts, where the system lets us make one (Linux, version 2). Nothing that the program starts
 * can leave it: not by another session, an empty environment or a lost parent.
 */
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

let parent: string | undefined | null;

export class LaunchGroup {
  readonly folder: string;
  readonly #parent: string;

  private constructor(above: string, name: string) {
    this.#parent = above;
    this.folder = join(above, `sonde-${name}`);
    mkdirSync(this.folder);
  }

  /** Nothing where there are none, or they are not ours to make. */
  static create(name: string): LaunchGroup | undefined {
    parent ??= ownGroup() ?? null;
    if (parent === null) return undefined;
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

  /** What is still in it is no longer ours. False if it cannot be removed yet: one that has just ended is still counted. */
  close(): boolean {
    for (const pid of this.pids()) move(pid, this.#parent);
    try {
      rmdirSync(this.folder);
      return true;
    } catch {
      return false;
    }
  }
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
