/** The child's command line and environment, and how they differ from what the user typed. */
import type { CreatedSession } from "../store/sessions.ts";
import type { Profile, Route, Surroundings } from "./profiles/profile.ts";

export interface ChildPlan {
  argv: readonly string[];
  env: Record<string, string>;
  changed: {
    /** Null: taken away. The token is not shown. */
    env: Readonly<Record<string, string | null>>;
    args: readonly string[];
  };
  costs: readonly string[];
  hooks: boolean;
}

export interface PlanOptions extends Omit<Route, "base" | "bareBase" | "token"> {
  session: Pick<CreatedSession, "id" | "root">;
  proxy: { url: string; bareUrl: string; token: string };
}

/** By which a `sonde` that the agent runs knows whose call it is. */
const MARK = "SONDE_AGENT_RUN";
const ROOT = "SONDE_AGENT_ROOT";

export function planChild(profile: Profile, around: Surroundings, options: PlanOptions): ChildPlan {
  const { session, proxy, ...route } = options;
  const change = profile.prepare(around, {
    ...route,
    base: proxy.url,
    bareBase: proxy.bareUrl,
    token: proxy.token,
  });
  const set = { ...change.set, ...directAccess(around.env), [MARK]: session.id, [ROOT]: session.root };
  const unset = change.unset ?? [];
  const env: Record<string, string> = { ...around.env, ...set };
  for (const name of unset) delete env[name];
  const hidden = (text: string) => text.replaceAll(proxy.token, "…");
  return {
    argv: change.argv,
    env,
    changed: {
      env: {
        ...Object.fromEntries(Object.entries(set).map(([name, value]) => [name, hidden(value)])),
        ...Object.fromEntries(unset.map((name) => [name, null])),
      },
      args: added(around.argv, change.argv).map(hidden),
    },
    costs: change.costs,
    hooks: change.hooks,
  };
}

const PROXY_VARIABLES = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
const LOOPBACK = "127.0.0.1";

/** A proxy of the user's cannot reach us, and need not. */
function directAccess(env: Readonly<Record<string, string>>): Record<string, string> {
  if (!PROXY_VARIABLES.some((name) => env[name])) return {};
  const before = env.NO_PROXY || env.no_proxy || "";
  const entries = before.split(/[\s,]+/).filter((entry) => entry !== "");
  if (entries.includes("*") || entries.includes(LOOPBACK)) return {};
  const value = [...entries, LOOPBACK].join(",");
  return { NO_PROXY: value, no_proxy: value };
}

/** The words that are ours. */
function added(before: readonly string[], after: readonly string[]): string[] {
  const left = [...before];
  return after.filter((word) => {
    const at = left.indexOf(word);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}
