/** An agent under `runAgent`, in a process and with a home of its own, against a scripted provider. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import xterm from "@xterm/headless";
import { build } from "esbuild";
import { onTestFinished } from "vitest";
import type { BreakpointRequest, CommandType } from "../../../src/agent/core/commands.ts";
import type { Stop } from "../../../src/agent/core/model.ts";
import type { AgentEvent } from "../../../src/agent/events.ts";
import { askAgent } from "../../../src/agent/inbox/ask-agent.ts";
import { findSession, type SessionRow } from "../../../src/agent/store/sessions.ts";
import { shellWord } from "../../../src/util/shell-words.ts";

export const CLIENTS = resolve(import.meta.dirname, "../clients/node_modules/.bin");
export const hasClients = existsSync(join(CLIENTS, "claude")) && existsSync(join(CLIENTS, "codex"));

/** Nothing of it may reach the network: a dummy key, no telemetry, no updates. */
const QUIET = {
  ANTHROPIC_API_KEY: "sk-ant-dummy-key-for-tests",
  CODEX_API_KEY: "sk-dummy-key-for-tests",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_ERROR_REPORTING: "1",
};

export interface AgentOptions {
  command: readonly string[];
  env?: Record<string, string>;
  /** Files of its project, and (under `home/`) of its home. */
  files?: Record<string, string> | ((place: { project: string }) => Record<string, string>);
  /** Where another was, with its files and its home. */
  place?: Place;
  /** In a terminal of its own: what is written to `process.stdin` is typed there. */
  terminal?: boolean;
  /** Those of them that are programs. */
  executable?: readonly string[];
  hooks?: boolean;
  startPaused?: boolean;
  breakpoints?: readonly BreakpointRequest[];
  maxHold?: { ms: number; outcome: "release" | "fail" };
  more?: Record<string, unknown>;
}

/** Long enough for a machine with much else to do. */
const SHOWN_MS = 40_000;
const SCREEN = { rows: 40, cols: 120 };

let bundle: Promise<string> | undefined;

const CACHE = resolve(import.meta.dirname, "../../../node_modules/.cache/sonde-tests");

/** Made once for all tests of a worker, and named after what is in it: workers share it. */
export function entryFile(): Promise<string> {
  bundle ??= (async () => {
    const { outputFiles } = await build({
      entryPoints: [join(import.meta.dirname, "entry.ts")],
      bundle: true,
      write: false,
      platform: "node",
      format: "esm",
      target: "node20",
      logLevel: "error",
      banner: {
        js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
      },
    });
    const text = outputFiles[0]?.text ?? "";
    const path = join(CACHE, `run-agent-${createHash("sha256").update(text).digest("hex").slice(0, 16)}.mjs`);
    if (existsSync(path)) return path;
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(`${path}.${process.pid}`, text);
    renameSync(`${path}.${process.pid}`, path);
    return path;
  })();
  return bundle;
}

