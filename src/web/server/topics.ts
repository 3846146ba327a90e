/** What tabs watch: who wants to be sent what, and when it is looked at again. */
import { join } from "node:path";
import type { Places } from "../../client/paths.ts";
import type { RuntimeDir } from "../../client/runtime-dir.ts";
import type { FromPage, Now, SessionRow, ToPage } from "../protocol.ts";
import { type Ask, asking, type Row, rowsIn, Unanswered } from "./asking.ts";
import { Daemon } from "./daemon.ts";
import { type Change, DaemonFeed } from "./feed.ts";
import { Folders } from "./folders.ts";
import { SessionTopic } from "./session-topic.ts";
import { Soon } from "./soon.ts";

type Send = (message: ToPage) => void;
type Watch = FromPage & { do: "watch" };
type Part = "sessions" | "agents" | "traces" | "profiles";

/** Files are written in several steps, and an agent's events by the hundred. */
const FILES_MS = 100;

/** Tabs that look at a run of an agent, as they named it; `id`: the run's own name, which is its folder's, once it is known. */
interface RunTopic {
  all: Set<Send>;
  id?: string;
}

const NAMED = /^(session|agent):(.*)$/s;

export interface TopicsOptions {
  places: Places;
  dir: RuntimeDir;
  daemon: Daemon;
  cwd: string;
  /** There is a daemon, perhaps another one. */
  onDaemon(): void;
}

export class Topics {
  /** Of our own accord: nobody wants a daemon for that, who has perhaps just ended it. */
  readonly #ask: Ask;
  /** For a tab that looks at something new, or at an agent's run, which goes on without a daemon. */
  readonly #askForTab: Ask;
  readonly #feed: DaemonFeed;
  readonly #folders = new Folders();
  readonly #places: Places;
  readonly #now = new Set<Send>();
  readonly #logs = new Set<Send>();
  readonly #sessions = new Map<string, SessionTopic>();
  readonly #agents = new Map<string, RunTopic>();
  readonly #looks: Record<Part, Soon>;
  readonly #lookAll = new Soon(0, () => this.#lookAtAll());
  readonly #lookLogs: Soon;
  /** Runs that have grown since that was last told. */
  readonly #grown = new Set<string>();
  readonly #lookGrown: Soon;
  #state: Omit<Now, "kind"> = { sessions: [], agents: [], traces: [], profiles: [] };
  /** Whether it has been looked at: until then nobody is sent what is not known. */
  #isKnown = false;
  #seq = 0;

  constructor({ places, dir, daemon, cwd, onDaemon }: TopicsOptions) {
    this.#places = places;
    this.#ask = this.#heard(asking(new Daemon(places, false), cwd));
    this.#askForTab = this.#heard(asking(daemon, cwd));
    this.#looks = {
      sessions: new Soon(0, () => this.#look("sessions")),
      agents: new Soon(FILES_MS, () => this.#look("agents")),
      traces: new Soon(FILES_MS, () => this.#look("traces")),
      profiles: new Soon(FILES_MS, () => this.#look("profiles")),
    };
    this.#lookLogs = new Soon(2 * FILES_MS, () => this.#sendLogs([...this.#logs]));
    this.#lookGrown = new Soon(FILES_MS, () => this.#tellGrown());
    this.#feed = new DaemonFeed(places, dir, {
      onDaemon: () => {
        onDaemon();
        this.#renew();
      },
      onChange: (change) => this.#changed(change),
      onGone: () => this.#gone(),
    });
    this.#feed.start();
  }

  #heard(ask: Ask): Ask {
    return (...asked) =>
      ask(...asked).catch((thrown: unknown) => {
        if (thrown instanceof Unanswered) this.#silent(thrown.message);
        throw thrown;
      });
  }

  /** What is known stays as it was, until it answers. */
  #silent(why: string): void {
    this.#looks.sessions.later();
    if (this.#state.silent === why) return;
    this.#state = { ...this.#state, silent: why };
    this.#sendNow();
  }

  watch({ topic, since, launch }: Watch, send: Send): () => void {
    const runs = () => {
      this.#looks.agents.want();
      this.#lookGrown.want();
    };
    this.#folders.add(join(this.#places.agents, "sessions"), runs, { makes: true });
    this.#folders.add(this.#places.traces, () => this.#looks.traces.want(), { makes: true });
    this.#folders.add(this.#places.profiles, (name) => this.#profileComes(name), { makes: true });
    const [, kind, name = ""] = NAMED.exec(topic) ?? [];
    if (kind === "session") return this.#watchSession(name, { launch, at: (launch && since) || 0 }, send);
    if (kind === "agent") return this.#watchAgent(name, send);
    return topic === "logs" ? this.#watchLogs(send) : this.#watchNow(send);
  }

  #watchNow(send: Send): () => void {
    this.#now.add(send);
    if (this.#isKnown) send(this.#nowMessage());
    else this.#lookAll.want();
    return () => this.#now.delete(send);
  }

  async #lookAtAll(): Promise<void> {
    await Promise.all(
      (["sessions", "agents", "traces", "profiles"] as const).map((one) => this.#read(one, this.#askForTab)),
    );
    this.#isKnown = true;
    this.#feed.connect();
    this.#sendNow();
  }

