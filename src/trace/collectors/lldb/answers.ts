/** What the script inside LLDB is told of the program, once it knows which one that is: a file, and a pipe to say that it is there. */
import { execFile } from "node:child_process";
import { closeSync, constants, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Guide, guideIfAny, toldSpots } from "../../native/guide.ts";
import type { Plan } from "../../plan.ts";
import type { Binding } from "../../record.ts";

export class Answers {
  readonly fifo: string;
  readonly path: string;
  #guide: Guide | undefined;
  #end: number | undefined;

  static async open(folder: string): Promise<Answers> {
    const fifo = join(folder, "answered");
    await promisify(execFile)("mkfifo", ["-m", "600", fifo]);
    return new Answers(fifo, join(folder, "guide.json"));
  }

  private constructor(fifo: string, path: string) {
    this.fifo = fifo;
    this.path = path;
    this.#end = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
  }

  answer(program: string, plan: Plan): void {
    this.#guide = guideIfAny(program, plan);
    const guide = this.#guide;
    const spots = guide === undefined ? [] : toldSpots(guide);
    writeFileSync(
      this.path,
      JSON.stringify(plan.points.map((_, at) => (guide?.points[at]?.binding ? spots[at] : null))),
    );
    if (this.#end !== undefined) writeSync(this.#end, "\n");
  }

  /** Nothing where the program's own debug information says nothing of the point's file. */
  binding(point: number): Binding | undefined {
    return this.#guide?.points[point]?.binding;
  }

  notes(): string[] {
    return this.#guide?.notes ?? [];
  }

  why(point: number): string | undefined {
    return this.#guide?.points[point]?.unknown;
  }

  close(): void {
    if (this.#end !== undefined) closeSync(this.#end);
    this.#end = undefined;
  }
}
