/**
 * The real binary with a home and a project folder of its own, and a daemon of its own or one that the tests of a file have one
 * after the other. When the test is over all that it started is gone, and a process that is not gone fails the test.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { inject, onTestFinished } from "vitest";
import { killAll, SONDE_TAG, survivors, tagged } from "./leaks.ts";
import { normalize } from "./normalize.ts";

/** What `sonde setup` has installed for the tests (scripts/test.mjs); each home sees it as its own. */
export const TEST_ADAPTERS = resolve(import.meta.dirname, "../../.adapters/share/adapters");
export const FIXTURES = resolve(import.meta.dirname, "../fixtures");

export interface RunOptions {
  cwd?: string;
  /** Added to the environment; `undefined` removes. */
  env?: Record<string, string | undefined>;
  /** Standard input; without it there is none. */
  input?: string | Buffer;
  timeoutMs?: number;
}

export interface RunResult {
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  ms: number;
}

export interface Refusal {
  code: string;
  message: string;
  hint?: string;
}

export type Answer<T> = { ok: true; data: T } | { ok: false; error: Refusal };

export class Sonde implements AsyncDisposable {
  /** Where commands run unless told otherwise; empty at first, if it was not given. */
  readonly project: string;
  readonly #home: Home;
  readonly #ownProject: string | undefined;
  readonly #programs: ChildProcess[] = [];
  #closed = false;

