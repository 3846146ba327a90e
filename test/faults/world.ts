/** Words for tests of faults: who is who among the processes, and programs whose life can be seen from outside. */
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { expect } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { marker } from "../support/markers.ts";
import type { RunOptions, Sonde } from "../support/sonde.ts";

export type Stopped = Extract<MoveResult, { state: "stopped" }>["snapshot"];

/** For a busy machine; nothing here is measured, only bounded. */
export const PATIENCE = { timeout: 15_000, interval: 25 };

interface SessionRow {
  name: string;
  state: string;
  ending?: string;
  pid?: number;
  program: string;
  children: number;
}

export async function sessions(sonde: Sonde, options?: RunOptions): Promise<SessionRow[]> {
  return (await sonde.ask<{ sessions: SessionRow[] }>("sessions", options)).sessions;
}

/** Of the debugged program of the only session, or of the one named. */
export async function programPid(sonde: Sonde, name?: string): Promise<number> {
  const rows = await sessions(sonde);
  const row = name === undefined ? rows[0] : rows.find((one) => one.name === name);
  if (row?.pid === undefined) throw new Error(`no pid in ${JSON.stringify(rows)}`);
  return row.pid;
}

export async function daemonPid(sonde: Sonde): Promise<number> {
  const { daemon } = await sonde.ask<{ daemon: { pid: number } }>("status");
  return daemon.pid;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

export async function gone(pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid), PATIENCE).toBe(false);
}

/** Everything this sonde started has ended, other than its daemon and that daemon's guard. */
export async function nothingLeft(sonde: Sonde): Promise<void> {
  const rest = () =>
    sonde
      .processes()
      .filter(({ command }) => !/daemon\.cjs|daemon run|sonde-guard/.test(command))
      .map(({ command }) => command);
  await expect.poll(rest, PATIENCE).toEqual([]);
}

/** …and those two as well. */
export async function nothingAtAll(sonde: Sonde): Promise<void> {
  await expect.poll(() => sonde.processes().map(({ command }) => command), PATIENCE).toEqual([]);
}

/** The `file:line` of a marker in a file of the project. */
export function at(sonde: Sonde, file: string, name: string): string {
  return `${file}:${marker(`${sonde.project}/${file}`, name)}`;
}

export async function stopped(answer: Promise<MoveResult>): Promise<Stopped> {
  const result = await answer;
  if (result.state !== "stopped") throw new Error(`not stopped: ${JSON.stringify(result)}`);
  return result.snapshot;
}

export async function startStopped(
  sonde: Sonde,
  file: string,
  name: string,
  more: string[] = [],
): Promise<Stopped> {
  sonde.fixture(`js/${file}`);
  return stopped(sonde.ask<MoveResult>(["start", file, "--break", at(sonde, file, name), ...more]));
}

/** A program of the user's own: says a number every few milliseconds, so that one can see it live. */
export class Beating {
  readonly child: ChildProcess;
  readonly file = "beating.js";
  #heard = 0;
  #waiting: (() => void)[] = [];

  constructor(sonde: Sonde) {
    sonde.write(
      this.file,
      [
        "let count = 0;",
        "function beat() {",
        "  count += 1; // @marker beat",
        "  console.log(count);",
        "}",
        "setInterval(beat, 20);",
        "setTimeout(() => process.exit(0), 120_000);",
        "",
      ].join("\n"),
    );
    this.child = sonde.program(process.execPath, [this.file]);
    this.child.stderr?.resume();
    createInterface({ input: this.child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      this.#heard = Number(line);
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Resolves when it has beaten `times` more. */
  async beats(times = 3): Promise<void> {
    const goal = this.#heard + times;
    while (this.#heard < goal) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Alive, running, and traced by nobody. */
  async lives(): Promise<void> {
    await this.beats();
    expect(readFileSync(`/proc/${this.pid}/status`, "utf8")).toMatch(/^TracerPid:\t0$/m);
  }
}
