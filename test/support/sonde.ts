/**
 * The real binary with a daemon, a home and a project folder of its own. When the test is over all of it is gone,
 * and a process that is not gone fails the test.
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
  /** SONDE_HOME. */
  readonly home: string;
  /** Where commands run unless told otherwise; empty at first, if it was not given. */
  readonly project: string;
  readonly #folder: string;
  readonly #id = randomUUID();
  readonly #programs: ChildProcess[] = [];
  #closed = false;

  constructor(project?: string) {
    this.#folder = realpathSync(mkdtempSync(join(tmpdir(), "sonde-")));
    this.home = join(this.#folder, "home");
    this.project = project ?? join(this.#folder, "project");
    if (project === undefined) mkdirSync(this.project);
    mkdirSync(join(this.home, "share"), { recursive: true });
    symlinkSync(TEST_ADAPTERS, join(this.home, "share", "adapters"));
  }

  get env(): Record<string, string> {
    // The daemon then checks every answer against the shape its command declares.
    return { ...baseEnvironment(), SONDE_HOME: this.home, SONDE_CHECK_RESULTS: "1", [SONDE_TAG]: this.#id };
  }

  /** A command to its end, whatever its status. `run("start app.js")` splits at spaces; give a list where that is wrong. */
  async run(args: string | string[], options: RunOptions = {}): Promise<RunResult> {
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
    mkdirSync(this.home, { recursive: true });
    writeFileSync(join(this.home, "config.toml"), toml);
  }

  /** What is alive of all that was started here: daemon, adapters, debuggees. */
  processes() {
    return tagged(SONDE_TAG, this.#id);
  }

  /** Text with this sonde's paths, and what changes from run to run, under stable names. */
  normalize(text: string): string {
    return normalize(text, { "<project>": this.project, "<home>": this.home });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const child of this.#programs) child.kill("SIGKILL");
    if (this.processes().length > 0) await this.run("daemon stop", { timeoutMs: 10_000 }).catch(() => {});
    const left = await survivors(SONDE_TAG, this.#id);
    const described = killAll(left);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
    if (left.length > 0) throw new Error(`left alive after "sonde daemon stop" (killed now):\n${described}`);
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
