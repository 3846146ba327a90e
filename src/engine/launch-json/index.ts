/** `sonde configs` and `start --config`: what an editor's launch.json offers, by name. The file runs nothing by itself. */

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { advice, named, option, type Told } from "../../advice/advice.ts";
import type { ConfigurationRow, RunRequest } from "../../commands/context.ts";
import { SondeError } from "../../errors.ts";
import { closest } from "../../util/closest.ts";
import type { Caller } from "../types.ts";
import { configured, kindOf } from "./configured.ts";
import { type Compound, type Configuration, type LaunchJson, readLaunchJson } from "./read.ts";
import { runTask, type TaskOptions, taskNote } from "./tasks.ts";
import { substitute } from "./variables.ts";

export function listConfigurations({ cwd }: Caller): { file: string; rows: ConfigurationRow[] } {
  const { file, configurations, compounds } = readLaunchJson(cwd);
  return { file, rows: [...configurations.map(configurationRow), ...compounds.map(compoundRow)] };
}

function configurationRow(one: Configuration): ConfigurationRow {
  const { name, type, request } = one;
  return { name, type, request, ...whatOf(one), ...taskOf(one), ...problemOf(one) };
}

function compoundRow(compound: Compound): ConfigurationRow {
  const what = partsOf(compound).join(", ");
  return { name: compound.name, type: "compound", request: "compound", what, ...taskOf(compound) };
}

function partsOf({ configurations }: Compound): string[] {
  return configurations.map((part) => (typeof part === "string" ? part : part.name));
}

/** What it runs or reaches, as written. */
const SAYING = ["program", "module", "command", "runtimeExecutable", "target", "script", "processId", "port"];

function whatOf(one: Configuration): { what?: string } {
  const key = SAYING.find((name) => ["string", "number"].includes(typeof one[name]));
  if (key === undefined) return {};
  const value = String(one[key]);
  return { what: ["port", "processId", "module"].includes(key) ? `${key} ${value}` : value };
}

function taskOf(one: Configuration | Compound): { preLaunchTask?: string } {
  return typeof one.preLaunchTask === "string" ? { preLaunchTask: one.preLaunchTask } : {};
}

function problemOf(one: Configuration): { problem?: string } {
  try {
    kindOf(one);
    return {};
  } catch {
    return { problem: `no adapter for type ${one.type}` };
  }
}

export interface ByNameOptions {
  file?: string;
  runTasks?: boolean;
}

export async function configurationsNamed(
  caller: Caller,
  name: string,
  options: ByNameOptions,
): Promise<RunRequest[]> {
  const json = readLaunchJson(caller.cwd);
  const found = findNamed(json, name);
  const set = (text: string) => substitute(text, knownTo(json, caller, options.file));
  const tasks: TaskOptions = { launchJson: json.file, folder: json.folder, env: caller.env, substitute: set };
  const all = found.parts.map((one) => ({
    result: configured(one, { folder: json.folder, substitute: set }),
    task: one.preLaunchTask,
  }));
  // Only when every part can be started is anything run for them.
  const labels = [found.task, ...all.map(({ task }) => task)].filter((one) => typeof one === "string");
  const said: Told[] = [];
  for (const label of new Set(labels))
    said.push(options.runTasks ? await runTask(label, tasks, caller.io.signal) : taskNote(label, tasks));
  all[0]?.result.plan.notes?.unshift(...said);
  return all.map(({ result }) => result);
}

function findNamed(json: LaunchJson, name: string): { parts: Configuration[]; task?: string | undefined } {
  const same = (one: { name: string }) => one.name === name;
  const single = json.configurations.find(same);
  if (single) return { parts: [single] };
  const compound = json.compounds.find(same);
  if (compound) {
    const parts = partsOf(compound).map((part) => {
      const found = json.configurations.find((one) => one.name === part);
      if (found) return found;
      throw new SondeError(
        "BAD_CONFIG",
        `${json.file}: compound ${name} names ${part}, which does not exist`,
      );
    });
    if (parts.length > 0) return { parts, task: compound.preLaunchTask };
    throw new SondeError("BAD_CONFIG", `${json.file}: compound ${name} names no configurations`);
  }
  const names = [...json.configurations, ...json.compounds].map((one) => one.name);
  const near = names.find((one) => one.toLowerCase() === name.toLowerCase()) ?? closest(name, names);
  const list = names.length > 0 ? `there are: ${names.join(", ")}` : "it has no configurations";
  throw new SondeError("BAD_ARGUMENT", `no configuration ${name} in ${json.file}`, {
    hint: near ? advice`did you mean ${option({ config: near })}?` : list,
  });
}

function knownTo(json: LaunchJson, { cwd, env }: Caller, typed: string | undefined) {
  const file = typed === undefined ? undefined : resolve(cwd, typed);
  if (file !== undefined && !existsSync(file))
    throw new SondeError("BAD_ARGUMENT", advice`${named("file")}: no file ${typed ?? ""} in ${cwd}`, {
      folder: cwd,
    });
  return {
    folder: json.folder,
    cwd: json.folder,
    home: env.HOME ?? homedir(),
    env,
    file,
    inputs: json.inputs,
  };
}
