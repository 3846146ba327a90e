/** Small Python programs for these tests, and words for the usual steps with them. */
import type { ChildProcess } from "node:child_process";
import { expect } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { marker } from "../support/markers.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";

export type Stopped = Extract<MoveResult, { state: "stopped" }>["snapshot"];

/** A sonde whose project holds the Python fixtures. */
export function pythonSonde(): Sonde {
  const sonde = borrowSonde();
  sonde.fixture("python");
  return sonde;
}

export function at(sonde: Sonde, file: string, name: string): string {
  return `${file}:${marker(`${sonde.project}/${file}`, name)}`;
}

export async function stops(
  sonde: Sonde,
  args: string | string[],
  env: Record<string, string> = {},
): Promise<Stopped> {
  const result = await sonde.ask<MoveResult>(args, { env });
  if (result.state !== "stopped") throw new Error(`not stopped: ${JSON.stringify(result)}`);
  return result.snapshot;
}

export async function ends(sonde: Sonde, args: string | string[] = "continue") {
  const result = await sonde.ask<MoveResult>(args);
  if (result.state !== "exited") throw new Error(`not exited: ${JSON.stringify(result)}`);
  return result;
}

export async function output(sonde: Sonde): Promise<string> {
  const { lines } = await sonde.ask<{ lines: { text: string }[] }>("output --tail 10000");
  return lines.map(({ text }) => text).join("\n");
}

export function value(snapshot: Stopped, name: string): string | undefined {
  return snapshot.values.find((one) => one.name === name)?.value;
}

/** Prints a number every 50 ms: whether it runs on can be seen from outside. */
export class Counting {
  readonly child: ChildProcess;
  readonly pid: number;
  #last = 0;

  constructor(sonde: Sonde, command = "python3", before: string[] = []) {
    sonde.write(
      "counting.py",
      "import time\ndef count():\n    n = 0\n    while n < 2400:\n        n += 1\n        print(n, flush=True)  # @marker print\n        time.sleep(0.05)\ncount()\n",
    );
    this.child = sonde.program(command, [...before, "counting.py"]);
    this.pid = this.child.pid ?? 0;
    this.child.stdout?.on("data", (chunk: Buffer) => {
      this.#last = Number(chunk.toString().trim().split("\n").at(-1));
    });
  }

  async counts(): Promise<void> {
    const before = this.#last;
    await expect.poll(() => this.#last, { timeout: 15_000 }).toBeGreaterThan(before + 2);
  }
}
