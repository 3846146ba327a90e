/** Codex. It takes no base URL by its environment: a provider is described on its command line, for this run. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SondeError } from "../../../errors.ts";
import { TOKEN_HEADER } from "../../proxy/headers.ts";
import { type CodexConfig, readCodexConfig } from "../codex-config.ts";
import {
  OPENAI,
  openaiBase,
  type Profile,
  type Surroundings,
  type Upstream,
  withoutSlash,
} from "./profile.ts";

const OURS = "sonde";
/** Not in the URL: every user of the machine can read a command line. */
const TOKEN_VARIABLE = "SONDE_AGENT_TOKEN";
const HEADERS = `{"${TOKEN_HEADER}"=${JSON.stringify(TOKEN_VARIABLE)}}`;
/** It gives up a stream that is silent for five minutes. */
const PATIENCE_MS = 2_147_483_647;

export const codex: Profile = {
  name: "codex",
  title: "Codex",
  wire: "openai",
  patient: true,
  upstream(around): Upstream {
    const config = readCodexConfig(around);
    const base = { anthropic: "", openai: withoutSlash(config.baseUrl ?? OPENAI) };
    return config.baseUrl === undefined ? base : { ...base, from: config.from };
  },
  prepare(around, { bareBase, token }) {
    const config = readCodexConfig(around);
    const url = openaiBase(bareBase);
    const words = config.provider === "openai" ? ownProvider(url, around) : usersProvider(url, config);
    const args = words.flatMap((word) => ["-c", word]);
    return {
      argv: config.argv.toSpliced(around.at + 1, 0, ...args),
      set: { [TOKEN_VARIABLE]: token },
      costs: [
        "Codex uses HTTP here instead of WebSocket.",
        "A tool call that you cancel ends the turn.",
        ...(around.env.OPENAI_BASE_URL && config.baseUrl === undefined
          ? ["Codex does not read OPENAI_BASE_URL; `--upstream <url>` sends its calls there."]
          : []),
      ],
      hooks: false,
    };
  },
};

/** The built-in provider cannot be changed; this one is the same at another address. */
function ownProvider(url: string, around: Surroundings): string[] {
  const fields = {
    // Its own name: by it Codex decides what the provider is able to do.
    name: JSON.stringify("OpenAI"),
    base_url: JSON.stringify(url),
    wire_api: JSON.stringify("responses"),
    supports_websockets: "false",
    stream_idle_timeout_ms: String(PATIENCE_MS),
    env_http_headers: HEADERS,
    ...(needsVariable(around)
      ? { env_key: JSON.stringify("OPENAI_API_KEY") }
      : { requires_openai_auth: "true" }),
  };
  const table = Object.entries(fields).map(([key, value]) => `${key}=${value}`);
  return [
    `model_provider=${JSON.stringify(OURS)}`,
    `model_providers.${OURS}={${table.join(",")}}`,
    // With a ChatGPT account it compresses what it sends, in a way that could not be read here.
    "features.enable_request_compression=false",
  ];
}

/** Nobody has logged in, but there is a key. */
function needsVariable({ env }: Surroundings): boolean {
  if (env.CODEX_API_KEY || !env.OPENAI_API_KEY) return false;
  return !existsSync(join(env.CODEX_HOME || join(env.HOME || "/", ".codex"), "auth.json"));
}

/** Its key, headers and the rest stay as they are. */
function usersProvider(url: string, { provider, baseUrl, from }: CodexConfig): string[] {
  if (baseUrl === undefined)
    throw new SondeError(
      "UNSUPPORTED",
      `Codex is set to use the provider ${provider}, whose address is not in ${from}`,
      {
        hint: "name one that is, or another profile: --client openai",
      },
    );
  return [
    `model_providers.${provider}.base_url=${JSON.stringify(url)}`,
    `model_providers.${provider}.env_http_headers.${TOKEN_HEADER}=${JSON.stringify(TOKEN_VARIABLE)}`,
    `model_providers.${provider}.supports_websockets=false`,
    `model_providers.${provider}.stream_idle_timeout_ms=${PATIENCE_MS}`,
  ];
}
