/**
 * What this engine runs, debugged or not, and which of it a caller means. To the caller each is a session. One that has had no
 * command for a long time is ended, and its name remembers why.
 */
import { advice, blank, call, option } from "../../advice/advice.ts";
import type { PastSession } from "../../commands/context.ts";
import { SondeError } from "../../errors.ts";
import type { Launch } from "../../session/launch.ts";
import { sessionOf } from "../../session/session.ts";
import { closest } from "../../util/closest.ts";
import { Listeners } from "../../util/listeners.ts";

/** How many past sessions a report still contains, and about how many bytes of the messages to each debugger. */
const MOST_PAST = 3;
const PAST_BYTES = 500_000;

interface Entry {
  launch: Launch;
  /** It belongs to a command that will end it: it is listed and can be stopped, but is meant only by those who name it. */
  aside: boolean;
  lastUsed: number;
  /** Folders a command for it came from. */
  folders: Set<string>;
  /** Ends it, if no command comes before. */
  idle?: NodeJS.Timeout;
}

export interface Choice {
  explicit?: string | undefined;
  env: Readonly<Record<string, string>>;
  cwd: string;
}

export class LaunchTable {
  #entries = new Map<string, Entry>();
  #clock = 0;
  readonly #idleMs: number;
  readonly #onChange: () => void;
  readonly onAdded = new Listeners<Launch>();
  readonly onRemoved = new Listeners<Launch>();
  /** Why a session that is no longer here ended: said once, to whoever asks for it. */
  #epitaphs = new Map<string, string>();
  /** For those who wait for something of a session, which may go meanwhile. */
  readonly #leavings = new WeakMap<Launch, AbortController>();

  #past: PastSession[] = [];

  constructor(idleMs: number, onChange: () => void) {
    this.#idleMs = idleMs;
    this.#onChange = onChange;
  }

  get all(): Launch[] {
    return [...this.#entries.values()].sort((a, b) => b.lastUsed - a.lastUsed).map((entry) => entry.launch);
  }

  /** No sessions, and nothing left to say about past ones. */
  get isEmpty(): boolean {
    return this.#entries.size === 0 && this.#epitaphs.size === 0;
  }

  get live(): Launch[] {
    return this.all.filter((launch) => !launch.ended);
  }

  /** `web`, then `web-2` while `web` is alive. A session that has ended gives its name up. */
  #freeName(wanted: string): string {
    const base = plainName(wanted);
    for (let n = 1; ; n++) {
      const name = n === 1 ? base : `${base}-${n}`;
      const entry = this.#entries.get(name);
      if (!entry || entry.launch.ended) return name;
    }
  }

  /** A name that the caller gave, if it can be had. */
  reserved(name: string): string {
    const plain = plainName(name);
    this.#checkFree(plain);
    return plain;
  }

