/** Claude Code. */
import { join } from "node:path";
import { SondeError } from "../../../errors.ts";
import { hookSettings } from "../../hooks/settings.ts";
import { mergeSettings, type Settings, takeSettings } from "../settings.ts";
import {
  ANTHROPIC,
  fromEnvironment,
  type Profile,
  type Surroundings,
  type Upstream,
  withoutSlash,
} from "./profile.ts";

/** It gives up waiting for a call after five or six minutes, and sends it again. A call that a person holds may take days. */
const PATIENCE = {
  API_TIMEOUT_MS: "2147483647",
  CLAUDE_ENABLE_STREAM_WATCHDOG: "0",
  CLAUDE_ENABLE_BYTE_WATCHDOG: "0",
  API_FORCE_IDLE_TIMEOUT: "0",
};

const OURS = {
  // Which agent a call belongs to, and what kind of call it is.
  CLAUDE_CODE_GATEWAY_HINT_HEADERS: "1",
  // An error in the middle of a stream would be followed by the same call once more, in one piece.
  CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: "1",
};

/** Off at any address but the provider's own; there it is how it works without us. */
const FEATURES = {
  ENABLE_TOOL_SEARCH: "true",
  CLAUDE_CODE_ENABLE_FINE_GRAINED_TOOL_STREAMING: "1",
  CLAUDE_CODE_PROPAGATE_TRACEPARENT: "1",
};

/** By which a Claude Code tells those that it starts that they are its children. */
const MARKS = [
  "CLAUDECODE",
  "CLAUDE_CODE_CHILD_SESSION",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_EXECPATH",
  "CLAUDE_CODE_MESSAGING_SOCKET",
  "CLAUDE_CODE_MESSAGING_TOKEN",
  "CLAUDE_CODE_SESSION_ATTENDED",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_EFFORT",
  "CLAUDE_PID",
];

/** Calls go elsewhere than to the base URL with these. */
const OTHER_WAYS = ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"];

export const claude: Profile = {
  name: "claude",
  title: "Claude Code",
  wire: "anthropic",
  patient: true,
  upstream,
  prepare(around, { base, bareBase, token, upstream: { anthropic }, hooks, keep }) {
    const features = anthropic === ANTHROPIC ? missing(FEATURES, around.env) : {};
    const set = { ANTHROPIC_BASE_URL: base, ...PATIENCE, ...OURS, ...features };
    const user = takeSettings(around);
    // Its own settings may hold an environment too, which would win over the one that it is started with.
    const ours: Settings = { env: set, ...(hooks ? { hooks: hookSettings(bareBase, token) } : {}) };
    const path = keep("claude-settings.json", JSON.stringify(mergeSettings(user.settings, ours), null, 2));
    const argv = user.argv.toSpliced(around.at + 1, 0, "--settings", path);
    const inherited = around.env.CLAUDECODE === undefined ? [] : MARKS.filter((name) => name in around.env);
    return { argv, set, unset: inherited, costs: costs(around, hooks), hooks };
  },
};

function costs({ env }: Surroundings, hooks: boolean): string[] {
  const other = OTHER_WAYS.find((name) => env[name] !== undefined && !/^(0|false|)$/i.test(env[name]));
  return [
    "Remote Control is off: Claude Code switches it off at any address but its own.",
    ...(hooks ? [] : ["Without hooks, a tool call that you cancel ends the turn."]),
    ...(other === undefined
      ? []
      : [`${other} is set: calls to the model bypass Sonde, so only tool calls can be stopped.`]),
  ];
}

/** As Claude Code reads them: what comes first wins, and the environment comes last. */
function upstream(around: Surroundings): Upstream {
  const { env, cwd, read } = around;
  const home = env.CLAUDE_CONFIG_DIR || join(env.HOME || "/", ".claude");
  const projects = [join(cwd, ".claude", "settings.local.json"), join(cwd, ".claude", "settings.json")];
  const given = baseIn(takeSettings(around).settings);
  const plain = fromEnvironment(env);
  if (given !== undefined) return { ...plain, anthropic: given, from: "--settings" };
  for (const path of [...projects, join(home, "settings.json")]) {
    const found = baseIn(parsed(read(path)));
    if (found === undefined) continue;
    if (projects.includes(path) && !isTrusted(around)) throw notTrusted(path, found);
    return { ...plain, anthropic: found, from: path };
  }
  return plain;
}

/**
 * Calls carry the user's key. Claude Code follows a project's address only once the user has said that the folder is trusted; we are asked
 * before it can ask.
 */
function notTrusted(path: string, url: string): SondeError {
  return new SondeError(
    "PERMISSION",
    `${path} would send Claude Code's calls, and your key with them, to ${JSON.stringify(url)}`,
    {
      hint: "`--upstream <that address>` if you want that, `--upstream https://api.anthropic.com` if not; or run `claude` here first and trust the folder",
    },
  );
}

/** Claude Code keeps what was answered there; a folder that is trusted covers those inside it. */
function isTrusted({ env, cwd, read }: Surroundings): boolean {
  const known = parsed(read(join(env.CLAUDE_CONFIG_DIR || env.HOME || "/", ".claude.json")));
  const projects = Object.entries(known?.projects ?? {});
  return projects.some(
    ([folder, state]) =>
      state?.hasTrustDialogAccepted === true && (cwd === folder || cwd.startsWith(join(folder, "/"))),
  );
}

function baseIn(settings: Settings | undefined): string | undefined {
  const url = settings?.env?.ANTHROPIC_BASE_URL;
  return typeof url === "string" && url !== "" ? withoutSlash(url) : undefined;
}

/** A file that Claude Code cannot read either says nothing about its base URL. */
function parsed(text: string | undefined): Settings | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Settings) : undefined;
  } catch {
    return undefined;
  }
}

/** What the user has not decided otherwise. */
function missing(
  wanted: Record<string, string>,
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => env[name] === undefined));
}
