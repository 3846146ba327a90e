/**
 * A debugger that died of a value. A command that runs a program by itself tries again: without that value, then by another debugger
 * that is installed for the same language, and says so. In a session the user is told what to type.
 */
import { advice, blank, call, type Told } from "../../advice/advice.ts";
import type { RunRequest } from "../../commands/context.ts";
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
  const other = await installed(state, caller, died.adapter);
  const again = advice`${call("restart")} runs the program again; do not read that value`;
  const hint =
    other === undefined
      ? again
      : advice`${again}, or use another debugger: ${call("start", { program: blank("program"), adapter: other })}`;
  return new SondeError(thrown.code, thrown.told.message, { hint, details: thrown.details, cause: thrown });
}

export interface Retry {
  request: RunRequest;
  /** Left alone, by its key. */
  unread?: string;
  note: Told;
}

/** How a run that ended so is tried again; nothing: it is not. A process that was attached to is not ours to run again. */
export async function retryOf(
  state: EngineState,
  caller: Pick<Caller, "cwd" | "env">,
  thrown: unknown,
  { request, tries }: { request: RunRequest; tries: number },
): Promise<Retry | undefined> {
  const died = thrown instanceof SondeError ? diedReading(thrown) : undefined;
  const isOurs = request.request === "launch" || request.plan.core !== undefined;
  if (died === undefined || !isOurs || tries >= MOST_TRIES) return undefined;
  const { adapter, value } = died;
  const what = `${adapter} died while reading ${value.name}`;
  if (tries === 0)
    return { request, unread: value.key, note: `${what}: this is a second run, without those values` };
  // One that was asked for by name is what the caller wants to see at work.
  const other = request.plan.adapter === undefined ? await installed(state, caller, adapter) : undefined;
  if (other === undefined) return undefined;
  const note = `${what}, twice: this is another run, by ${other}`;
  // Arguments of one debugger mean nothing to another.
  const changed = { adapter: other, extra: {} };
  return request.request === "launch"
    ? { request: { ...request, plan: { ...request.plan, ...changed } }, note }
    : { request: { ...request, plan: { ...request.plan, ...changed } }, note };
}

const MOST_TRIES = 2;

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