  constructor(project?: string, home = new Home()) {
    this.#home = home;
    this.#ownProject = project === undefined ? temporary() : undefined;
    this.project = project ?? join(this.#ownProject ?? "", "project");
    if (project === undefined) mkdirSync(this.project);
  }

  /** SONDE_HOME. */
  get home(): string {
    return this.#home.folder;
  }

  get env(): Record<string, string> {
    // The daemon then checks every answer against the shape its command declares.
    return {
      ...baseEnvironment(),
      SONDE_HOME: this.home,
      SONDE_CHECK_RESULTS: "1",
      [SONDE_TAG]: this.#home.tag,
    };
  }

  /** A command to its end, whatever its status. `run("start app.js")` splits at spaces; give a list where that is wrong. */
  async run(args: string | string[], options: RunOptions = {}): Promise<RunResult> {
    if (options.env !== undefined && this.#home.isLent) await this.#startPlainly();
    const child = this.spawn(args, options);
    child.stdin?.end(options.input ?? "");
    return finished(child, `sonde ${words(args).join(" ")}`, options.timeoutMs ?? 30_000);
  }

  /** The same with status 0 demanded; what it printed. */
  async text(args: string | string[], options?: RunOptions): Promise<string> {
    const result = await this.run(args, options);
    if (result.status !== 0) throw new Error(`sonde ${words(args).join(" ")}: ${describe(result)}`);
    return result.stdout;
  }

  /** With `--json`: the answer, whatever the status. */
  async json<T = unknown>(
    args: string | string[],
    options?: RunOptions,
  ): Promise<Answer<T> & { status: number | null }> {
    const all = words(args);
    const program = all.indexOf("--");
    const result = await this.run(all.toSpliced(program < 0 ? all.length : program, 0, "--json"), options);
    try {
      return { ...(JSON.parse(result.stdout) as Answer<T>), status: result.status };
    } catch {
      throw new Error(`not JSON from sonde ${all.join(" ")}: ${describe(result)}`);
    }
  }

  /** The data of an answer that must be good. */
  async ask<T = unknown>(args: string | string[], options?: RunOptions): Promise<T> {
    const answer = await this.json<T>(args, options);
    if (!answer.ok || answer.status !== 0)
      throw new Error(`sonde ${words(args).join(" ")}: ${JSON.stringify(answer)}`);
    return answer.data;
  }

  /** The error of one that must not be. */
  async refusal(args: string | string[], options?: RunOptions): Promise<Refusal & { status: number | null }> {
    const answer = await this.json(args, options);
    if (answer.ok)
      throw new Error(`sonde ${words(args).join(" ")} was not refused: ${JSON.stringify(answer.data)}`);
    return { ...answer.error, status: answer.status };
  }

  /** The client process itself, to write to, read from or kill. */
  spawn(args: string | string[], options: RunOptions = {}): ChildProcess {
    return spawn(binary(), words(args), this.#spawnOptions(options));
  }

  /** A program of the test's own, to attach to; killed at the end. */
  program(command: string, args: string[], options: RunOptions = {}): ChildProcess {
    const child = spawn(command, args, this.#spawnOptions(options));
    this.#programs.push(child);
    return child;
  }

  /** Copies a fixture into the project: `js/stats.js` as `stats.js`, `js` with all it holds. Returns where it is. */
  fixture(path: string): string {
    const target = join(this.project, ...path.split("/").slice(1));
    cpSync(join(FIXTURES, path), target, { recursive: true });
    return target;
  }

  write(path: string, text: string): string {
    const target = resolve(this.project, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    return target;
  }

  read(path: string): string {
    return readFileSync(resolve(this.project, path), "utf8");
  }

  /** `config.toml` of this home. */
  config(toml: string): void {
    if (this.#home.isLent)
      throw new Error("a borrowed daemon has read its settings: createSonde, or borrowSonde with them");
    mkdirSync(this.home, { recursive: true });
    writeFileSync(join(this.home, "config.toml"), toml);
  }

  /** Ends all that the test has started, but for `staying`. */
  async clear(staying: number[] = []): Promise<void> {
    for (const child of this.#programs) child.kill("SIGKILL");
    const ending = staying.length > 0 ? "stop --all" : "daemon stop";
    if (staying.length > 0 || this.processes().length > 0)
      await this.run(ending, { timeoutMs: 10_000 }).catch(() => {});
    const left = await survivors(SONDE_TAG, this.#home.tag, { staying });
    const described = killAll(left);
    // A process that was killed takes a moment to go too.
    if (left.length > 0) await survivors(SONDE_TAG, this.#home.tag, { staying });
    if (this.#ownProject !== undefined) remove(this.#ownProject);
    if (left.length > 0) throw new Error(`left alive after "sonde ${ending}" (killed now):\n${described}`);
  }

  /** What is alive of all that was started here: daemon, adapters, debuggees. */
  processes() {
    return tagged(SONDE_TAG, this.#home.tag);
  }

  /** Text with this sonde's paths, and what changes from run to run, under stable names. */
  normalize(text: string): string {
    return normalize(text, { "<project>": this.project, "<home>": this.home });
  }

  /** One that is borrowed is given back when its test is over, with its daemon. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#home.isLent) await this.end();
  }

  async end(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.clear().finally(() => this.#home.remove());
  }

  /** A daemon keeps the environment of the command that started it: one that others get too has that of no test. */
  async #startPlainly(): Promise<void> {
    if (this.#home.daemon().length === 0) await this.run("status");
  }

  #spawnOptions({ cwd, env }: RunOptions) {
    const all = { ...this.env, ...env };
    return { cwd: resolve(this.project, cwd ?? "."), env: all, stdio: "pipe" as const };
  }
}

/** For one test: ends with it. */
export function createSonde(project?: string): Sonde {
  const sonde = new Sonde(project);
  onTestFinished(() => sonde[Symbol.asyncDispose]());
  return sonde;
}

/**
 * The same with a daemon that has served tests before this one: for tests that are about programs, not about the daemon or its home.
 * A daemon's start costs as much as most tests.
 */
export function borrowSonde(project?: string, config = ""): Sonde {
  const home = pool.get(config)?.pop() ?? new Home(config, inject("lent"));
  home.isLent = true;
  const sonde = new Sonde(project, home);
  onTestFinished(async ({ task }) => {
    const daemon = home.daemon();
    const isGood = task.result?.state !== "fail" && daemon.length === 2;
    if (!isGood) return sonde.end();
    pool.set(config, [...(pool.get(config) ?? []), home]);
    await sonde.clear(daemon);
    home.forget();
  });
  return sonde;
}

/** By what their `config.toml` says. A worker runs many files, and keeps it; the daemons are ended when the run is (global-setup.ts). */
const pool = new Map<string, Home[]>();

/** SONDE_HOME, and the tag of all that is started with it. */
class Home {
  isLent = false;
  readonly folder: string;
  readonly tag: string = randomUUID();
  readonly #around: string;

  constructor(config = "", place?: string) {
    this.#around = temporary(place);
    this.folder = join(this.#around, "home");
    mkdirSync(join(this.folder, "share"), { recursive: true });
    symlinkSync(TEST_ADAPTERS, join(this.folder, "share", "adapters"));
    if (config !== "") writeFileSync(join(this.folder, "config.toml"), config);
  }

  /** The daemon, and the shell that ends what it started if it dies. */
  daemon(): number[] {
    const own = /^\/bin\/sh -c \s*all=|[\\/]daemon\.cjs$/;
    return tagged(SONDE_TAG, this.tag).flatMap(({ pid, command }) => (own.test(command) ? [pid] : []));
  }

  remove(): void {
    remove(this.#around);
  }

  /** What a daemon keeps when its sessions are gone. */
  forget(): void {
    for (const kept of ["traces", "profiles"]) remove(join(this.folder, "state", kept));
  }
}

function temporary(place = tmpdir()): string {
  return realpathSync(mkdtempSync(join(place, "sonde-")));
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** The launcher under test. */
export function binary(): string {
  if (process.env.SONDE_TEST_BIN) return resolve(process.env.SONDE_TEST_BIN);
  const install = inject("install");
  if ("error" in install) throw new Error(`sonde could not be built:\n${install.error}`);
  return join(install.folder, "bin/sonde");
}

/** Ours, without what belongs to the test runner or to a session around it. */
function baseEnvironment(): Record<string, string> {
  const foreign =
    /^(SONDE_(?!TEST_)|VITEST|NODE_OPTIONS$|NODE_ENV$|NODE_V8_COVERAGE$|TEST$|DEV$|PROD$|SSR$|MODE$|BASE_URL$)/;
  const kept = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !foreign.test(name),
  );
  return Object.fromEntries(kept) as Record<string, string>;
}

function finished(child: ChildProcess, what: string, timeoutMs: number): Promise<RunResult> {
  const started = performance.now();
  let stdout = "";
  let stderr = "";
  child.stdin?.on("error", () => {}); // it may not read its input
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolvePromise, reject) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`${what} took over ${timeoutMs / 1000} s\nstdout: ${stdout}\nstderr: ${stderr}`));
    }, timeoutMs);
    child.once("error", reject);
    child.once("close", (status, signal) => {
      clearTimeout(timer);
      resolvePromise({ status, signal, stdout, stderr, ms: performance.now() - started });
    });
  });
}

function words(args: string | string[]): string[] {
  return typeof args === "string" ? args.split(" ").filter(Boolean) : args;
}

function describe({ status, signal, stdout, stderr }: RunResult): string {
  return `status ${status ?? signal}\nstdout: ${stdout}\nstderr: ${stderr}`;
}
