/**
 * Whose hands are on a session: an agent's (what is typed, tool calls, programs) or a person's (the page). A person takes it by moving or
 * changing something; from then on the agent may look, and is told so when it wants to do more. What each has done is kept, within bounds.
 */
import { advice, call, joined, type Told } from "../../advice/advice.ts";
import type { Deed, Hands as InHands, Owner } from "../../commands/context.ts";
import { SondeError } from "../../errors.ts";
import type { Launch } from "../../session/launch.ts";
import { sessionOf } from "../../session/session.ts";
import { knownPlace } from "../../session/stack/snapshot.ts";
import { Listeners } from "../../util/listeners.ts";
import { oneLine, plural } from "../../util/text.ts";
import { deferred, type WaitOptions, wait } from "../../util/wait.ts";

type Surface = Deed["by"];

const MOST_DEEDS = 500;
/** Of what was typed, in the line that tells what changed. */
const MOST_NAMED = 4;

/** Those of every launch. */
export class AllHands {
  readonly #all = new WeakMap<Launch, Hands>();
  readonly #changed: (what: "owner" | "transcript", launch: Launch) => void;

  constructor(changed: (what: "owner" | "transcript", launch: Launch) => void) {
    this.#changed = changed;
  }

  /** `by`: who starts it. */
  of(launch: Launch, by: Surface = "cli"): Hands {
    const known = this.#all.get(launch) ?? new Hands(launch, by, (what) => this.#changed(what, launch));
    this.#all.set(launch, known);
    return known;
  }
}

/** What of a session may be different when it is given back. */
interface Before {
  place: string;
  /** Of the program: a restart is another run. */
  startedAt: number;
  breakpoints: ReadonlyMap<number, string>;
  deed: number;
}

export class Hands implements InHands {
  readonly #launch: Launch;
  readonly #changed: (what: "owner" | "transcript") => void;
  #who: Owner["who"];
  #since = Date.now();
  #asked: Owner["asked"];
  #before: Before | undefined;
  #deeds: Deed[] = [];
  #number = 0;
  readonly #given = new Listeners<void>();
  readonly #setters = new Map<number, Deed>();

  constructor(launch: Launch, by: Surface, changed: (what: "owner" | "transcript") => void) {
    this.#launch = launch;
    this.#changed = changed;
    this.#who = by === "page" ? "person" : "agent";
    if (by === "page") this.#before = this.#now();
  }

