/** agent run: the agent in this terminal, its calls through a proxy in this process. */
import { resolve } from "node:path";
import type * as z from "zod";
import { advice, named, shell } from "../advice/advice.ts";
import { BREAKPOINT_KINDS, type BreakpointKind, type BreakpointRequest } from "../agent/core/commands.ts";
import { type RunOptions, runAgent } from "../agent/run/run-agent.ts";
import { VERSION } from "../client/build.ts";
import { places } from "../client/paths.ts";
import { conditionOf } from "../commands/agent/breakpoints.ts";
import type { runArguments } from "../commands/agent/terminal.ts";
import { SondeError } from "../errors.ts";
import { pricesIn, runtimeFolder, type Terminal } from "./terminal.ts";

export function run(args: z.infer<typeof runArguments>, terminal: Terminal): Promise<number> {
  const { maxHold, onMaxHold = "release" } = args;
  needCommand("agent run", args.args, "sonde agent run -- claude");
  return start(terminal, {
    command: args.args,
    dir: args.dir,
    name: args.name,
    client: args.client,
    upstream: args.upstream,
    hooks: !args.noHooks,
    startPaused: args.paused ?? false,
    breakpoints: (args.break ?? []).map(breakpointOf),
    quiet: args.quiet ?? false,
    verbose: args.verbose ?? false,
    ...(args.otlp === undefined ? {} : { otlp: { endpoint: args.otlp } }),
    ...(maxHold === undefined ? {} : { maxHold: { ms: maxHold * 1000, outcome: onMaxHold } }),
  });
}

type Started = Pick<
  RunOptions,
  "hooks" | "verbose" | "startPaused" | "breakpoints" | "maxHold" | "replay" | "otlp"
> & {
  command: readonly string[];
  dir: string | undefined;
  name: string | undefined;
  client: RunOptions["client"] | undefined;
  upstream: string | undefined;
  quiet: boolean;
};

export function needCommand(name: string, words: readonly string[], example: string): void {
  if (words.length > 0) return;
  throw new SondeError("BAD_ARGUMENT", `${name} needs the agent's command line after \`--\``, {
    hint: advice`as in ${shell(example)}`,
  });
}

/** Also of `fork`, and of `replay --serve` with a command. */
export function start(
  terminal: Terminal,
  { dir, name, client, upstream, quiet, ...rest }: Started,
): Promise<number> {
  const { cwd, env } = terminal;
  return runAgent({
    ...rest,
    cwd,
    env,
    root: dir === undefined ? places(env).agents : resolve(cwd, dir),
    runtime: runtimeFolder(env),
    prices: pricesIn(env),
    version: VERSION,
    note: (level, message, session) => terminal.log(level, message, { session }),
    say: (text) => {
      if (!quiet) terminal.say(text);
    },
    ...(name === undefined ? {} : { name }),
    ...(client === undefined ? {} : { client }),
    ...(upstream === undefined ? {} : { upstream }),
  });
}

/** `tool=Bash`, `tool Bash`, `pattern=rm -rf`, `error` */
function breakpointOf(text: string): BreakpointRequest {
  const at = text.search(/[= ]/);
  const on = at < 0 ? text : text.slice(0, at);
  if (!isKind(on)) {
    throw new SondeError("BAD_ARGUMENT", advice`${named("break")}: \`${on}\` is not a kind of breakpoint`, {
      hint: `one of ${BREAKPOINT_KINDS.join(", ")}, as in tool=Bash`,
    });
  }
  return { on, ...conditionOf(on, at < 0 ? undefined : text.slice(at + 1)) };
}

function isKind(word: string): word is BreakpointKind {
  return BREAKPOINT_KINDS.some((one) => one === word);
}
