/**
 * `sonde agent run -- claude …`: the agent runs as it is, in the caller's terminal; its calls to the model pass through a proxy in this
 * process, which holds the gate. All of it ends with the agent.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SondeError } from "../../errors.ts";
import { maskSecrets } from "../../util/secrets/mask.ts";
import { readSmallFile } from "../../util/small-file.ts";
import { type Bridge, createCore, type DecidedBefore } from "../core/bridge.ts";
import type { BreakpointRequest } from "../core/commands.ts";
import type { Deadline } from "../core/gate.ts";
import type { ReadBody } from "../explain/fields.ts";
import { costOf, type Price, priceTable } from "../explain/prices.ts";
import { liveExporter } from "../export/live.ts";
import { hookHandler } from "../hooks/handler.ts";
import { CommandFile } from "../inbox/command-file.ts";
import { listenForCommands } from "../inbox/control-server.ts";
import { startProxy } from "../proxy/index.ts";
import { decisionsIn } from "../replay/decisions.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../store/layout.ts";
import { EventLog } from "../store/log.ts";
import { registerSessions } from "../store/register.ts";
import { type CreatedSession, createSession, endSession } from "../store/sessions.ts";
import { cutsOf } from "../wire/request.ts";
import { banner } from "./banner.ts";
import { type ChildEnd, findProgram, startChild, statusOf } from "./child.ts";
import { clientWord } from "./client-word.ts";
import { factOf } from "./facts.ts";
import { AgentGuard } from "./guard.ts";
import { type ChildPlan, planChild } from "./plan.ts";
import { PROFILES } from "./profiles/index.ts";
import {
  addressesOf,
  type ClientName,
  type Profile,
  type Surroundings,
  type Upstream,
} from "./profiles/profile.ts";
import { openTape, type Tape } from "./tape.ts";

export interface RunOptions {
  command: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The folder of agent sessions. */
  root: string;
  /** Where sockets are; only the user may get at it. */
  runtime: string;
  /** By the command's words, if it is left out or `auto`. */
  client?: Exclude<ClientName, "unknown"> | "auto";
  /** Where calls go instead of where the client would send them: a base URL. */
  upstream?: string;
  /** Whether the client's own hooks are used, if it has some. */
  hooks: boolean;
  /** Whether each name that is changed for the agent is said. */
  verbose?: boolean;
  startPaused: boolean;
  breakpoints: readonly BreakpointRequest[];
  maxHold?: Deadline;
  prices?: readonly Price[];
  name?: string;
  /** The model's answers come from a recording. */
  replay?: Tape;
  /** A collector that is sent the run's spans while it goes on. `content`: with what was said and done. */
  otlp?: { endpoint: string; headers?: Readonly<Record<string, string>>; content?: boolean };
  version: string;
  /** What somebody who looks after Sonde should know; nothing that was said in the run. */
  note?(level: "info" | "warn", message: string, session: string): void;
  /** Tells the user something before the agent starts, and after it has ended. */
  say(text: string): void;
}

/** The exit status of the agent. Rejects, and leaves nothing behind, if it cannot be started. */
export async function runAgent(options: RunOptions): Promise<number> {
  const env = definedOnly(options.env);
  const { cwd, command } = options;
  const [word] = command;
  if (word === undefined)
    throw new SondeError("BAD_ARGUMENT", "no command to run", {
      hint: "the command that starts the agent comes after --: sonde agent run -- claude",
    });
  const program = findProgram(word, cwd, env.PATH);
  const found = clientWord(command);
  const client = options.client === undefined || options.client === "auto" ? found.client : options.client;
  const around: Surroundings = { argv: command, at: found.at, env, cwd, read };
  const profile = PROFILES[client];
  const upstream = upstreamOf(options, profile, around);
  const decided = options.replay && (await decisionsIn(options.replay.folder));
  return new AgentRun(options, { profile, around, program, upstream, decided }).run();
}

interface Start {
  profile: Profile;
  around: Surroundings;
  program: string;
  upstream: Upstream;
  /** By hand, when the run was recorded. */
  decided: ReadonlyMap<string, DecidedBefore> | undefined;
}

type Cleanup = () => Promise<void> | void;

