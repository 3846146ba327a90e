/** Where each MCP client keeps its servers, and what an entry looks like there. */
import { homedir } from "node:os";
import { join } from "node:path";

export const CLIENTS = ["claude-code", "codex", "cursor", "vscode", "opencode", "gemini"] as const;
export type ClientName = (typeof CLIENTS)[number];
export type Scope = "project" | "user";

/** What an agent must run to get the tools. */
export interface Program {
  command: string;
  args: string[];
}

export interface Place {
  file: string;
  /** Another name the file may have. */
  other?: string;
  format: "json" | "toml";
  /** The object that holds the servers by name. */
  under: string;
  entry: Record<string, unknown>;
  /** Keys of a file that is made anew. */
  head?: Record<string, unknown>;
}

type Env = Record<string, string | undefined>;

export function placeFor(
  client: ClientName,
  scope: Scope,
  program: Program,
  { cwd, env = process.env }: { cwd: string; env?: Env },
): Place {
  const home = env.HOME ?? homedir();
  const config = env.XDG_CONFIG_HOME ?? join(home, ".config");
  const file = (project: string, user: string) => (scope === "project" ? join(cwd, project) : user);
  const plain = { command: program.command, args: program.args };
  switch (client) {
    case "claude-code":
      return {
        file: file(".mcp.json", join(home, ".claude.json")),
        format: "json",
        under: "mcpServers",
        entry: { type: "stdio", ...plain },
      };
    case "codex":
      return {
        file: file(".codex/config.toml", join(env.CODEX_HOME ?? join(home, ".codex"), "config.toml")),
        format: "toml",
        under: "mcp_servers",
        entry: plain,
      };
    case "cursor":
      return {
        file: file(".cursor/mcp.json", join(home, ".cursor/mcp.json")),
        format: "json",
        under: "mcpServers",
        entry: plain,
      };
    case "vscode":
      return {
        file: file(".vscode/mcp.json", join(vscodeFolder(home, config, env), "mcp.json")),
        format: "json",
        under: "servers",
        entry: { type: "stdio", ...plain },
      };
    case "opencode":
      return {
        file: file("opencode.json", join(config, "opencode/opencode.json")),
        other: file("opencode.jsonc", join(config, "opencode/opencode.jsonc")),
        format: "json",
        under: "mcp",
        entry: { type: "local", command: [program.command, ...program.args], enabled: true },
        head: { $schema: "https://opencode.ai/config.json" },
      };
    case "gemini":
      return {
        file: file(".gemini/settings.json", join(home, ".gemini/settings.json")),
        format: "json",
        under: "mcpServers",
        entry: plain,
      };
  }
}

function vscodeFolder(home: string, config: string, env: Env): string {
  if (process.platform === "darwin") return join(home, "Library/Application Support/Code/User");
  if (process.platform === "win32") return join(env.APPDATA ?? join(home, "AppData/Roaming"), "Code/User");
  return join(config, "Code/User");
}
