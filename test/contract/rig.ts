/** What a case has at hand: a sonde, the adapter's fixtures in its project folder, and words for common steps. */
import { join } from "node:path";
import { expect } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { marker } from "../support/markers.ts";
import { borrowSonde, type RunOptions, type Sonde } from "../support/sonde.ts";
import type { AdapterUnderTest } from "./adapter.ts";

export type Stopped = Extract<MoveResult, { state: "stopped" }>["snapshot"];
export type Exited = Extract<MoveResult, { state: "exited" }>;

export interface Case {
  name: string;
  run(rig: Rig): Promise<void>;
}

export class Rig {
  readonly sonde: Sonde;
  readonly adapter: AdapterUnderTest;

  constructor(adapter: AdapterUnderTest) {
    this.adapter = adapter;
    const folder = adapter.folder?.();
    this.sonde = borrowSonde(folder, adapter.config);
    if (folder === undefined) this.sonde.fixture(adapter.fixtures);
  }

  /** Absolute path of a program's source. */
  path(program: string): string {
    return join(this.sonde.project, this.adapter.file(program));
  }

  /** An expression as the language writes it: `$total + 1`. */
  code(expression: string): string {
    return this.adapter.code?.(expression) ?? expression;
  }

  line(program: string, name: string): number {
    return marker(this.path(program), name);
  }

  /** `stats.js:5` */
  at(program: string, name: string): string {
    return `${this.adapter.file(program)}:${this.line(program, name)}`;
  }

  /** Words of a start with breakpoints at markers; `more` before the program's own arguments. */
  starting(program: string, breaks: string[], more: string[] = []): string[] {
    const flags = breaks.flatMap((name) => ["--break", name.includes(":") ? name : this.at(program, name)]);
    return ["start", ...this.adapter.start(program), ...flags, ...more];
  }

  start(program: string, breaks: string[], more?: string[], options?: RunOptions): Promise<MoveResult> {
    return this.sonde.ask<MoveResult>(this.starting(program, breaks, more), options);
  }

  move(args: string | string[], options?: RunOptions): Promise<MoveResult> {
    return this.sonde.ask<MoveResult>(args, options);
  }

  async startStopped(program: string, breaks: string[], more?: string[]): Promise<Stopped> {
    return stopped(await this.start(program, breaks, more));
  }

  async stops(args: string | string[]): Promise<Stopped> {
    return stopped(await this.move(args));
  }

  async ends(args: string | string[] = "continue"): Promise<Exited> {
    const result = await this.move(args);
    if (result.state !== "exited") throw new Error(`not exited: ${JSON.stringify(result)}`);
    return result;
  }

  /** Everything the program has printed. */
  async output(): Promise<string> {
    const { lines } = await this.sonde.ask<{ lines: { text: string }[] }>("output --tail 10000");
    return lines.map(({ text }) => text).join("\n");
  }

  /** That a stop is at a marker, in a function. */
  expectAt(snapshot: Stopped, program: string, name: string, inFunction: string): void {
    expect(snapshot.frame).toMatchObject({ path: this.path(program), line: this.line(program, name) });
    expectFunction(snapshot, inFunction);
  }
}

export function stopped(result: MoveResult): Stopped {
  if (result.state !== "stopped") throw new Error(`not stopped: ${JSON.stringify(result)}`);
  return result.snapshot;
}

/** `main.mean` in Go is `mean` to us. */
export function expectFunction(snapshot: Stopped, name: string): void {
  expect(snapshot.frame?.function.split(/[.:]+/).at(-1)?.replace(/\(.*/, "")).toBe(name);
}

export function shown(snapshot: Stopped, name: string) {
  const value = snapshot.values.find((one) => one.name.replace(/^\$/, "") === name);
  if (value === undefined)
    throw new Error(`no value ${name} among ${snapshot.values.map((one) => one.name).join(", ")}`);
  return value;
}

/** A string as a debugger shows it, without its quotes. */
export function unquoted(value: string): string {
  return value.replace(/^(["'`])(.*)\1$/, "$2");
}

/** Resolves when a program has printed this. */
export function printed(stream: NodeJS.ReadableStream | null, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let all = "";
    stream?.on("data", (chunk: Buffer) => {
      all += chunk.toString();
      if (all.includes(text)) resolve();
    });
    stream?.on("end", () => reject(new Error(`ended without printing ${text}: ${all}`)));
  });
}