  #checkFree(name: string): void {
    const taken = this.#entries.get(name)?.launch;
    if (taken && !taken.ended)
      throw new SondeError("BAD_ARGUMENT", `a session called ${name} is ${taken.stateName}`, {
        hint: advice`${call("stop", {}, name)} ends it`,
      });
  }

  /** Gives it its name. Throws if that is another's by now, and was asked for. */
  add(launch: Launch, { aside = false } = {}): void {
    if (launch.isNamed) this.#checkFree(launch.name);
    else launch.name = this.#freeName(launch.name);
    const folders = new Set(aside ? [] : [launch.cwd]);
    const before = this.#entries.get(launch.name)?.launch;
    this.#entries.set(launch.name, { launch, aside, lastUsed: ++this.#clock, folders });
    this.#epitaphs.delete(launch.name);
    launch.onEnded.add(() => this.#onChange());
    this.#onChange();
    this.onAdded.emit(launch);
    if (before) this.#leave(before, `session ${before.name} has ended, and another session now has its name`);
  }

  remove(launch: Launch, epitaph?: string): void {
    const entry = this.#entries.get(launch.name);
    if (entry?.launch !== launch) return;
    clearTimeout(entry.idle);
    this.#entries.delete(launch.name);
    this.#keepPast(launch);
    if (epitaph) this.#epitaphs.set(launch.name, epitaph);
    this.#onChange();
    this.onRemoved.emit(launch);
    this.#leave(launch, epitaph ?? `session ${launch.name} was ended`);
  }

  #leave(launch: Launch, why: string): void {
    this.#leaving(launch).abort(this.#missing(why));
  }

  #leaving(launch: Launch): AbortController {
    const known = this.#leavings.get(launch) ?? new AbortController();
    this.#leavings.set(launch, known);
    return known;
  }

  /** Fires when it is no longer here; its reason is the error that says why. */
  left(launch: Launch): AbortSignal {
    return this.#leaving(launch).signal;
  }

  #keepPast(launch: Launch): void {
    const transcript = sessionOf(launch)?.transcript;
    if (transcript === undefined || transcript.total === 0) return;
    const past = {
      name: launch.name,
      env: launch.opening.plan.env,
      transcript: transcript.shrink(PAST_BYTES),
    };
    this.#past = [past, ...this.#past].slice(0, MOST_PAST);
  }

  /** The last sessions that ended, the newest first. */
  get past(): readonly PastSession[] {
    return this.#past;
  }

  /** @param cwd Left out for an observer: then the session does not become the one that was used last. */
  used(launch: Launch, cwd?: string): void {
    const entry = this.#entries.get(launch.name);
    if (!entry) return;
    if (cwd !== undefined) {
      entry.lastUsed = ++this.#clock;
      entry.folders.add(cwd);
    }
    this.#watchIdle(entry);
  }

  /** From now on no session is ended for being idle. */
  close(): void {
    for (const { idle } of this.#entries.values()) clearTimeout(idle);
  }

  #watchIdle(entry: Entry): void {
    if (entry.idle) entry.idle.refresh();
    else entry.idle = setTimeout(() => this.#expire(entry), this.#idleMs).unref();
  }

  #expire(entry: Entry): void {
    const { launch } = entry;
    const isOpening = launch.stateName === "initializing" || launch.stateName === "configuring";
    // Someone is still waiting for it: a session with a long command is not idle.
    if (isOpening || sessionOf(launch)?.stops.awaited || launch.output.followed) {
      this.#watchIdle(entry);
      return;
    }
    const minutes = Math.round(this.#idleMs / 60_000);
    const what =
      launch.opening.request === "attach" ? "the process was left running" : "the program was terminated";
    void launch.end();
    this.remove(
      launch,
      `session ${launch.name} was ended after ${minutes} minutes without a command; ${what}`,
    );
  }

  /** `-s`, else SONDE_SESSION, else the one last used in this folder, else the only one alive. */
  choose(choice: Choice): Launch {
    const named = choice.explicit ?? choice.env.SONDE_SESSION;
    if (named) return this.#byName(named);
    const near = this.all.map((launch) => ({ launch, depth: this.#nearness(launch, choice.cwd) }));
    const nearest = Math.max(0, ...near.map(({ depth }) => depth));
    const here = near.filter(({ depth }) => depth > 0 && depth === nearest).map(({ launch }) => launch);
    // Also when it has ended: "it exited, show its output, run it again" must not reach another program.
    const found = here[0] ?? this.#only(this.#meant(this.live));
    if (found) return found;
    if (this.#meant(this.live).length > 1) {
      throw new SondeError(
        "AMBIGUOUS_SESSION",
        `there are several sessions, and none was used in ${choice.cwd}: ${this.#names()}`,
        {
          hint: advice`name one with ${option({ session: undefined })}`,
        },
      );
    }
    const ended = this.#only(this.#meant(this.all));
    if (ended) return ended;
    const [epitaph] = [...this.#epitaphs.values()].slice(-1);
    throw new SondeError("NO_SESSION", epitaph ?? "no session", {
      hint: advice`${call("start", { program: blank("program"), break: [blank("file:line")] })} starts one`,
    });
  }

  /** 0 for a folder it has nothing to do with. One below a folder it was used in is the same project, the nearest above all. */
  #nearness(launch: Launch, cwd: string): number {
    const folders = [...(this.#entries.get(launch.name)?.folders ?? [])];
    const above = folders.filter((folder) =>
      `${cwd}/`.startsWith(folder.endsWith("/") ? folder : `${folder}/`),
    );
    return Math.max(0, ...above.map((folder) => folder.length));
  }

  #byName(name: string): Launch {
    const entry = this.#entries.get(name);
    if (entry) return entry.launch;
    const epitaph = this.#epitaphs.get(name);
    throw this.#missing(epitaph ?? `no session called ${name}`, closest(name, this.#entries.keys()));
  }

  #missing(what: string, near?: string): SondeError {
    return new SondeError("NO_SESSION", what, {
      hint: near
        ? advice`did you mean ${option({ session: near })}?`
        : this.#entries.size > 0
          ? `there are: ${this.#names()}`
          : advice`${call("start", { program: blank("program") })} starts one`,
    });
  }

  #meant(launches: Launch[]): Launch[] {
    return launches.filter((launch) => !this.#entries.get(launch.name)?.aside);
  }

  #only(launches: Launch[]): Launch | undefined {
    return launches.length === 1 ? launches[0] : undefined;
  }

  #names(): string {
    return this.all.map((launch) => launch.name).join(", ");
  }
}

function plainName(name: string): string {
  return name.replace(/[^\p{L}\p{N}._-]+/gu, "-") || "session";
}
