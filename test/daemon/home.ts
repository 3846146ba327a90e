/** A private installation and a private SONDE_HOME for one test, with every daemon started in it ended by its pid. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { install as installTo } from "../../scripts/build.mjs";

export interface Installation {
  folder: string;
  sonde: string;
  build: string;
  remove(): void;
}

/** The real client and daemon around the small engine. Another version is another build. */
export async function install(version = "1.0.0"): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), "sonde-inst-"));
  const { build } = await installTo(folder, {
    version,
    replace: { "src/engine/engine.ts": "test/daemon/fake-engine.ts" },
    only: ["cli.cjs", "cli-complete.cjs", "daemon.cjs", "engine.mjs"],
    generate: false,
  });
  return {
    folder,
    sonde: join(folder, "bin/sonde"),
    build,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface Finished {
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  ms: number;
}

export interface RunOptions {
  env?: Record<string, string | undefined>;
  input?: string;
  cwd?: string;
}

export class Home {
  readonly path: string;
  /** Which client runs the commands: the Perl one that leaves what it cannot do to Node, or Node alone. */
  client: "fast" | "node" = "fast";
  readonly #children = new Set<ChildProcess>();

  constructor(path = mkdtempSync(join(tmpdir(), "sonde-home-"))) {
    this.path = path;
    mkdirSync(path, { recursive: true });
  }

  get env(): NodeJS.ProcessEnv {
    return { ...process.env, SONDE_HOME: this.path, SONDE_FAST: this.client === "fast" ? "1" : "0" };
  }

  get runtime(): string {
    return join(this.path, "run");
  }

  get socket(): string {
    return join(this.runtime, "daemon.sock");
  }

  config(toml: string): void {
    writeFileSync(join(this.path, "config.toml"), toml);
  }

  /** The daemon leaves after this long without anything to do. */
  idleAfter(ms: number): void {
    this.config(`[daemon]\nidle_timeout_minutes = ${ms / 60_000}\n`);
  }

  spawn({ sonde }: Installation, words: string[], options: RunOptions = {}): ChildProcess {
    const child = spawn(sonde, words, {
      env: { ...this.env, ...options.env },
      cwd: options.cwd ?? this.path,
      stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    this.#children.add(child);
    child.once("exit", () => this.#children.delete(child));
    if (options.input !== undefined) child.stdin?.end(options.input);
    return child;
  }

  run(installation: Installation, words: string[], options: RunOptions = {}): Promise<Finished> {
    const began = performance.now();
    return finished(this.spawn(installation, words, options), began);
  }

  /** The pids of all daemons that ever became ready here, from their log. */
  daemons(): number[] {
    return [...this.log().matchAll(/ready: .* pid (\d+)/g)].map((match) => Number(match[1]));
  }

  log(): string {
    const folder = join(this.path, "state/logs");
    if (!existsSync(folder)) return "";
    return readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join("");
  }

  connect(): Socket {
    return connect(this.socket);
  }

  async remove(): Promise<void> {
    for (const child of this.#children) child.kill("SIGKILL");
    for (const pid of this.daemons()) if (isDaemon(pid)) process.kill(pid, "SIGKILL");
    rmSync(this.path, { recursive: true, force: true });
  }
}

export function finished(child: ChildProcess, began = performance.now()): Promise<Finished> {
  let [stdout, stderr] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((done) => {
    child.once("close", (status, signal) =>
      done({ status, signal, stdout, stderr, ms: performance.now() - began }),
    );
  });
}

/** Never signal a pid that has become someone else's. */
export function isDaemon(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("daemon.cjs");
  } catch {
    return false;
  }
}

/** Resolves when the file holds the text. */
export function fileHolds(path: string, text: string): Promise<void> {
  return new Promise((done) => {
    const look = () => {
      if (existsSync(path) && readFileSync(path, "utf8").includes(text)) {
        watcher.close();
        done();
      }
    };
    const watcher = watch(dirname(path), look);
    look();
  });
}

/** Resolves when the process has ended; it is not our child, so there is no event for it. */
export async function ended(pid: number): Promise<void> {
  while (isDaemon(pid)) await new Promise((done) => setTimeout(done, 5));
}
