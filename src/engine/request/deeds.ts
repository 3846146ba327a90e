/** What was done in a session goes into its transcript: all that an agent did, and of the page what moved or changed something. */
import type { Command } from "../../commands/define.ts";
import { asSondeError } from "../../errors.ts";
import type { Launch } from "../../session/launch.ts";
import { cut } from "../../util/text.ts";
import type { Caller, EngineState } from "../types.ts";

const LONGEST_LINE = 1_000;

/** Runs it, and notes that it was run, whatever came of it. */
export async function noted<T>(
  state: EngineState,
  command: Command,
  caller: Caller,
  launch: Launch | undefined,
  run: () => Promise<T>,
): Promise<T> {
  const at = Date.now();
  let typed: string | undefined;
  const line = () => {
    typed ??= cut(caller.line(), LONGEST_LINE);
    return typed;
  };
  // While the program runs there is time for it.
  const early = command.effect === "moves" ? setImmediate(line) : undefined;
  const note = (outcome: { ok: boolean; code?: string }) => {
    clearImmediate(early);
    if (caller.by === "page" && command.effect === "reads") return;
    const { by } = caller;
    const agent = caller.env.SONDE_AGENT_RUN;
    const deed = {
      ...{ at, by, command: command.name, effect: command.effect, line: line() },
      ...outcome,
      ...(agent ? { agent: cut(agent, 100) } : {}),
    };
    for (const one of launch ? [launch] : caller.opened) {
      const hands = state.hands.of(one, by);
      caller.deeds.push({ hands, deed: hands.note(deed) });
    }
  };
  try {
    const value = await run();
    note({ ok: true });
    return value;
  } catch (thrown) {
    note({ ok: false, code: asSondeError(thrown).code });
    throw thrown;
  }
}
