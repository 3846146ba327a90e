/** What a report is made of, from what the daemon has and knows. Nothing is asked of a program or of its debugger. */
import { homedir, hostname, userInfo } from "node:os";
import { fileItem, isItem, isMissing } from "../../../diagnostics/report/file-item.ts";
import { type Item, jsonItem, type Missing } from "../../../diagnostics/report/item.ts";
import { KnownValues } from "../../../diagnostics/report/known-values.ts";
import { logItem } from "../../../diagnostics/report/log-tail.ts";
import { Redactor } from "../../../diagnostics/report/redactor.ts";
import type { Context } from "../../context.ts";
import { systemOf } from "../system.ts";

export interface Gathered {
  items: Item[];
  missing: Missing[];
  redactor: Redactor;
}

export interface Wanted {
  /** What is measured of this moment is left out: the same report, made again, has the same bytes. */
  reproducible: boolean;
}

export async function gather(context: Context, wanted: Wanted): Promise<Gathered> {
  const known = new KnownValues();
  const parts = [
    ...(await systemParts(context, wanted)),
    ...(await configParts(context)),
    await logItem(context.places.logs),
  ];
  for (const env of [process.env, context.env, ...context.launches.map(({ opening }) => opening.plan.env)])
    known.addEnvironment(env);
  return {
    items: parts.filter(isItem),
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

async function configParts(context: Context): Promise<(Item | Missing)[]> {
  const { settings } = context.configuration();
  const effective = Object.fromEntries(settings.map(({ key, value }) => [key, value]));
  return [jsonItem("config.json", effective), await fileItem("config.toml", context.places.config)];
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
