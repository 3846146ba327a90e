/** Node programs written for one test, and their traces. */
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LaunchPlan } from "../../../src/adapters/adapter.ts";
import type { Plan } from "../../../src/trace/plan.ts";
import type { LineEvent } from "../../../src/trace/record.ts";
import { launching, planOf, type Recorded, recorded, scratch } from "../support.ts";

export interface Watched {
  /** Of the first file, unless said. */
  file?: string;
  /** A number, or the text of a `@marker` on the line. */
  at: number | string;
  watch?: string[];
  condition?: string;
}

export interface RunOptions {
  collector?: string;
  launch?: Partial<LaunchPlan>;
  stdin?: string;
  signal?: AbortSignal;
  progress?(seen: number): void;
  plan?: Partial<Plan>;
}

export class Programs {
  readonly folder = realpathSync(scratch());
  readonly #files: Record<string, string>;

  /** @param files by name; the first is the program */
  constructor(files: Record<string, string>) {
    this.#files = files;
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, name)), { recursive: true });
      writeFileSync(join(this.folder, name), text);
    }
  }

  get main(): string {
    return Object.keys(this.#files)[0] ?? "";
  }

  path(name = this.main): string {
    return join(this.folder, name);
  }

  line(marker: string, file = this.main): number {
    const found = (this.#files[file] ?? "").split("\n").findIndex((one) => one.includes(`@${marker}`));
    if (found < 0) throw new Error(`no @${marker} in ${file}`);
    return found + 1;
  }

  points(watched: Watched[], options: RunOptions = {}): Promise<Recorded> {
    const points = watched.map(({ file = this.main, at, watch = [], condition }) => ({
      key: `${file}:${at}`,
      path: this.path(file),
      line: typeof at === "number" ? at : this.line(at, file),
      expressions: watch,
      ...(condition === undefined ? {} : { condition }),
    }));
    return this.#run(planOf(points, { frames: 3, ...options.plan }), options);
  }

  async lines(functions: string[], options: RunOptions & { depth?: number } = {}): Promise<LineEvent[]> {
    const { hits } = await this.traced(functions, options);
    return hits.flatMap((one) => (one.kind === "point" ? [] : [one]));
  }

  traced(functions: string[], options: RunOptions & { depth?: number } = {}): Promise<Recorded> {
    const lines = { functions, under: [this.folder], depth: options.depth ?? 0 };
    return this.#run(planOf([], { lines, ...options.plan }), options);
  }

  #run(
    plan: Plan,
    { collector = "node-source", launch, stdin, signal, progress }: RunOptions,
  ): Promise<Recorded> {
    const opening = launching({ cwd: this.folder, program: this.path(), ...launch });
    if (opening.plan.command !== undefined) delete opening.plan.program;
    return recorded("node", opening, plan, {
      collector,
      ...(stdin === undefined ? {} : { stdin: Buffer.from(stdin) }),
      ...(signal === undefined ? {} : { signal }),
      ...(progress === undefined ? {} : { progress }),
    });
  }
}

/** Line events as short texts. */
export function told(events: LineEvent[]): string[] {
  return events.map(({ kind, function: name, line, changes, gone = [], value }) =>
    [
      `${kind} ${name}:${line}`,
      ...changes.map(([variable, text]) => `${variable}=${text}`),
      ...gone.map((variable) => `-${variable}`),
      ...(value === undefined ? [] : [`-> ${value}`]),
    ].join(" "),
  );
}
