/**
 * Debug information by way of LLDB, so that places, types and names are those that its user would see: the adapter's own lldb-dap
 * with a script of ours in it, which answers questions and never runs a program.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Duplex } from "node:stream";
import { runEnvironment, startArguments } from "../../../adapters/lldb/find.ts";
import { readableName } from "../../../adapters/native/frames.ts";
import { SondeError } from "../../../errors.ts";
import type { Launch } from "../../../session/launch.ts";
import { ownFile } from "../../../util/own-file.ts";
import type { ToldSpot } from "../../native/guide.ts";
import type { TraceFrame } from "../../record.ts";
import type { CodePlace } from "./language.ts";

/** What a value is, for who fetches and prints it. */
export type Kind =
  | { kind: "int"; size: number; signed: boolean }
  | { kind: "char"; size: number; signed: boolean }
  | { kind: "bool"; size: number }
  | { kind: "enum"; size: number; signed: boolean; members: [name: string, value: string][] }
  | { kind: "address" }
  | { kind: "text" }
  | { kind: "arrow"; to: Kind }
  /** To compare, not to show. */
  | { kind: "opaque"; why: string };

/** A value in memory: from the root variable along `hops`, which are offsets between the pointers followed. */
export interface FoundValue {
  root: string;
  hops: number[];
  type: Kind;
  /** Address in the file, of a variable that is not in a frame. */
  global?: number;
}

export type Leaf = FoundValue | { missing: true } | { unfit: string };

export interface FoundLocation {
  /** In the file. */
  offset: number;
  leaves: Leaf[];
}

export interface PathStep {
  op: "." | "->" | "[]" | "*";
  name?: string;
  index?: number;
}

export interface Path {
  root: string;
  steps: PathStep[];
}

interface NamedFrame {
  function: string;
  path: string | null;
  line: number;
}

type Answered = { ok: unknown } | { error: string };

const SETTINGS = [
  "settings set symbols.enable-external-lookup false",
  "settings set target.preload-symbols false",
  "settings set target.load-cwd-lldbinit false",
  "settings set target.load-script-from-symbol-file false",
];

export class LldbInformant {
  readonly #child: ChildProcess;
  readonly #channel: Duplex;
  readonly #program: string;
  readonly #rust: boolean;
  readonly #waiting: { done(answer: unknown): void; failed(error: Error): void }[] = [];
  #said = "";

  private constructor(child: ChildProcess, program: string, rust: boolean) {
    this.#child = child;
    this.#program = program;
    this.#rust = rust;
    this.#channel = child.stdio[3] as Duplex;
    this.#channel.setEncoding("utf8").on("data", (text: string) => this.#heard(text));
    this.#channel.on("error", () => {}); // it is gone: told below
    child.stdin?.on("error", () => {});
    child.once("exit", () => this.#gone());
    child.once("error", () => this.#gone());
  }

  static async start(launch: Launch, program: string, rust: boolean): Promise<LldbInformant> {
    const { path } = launch.found;
    const env = { ...runEnvironment(path, { ...launch.where.env }), PYTHONDONTWRITEBYTECODE: "1" };
    const child = spawn(path, await startArguments(path), {
      cwd: "/",
      env,
      stdio: ["pipe", "ignore", "ignore", "pipe"],
    });
    const informant = new LldbInformant(child, program, rust);
    const { pid } = child;
    if (pid !== undefined) {
      launch.processes.own(pid, "lldb-dap", "adapter");
      child.once("exit", () => launch.processes.release(pid));
    }
    informant.#begin();
    return informant;
  }

  find(points: { spots: ToldSpot[]; paths: Path[] }[]): Promise<FoundLocation[][]> {
    return this.#ask({ points }) as Promise<FoundLocation[][]>;
  }

  async frames(places: CodePlace[]): Promise<TraceFrame[][]> {
    const named = (await this.#ask({ frames: places })) as NamedFrame[][];
    return named.map((frames) => frames.map(toFrame));
  }

  /** It leaves when nobody can ask it any more. */
  async close(): Promise<void> {
    const gone = this.#ended ? undefined : once(this.#child, "exit");
    this.#channel.destroy();
    this.#child.kill("SIGKILL");
    await gone;
  }

  get #ended(): boolean {
    return this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** The script takes over before anything is launched. */
  #begin(): void {
    const script = ownFile("trace/collectors/perf/lldb_perf.py");
    const initCommands = [...SETTINGS, `command script import "${script}"`];
    this.#send(1, "initialize", { adapterID: "sonde" });
    this.#send(2, "launch", { program: this.#program, initCommands });
  }

  #send(seq: number, command: string, args: unknown): void {
    const text = JSON.stringify({ seq, type: "request", command, arguments: args });
    this.#child.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #ask(question: object): Promise<unknown> {
    return new Promise((done, failed) => {
      if (this.#ended) return failed(this.#lost());
      this.#waiting.push({ done, failed });
      this.#channel.write(`${JSON.stringify({ program: this.#program, rust: this.#rust, ...question })}\n`);
    });
  }

  #heard(text: string): void {
    const lines = `${this.#said}${text}`.split("\n");
    this.#said = lines.pop() ?? "";
    for (const line of lines) {
      const answer = JSON.parse(line) as Answered;
      const asked = this.#waiting.shift();
      if ("ok" in answer) asked?.done(answer.ok);
      else asked?.failed(new Error(answer.error));
    }
  }

  #gone(): void {
    for (const { failed } of this.#waiting.splice(0)) failed(this.#lost());
  }

  #lost(): SondeError {
    const { signalCode } = this.#child;
    const how =
      signalCode === null ? "has no Python, or is no longer running" : `was killed by ${signalCode}`;
    return new SondeError("ADAPTER_FAILED", `LLDB, which reads the program's debug information, ${how}`);
  }
}

function toFrame({ function: name, path, line }: NamedFrame): TraceFrame {
  return { function: readableName(name), line, ...(path === null ? {} : { path }) };
}
