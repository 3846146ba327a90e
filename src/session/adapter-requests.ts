/** Requests that pass through to the adapter with little of our own. */
import { DapRequestError } from "../dap/request-error.ts";
import { SondeError } from "../errors.ts";
import { cut } from "../util/text.ts";
import { again } from "./again.ts";
import type { Debuggee } from "./debuggee.ts";
import type { Session } from "./session.ts";
import { begunPath } from "./values/only-looking.ts";

export async function loadedSources(session: Session): Promise<string[]> {
  const { sources } = await session.focus.debuggee.client.request("loadedSources", undefined);
  return sources.flatMap((source) => source.path ?? source.name ?? []);
}

export async function modules(
  session: Session,
): Promise<{ name: string; path?: string; version?: string }[]> {
  const body = await session.focus.debuggee.client.request("modules", {});
  return body.modules.map(({ name, path, version }) => ({
    name,
    ...(path === undefined ? {} : { path }),
    ...(version === undefined ? {} : { version }),
  }));
}

/** Evaluated in the debugger's console and without a frame, so that the text is taken as a command, not as an expression. */
export async function runRaw(session: Session, command: string): Promise<string> {
  const { client } = session.focus.debuggee;
  try {
    const body = await client.request("evaluate", { expression: command, context: "repl" });
    return body.result;
  } catch (error) {
    if (error instanceof DapRequestError) throw new SondeError("EVAL_FAILED", error.text, { cause: error });
    throw error;
  }
}

export function askAdapter(session: Session, command: string, args: unknown): Promise<unknown> {
  return session.focus.debuggee.client.requestRaw(command, args);
}

/** Debuggers that run what stands before the dot are given a plain path, the end of what was typed, and nothing around it. */
export async function complete(session: Session, typed: string): Promise<string[]> {
  const text = session.adapter.runsNothing?.completions ? typed : begunPath(typed);
  if (text === undefined)
    throw new SondeError("BAD_ARGUMENT", `\`${cut(typed, 100)}\` cannot be completed without running it`, {
      hint: "give names and fields: `user.na`",
    });
  const { debuggee, frame } = await session.focus.place();
  const { targets } = await debuggee.client.request("completions", {
    text,
    column: text.length + 1,
    ...(frame === undefined ? {} : { frameId: frame.adapterId }),
  });
  return targets.map((target) => target.text ?? target.label);
}

/** Which of a frame's variables are its arguments; nothing where the adapter cannot tell. */
export async function argumentNames(
  session: Session,
  debuggee: Debuggee,
  frameId: number,
): Promise<Set<string> | undefined> {
  if (!session.adapter.custom.includes("sonde/arguments")) return undefined;
  try {
    const body = (await debuggee.client.requestRaw("sonde/arguments", { frameId })) as { names: string[] };
    return new Set(body.names);
  } catch {
    return undefined; // the caller then shows all variables, and says so
  }
}

/** Live edit is no DAP request; an adapter that has it answers `sonde/setSource`. */
export async function reloadSource(session: Session, path: string): Promise<string> {
  const { debuggee } = session.focus;
  if (!session.adapter.custom.includes("sonde/setSource")) {
    throw new SondeError("UNSUPPORTED", `the ${session.adapter.name} adapter has no live edit`, {
      hint: again(session, "runs the new code"),
    });
  }
  const body = (await debuggee.client.requestRaw("sonde/setSource", { path })) as
    | { status?: string }
    | undefined;
  session.forget(debuggee);
  return body?.status ?? "done";
}
