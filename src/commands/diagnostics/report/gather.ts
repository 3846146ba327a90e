/** What a report is made of, from what the daemon has and knows. Nothing is asked of a program or of its debugger. */
import { homedir, hostname, userInfo } from "node:os";
import { fileItem, isItem, isMissing } from "../../../diagnostics/report/file-item.ts";
import { type Item, jsonItem, type Missing } from "../../../diagnostics/report/item.ts";
import { KnownValues } from "../../../diagnostics/report/known-values.ts";
import { learn } from "../../../diagnostics/report/learning.ts";
import { logItem } from "../../../diagnostics/report/log-tail.ts";
import { Redactor } from "../../../diagnostics/report/redactor.ts";
import type { Context } from "../../context.ts";
import { systemOf } from "../system.ts";
import { agentParts } from "./agent-parts.ts";
import { profileParts } from "./profile-parts.ts";
import { launchFor, sessionParts } from "./session-parts.ts";
import { traceParts } from "./trace-parts.ts";

export interface Gathered {
  items: Item[];
  missing: Missing[];
  redactor: Redactor;
}

export interface Wanted {
  /** What is measured of this moment is left out: the same report, made again, has the same bytes. */
  reproducible: boolean;
  /** All sessions, not only the one that is meant. */
  allSessions: boolean;
  /** A run of an agent too: the newest, or the one of this name. */
  agent: boolean | string;
  /** A file that is only ever taken by name. */
  heapSnapshot?: string;
}

export async function gather(context: Context, wanted: Wanted): Promise<Gathered> {
  const known = new KnownValues();
  const run = [
    ...context.launches.map(({ opening }) => opening.plan.env),
    ...context.past.map(({ env }) => env),
  ];
  for (const env of [process.env, context.env, ...run]) known.addEnvironment(env);
  const launch = launchFor(context);
  const { agent, heapSnapshot } = wanted;
  const parts = [
    ...(await systemParts(context, wanted)),
    ...(await configParts(context, known)),
    await logItem(context.places.logs),
    ...sessionParts(context, launch, known, wanted.allSessions),
    ...(await traceParts(context.traces, launch?.cwd ?? context.cwd, known)),
    ...(await profileParts(context.places.profiles, launch?.cwd ?? context.cwd)),
    ...(agent === false ? [] : await agentParts(context, agent === true ? undefined : agent)),
    ...(heapSnapshot === undefined ? [] : [await fileItem("memory.heapsnapshot", heapSnapshot)]),
  ];
  const items = parts.filter(isItem);
  await learn(items, known, context.signal);
  return {
    items,
    missing: parts.filter(isMissing),
    redactor: new Redactor(known, identity(context)),
  };
}

async function systemParts(context: Context, { reproducible }: Wanted): Promise<Item[]> {
  const { environment, memory, ...system } = await systemOf(context);
  const { freeBytes, ...total } = memory;
  return [
    jsonItem("system.json", { ...system, memory: reproducible ? total : { ...total, freeBytes } }),
    jsonItem("environment.json", environment),
  ];
}

async function configParts(context: Context, known: KnownValues): Promise<(Item | Missing)[]> {
  const { settings } = context.configuration();
  for (const { key, value } of settings)
    if (key.endsWith(".env") || key === "adapters") learnEnvironments(value, known);
  const effective = Object.fromEntries(settings.map(({ key, value }) => [key, value]));
  return [jsonItem("config.json", effective), await fileItem("config.toml", context.places.config)];
}

/** Adapters may be given variables of their own. */
function learnEnvironments(value: unknown, known: KnownValues): void {
  if (typeof value !== "object" || value === null) return;
  const fields = Object.entries(value);
  if (fields.every(([, one]) => typeof one === "string"))
    known.addEnvironment(value as Record<string, string>);
  else for (const [, one] of fields) learnEnvironments(one, known);
}

function identity({ env }: Context) {
  const users = [env.USER, env.LOGNAME, accountName()].filter((name) => name !== undefined && name !== "");
  return {
    home: env.HOME ?? homedir(),
    users: users as string[],
    hosts: [hostname(), env.HOSTNAME ?? ""].filter((name) => name !== ""),
  };
}

function accountName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined; // a number without an account, as in containers
  }
}
