/**
 * Whose turn it is in a session. Two commands at once are answered one after the other, as they came: a step that began while
 * another was under way would take its stop, and a value that is read while the program moves belongs to no stop.
 */
import { advice, call } from "../../advice/advice.ts";
import type { Command } from "../../commands/define.ts";
import { SondeError } from "../../errors.ts";
import type { Launch } from "../../session/launch.ts";
import { wait } from "../../util/wait.ts";

interface Entry {
  command: Command;
  /** When it began to run; undefined while it waits. */
  since?: number;
}

/** A move that takes longer than this is a long one: commands behind it are answered that the program is running. */
const PATIENCE_MS = 3000;

class Line {
  readonly #entries: Entry[] = [];
  #changed: (() => void)[] = [];

  /** Resolves with the entry when its turn has come, or with undefined if a long move is ahead of it. */
  async enter(command: Command, signal: AbortSignal): Promise<Entry | undefined> {
    const entry: Entry = { command };
    if (command.turn === "ahead") this.#entries.unshift(entry);
    else this.#entries.push(entry);
    for (;;) {
      const blocker = this.#blocker(entry);
      if (blocker === undefined) {
        entry.since = performance.now();
        return entry;
      }
      const move = this.#entries.find((one) => one.since !== undefined && one.command.turn !== "shared");
      const timeoutMs = move?.since === undefined ? undefined : move.since + PATIENCE_MS - performance.now();
      const result = await wait(this.#change(), { timeoutMs, signal });
      if (result.done) continue;
      this.leave(entry);
      if (result.why === "timeout") return undefined;
      throw new SondeError("CANCELLED", `cancelled before ${command.name} started`);
    }
  }

  leave(entry: Entry): void {
    this.#entries.splice(this.#entries.indexOf(entry), 1);
    const changed = this.#changed;
    this.#changed = [];
    for (const tell of changed) tell();
  }

  /** The command in front that must end first. */
  #blocker(entry: Entry): Entry | undefined {
    if (entry.command.turn === "ahead") return undefined;
    const front = this.#entries.slice(0, this.#entries.indexOf(entry));
    return entry.command.turn === "alone" ? front[0] : front.find((one) => one.command.turn !== "shared");
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#changed.push(resolve));
  }
}

const lines = new WeakMap<Launch, Line>();

/** Runs it when it is its turn; `check` says what it needs to be true then. */
export async function inTurn<T>(
  launch: Launch,
  command: Command,
  signal: AbortSignal,
  { check, run }: { check(): void; run(): Promise<T> },
): Promise<T> {
  if (command.turn === "free") {
    check();
    return run();
  }
  const line = lines.get(launch) ?? new Line();
  lines.set(launch, line);
  const entry = await line.enter(command, signal);
  try {
    check();
    if (entry === undefined && command.needs === "stopped") throw busy(launch, command);
    return await run();
  } finally {
    if (entry) line.leave(entry);
  }
}

function busy({ name }: Launch, command: Command): SondeError {
  return new SondeError(
    "BUSY",
    advice`${{ do: "name", command: command.name }}: another command is still running ${name}`,
    {
      hint: advice`${call("await")} waits for its stop; ${call("pause")} stops the program now`,
    },
  );
}
