/** Small Python programs, recorded without a debugger; places are named by `@marker` comments. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LaunchPlan } from "../../../src/adapters/adapter.ts";
import type { Plan, Point } from "../../../src/trace/plan.ts";
import type { LineEvent } from "../../../src/trace/record.ts";
import { marker } from "../../support/markers.ts";
import { launching, planOf, type Recorded, recorded, scratch } from "../support.ts";

export interface Asked extends Partial<Omit<Plan, "points">> {
  /** What runs; the file that was written last unless said. */
  run?: Partial<LaunchPlan>;
  collector?: string;
  stdin?: Buffer;
  signal?: AbortSignal;
  progress?(seen: number): void;
}

export interface Place extends Partial<Omit<Point, "expressions">> {
  /** A marker. */
  at: string;
  read?: string[];
}

export class Programs {
  readonly folder = scratch();
  #last = "";

  constructor(text?: string) {
    if (text !== undefined) this.write("app.py", text);
  }

  write(name: string, text: string): string {
    this.#last = join(this.folder, name);
    writeFileSync(this.#last, text);
    return this.#last;
  }

  line(name: string, file = this.#last): number {
    return marker(file, name);
  }

  record(places: Place[], asked: Asked = {}): Promise<Recorded> {
    const { run, collector = "python-source", stdin, signal, progress, ...plan } = asked;
    const points = places.map(({ at, read = [], path = this.#last, ...rest }) => ({
      path,
      line: rest.line ?? marker(path, at),
      expressions: read,
      ...(rest.condition === undefined ? {} : { condition: rest.condition }),
    }));
    return recorded(
      "debugpy",
      launching({
        cwd: this.folder,
        ...(run?.command === undefined ? { program: this.#last } : {}),
        ...run,
      }),
      planOf(points, plan),
      {
        collector,
        ...(stdin === undefined ? {} : { stdin }),
        ...(signal === undefined ? {} : { signal }),
        ...(progress === undefined ? {} : { progress }),
      },
    );
  }

  /** Function by function, line by line. */
  async lines(lines: Partial<NonNullable<Plan["lines"]>> = {}, asked: Asked = {}): Promise<LineEvent[]> {
    const record = await this.record([], {
      ...asked,
      lines: { functions: [], under: [this.folder], depth: 0, ...lines },
    });
    return record.hits.flatMap((hit) => (hit.kind === "point" ? [] : [hit]));
  }
}

/** One word for each event: `call work 3`, then what changed. */
export function told(events: LineEvent[]): string[] {
  return events.map(({ kind, function: name, line, changes, gone, value }) => {
    const parts = [
      ...changes.map(([variable, text]) => `${variable}=${text}`),
      ...(gone ?? []).map((variable) => `-${variable}`),
      ...(value === undefined ? [] : [`-> ${value}`]),
    ];
    return [`${kind} ${name}:${line}`, ...parts].join(" ");
  });
}
