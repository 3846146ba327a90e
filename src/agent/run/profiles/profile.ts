/** What a client needs to be told so that its calls come through us. A profile changes the child and nothing else: no file of the user's. */

export type ClientName = "claude" | "codex" | "anthropic" | "openai" | "unknown";

/** What a profile may look at. */
export interface Surroundings {
  argv: readonly string[];
  /** Which word of `argv` is the client: options of ours come right behind it. */
  at: number;
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** Undefined where there is no such file. */
  read(path: string): string | undefined;
}

/** Where calls go in the end, each as the client's own variable would have it written. */
export interface Upstream {
  /** Without `/v1`. */
  anthropic: string;
  /** With `/v1`, where the provider has that. */
  openai: string;
  /** Who named it, if it is not the provider's own address. */
  from?: string;
}

export interface Route {
  /** http://127.0.0.1:PORT/TOKEN */
  base: string;
  /** Without the token, for clients that can send it in a header: command lines can be read by every user of the machine. */
  bareBase: string;
  token: string;
  upstream: Upstream;
  /** Whether the client's own hooks are to be used, if it has some. */
  hooks: boolean;
  /** Keeps text in a file that only the user can read, for as long as the child runs; its path. */
  keep(name: string, text: string): string;
}

export interface Change {
  argv: readonly string[];
  set: Readonly<Record<string, string>>;
  unset?: readonly string[];
  /** What the user loses by the detour, a line each. */
  costs: readonly string[];
  /** Whether its hooks are on their way to us. */
  hooks: boolean;
}

export interface Profile {
  name: ClientName;
  /** As people call it. */
  title: string;
  /** Whose API it speaks; left out where that is not known, and either may be. */
  wire?: "anthropic" | "openai";
  /** It waits for a held call as long as it must: it is told to, or does so anyway. */
  patient: boolean;
  upstream(around: Surroundings): Upstream;
  prepare(around: Surroundings, route: Route): Change;
}

export const ANTHROPIC = "https://api.anthropic.com";
export const OPENAI = "https://api.openai.com/v1";

/** A base URL that is set in the environment already is where calls went before us, and go after us. */
export function fromEnvironment(env: Readonly<Record<string, string>>): Upstream {
  const anthropic = env.ANTHROPIC_BASE_URL;
  const openai = env.OPENAI_BASE_URL;
  const named = [...(anthropic ? ["ANTHROPIC_BASE_URL"] : []), ...(openai ? ["OPENAI_BASE_URL"] : [])];
  return {
    anthropic: withoutSlash(anthropic || ANTHROPIC),
    openai: withoutSlash(openai || OPENAI),
    ...(named.length === 0 ? {} : { from: named.join(" and ") }),
  };
}

/** Those of the addresses that the client's calls may go to, the likelier first. */
export function addressesOf(
  { wire }: Pick<Profile, "wire">,
  { anthropic, openai }: Upstream,
): [string, ...string[]] {
  if (wire === undefined) return [anthropic, openai];
  return [wire === "anthropic" ? anthropic : openai];
}

export function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

/** The OpenAI SDKs expect `/v1` in the base URL. */
export function openaiBase(base: string): string {
  return `${base}/v1`;
}
