/** Commands without a declaration in the engine: those that run in the client, and `do`. Here for help and completion. */
import type { ManifestCommand } from "./manifest-shape.ts";

export const LOCAL_COMMANDS: ManifestCommand[] = [
  {
    ...local(
      "do",
      "do '<command>; <command>…'",
      "run several commands in one call, up to the first that fails",
      ["sonde do 'next; next; print total'"],
    ),
    group: "running",
    effect: "changes",
  },
  local("help", "help [command]", "show what a command does and its arguments", ["sonde help start"]),
  local("completion", "completion bash|zsh|fish", "print a completion script for your shell", [
    'eval "$(sonde completion bash)"',
  ]),
  local(
    "daemon status",
    "daemon status",
    "show whether the daemon is running, without starting it; its version, memory, and how many sessions it has",
  ),
  { ...local("daemon stop", "daemon stop", "end every session and the daemon"), effect: "changes" },
  local(
    "daemon logs",
    "daemon logs [--tail N]",
    "show the end of the log; works without a daemon",
    ["sonde daemon logs --tail 100"],
    [{ name: "--tail", type: "number", summary: "number of entries", default: 50 }],
  ),
  local(
    "daemon run",
    "daemon run",
    "run the daemon in the foreground (normally the first command starts it)",
  ),
  local(
    "mcp",
    "mcp [--tools all|core|<list>] [--http [port]]",
    "run an MCP server on stdin and stdout (or HTTP on this machine) with the tools probe, trace, debug, inspect",
    ["sonde mcp", "sonde mcp --tools debug,inspect", "sonde mcp --http 8123"],
    [
      {
        name: "--tools",
        type: "string",
        placeholder: "names",
        summary:
          "which tools: core (those four), all (also agent: to hold and inspect AI agents, and diagnose: profiles, logs, reports), or names separated by commas",
        default: "core",
      },
      {
        name: "--http",
        type: "string",
        placeholder: "port",
        summary: "serve HTTP instead, on this port or any free one; the URL is printed on stderr",
      },
    ],
  ),
  {
    ...local(
      "mcp install",
      "mcp install --client <name> [--project|--user] [--write [--yes]]",
      "show the configuration an MCP client needs, or write it",
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
        { name: "--write", type: "boolean", summary: "write the file, after asking; keeps a backup" },
        { name: "--yes", short: "-y", type: "boolean", summary: "do not ask" },
      ],
    ),
    effect: "changes",
  },
  local(
    "ui",
    "ui [--port N] [--no-open] [--read-only]",
    "open a web page on which you can watch sessions and agents, and take over",
    ["sonde ui", "sonde ui --no-open --read-only"],
    [
      {
        name: "--port",
        type: "number",
        summary: "serve it on this port of 127.0.0.1 (default: any free one)",
      },
      { name: "--no-open", type: "boolean", summary: "print its address and open no browser" },
      {
        name: "--read-only",
        type: "boolean",
        summary: "a link that can only watch: it cannot run or change anything",
      },
    ],
  ),
  {
    ...local(
      "ui export",
      "ui export <run|trace|profile> [<second trace>] -o <file.html>",
      "save an agent's run, a trace or a profile as one HTML file that opens offline, with secrets masked; given two traces, save where they differ",
      ["sonde ui export t12 -o trace.html", "sonde ui export t12 t13 -o two-runs.html"],
      [{ name: "--output", short: "-o", type: "string", placeholder: "file", summary: "the file to write" }],
    ),
    effect: "changes",
  },
  { ...local("ui stop", "ui stop", "end the page's server; sessions and agents go on"), effect: "changes" },
  local("skills list", "skills list", "list the skills for coding agents: one for each kind of program"),
  local("skills show", "skills show <name>… [reference.md]", "print a skill, or the page it links to", [
    "sonde skills show debugger-python",
    "sonde skills show debugger-python reference.md",
  ]),
  {
    ...local(
      "skills install",
      "skills install [name…] [--project|--user] [--for claude|agents|both] [--to <folder>] [--force]",
      "install the skills where coding agents look for them, or update them",
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
            "claude: Claude Code's .claude/skills; agents: .agents/skills, where Codex, Cursor, Gemini, Copilot and opencode look (default: whichever the folder already has, else both)",
        },
        { name: "--to", type: "string", placeholder: "folder", summary: "into this folder only" },
        { name: "--force", type: "boolean", summary: "replace files even if you have changed them" },
      ],
    ),
    effect: "changes",
  },
  local(
    "dap node",
    "dap node",
    "run the built-in Node adapter as a DAP server on stdin and stdout, for editors",
  ),
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
