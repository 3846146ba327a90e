/** A debugger that died of a value can be passed over for another that is installed for the same language. */
import { advice, blank, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { diedReading } from "../../session/values/lost-reading.ts";
import type { Caller, EngineState } from "../types.ts";
import { whereFor, whereOf } from "./prepare.ts";

/** That failure with what to type next, any other as it is. */
export async function withOtherDebugger(
  state: EngineState,
  caller: Pick<Caller, "cwd" | "env">,
  thrown: unknown,
): Promise<unknown> {
  const died = thrown instanceof SondeError ? diedReading(thrown) : undefined;
  if (!(thrown instanceof SondeError) || died === undefined) return thrown;
  const other = await installed(state, caller, died);
  const again = advice`${call("restart")} runs the program again; do not read that value`;
  const hint =
    other === undefined
      ? again
      : advice`${again}, or use another debugger: ${call("start", { program: blank("program"), adapter: other })}`;
  return new SondeError(thrown.code, thrown.told.message, { hint, details: thrown.details, cause: thrown });
}

/** The best of the others that there are. */
async function installed(
  state: EngineState,
  caller: Pick<Caller, "cwd" | "env">,
  died: string,
): Promise<string | undefined> {
  const languages = state.adapters.find(({ name }) => name === died)?.languages ?? [];
  for (const one of state.adapters) {
    if (one.name === died || !one.languages.some((language) => languages.includes(language))) continue;
    const { ok } = await one.find(whereOf(state, one, whereFor(state, caller)));
    if (ok) return one.name;
  }
  return undefined;
}
