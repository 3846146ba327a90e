/**
 * The one owner of every process a session started. Whoever spawns one says so here; ending the session ends these and what
 * they started, found by the launch's mark, its control group and whose children they are. A process we only attached to has neither. Lives for one launch: what turns up
 * after its end is ended at once.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { ProcessRegistry, Role } from "../../adapters/adapter.ts";
import { numberHere } from "./belonging.ts";
import { descendantsOf, type Known, knownBy, lives } from "./descendants.ts";
import { isOver } from "./died.ts";
import type { Guard } from "./guard.ts";
import { LaunchGroup } from "./launch-group.ts";
import { LaunchMark } from "./launch-mark.ts";

/** How often it is looked whether a process that nobody waits for is gone. */
const LOOK_MS = 25;

export interface OwnedProcess {
  pid: number;
  what: string;
  role: Role;
  known: Known | undefined;
}

export class Processes implements ProcessRegistry {
  #guard: Guard;
  #owned = new Map<number, OwnedProcess>();
  #empty: (() => void)[] = [];
  /** Roles for which no more processes are taken in, and what happens to one that comes late: it is ended, or left alone. */
  #late = new Map<Role, "end" | "leave">();
  #mark: LaunchMark | undefined;
  #group: LaunchGroup | undefined;
  #family: Known[] = [];

  constructor(guard: Guard) {
    this.#guard = guard;
  }

  /** The environment for what is launched. */
  marked(env: Record<string, string>): Record<string, string> {
    if (this.#mark === undefined) {
      this.#mark = new LaunchMark();
      this.#guard.watchMark(this.#mark.value);
      this.#group = LaunchGroup.create(this.#mark.value);
      if (this.#group) this.#guard.watchGroup(this.#group.folder);
    }
    return this.#mark.on(env);
  }

  own(said: number, what: string, role: Role = "program"): number | undefined {
    const pid = this.here(said);
    // Adapters report 0 or 1 for a program that never started; a signal to 0 would go to ourselves.
    if (pid === undefined || pid <= 1) return undefined;
    const late = this.#late.get(role);
    if (late === "end") signal(pid, "SIGKILL");
    if (late) return pid;
    this.#owned.set(pid, { pid, what, role, known: knownBy(pid) });
    this.#guard.watch(pid);
    this.#group?.add(pid);
    return pid;
  }

  /** What a program says that its number is, as a number here: see belonging.ts. */
  here(said: number): number | undefined {
    if (this.#mark === undefined) return said;
    const roots = [...this.#owned.values()].flatMap(({ pid, known }) => (known && lives(known) ? [pid] : []));
    return numberHere(said, { mark: this.#mark, group: this.#group, roots });
  }

  /** It has exited, or it is no longer ours. */
  release(pid: number): void {
    if (!this.#owned.delete(pid)) return;
    this.#guard.forget(pid);
    if (this.#owned.size > 0) return;
    for (const wake of this.#empty.splice(0)) wake();
  }

  list(): OwnedProcess[] {
    return [...this.#owned.values()];
  }

  /** Before anything is ended: who has a parent now may have none then. */
  note(): void {
    if (this.#mark) this.#family = descendantsOf([...this.#owned.keys()]);
  }

  /** Asks the programs to end (adapters have been told by `disconnect`), then kills what is left. */
  async endAll(graceMs: number): Promise<void> {
    this.#close("end");
    for (const one of this.list()) if (one.role === "program") signalOwned(one, "SIGTERM");
    await this.#whenEmpty(graceMs);
    for (const one of this.list()) signalOwned(one, "SIGKILL");
    await this.#whenEmpty(graceMs);
    for (const { pid } of this.list()) this.release(pid);
    await this.#endMarked(graceMs);
  }

  /** Those that nobody registered: daemons, which left their group. Nothing announces their end, so it is looked for. */
  async #endMarked(graceMs: number): Promise<void> {
    const mark = this.#mark;
    if (mark === undefined) return;
    const found = () => [
      ...new Set([
        ...mark.found(),
        ...(this.#group?.pids() ?? []),
        ...this.#family.filter(lives).map(({ pid }) => pid),
      ]),
    ];
    for (const name of ["SIGTERM", "SIGKILL"] as const) {
      const told = new Set<number>();
      const until = performance.now() + graceMs;
      for (let left = found(); left.length > 0 && performance.now() < until; left = found()) {
        for (const pid of left.filter((one) => !told.has(one))) signal(pid, name);
        for (const pid of left) told.add(pid);
        await delay(LOOK_MS);
      }
      if (told.size === 0) break;
    }
    this.#forgetMark({ left: false });
  }

  /** `left`: whatever is still in the group is to live, also if the daemon dies. */
  #forgetMark({ left }: { left: boolean }): void {
    if (this.#mark) this.#guard.forgetMark(this.#mark.value);
    this.#mark = undefined;
    // The guard removes it where we cannot.
    if (this.#group && (this.#group.close() || left)) this.#guard.forgetGroup(this.#group.folder);
    this.#group = undefined;
  }

  /** The programs run on and are the user's from here; our own tools end. */
  async leaveAll(graceMs: number): Promise<void> {
    this.#close("leave");
    this.#forgetMark({ left: true });
    for (const { pid, role } of this.list()) if (role === "program") this.release(pid);
    await this.endAll(graceMs);
  }

  #close(programs: "end" | "leave"): void {
    if (!this.#late.has("program")) this.#late.set("program", programs);
    this.#late.set("adapter", "end");
  }

  /** Not every end is announced: a debugger that was killed no longer tells of its program. */
  async #whenEmpty(graceMs: number): Promise<void> {
    const until = performance.now() + graceMs;
    for (;;) {
      for (const { pid } of this.list()) if (isOver(pid)) this.release(pid);
      const leftMs = until - performance.now();
      if (this.#owned.size === 0 || leftMs <= 0) return;
      await this.#released(Math.min(LOOK_MS, leftMs));
    }
  }

  #released(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.#empty.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

/** Not to another that has its number since. */
function signalOwned({ pid, known }: OwnedProcess, name: NodeJS.Signals): void {
  const now = knownBy(pid);
  if (known === undefined || now === undefined || now.born === known.born) signal(pid, name);
}

/** To the group it leads, if it leads one, and to itself. */
function signal(pid: number, name: NodeJS.Signals): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, name);
    } catch {
      // ESRCH: already gone, or not a group leader. Either way there is nothing to end under that number.
    }
  }
}
