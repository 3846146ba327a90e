/** What the log says of sessions and commands: enough to tell what happened, nothing of what programs hold. */
import { shortEnding } from "../../commands/answers/snapshot-text.ts";
import { asSondeError } from "../../errors.ts";
import type { Launch } from "../../session/launch.ts";
import { withoutLastWords } from "../../util/last-words.ts";
import type { EngineState } from "../types.ts";

/** From when it is on the table. */
export function logEnd({ options }: EngineState, launch: Launch): void {
  launch.onEnded.add((ending) => {
    const { how } = ending;
    const level = how === "failed" ? "error" : "info";
    const text = shortEnding(ending);
    options.log(level, `${how === "failed" ? "adapter died" : how}${text === "" ? "" : `: ${text}`}`, {
      session: launch.name,
    });
  });
}

export function logStart({ options }: EngineState, launch: Launch): void {
  const { adapter, opening, pid, name, cwd } = launch;
  const process = pid === undefined ? "" : `, pid ${pid}`;
  options.log("info", `started: ${adapter.name} ${opening.request}${process}, in ${cwd}`, { session: name });
}

/** Without what the program wrote before it ended. */
export function logFailedStart({ options }: EngineState, { adapter, name }: Launch, thrown: unknown): void {
  const { code, message } = asSondeError(thrown);
  options.log("warn", `${adapter.name} did not start: ${code}: ${withoutLastWords(message)}`, {
    session: name,
  });
}

/** Longer than a person waits; some commands wait by design, which is why this is no warning. */
const SLOW_MS = 10_000;

/** The name of the command alone: its arguments may be anybody's secrets. */
export function logSlow(
  { options }: EngineState,
  command: string,
  ms: number,
  session: string | undefined,
): void {
  if (ms >= SLOW_MS) options.log("info", `${command} took ${(ms / 1000).toFixed(1)} s`, { session });
}
