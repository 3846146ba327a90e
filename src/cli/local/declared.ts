/** Commands without a declaration in the engine: those that run in the client, and `do`. Here for help and completion. */
import type { ManifestCommand } from "./manifest-shape.ts";

export const LOCAL_COMMANDS: ManifestCommand[] = [
  {
    ...local(
      "do",
      "do '<command>; <command>…'",
      "several commands in one start, up to the first that fails",
      ["sonde do 'next; next; print total'"],
    ),
    group: "running",
  },
  local("help", "help [command]", "what a command does and takes", ["sonde help start"]),
  local("completion", "completion bash|zsh|fish", "a completion script for a shell", [
    'eval "$(sonde completion bash)"',
  ]),
  local("daemon status", "daemon status", "whether the daemon runs, which one, and what it holds"),
  local("daemon stop", "daemon stop", "end every session and the daemon"),
  local(
    "daemon logs",
    "daemon logs [--tail N]",
    "the end of the daemon's log",
    ["sonde daemon logs --tail 100"],
    [{ name: "--tail", type: "number", summary: "how many lines", default: 50 }],
  ),
  local("daemon run", "daemon run", "run the daemon in the foreground; commands start it by themselves"),
  local("dap node", "dap node", "the built-in Node adapter as a DAP server on stdin and stdout, for editors"),
];

function local(
  name: string,
  usage: string,
  summary: string,
  examples: string[] = [],
  flags: ManifestCommand["flags"] = [],
): ManifestCommand {
  const aliases: string[] = [];
  return {
    name,
    aliases,
    group: "surfaces",
    summary,
    usage: `sonde ${usage}`,
    positionals: [],
    flags,
    examples,
  };
}