  get owner(): Owner {
    return {
      who: this.#who,
      since: this.#since,
      ...(this.#asked === undefined ? {} : { asked: this.#asked }),
    };
  }

  deeds(since = 0): readonly Deed[] {
    return this.#deeds.filter(({ number }) => number > since);
  }

  setBy(breakpoint: number): Deed | undefined {
    return this.#setters.get(breakpoint);
  }

  /** Records what was done. Breakpoints that nobody is known to have set are taken to be set by it. */
  note(deed: Omit<Deed, "number">): Deed {
    const noted: Deed = { ...deed, number: ++this.#number };
    this.#deeds.push(noted);
    if (this.#deeds.length > MOST_DEEDS) this.#deeds.shift();
    const set = deed.effect === "reads" ? [] : (sessionOf(this.#launch)?.breakpoints.list() ?? []);
    for (const { id } of set) if (!this.#setters.has(id)) this.#setters.set(id, noted);
    this.#changed("transcript");
    return noted;
  }

  /** For an agent that comes back to a session which a person has ended. */
  epitaph(detach: boolean): string | undefined {
    if (this.#deeds.every(({ by }) => by === "page")) return undefined;
    const { name, opening, ended } = this.#launch;
    const runsOn = detach || opening.request === "attach";
    const fate = runsOn ? "the process was left running" : "the program was terminated";
    return `a person ended session ${name} at ${clock(Date.now())} on the page${ended ? "" : `; ${fate}`}`;
  }

  /** An agent's run says which of its tool calls it was. */
  ofToolCall(deed: Deed, toolId: string): void {
    deed.toolId = toolId;
    this.#changed("transcript");
  }

  /** Before something is moved or changed. */
  enter(command: string, by: Surface): void {
    const refusal = this.refusal(command, by);
    if (refusal !== undefined) throw refusal;
    if (by === "page") this.take();
  }

  /** Why one may not; undefined if one may. */
  refusal(command: string, by: Surface): SondeError | undefined {
    return by !== "page" && this.#who === "person" ? this.#taken(command) : undefined;
  }

  take(): void {
    if (this.#who === "person") return;
    this.#become("person");
    this.#before = this.#now();
  }

  /** What changed meanwhile is told to the agent with its next answer. */
  give(why?: string): string | undefined {
    if (this.#who === "agent") return undefined;
    const line = this.#difference(why);
    this.#become("agent");
    this.#before = undefined;
    this.#launch.notes.add(line, "handover");
    this.#given.emit();
    return line;
  }

  ask(why: string | undefined): void {
    this.#asked = { at: Date.now(), ...(why === undefined ? {} : { why }) };
    this.#changed("owner");
  }

  async whenGiven(options: WaitOptions): Promise<boolean> {
    if (this.#who === "agent") return true;
    const { promise, resolve } = deferred<void>();
    const off = this.#given.add(resolve);
    const { done } = await wait(promise, options);
    off(); // one may ask for hours, a minute at a time
    return done;
  }

  #become(who: Owner["who"]): void {
    this.#who = who;
    this.#since = Date.now();
    this.#asked = undefined;
    this.#changed("owner");
  }

  #taken(command: string): SondeError {
    const session = this.#launch.name;
    const place = placeOf(this.#launch);
    return new SondeError(
      "TAKEN_OVER",
      advice`${{ do: "name", command }}: a person took over ${session} at ${clock(this.#since)}; it is ${place}`,
      {
        hint: advice`${call("handover ask", {}, session)} asks for it back and waits up to a minute; commands that only read still work: ${call("context", {}, session)}`,
        details: { owner: this.owner, place },
      },
    );
  }

  #now(): Before {
    const list = sessionOf(this.#launch)?.breakpoints.list() ?? [];
    const at = list.map(({ id, asked, condition, enabled }) => {
      const when = condition === undefined ? "" : ` if ${condition}`;
      return [id, `${asked}${when}${enabled ? "" : " (disabled)"}`] as const;
    });
    const { startedAt } = this.#launch;
    return { place: placeOf(this.#launch), startedAt, breakpoints: new Map(at), deed: this.#number };
  }

  #difference(why: string | undefined): string {
    const [before, now] = [this.#before ?? this.#now(), this.#now()];
    const done = this.deeds(before.deed).filter((one) => one.by === "page" && one.ok);
    const parts: Told[] = [wayOf(before, now, done.filter(({ effect }) => effect === "moves").length)];
    const added = [...now.breakpoints].filter(([id]) => !before.breakpoints.has(id));
    const gone = [...before.breakpoints].filter(([id]) => !now.breakpoints.has(id));
    const other = [...now.breakpoints].filter(
      ([id, text]) => before.breakpoints.has(id) && before.breakpoints.get(id) !== text,
    );
    if (added.length > 0) parts.push(`breakpoints added: ${named(added)}`);
    if (gone.length > 0) parts.push(`breakpoints removed: ${named(gone)}`);
    if (other.length > 0) parts.push(`breakpoints changed: ${named(other)}`);
    const values = done.filter(
      ({ effect, command }) => effect === "changes" && !/^(breakpoint|handover) /.test(command),
    );
    if (values.length > 0) {
      const shown = values.slice(-MOST_NAMED).map(({ line }) => oneLine(line));
      const more = values.length - shown.length;
      parts.push(`done: ${shown.join("; ")}${more > 0 ? ` and ${plural(more, "more command")}` : ""}`);
    }
    const from = clock(this.#since);
    const reason = why === undefined ? "" : ` (${oneLine(why)})`;
    return `a person had ${this.#launch.name} from ${from} to ${clock(Date.now())}${reason}: ${String(joined(parts, "; "))}`;
  }
}

/** Where the program was and is; `moves`: how often it was moved meanwhile. */
function wayOf(before: Before, now: Before, moves: number): string {
  if (before.startedAt !== now.startedAt) return `the program was started again and is ${now.place}`;
  if (before.place !== now.place) return `it was ${before.place} and is ${now.place}`;
  return moves === 0
    ? `it is ${now.place}, as before`
    : `it is ${now.place} again, after ${plural(moves, "move")}`;
}

function named(all: readonly (readonly [number, string])[]): string {
  return all.map(([id, at]) => `${id} ${oneLine(at)}`).join(", ");
}

/** "stopped at app.js:12 (stop 3)", "running", "terminated" */
function placeOf(launch: Launch): string {
  const session = sessionOf(launch);
  if (session === undefined || launch.stateName !== "stopped") return launch.stateName;
  const frame = knownPlace(session);
  const at = frame === undefined ? "" : ` at ${frame.path ?? frame.function}:${frame.line}`;
  return `stopped${at} (stop ${session.stopped.count})`;
}

/** On the clock of this machine, as its users read it. */
function clock(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}
