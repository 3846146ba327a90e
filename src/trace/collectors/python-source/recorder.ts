/** The recorder of one run, laid out for the program to load, and what comes back from it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "../../collector.ts";
import type { Plan } from "../../plan.ts";
import { layOut } from "./assets.ts";
import type { ValueLimits } from "./program.ts";
import { Reader } from "./reader.ts";
import { Whole } from "./records.ts";

export class Recorder {
  readonly whole: Whole;
  /** The folder of what the program loads. */
  readonly hook: string;
  readonly #reader: Reader;

  private constructor(whole: Whole, hook: string, reader: Reader) {
    this.whole = whole;
    this.hook = hook;
    this.#reader = reader;
  }

  static async laidOut(plan: Plan, limits: ValueLimits, { sink, folder }: Run): Promise<Recorder> {
    const whole = new Whole(sink);
    const reader = await Reader.listen(folder, whole);
    const hook = layOut(folder);
    const asked = { ...asRecorded(plan), ...limits, folder, address: reader.address, began: Date.now() };
    // A Python literal but for three names, which the recorder knows.
    writeFileSync(join(hook, "plan.py"), JSON.stringify(asked));
    return new Recorder(whole, hook, reader);
  }

  /** Everything that was recorded has been handed on; a recorder that failed is told of. */
  async drained(): Promise<void> {
    await this.#reader.drained();
    const { cutShort, sink } = this.whole;
    if (cutShort > 0) sink.note(`${CUT_SHORT(cutShort)}: calls of its last moment may be missing`);
    const failure = this.#failure();
    if (failure !== undefined) this.whole.sink.note(`the recorder did not start: ${failure}`);
  }

  close(): void {
    this.#reader.close();
  }

  #failure(): string | undefined {
    try {
      return readFileSync(join(this.hook, "failed"), "utf8").split("\n")[0];
    } catch {
      return undefined; // there is no such file: it started
    }
  }
}

const CUT_SHORT = (count: number) =>
  count === 1 ? "a child process was killed" : `each of ${count} child processes was killed`;

/** As the recorder reads it: everything is there, `null` where there is nothing. */
function asRecorded({ points, lines, calls, frames, valueChars }: Plan) {
  return {
    points: points.map(({ path, line, expressions, condition }) => ({
      path,
      line,
      expressions: expressions.map((one) => one.trim()),
      condition: condition?.trim() ?? null,
    })),
    lines: lines ?? null,
    calls: calls ?? null,
    frames,
    valueChars,
  };
}