class AgentRun {
  readonly #options: RunOptions;
  readonly #start: Start;
  readonly #session: CreatedSession;
  readonly #log: EventLog;
  readonly #bridge: Bridge;
  /** Done in turn, the last first. */
  readonly #cleanups: Cleanup[] = [];

  constructor(options: RunOptions, start: Start) {
    const { root, runtime, cwd, version, name, maxHold } = options;
    this.#options = options;
    this.#start = start;
    this.#session = createSession(root, {
      cwd,
      route: "proxy",
      version,
      client: start.profile.name,
      argv: options.command.map((word) => maskSecrets(word).text),
      ...(name === undefined ? {} : { name }),
      socket: (id) => socketPath(runtime, id),
    });
    this.#log = EventLog.open(this.#session);
    const { id } = this.#session;
    this.#log.onEvent((event) => {
      const fact = factOf(event);
      if (fact) options.note?.(fact.level, fact.message, id);
    });
    const priceOf = priceTable(options.prices);
    this.#bridge = createCore({
      log: this.#log,
      sessionId: this.#session.id,
      ...(maxHold === undefined ? {} : { maxHold }),
      ...(start.decided === undefined ? {} : { decided: start.decided }),
      costOf(model, usage) {
        const price = priceOf(model);
        return price && costOf(usage, price);
      },
    });
  }

  async run(): Promise<number> {
    let child: Awaited<ReturnType<typeof startChild>>;
    try {
      child = await this.#begin();
    } catch (thrown) {
      await this.#clean("it could not be started");
      this.#log.close();
      rmSync(this.#session.dir, { recursive: true, force: true });
      registerSessions(this.#session.root);
      throw thrown;
    }
    const end = await child.ended;
    await this.#finish(end);
    return statusOf(end);
  }

  async #begin() {
    const { startPaused, breakpoints, cwd, runtime, say } = this.#options;
    const { profile, program } = this.#start;
    const { id } = this.#session;
    const guard = new AgentGuard([socketPath(runtime, id), keptPath(runtime, id)]);
    this.#cleanups.push(() => guard.close());
    if (startPaused) this.#bridge.startPaused();
    for (const breakpoint of breakpoints) await this.#setBreakpoint(breakpoint);
    await this.#listen();
    const upstream = await this.#upstream();
    this.#export();
    const hooks = hookHandler(this.#bridge);
    const proxy = await startProxy({
      bridge: this.#bridge,
      log: this.#log,
      upstreams: upstream,
      env: this.#options.env,
      note: (text) => say(`sonde: ${text}`),
      numbersCalls: this.#options.replay !== undefined,
      keepAlive: profile.patient ? "silent" : "ping",
      hooks,
    });
    this.#cleanups.push(() => proxy.close());
    const plan = planChild(profile, this.#start.around, {
      session: this.#session,
      proxy,
      upstream,
      hooks: this.#options.hooks,
      keep: (name, text) => this.#keep(name, text),
    });
    this.#record(plan, upstream);
    say(banner(this.#bannerFacts(plan, upstream)));
    return startChild(plan.argv, { program, cwd, env: plan.env, guard });
  }

  #export(): void {
    const { otlp, version, say } = this.#options;
    if (otlp === undefined) return;
    const readBody: ReadBody = (body) => this.#log.blobs.readBody(body);
    const exporter = liveExporter(this.#log, { ...otlp, version, readBody });
    this.#cleanups.push(async () => {
      const { problem, dropped } = await exporter.close(FAREWELL_MS);
      if (problem !== undefined) say(`sonde: ${otlp.endpoint} did not accept all of the run: ${problem}`);
      else if (dropped > 0) say(`sonde: ${otlp.endpoint} was too slow: ${dropped} spans were not sent`);
    });
  }

  async #setBreakpoint(request: BreakpointRequest): Promise<void> {
    const command = { type: "breakpoint", id: "start", data: { action: "add", ...request } };
    const answer = await this.#bridge.command(command, "socket");
    if (!answer.ok) throw new SondeError("BAD_ARGUMENT", answer.error.message, { hint: answer.error.hint });
  }

  async #listen(): Promise<void> {
    const { commands, session } = this.#session;
    const file = new CommandFile(commands, this.#bridge, {
      onBad: ({ message, commandId }) =>
        this.#log.append("error", {
          message,
          context: "commands.jsonl",
          ...(commandId === undefined ? {} : { commandId }),
        }),
    });
    this.#cleanups.push(() => file.close());
    const path = session.socket;
    if (path === undefined) return;
    const socket = await listenForCommands(this.#bridge, path, { events: this.#log });
    this.#cleanups.push(() => socket.close());
  }

  /** A recording stands in for the provider. */
  async #upstream(): Promise<Upstream> {
    const { replay, cwd, say } = this.#options;
    if (replay === undefined) return this.#start.upstream;
    const tape = await openTape(
      replay,
      { ...this.#start, env: this.#options.env },
      {
        cwd,
        edited: (call, body) => this.#bridge.requestEdited(call, body, cutsOf(body)),
        note: (text) => say(`sonde: ${text}`),
      },
    );
    this.#cleanups.push(async () => {
      await tape.close();
      say(tape.report());
    });
    return tape.upstream;
  }

  /** Only for as long as the agent runs, and nowhere else: it may hold settings of the user's. */
  #keep(name: string, text: string): string {
    const folder = keptPath(this.#options.runtime, this.#session.id);
    mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
    this.#cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, name);
    writeFileSync(path, text, { mode: PRIVATE_FILE });
    return path;
  }

  #record({ changed, costs }: ChildPlan, upstream: Upstream): void {
    const { command, cwd, version } = this.#options;
    const { profile } = this.#start;
    this.#log.append("session_start", {
      client: profile.name,
      version,
      argv: command,
      cwd,
      pid: process.pid,
      route: "proxy",
      provider: hostsOf(profile, upstream),
      changed,
      costs,
    });
  }

  #bannerFacts({ changed, costs, hooks }: ChildPlan, upstream: Upstream) {
    const { name, startPaused, breakpoints } = this.#options;
    const { profile } = this.#start;
    return {
      title: profile.title,
      sessionId: this.#session.id,
      name,
      upstream: hostsOf(profile, upstream),
      upstreamFrom: upstream.from,
      changed,
      costs,
      hooks,
      startPaused,
      breakpoints: breakpoints.length,
      replay: this.#options.replay !== undefined,
      verbose: this.#options.verbose ?? false,
    };
  }

  async #finish(end: ChildEnd): Promise<void> {
    const exit = end.signal === null ? { exit: end.exit } : { exit: null, signal: end.signal };
    // What is still held belongs to nobody. What the agent started may wait for it yet: it is not sent, and no tool is run.
    this.#bridge.close("the agent has ended", "fail");
    this.#log.append("session_end", { ...exit, reason: end.signal === null ? "exit" : "signal" });
    await this.#clean("the agent has ended");
    this.#log.close();
    endSession(this.#session, exit);
  }

  async #clean(reason: string): Promise<void> {
    this.#bridge.close(reason, "fail");
    for (const cleanup of this.#cleanups.splice(0).reverse()) {
      try {
        await cleanup();
      } catch (thrown) {
        // The others are done all the same.
        this.#log.append("error", { message: (thrown as Error).message, context: "ending" });
      }
    }
  }
}

