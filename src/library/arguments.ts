/** From what a caller says to what a command takes. */
import type { AttachOptions, LaunchOptions, RunOptions } from "./options.ts";

type Arguments = Record<string, unknown>;

/** The common part of everything that runs a program; the rest passes as it is. `cwd` is the call's own. */
export function runArguments(options: RunOptions): Arguments {
  const { command, cwd: _, stdin: __, signal: ___, onText: ____, ...rest } = options;
  return defined({ ...rest, args: command });
}

export function launchArguments({ breakpoints, args, command, ...options }: LaunchOptions): Arguments {
  return defined({ ...runArguments(options), break: breakpoints, args: command ?? args });
}

export function attachArguments({ breakpoints, port, ...options }: AttachOptions): Arguments {
  return defined({
    ...runArguments(options),
    break: breakpoints,
    port: port === undefined ? undefined : String(port),
  });
}

export function defined(args: Arguments): Arguments {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}
