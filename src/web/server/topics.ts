/** What tabs watch: who wants to be sent what, and when it is looked at again. */
import { join } from "node:path";
import type { Places } from "../../client/paths.ts";
import type { RuntimeDir } from "../../client/runtime-dir.ts";
import type { Now, SessionRow, ToPage, Topic } from "../protocol.ts";
import { type Ask, asking, type Row, rowsIn } from "./asking.ts";
import type { Daemon } from "./daemon.ts";
import { type Change, DaemonFeed } from "./feed.ts";
import { Folders } from "./folders.ts";
import { SessionTopic } from "./session-topic.ts";
import { Soon } from "./soon.ts";

type Send = (message: ToPage) => void;
type Part = "sessions" | "agents" | "traces" | "profiles";

/** Files are written in several steps, and an agent's events by the hundred. */
const FILES_MS = 100;

const NAMED = /^(session|agent):(.*)$/s;

export class Topics {
  readonly #ask: Ask;
  readonly #feed: DaemonFeed;
  readonly #folders = new Folders();
  readonly #places: Places;
  readonly #now = new Set<Send>();
  readonly #logs = new Set<Send>();
  readonly #sessions = new Map<string, SessionTopic>();
  readonly #agents = new Map<string, Set<Send>>();
  readonly #looks: Record<Part, Soon>;
  readonly #lookLogs: Soon;
  /** Runs that have grown since that was last told. */
  readonly #grown = new Set<string>();
  readonly #lookGrown: Soon;
  #state: Omit<Now, "kind"> = { sessions: [], agents: [], traces: [], profiles: [] };
  /** Whether it has been looked at: until then nobody is sent what is not known. */
  #isKnown = false;
  #seq = 0;

  constructor(places: Places, dir: RuntimeDir, daemon: Daemon, cwd: string) {
    this.#places = places;
    this.#ask = asking(daemon, cwd);
    this.#looks = {
      sessions: new Soon(0, () => this.#look("sessions")),
      agents: new Soon(FILES_MS, () => this.#look("agents")),
      traces: new Soon(FILES_MS, () => this.#look("traces")),
      profiles: new Soon(FILES_MS, () => this.#look("profiles")),
    };
    this.#lookLogs = new Soon(2 * FILES_MS, () => this.#sendLogs([...this.#logs]));
    this.#lookGrown = new Soon(FILES_MS, () => this.#tellGrown());
    this.#feed = new DaemonFeed(places, dir, {
      onDaemon: () => this.#renew(),
      onChange: (change) => this.#changed(change),
      onGone: () => this.#gone(),
    });
    this.#feed.start();
  }

  watch(topic: Topic, since: number | undefined, send: Send): () => void {
    this.#folders.add(join(this.#places.agents, "sessions"), () => this.#looks.agents.want(), {
      makes: true,
    });
    this.#folders.add(this.#places.traces, () => this.#looks.traces.want(), { makes: true });
    this.#folders.add(this.#places.profiles, () => this.#looks.profiles.want(), { makes: true });
    const [, kind, name = ""] = NAMED.exec(topic) ?? [];
    if (kind === "session") return this.#watchSession(name, since ?? 0, send);
    if (kind === "agent") return this.#watchAgent(name, send);
    return topic === "logs" ? this.#watchLogs(send) : this.#watchNow(send);
  }

  #watchNow(send: Send): () => void {
    this.#now.add(send);
    if (this.#isKnown) send(this.#nowMessage());
    else void this.#lookAtAll();
    return () => this.#now.delete(send);
  }

  async #lookAtAll(): Promise<void> {
    await Promise.all((["sessions", "agents", "traces", "profiles"] as const).map((one) => this.#read(one)));
    this.#isKnown = true;
    this.#feed.connect();
    this.#sendNow();
  }

  #watchSession(name: string, cursor: number, send: Send): () => void {
    const topic = this.#sessions.get(name) ?? new SessionTopic(name, this.#ask);
    this.#sessions.set(name, topic);
    this.#feed.connect();
    const leave = topic.add({
      send: (event) => send({ topic: `session:${name}`, seq: ++this.#seq, event }),
      cursor,
      deed: 0,
    });
    return () => {
      leave();
      if (topic.watchers.size === 0) this.#sessions.delete(name);
    };
  }

  #watchAgent(run: string, send: Send): () => void {
    const all = this.#agents.get(run) ?? new Set();
    this.#agents.set(run, all);
    all.add(send);
    this.#followRun(run);
    void this.#sendRun(run, [send]);
    return () => {
      all.delete(send);
      if (all.size === 0) this.#agents.delete(run);
    };
  }

  #watchLogs(send: Send): () => void {
    this.#logs.add(send);
    this.#folders.add(this.#places.logs, () => this.#lookLogs.want(), { makes: true });
    void this.#sendLogs([send]);
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

  async #read(part: Part): Promise<void> {
    if (part === "sessions") {
      const data = await this.#ask("status");
      const sessions = rowsIn(data, "sessions") as unknown as SessionRow[];
      const daemon = data?.daemon as Now["daemon"];
      const { daemon: _, ...rest } = this.#state;
      this.#state = { ...rest, sessions, ...(daemon === undefined ? {} : { daemon }) };
    } else if (part === "agents") {
      const agents = rowsIn(await this.#ask("agent sessions", { all: true }), "sessions");
      this.#state = { ...this.#state, agents };
      for (const { id, alive } of agents) if (alive === true) this.#followRun(String(id));
      const kept = new Set(agents.filter(({ alive }) => alive).map(({ id }) => this.#runFolder(String(id))));
      for (const run of this.#agents.keys()) kept.add(this.#runFolder(run));
      this.#folders.keepOnly(kept, (path) => path.startsWith(join(this.#places.agents, "sessions/")));
    } else if (part === "traces")
      this.#state = { ...this.#state, traces: rowsIn(await this.#ask("trace list"), "traces") };
    else this.#state = { ...this.#state, profiles: rowsIn(await this.#ask("profile list"), "profiles") };
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
    const runs = [...this.#grown];
    this.#grown.clear();
    await Promise.all(runs.map((run) => this.#sendRun(run, [...(this.#agents.get(run) ?? [])])));
  }

  async #sendRun(run: string, to: readonly Send[]): Promise<void> {
    if (to.length === 0) return;
    const status = await this.#ask("agent status", {}, run);
    const event = status === undefined ? { kind: "gone" as const } : { kind: "run" as const, status };
    for (const send of to) send({ topic: `agent:${run}`, seq: ++this.#seq, event });
  }

  async #sendLogs(to: readonly Send[]): Promise<void> {
    if (to.length === 0) return;
    const entries = rowsIn(await this.#ask("logs"), "entries");
    for (const send of to) send({ topic: "logs", seq: ++this.#seq, event: { kind: "logs", entries } });
  }

  #nowMessage(): ToPage {
    return { topic: "now", seq: ++this.#seq, event: { kind: "now", ...this.#state } };
  }

  #sendNow(): void {
    if (!this.#isKnown) return;
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
    const { daemon: _, ...rest } = this.#state;
    this.#state = { ...rest, sessions: [] };
    for (const topic of this.#sessions.values()) topic.gone();
    this.#sendNow();
  }
}

export type { Row };
