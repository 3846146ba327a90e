/** What a command in the caller's terminal knows of its caller. */
import type { Told } from "../advice/advice.ts";
import type { Price } from "../agent/explain/prices.ts";
import { places } from "../client/paths.ts";
import { makeRuntimeDir } from "../client/runtime-dir.ts";
import type { Context } from "../commands/context.ts";
import { loadConfig, pricesOf } from "../engine/config/config.ts";
import type { Log } from "../util/log/writer.ts";

export interface Terminal {
  cwd: string;
  env: Record<string, string>;
  /** As given with `-s`. */
  session: string | undefined;
  isJson: boolean;
  /** All that was typed. */
  argv: readonly string[];
  /** For who looks after Sonde. */
  log: Log;
  /** On standard error: standard output belongs to the agent. */
  say(told: Told): void;
}

/** How commands about agents find a run. */
export function asking(
  { cwd, env, session }: Terminal,
  source: string | undefined,
): Pick<Context, "cwd" | "agents"> {
  return { cwd, agents: { root: places(env).agents, named: source ?? session, prices: pricesIn(env) } };
}

export function pricesIn(env: Record<string, string>): readonly Price[] {
  return pricesOf(loadConfig(places(env).config));
}

/** What the user configured to copy with; a configuration that cannot be read is no reason not to read logs. */
export function copyCommandIn(env: Record<string, string>): string | undefined {
  try {
    return loadConfig(places(env).config).terminal.copy_command;
  } catch {
    return undefined;
  }
}

/** Where sockets are: made if need be, and only the user's. */
export function runtimeFolder(env: Record<string, string>): string {
  return makeRuntimeDir(places(env).runtime).path;
}
