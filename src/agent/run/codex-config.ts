/** Which provider Codex would use and at which address: its command line first, then its configuration. Only the plain cases are known. */
import { join } from "node:path";
import { parse } from "smol-toml";
import type { Surroundings } from "./profiles/profile.ts";

export interface CodexConfig {
  /** `openai` is the built-in one. */
  provider: string;
  /** Undefined: the provider's own. */
  baseUrl: string | undefined;
  /** Where that is said. */
  from: string;
  /** Without the words that say it: what is said later would win over ours. */
  argv: readonly string[];
}

const MAIN_KEYS = /^(model_provider|openai_base_url|model_providers\.[^.]+\.base_url)$/;

export function readCodexConfig(around: Surroundings): CodexConfig {
  const { env, read } = around;
  const home = env.CODEX_HOME || join(env.HOME || "/", ".codex");
  const { said, profile, argv, local } = readWords(around);
  const files = [
    ...(profile === undefined ? [] : [join(home, `${profile}.config.toml`)]),
    join(home, "config.toml"),
  ].map((path) => ({ path, table: parsed(read(path)) }));
  const lookup = (...keys: string[]): { value: string; from: string } | undefined => {
    const word = said.get(keys.join("."));
    if (word !== undefined) return { value: word, from: `-c ${keys.join(".")}` };
    for (const { path, table } of files) {
      const value = at(table, keys);
      if (typeof value === "string" && value !== "") return { value, from: path };
    }
    return undefined;
  };
  const provider = local ?? lookup("model_provider")?.value ?? "openai";
  const base =
    provider === "openai"
      ? (lookup("openai_base_url") ?? accountBase(join(home, "auth.json"), around))
      : lookup("model_providers", provider, "base_url");
  return { provider, baseUrl: base?.value, from: base?.from ?? join(home, "config.toml"), argv };
}

/** With a ChatGPT account it calls another address than with a key. */
function accountBase(path: string, { read, env }: Surroundings): { value: string; from: string } | undefined {
  if (env.CODEX_API_KEY) return undefined;
  const text = read(path);
  if (text === undefined) return undefined;
  try {
    const login = JSON.parse(text) as { auth_mode?: unknown; OPENAI_API_KEY?: unknown; tokens?: unknown };
    const isAccount = login.auth_mode === "chatgpt" || (login.tokens && !login.OPENAI_API_KEY);
    return isAccount ? { value: CHATGPT, from: "the ChatGPT login" } : undefined;
  } catch {
    return undefined; // Codex itself says what is wrong with it
  }
}

const CHATGPT = "https://chatgpt.com/backend-api/codex";

interface Words {
  said: Map<string, string>;
  profile: string | undefined;
  /** `--oss`: a model on this machine. */
  local: string | undefined;
  argv: string[];
}

function readWords({ argv, at: start }: Surroundings): Words {
  const words: Words = {
    said: new Map(),
    profile: undefined,
    local: undefined,
    argv: argv.slice(0, start + 1),
  };
  for (let i = start + 1; i < argv.length; i++) {
    const word = argv[i] ?? "";
    const next = argv[i + 1];
    if (word === "--") {
      words.argv.push(...argv.slice(i));
      break;
    }
    if ((word === "-c" || word === "--config") && next !== undefined) {
      i++;
      const [key = "", ...rest] = next.split("=");
      if (MAIN_KEYS.test(key.trim())) words.said.set(key.trim(), unquoted(rest.join("=")));
      else words.argv.push(word, next);
      continue;
    }
    if (word === "--oss") words.local = "ollama";
    if ((word === "-p" || word === "--profile") && next !== undefined) words.profile = next;
    words.argv.push(word);
  }
  return words;
}

/** As Codex reads it: TOML, and what is no TOML is text. */
function unquoted(value: string): string {
  const parsedValue = at(parsed(`value = ${value}`), ["value"]);
  return typeof parsedValue === "string" ? parsedValue : value.trim();
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : parse(text);
  } catch {
    return undefined; // Codex itself says what is wrong with it
  }
}

function at(table: unknown, keys: readonly string[]): unknown {
  let value = table;
  for (const key of keys) value = (value as Record<string, unknown> | undefined)?.[key];
  return value;
}
