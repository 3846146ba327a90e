/** One configuration as a request to start or attach. Keys it does not use are named in a note, never silently dropped. */
import { isAbsolute, resolve } from "node:path";
import type { Runs } from "../../adapters/language.ts";
import { advice, blank, call } from "../../advice/advice.ts";
import type { AttachRequest, OpenRequest, RunRequest } from "../../commands/context.ts";
import { SondeError } from "../../errors.ts";
import { closest } from "../../util/closest.ts";
import { readSmallFile } from "../../util/small-file.ts";
import { parseEnvFile } from "./env-file.ts";
import { Fields } from "./fields.ts";
import { KINDS, type Kind, OF_THE_EDITOR } from "./kinds.ts";
import { movedPaths } from "./moved-paths.ts";
import type { Configuration } from "./read.ts";

export interface ConfiguredOptions {
  /** The workspace's. */
  folder: string;
  substitute(text: string): string;
}

export function configured(configuration: Configuration, options: ConfiguredOptions): RunRequest {
  const kind = kindOf(configuration);
  const fields = new Fields(configuration, options.substitute);
  const core = fields.text("coreFile") ?? fields.text("coreDumpPath") ?? fields.text("coreFilePath");
  if (core !== undefined || configuration.request === "attach") {
    const plan = attachPlan(kind, fields, options.folder, core);
    return {
      request: "attach",
      plan: { ...plan, ...named(kind, configuration), notes: notes(kind, fields) },
    };
  }
  const plan = launchPlan(kind, fields, options.folder);
  return { request: "launch", plan: { ...plan, ...named(kind, configuration), notes: notes(kind, fields) } };
}

/** Also says, for the list, why one cannot be started. */
export function kindOf({ type, name }: Configuration): Kind {
  const kind = KINDS.get(type);
  if (kind) return kind;
  const near = closest(type, KINDS.keys());
  throw new SondeError("ADAPTER_MISSING", `${name}: no adapter for configurations of type ${type}`, {
    hint: near ? `did you mean type ${near}?` : `known types: ${[...KINDS.keys()].join(", ")}`,
  });
}

function named(kind: Kind, { name }: Configuration): { adapter?: string; name: string } {
  return { name, ...(kind.adapter === undefined ? {} : { adapter: kind.adapter }) };
}

function launchPlan(kind: Kind, fields: Fields, folder: string): OpenRequest {
  const cwd = absolute(fields.text("cwd"), folder);
  const what = programOf(kind, fields, cwd ?? folder);
  return {
    ...what,
    cwd: cwd ?? folder,
    ...environment(fields, folder),
    stopOnEntry: fields.flag("stopOnEntry") ?? fields.flag("stopAtEntry") ?? false,
    extra: passed(kind, fields),
    ...movedPaths(fields, folder),
  };
}

function programOf(kind: Kind, fields: Fields, folder: string): Runs {
  const args = fields.words("args") ?? fields.words("arguments") ?? [];
  const program = absolute(
    fields.text("program") ?? fields.text("target") ?? fields.text("script") ?? fields.text("mainScript"),
    folder,
  );
  const own = kind.runs?.(fields, { program, args, folder });
  if (own !== undefined) return own;
  if (program !== undefined) return { program, args };
  throw new SondeError("BAD_CONFIG", "launch.json: the configuration names no program", {
    hint: `it has: ${fields.keys().join(", ")}`,
  });
}

function attachPlan(kind: Kind, fields: Fields, folder: string, core: string | undefined): AttachRequest {
  const program = absolute(fields.text("program") ?? fields.text("target"), folder);
  fields.text("mode"); // Go's `local`, `remote` and `core` only say again what the other keys do
  const extra = passed(kind, fields);
  const common = { extra, ...movedPaths(fields, folder), ...(program === undefined ? {} : { program }) };
  if (core !== undefined) return { core: absolute(core, folder) ?? core, ...common };
  const pid = fields.number("processId") ?? fields.number("pid");
  if (pid !== undefined) return { ...common, pid };
  const { host, port } = addressOf(fields);
  if (port !== undefined) return { port, ...(host === undefined ? {} : { host }), ...common };
  throw new SondeError("BAD_CONFIG", "launch.json: the configuration names no process and no port", {
    hint: advice`${call("attach", { pid: blank("pid") })} or ${call("attach", { port: blank("host:port") })}`,
  });
}

function addressOf(fields: Fields): { host?: string; port?: number } {
  const connect = fields.record("connect");
  if (connect)
    return {
      ...(typeof connect.host === "string" ? { host: connect.host } : {}),
      port: Number(connect.port),
    };
  const server = /^(?:(.*):)?(\d+)$/.exec(
    fields.text("miDebuggerServerAddress") ?? fields.text("gdb-remote-port") ?? "",
  );
  const host =
    fields.text("host") ?? fields.text("address") ?? fields.text("gdb-remote-hostname") ?? server?.[1];
  const port = fields.number("port") ?? (server ? Number(server[2]) : undefined);
  return { ...(host ? { host } : {}), ...(port === undefined ? {} : { port }) };
}

function environment(fields: Fields, folder: string): { env: Record<string, string>; unset: string[] } {
  const file = absolute(fields.text("envFile"), folder);
  const env = file === undefined ? {} : readEnvFile(file);
  const unset: string[] = [];
  const listed = (fields.records("environment") ?? []).map(
    ({ name, value }) => [String(name), value] as const,
  );
  for (const [key, value] of [...listed, ...Object.entries(fields.record("env") ?? {})]) {
    delete env[key];
    if (value === null) unset.push(key);
    else env[key] = String(value);
  }
  return { env, unset };
}

const MOST_BYTES = 1_000_000;

function readEnvFile(file: string): Record<string, string> {
  try {
    return parseEnvFile(readSmallFile(file, MOST_BYTES));
  } catch (error) {
    throw new SondeError("BAD_CONFIG", `launch.json: envFile: ${(error as Error).message}`);
  }
}

function passed(kind: Kind, fields: Fields): Record<string, unknown> {
  const keys = (kind.passes ?? []).filter((key) => fields.has(key) && !fields.used.has(key));
  return Object.fromEntries(keys.map((key) => [key, fields.any(key)]));
}

function notes(kind: Kind, fields: Fields): string[] {
  const ignored = fields
    .keys()
    .filter((key) => !fields.used.has(key) && !OF_THE_EDITOR.has(key) && kind.passes?.includes(key) !== true);
  return ignored.length === 0 ? [] : [`launch.json: not used: ${ignored.join(", ")}`];
}

function absolute(path: string | undefined, folder: string): string | undefined {
  if (path === undefined || isAbsolute(path)) return path;
  return resolve(folder, path);
}
