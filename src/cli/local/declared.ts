/** Commands without a declaration in the engine: those that run in the client, and `do`. Here for help and completion. */
import type { ManifestCommand } from "./manifest-shape.ts";

export const LOCAL_COMMANDS: ManifestCommand[] = [
  {
    ...local("do", "do '<command>; <command>…'", "several commands in one call, up to the first that fails", [
      "sonde do 'next; next; print total'",
    ]),
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
  local(
    "mcp",
    "mcp [--tools all|core|<list>] [--http [port]]",
    "an MCP server on stdin and stdout (or HTTP on this machine) with the tools probe, trace, debug, inspect",
    ["sonde mcp", "sonde mcp --tools debug,inspect", "sonde mcp --http 8123"],
    [
      {
        name: "--tools",
        type: "string",
        summary:
          "which: core (those four), all (agent too: to hold and look into AI agents), or names with commas",
        default: "core",
      },
      {
        name: "--http",
        type: "string",
        summary: "serve HTTP instead, on a port or any; the URL is on stderr",
      },
    ],
  ),
  local(
    "mcp install",
    "mcp install --client <name> [--project|--user] [--write [--yes]]",
    "what to put into an MCP client's configuration, or put it there",
    ["sonde mcp install --client claude-code", "sonde mcp install --client codex --user --write"],
    [
      {
        name: "--client",
        type: "string",
        summary: "which client",
        values: ["claude-code", "codex", "cursor", "vscode", "opencode", "gemini"],
      },
      { name: "--project", type: "boolean", summary: "for this folder (the default)" },
      { name: "--user", type: "boolean", summary: "for all of your folders" },
      { name: "--write", type: "boolean", summary: "write the file; asks first and keeps a backup" },
      { name: "--yes", short: "-y", type: "boolean", summary: "do not ask" },
    ],
  ),
  local(
    "skills list",
    "skills list",
    "what sonde can teach a coding agent: a skill for each kind of program",
  ),
  local("skills show", "skills show <name>… [reference.md]", "the text of a skill, or the page it links to", [
    "sonde skills show debugger-python",
    "sonde skills show debugger-python reference.md",
  ]),
  {
    ...local(
      "skills install",
      "skills install [name…] [--project|--user] [--for claude|agents|both] [--to <folder>] [--force]",
      "put the skills where coding agents look; also brings older ones up to date",
      [
        "sonde skills install",
        "sonde skills install --for claude",
        "sonde skills install debugger-python --user",
      ],
      [
        { name: "--project", type: "boolean", summary: "into this project (the default)" },
        { name: "--user", type: "boolean", summary: "into your home, for all projects" },
        {
          name: "--for",
          type: "string",
          values: ["claude", "agents", "both"],
          summary:
            "claude: Claude Code's .claude/skills; agents: .agents/skills, where Codex, Cursor, Gemini, Copilot and opencode look (default: by what is in the folder, both if nothing tells)",
        },
        { name: "--to", type: "string", summary: "into this folder and no other" },
        { name: "--force", type: "boolean", summary: "also replace files that you have changed" },
      ],
    ),
    effect: "changes",
  },
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