  #watchSession(name: string, output: { launch: string | undefined; at: number }, send: Send): () => void {
    const topic = this.#sessions.get(name) ?? new SessionTopic(name, this.#ask);
    this.#sessions.set(name, topic);
    this.#feed.connect();
    const leave = topic.add({
      send: (event) => send({ topic: `session:${name}`, seq: ++this.#seq, event }),
      output,
      transcript: { launch: undefined, at: 0 },
    });
    return () => {
      leave();
      if (topic.watchers.size === 0) this.#sessions.delete(name);
    };
  }

  #watchAgent(run: string, send: Send): () => void {
    const topic = this.#agents.get(run) ?? { all: new Set() };
    this.#agents.set(run, topic);
    topic.all.add(send);
    void this.#sendRun(run, topic, [send]).catch((thrown: unknown) => {
      if (!(thrown instanceof Unanswered)) throw thrown;
      this.#lookGrown.later(); // it has no id yet, so it is looked at
    });
    return () => {
      topic.all.delete(send);
      if (topic.all.size === 0) this.#agents.delete(run);
    };
  }

  #watchLogs(send: Send): () => void {
    this.#logs.add(send);
    this.#folders.add(this.#places.logs, () => this.#lookLogs.want(), { makes: true });
    void this.#sendLogs([send], this.#askForTab).catch((thrown: unknown) => {
      if (!(thrown instanceof Unanswered)) throw thrown;
      this.#lookLogs.later();
    });
    return () => this.#logs.delete(send);
  }

  async #look(part: Part): Promise<void> {
    if (this.#now.size === 0 && part !== "sessions") {
      this.#isKnown = false; // whoever comes next has it looked at
      return;
    }
    await this.#read(part);
    this.#sendNow();
  }

  async #read(part: Part, ask = this.#ask): Promise<void> {
    if (part === "sessions") {
      // Each part is put into the state as it is then: others are read meanwhile.
      const data = await ask("status");
      const sessions = rowsIn(data, "sessions") as unknown as SessionRow[];
      const daemon = data?.daemon as Now["daemon"];
      const { daemon: _, silent: __, ...rest } = this.#state;
      this.#state = { ...rest, sessions, ...(daemon === undefined ? {} : { daemon }) };
    } else if (part === "agents") {
      const data = await ask("agent sessions", { all: true });
      if (data === undefined) return;
      const agents = rowsIn(data, "sessions");
      this.#state = { ...this.#state, agents };
      for (const { id, alive } of agents) if (alive === true) this.#followRun(String(id));
      const kept = new Set(agents.filter(({ alive }) => alive).map(({ id }) => this.#runFolder(String(id))));
      for (const { id } of this.#agents.values()) if (id !== undefined) kept.add(this.#runFolder(id));
      this.#folders.keepOnly(kept, (path) => path.startsWith(join(this.#places.agents, "sessions/")));
    } else {
      const data = await ask(part === "traces" ? "trace list" : "profile list");
      if (data === undefined) return;
      this.#state = { ...this.#state, [part]: rowsIn(data, part) };
      if (part === "profiles")
        for (const { id } of this.#state.profiles)
          this.#folders.remove(join(this.#places.profiles, String(id)));
    }
  }

  /** Its folder is there before it is: what it is listed by is written last, inside. */
  #profileComes(name: string): void {
    const look = () => this.#looks.profiles.want();
    if (/^p\d+$/.test(name)) this.#folders.add(join(this.#places.profiles, name), look);
    look();
  }

  #runFolder(run: string): string {
    return join(this.#places.agents, "sessions", run);
  }

  #followRun(run: string): void {
    // By its plain name only: it is a folder that must be there already.
    if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,120}$/.test(run)) return;
    this.#folders.add(this.#runFolder(run), () => {
      this.#grown.add(run);
      this.#lookGrown.want();
      this.#looks.agents.want();
    });
  }

  async #tellGrown(): Promise<void> {
    const grown = new Set(this.#grown);
    this.#grown.clear();
    // One that was not there may be now.
    const told = [...this.#agents].filter(([, { id }]) => id === undefined || grown.has(id));
    await Promise.all(told.map(([run, topic]) => this.#sendRun(run, topic, [...topic.all]))).catch(
      (thrown: unknown) => {
        for (const one of grown) this.#grown.add(one); // nobody was told
        throw thrown;
      },
    );
  }

  async #sendRun(run: string, topic: RunTopic, to: readonly Send[]): Promise<void> {
    const status = await this.#askForTab("agent status", {}, run);
    const event = status === undefined ? { kind: "gone" as const } : { kind: "run" as const, status };
    if (typeof status?.session === "string" && topic.id !== status.session) {
      topic.id = status.session;
      this.#followRun(topic.id);
      this.#grown.add(topic.id); // what came before it was followed
      this.#lookGrown.want();
    }
    for (const send of to) send({ topic: `agent:${run}`, seq: ++this.#seq, event });
  }

  async #sendLogs(to: readonly Send[], ask = this.#ask): Promise<void> {
    if (to.length === 0) return;
    const data = await ask("logs");
    if (data === undefined) return; // those that were sent are still the last
    const entries = rowsIn(data, "entries");
    for (const send of to) send({ topic: "logs", seq: ++this.#seq, event: { kind: "logs", entries } });
  }

  #nowMessage(): ToPage {
    const unknown = this.#isKnown ? {} : { unknown: true as const };
    return { topic: "now", seq: ++this.#seq, event: { kind: "now", ...this.#state, ...unknown } };
  }

  #sendNow(): void {
    if (!this.#isKnown && this.#state.silent === undefined) return;
    for (const send of this.#now) send(this.#nowMessage());
  }

  #renew(): void {
    this.#looks.sessions.want();
    for (const topic of this.#sessions.values()) topic.renew();
  }

  #changed({ kind, session }: Change): void {
    this.#sessions.get(session)?.changed(kind);
    if (kind !== "output" && kind !== "transcript") this.#looks.sessions.want();
  }

  /** Nobody is asked: that alone would start a daemon. */
  #gone(): void {
    const { daemon: _, silent: __, ...rest } = this.#state;
    this.#state = { ...rest, sessions: [] };
    for (const topic of this.#sessions.values()) topic.gone();
    this.#sendNow();
  }
}

export type { Row };
