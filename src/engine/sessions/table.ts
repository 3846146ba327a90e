/** The sessions of this engine, and which one a caller means. */
import { advice, blank, call, option } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { closest } from "../../util/closest.ts";

interface Entry {
  session: Session;
  /** Of a command that will end it: it is listed and can be stopped, and nobody means it who does not name it. */
  aside: boolean;
  lastUsed: number;
  /** Folders a command for it came from. */
  folders: Set<string>;
}

export interface Choice {
  explicit?: string | undefined;
  env: Readonly<Record<string, string>>;
  cwd: string;
}

interface Wish {
  name: string;
  /** By the caller: then it is this one or none. */
  given: boolean;
}

export class SessionTable {
  #entries = new Map<string, Entry>();
  #wishes = new WeakMap<Session, Wish>();
  #clock = 0;
  #onChange: () => void;
  /** Why a session that is no longer here went, told once to whoever asks for it. */
  #epitaphs = new Map<string, string>();

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get all(): Session[] {
    return [...this.#entries.values()].sort((a, b) => b.lastUsed - a.lastUsed).map((entry) => entry.session);
  }

  get live(): Session[] {
    return this.all.filter((session) => !session.ended);
  }

  /** `web`, then `web-2` while `web` is alive. A session that has ended gives its name up. */
  freeName(wanted: string): string {
    const base = wanted.replace(/[^\p{L}\p{N}._-]+/gu, "-") || "session";
    for (let n = 1; ; n++) {
      const name = n === 1 ? base : `${base}-${n}`;
      const entry = this.#entries.get(name);
      if (!entry || entry.session.ended) return name;
    }
  }

  /** What a session that is being prepared is to be called; another one may be on the table first. */
  wish(session: Session, wish: Wish): void {
    if (wish.given) this.#checkFree(wish.name);
    this.#wishes.set(session, wish);
  }

  #checkFree(name: string): void {
    const taken = this.#entries.get(name)?.session;
    if (taken && !taken.ended)
      throw new SondeError("BAD_ARGUMENT", `a session called ${name} is ${taken.stateName}`, {
        hint: advice`${call("stop", {}, name)} ends it`,
      });
  }

  /** Gives it its name. Throws if that is another's by now, and was asked for. */
  add(session: Session, { aside = false } = {}): void {
    const { name, given } = this.#wishes.get(session) ?? { name: session.name, given: false };
    if (given) this.#checkFree(session.name);
    else session.name = this.freeName(name);
    const folders = new Set(aside ? [] : [session.cwd]);
    this.#entries.set(session.name, { session, aside, lastUsed: ++this.#clock, folders });
    this.#epitaphs.delete(session.name);
    session.onEnded.add(() => this.#onChange());
    this.#onChange();
  }

  remove(session: Session, epitaph?: string): void {
    if (this.#entries.get(session.name)?.session !== session) return;
    this.#entries.delete(session.name);
    if (epitaph) this.#epitaphs.set(session.name, epitaph);
    this.#onChange();
  }

  used(session: Session, cwd: string): void {
    const entry = this.#entries.get(session.name);
    if (!entry) return;
    entry.lastUsed = ++this.#clock;
    entry.folders.add(cwd);
  }

  /** `-s`, else SONDE_SESSION, else the one last used in this folder, else the only one alive. */
  choose(choice: Choice): Session {
    const named = choice.explicit ?? choice.env.SONDE_SESSION;
    if (named) return this.#byName(named);
    const near = this.all.map((session) => ({ session, depth: this.#nearness(session, choice.cwd) }));
    const nearest = Math.max(0, ...near.map(({ depth }) => depth));
    const here = near.filter(({ depth }) => depth > 0 && depth === nearest).map(({ session }) => session);
    // Also when it has ended: "it exited, show its output, run it again" must not reach another program.
    const found = here[0] ?? this.#only(this.#meant(this.live));
    if (found) return found;
    if (this.#meant(this.live).length > 1) {
      throw new SondeError(
        "AMBIGUOUS_SESSION",
        `several sessions, none of them used in ${choice.cwd}: ${this.#names()}`,
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
  #nearness(session: Session, cwd: string): number {
    const folders = [...(this.#entries.get(session.name)?.folders ?? [])];
    const above = folders.filter((folder) =>
      `${cwd}/`.startsWith(folder.endsWith("/") ? folder : `${folder}/`),
    );
    return Math.max(0, ...above.map((folder) => folder.length));
  }

  #byName(name: string): Session {
    const entry = this.#entries.get(name);
    if (entry) return entry.session;
    const epitaph = this.#epitaphs.get(name);
    const near = closest(name, this.#entries.keys());
    throw new SondeError("NO_SESSION", epitaph ?? `no session called ${name}`, {
      hint: near
        ? advice`did you mean ${option({ session: near })}?`
        : this.#entries.size > 0
          ? `there are: ${this.#names()}`
          : advice`${call("start", { program: blank("program") })} starts one`,
    });
  }

  #meant(sessions: Session[]): Session[] {
    return sessions.filter((session) => !this.#entries.get(session.name)?.aside);
  }

  #only(sessions: Session[]): Session | undefined {
    return sessions.length === 1 ? sessions[0] : undefined;
  }

  #names(): string {
    return this.all.map((session) => session.name).join(", ");
  }
}
