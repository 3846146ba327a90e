/** logs in a terminal: a viewer. It reads the files itself: logs matter most when the daemon does not answer. */

import type * as z from "zod";
import { places } from "../client/paths.ts";
import { filterOf, type logArguments } from "../commands/diagnostics/logs.ts";
import { plainLog } from "../diagnostics/logs/plain.ts";
import { viewLog } from "../diagnostics/logs/viewer.ts";
import { copyCommandIn, type Terminal } from "./terminal.ts";
import { throughDaemon } from "./through-daemon.ts";

type Arguments = z.infer<typeof logArguments>;

export async function logs(args: Arguments, terminal: Terminal): Promise<number> {
  const { env, session } = terminal;
  if (args.protocol || args.before !== undefined) return printed(terminal);
  const ended = new AbortController();
  const end = () => ended.abort();
  const signals = ["SIGTERM", "SIGHUP", "SIGINT"] as const;
  for (const signal of signals) process.once(signal, end);
  const { stdin: input, stdout: output } = process;
  const common = {
    source: {
      folder: places(env).logs,
      env,
      copyCommand: copyCommandIn(env),
      write: (text: string) => void output.write(text),
    },
    filter: filterOf(args, session),
    most: args.tail,
    input,
    output,
    signal: ended.signal,
  };
  try {
    if (args.plain || env.TERM === "dumb") await plainLog({ ...common, following: args.follow ?? false });
    else await viewLog(common);
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
  return 0;
}

/** One answer of the daemon's, which has the sessions. */
async function printed(terminal: Terminal): Promise<number> {
  const { text, stderr, exit } = await throughDaemon(terminal.argv, terminal);
  process.stdout.write(text);
  process.stderr.write(stderr);
  return exit;
}