function upstreamOf({ upstream }: RunOptions, profile: Profile, around: Surroundings): Upstream {
  if (upstream === undefined) return profile.upstream(around);
  if (!URL.canParse(upstream))
    throw new SondeError("BAD_ARGUMENT", `${JSON.stringify(upstream)} is not a URL`, {
      hint: "the base URL of a provider, such as https://api.anthropic.com",
    });
  return { anthropic: upstream, openai: upstream, from: "--upstream" };
}

function hostsOf(profile: Profile, upstream: Upstream): string {
  const host = (url: string) => (URL.canParse(url) ? new URL(url).host : url);
  return [...new Set(addressesOf(profile, upstream).map(host))].join(" and ");
}

/** Short: a socket's path may have a hundred bytes. */
function socketPath(runtime: string, id: string): string {
  return join(runtime, `${id.replace(/^debug_/, "agent_")}.sock`);
}

function keptPath(runtime: string, id: string): string {
  return join(runtime, `${id.replace(/^debug_/, "agent_")}.files`);
}

/** The user waits for their prompt. */
const FAREWELL_MS = 3_000;

const MOST_BYTES = 4 << 20;

function read(path: string): string | undefined {
  try {
    return readSmallFile(path, MOST_BYTES);
  } catch {
    return undefined; // not there, or not for us to read
  }
}

function definedOnly(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
