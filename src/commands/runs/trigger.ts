/** A command that sets off what is looked at: run once everything is in place in a process that was attached to. */
import * as z from "zod";
import { withoutColours } from "../../runners/colours.ts";
import { cut, cutBytes, oneLine } from "../../util/text.ts";
import { wait } from "../../util/wait.ts";
import { fenced } from "../answers/text.ts";
import type { Context } from "../context.ts";

export const trigger = z
  .string()
  .optional()
  .describe(
    "with --pid: run this command while recording, and stop recording when it ends: 'curl -s localhost:3000/cart'",
  )
  .meta({ brief: "command to run once attached" });

export const ranShape = z.object({
  command: z.string(),
  exitCode: z.number().exactOptional(),
  signal: z.string().exactOptional(),
  unfinished: z
    .literal(true)
    .exactOptional()
    .describe("it still ran when the recording ended, and was ended"),
  lines: z.array(z.string()).describe("what it printed last on stdout"),
  errors: z.array(z.string()).exactOptional().describe("what it printed last on stderr"),
});

export type Ran = z.infer<typeof ranShape>;

const LAST_LINES = 5;
const LINE = 200;

/** In the caller's folder, by its shell. */
export async function runTrigger(
  context: Context,
  command: string,
  seconds: number,
  signal?: AbortSignal,
): Promise<Ran> {
  const end = await context.runPlain({
    command: () => ["sh", "-c", command],
    timeoutMs: seconds * 1000,
    ...(signal === undefined ? {} : { signal }),
    asIs: true,
  });
  const errors = lastLines(end.stderr);
  const printed = { lines: lastLines(end.stdout), ...(errors.length > 0 ? { errors } : {}) };
  if (end.how === "timeout") return { command, ...printed };
  return {
    command,
    ...(end.code === null ? {} : { exitCode: end.code }),
    ...(end.signal === null ? {} : { signal: end.signal }),
    ...printed,
  };
}

/** Most commands end with the answer that they get; what does not is not left behind. */
const ENDING_MS = 1000;

/** The command during a recording, which may have all its hits before that ends. */
export class Trigger {
  readonly #run: (signal: AbortSignal) => Promise<Ran>;
  readonly #over = new AbortController();
  readonly #command: string;
  #running: Promise<Ran> | undefined;

  constructor(context: Context, command: string, seconds: number) {
    this.#command = command;
    this.#run = (signal) => runTrigger(context, command, seconds, signal);
  }

  run(): Promise<Ran> {
    this.#running = this.#run(this.#over.signal);
    return this.#running;
  }

  /** After the recording; nothing if it had not begun. */
  async ended(): Promise<Ran | undefined> {
    if (this.#running === undefined) return undefined;
    const { done } = await wait(this.#running, { timeoutMs: ENDING_MS });
    if (done) return this.#running;
    this.#over.abort();
    const ran = await this.#running.catch(() => undefined); // that it was ended is known
    const isOver = ran?.exitCode !== undefined || ran?.signal !== undefined;
    return isOver ? ran : { ...(ran ?? { lines: [] }), command: this.#command, unfinished: true };
  }
}

function lastLines(text: string): string[] {
  const said = withoutColours(text).split("\n");
  return said
    .filter((line) => line.trim() !== "")
    .slice(-LAST_LINES)
    .map((line) => cut(line, LINE));
}

/** `ran: curl -s localhost:3000/cart · exit code 0`, and what it printed. */
export function ranLines(ran: Ran): string[] {
  return [
    ranText(ran),
    ...ran.lines.map((text) => fenced({ stream: "stdout", text })),
    ...(ran.errors ?? []).map((text) => fenced({ stream: "stderr", text })),
  ];
}

export function ranText({ command, exitCode, signal, unfinished }: Ran): string {
  const how = unfinished
    ? "still ran when the recording ended, and was ended"
    : signal !== undefined
      ? `killed by ${signal}`
      : exitCode === undefined
        ? "did not end in time"
        : `exit code ${exitCode}`;
  return oneLine(cutBytes(`ran: ${command} · ${how}`, 300, "…"));
}