export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** The folders of one agent. */
export class Place {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "sa-")));
  readonly project = join(this.folder, "project");
  readonly home = join(this.folder, "home");
  readonly root = join(this.folder, "agents");
  readonly runtime = join(this.folder, "run");

  constructor(files: AgentOptions["files"] = {}) {
    for (const path of [this.project, this.home]) mkdirSync(path);
    for (const [name, text] of Object.entries(typeof files === "function" ? files(this) : files)) {
      const path = name.startsWith("home/") ? join(this.folder, name) : join(this.project, name);
      mkdirSync(resolve(path, ".."), { recursive: true });
      writeFileSync(path, text);
    }
  }

  /** What a file of the project holds; undefined if it is not there. */
  read(name: string): string | undefined {
    const path = join(this.project, name);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export class StartedAgent implements AsyncDisposable {
  readonly place: Place;
  readonly process: ChildProcess;
  readonly ended: Promise<End>;
  /** What a person has before them, if it runs in a terminal. */
  readonly #screen = new xterm.Terminal({ ...SCREEN, allowProposedApi: true });
  #stdout = "";
  #stderr = "";
  #session: SessionRow | undefined;

  static async start({
    command,
    env,
    files,
    executable = [],
    terminal,
    place = new Place(files),
    more,
    ...run
  }: AgentOptions): Promise<StartedAgent> {
    const { root, runtime, project, home } = place;
    for (const name of executable) chmodSync(join(project, name), 0o755);
    const options = { command, root, runtime, cwd: project, ...run, ...more };
    const tag = Object.entries(process.env).filter(([name]) => /^(PATH|SONDE_TEST.*|TERM)$/.test(name));
    const words = [process.execPath, await entryFile(), JSON.stringify(options)];
    const [word = "", ...args] = terminal
      ? [
          "script",
          "-qec",
          `stty rows ${SCREEN.rows} cols ${SCREEN.cols}; exec ${words.map(shellWord).join(" ")}`,
          "/dev/null",
        ]
      : words;
    const child = spawn(word, args, {
      cwd: project,
      env: { ...Object.fromEntries(tag), HOME: home, ...QUIET, ...env },
      stdio: [terminal ? "pipe" : "ignore", "pipe", "pipe"],
    });
    const agent = new StartedAgent(place, child);
    // A test that has run out of time is left where it stands: its own end would never come.
    onTestFinished(() => agent[Symbol.asyncDispose]());
    return agent;
  }

  private constructor(place: Place, child: ChildProcess) {
    this.place = place;
    this.process = child;
    child.stdout?.on("data", (text) => {
      this.#stdout += text;
      this.#screen.write(text);
    });
    child.stderr?.on("data", (text) => {
      this.#stderr += text;
    });
    this.ended = new Promise((done) => {
      child.once("close", (code, signal) =>
        done({ code, signal, stdout: this.#stdout, stderr: this.#stderr }),
      );
    });
  }

  /** What it has printed, in a terminal with all that moves the cursor. */
  get printed(): string {
    return this.#stderr + this.#stdout;
  }

  /** When it has printed that. */
  shows(what: RegExp): Promise<void> {
    return new Promise<void>((done, fail) => {
      const streams = [this.process.stdout, this.process.stderr];
      const look = () => {
        if (!what.test(this.printed)) return;
        for (const stream of streams) stream?.off("data", look);
        done();
      };
      for (const stream of streams) stream?.on("data", look);
      void this.ended.then(() => fail(new Error(`it ended before it showed ${what}: ${this.printed}`)));
      look();
    });
  }

  /** The lines of its terminal, as they stand. */
  get screen(): string {
    const { active } = this.#screen.buffer;
    const rows = Array.from({ length: SCREEN.rows }, (_, row) => active.getLine(active.baseY + row));
    return rows.map((line) => line?.translateToString(true) ?? "").join("\n");
  }

  /** When that stands in its terminal. A part of a line may be drawn long after the rest of it. */
  async onScreen(what: RegExp, { gone = false } = {}): Promise<void> {
    let stop = () => {};
    const seen = new Promise<void>((done, fail) => {
      const look = () => {
        if (what.test(this.screen) !== gone) done();
      };
      const parsed = this.#screen.onWriteParsed(look);
      const timer = setTimeout(() => {
        fail(new Error(`its terminal ${gone ? "still shows" : "never showed"} ${what}:\n${this.screen}`));
      }, SHOWN_MS);
      stop = () => {
        parsed.dispose();
        clearTimeout(timer);
      };
      look();
    });
    try {
      await Promise.race([seen, this.#endedBefore(what)]);
    } finally {
      stop();
    }
  }

  async #endedBefore(what: RegExp): Promise<never> {
    await this.ended;
    throw new Error(`it ended before it showed ${what}: ${this.printed}`);
  }

  /** Types that again whenever it asks for it once more, until it has ended. */
  async leaveBy(keys: string, asks: RegExp): Promise<End> {
    let asked = false;
    const parsed = this.#screen.onWriteParsed(() => {
      const asksNow = asks.test(this.screen);
      if (asksNow && !asked) this.type(keys);
      asked = asksNow;
    });
    this.type(keys);
    try {
      return await this.ended;
    } finally {
      parsed.dispose();
    }
  }

  type(keys: string): void {
    this.process.stdin?.write(keys);
  }

  /** When its session is there. */
  async session(): Promise<SessionRow> {
    if (this.#session) return this.#session;
    await this.shows(/debug_\w+/);
    this.#session = findSession(this.place.root);
    return this.#session;
  }

  async ask(type: CommandType, data: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const answer = await askAgent(await this.session(), type, data, { timeoutMs: 20_000 });
    if (!answer.ok) throw new Error(`${type}: ${answer.error.code} ${answer.error.message}`);
    return answer.data;
  }

  /** The stops that are held, as soon as there is one. */
  async stop(): Promise<Stop> {
    const { stops } = (await this.ask("wait", { timeoutMs: 15_000 })) as { stops?: Stop[] };
    const [first] = stops ?? [];
    if (!first) throw new Error(`nothing is held: ${this.#stderr}`);
    return first;
  }

  async events(): Promise<AgentEvent[]> {
    const { folder } = await this.session();
    const lines = readFileSync(folder.events, "utf8").trim().split("\n");
    return lines.map((line) => JSON.parse(line) as AgentEvent);
  }

  async eventsOf(type: string): Promise<Record<string, unknown>[]> {
    return (await this.events()).filter((event) => event.type === type).map(({ data }) => data);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) this.process.kill("SIGTERM");
    await this.ended;
    this.place[Symbol.dispose]();
  }
}
