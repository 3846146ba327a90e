/** The configuration file: TOML, every key with a default, an unknown or wrong one an error that names file, line and key. */
import { readFileSync } from "node:fs";
import { parse, TomlError } from "smol-toml";
import * as z from "zod";
import type { Adapter } from "../../adapters/adapter.ts";
import { ADAPTERS } from "../../adapters/registry.ts";
import type { Price } from "../../agent/explain/prices.ts";
import { SondeError } from "../../errors.ts";
import { closest } from "../../util/closest.ts";
import { checkTrusted } from "../../util/own-folder.ts";
import { lineOfKey } from "./lines.ts";

const positive = () => z.number().positive();
const count = () => z.number().int().positive();

/** `[adapters.<name>]`. Of an adapter that sonde knows: where it is. Of a new name: all of it. */
const adapter = z.strictObject({
  command: z.string().min(1).optional(),
  /** The same as command. */
  path: z.string().min(1).optional(),
  open_port: z.boolean().optional(),
  args: z.array(z.string()).optional(),
  transport: z.enum(["stdio", "tcp", "callback"]).optional(),
  file_types: z.array(z.string().regex(/^\.\w[\w.+-]*$/, "a file type must begin with a dot")).optional(),
  languages: z.array(z.string().min(1)).optional(),
  launch: z.record(z.string(), z.unknown()).optional(),
  attach: z.record(z.string(), z.unknown()).optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const NAME = /^[a-z0-9][\w.-]*$/i;
/** What can be said about an adapter that sonde knows. */
const OF_KNOWN = ["command", "path", "args", "open_port"];

/** `[agents.prices."claude-x*"]`: dollars for a million tokens. */
const price = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cache_read: z.number().nonnegative().optional(),
  cache_write: z.number().nonnegative().optional(),
});

const schema = z.strictObject({
  daemon: z
    .strictObject({
      idle_timeout_minutes: positive().default(30),
      session_idle_minutes: positive().default(60),
      rest_minutes: positive().default(1),
    })
    .prefault({}),
  timeouts: z
    .strictObject({
      dap_initialize_secs: positive().default(10),
      dap_launch_secs: positive().default(30),
      dap_request_secs: positive().default(30),
      await_default_secs: positive().default(300),
      wait_secs: positive().default(30),
    })
    .prefault({}),
  output: z
    .strictObject({ max_events: count().default(10_000), max_bytes_mb: positive().default(10) })
    .prefault({}),
  limits: z
    .strictObject({
      snapshot_bytes: count().default(4096),
      value_chars: count().default(120),
      variables: count().default(30),
      frames: count().default(10),
      output_lines: count().default(20),
    })
    .prefault({}),
  defaults: z.strictObject({ adapter: z.string().optional() }).prefault({}),
  paths: z
    .strictObject({
      map: z.array(z.string().regex(/^[^=]+=./, "write a moved folder as /built/at=/is/at")).default([]),
    })
    .prefault({}),
  terminal: z
    /** A line for the shell that takes a text on its standard input and puts it into the clipboard. */
    .strictObject({ copy_command: z.string().min(1).optional() })
    .prefault({}),
  adapters: z.record(z.string(), adapter).default({}),
  agents: z.strictObject({ prices: z.record(z.string(), price).default({}) }).prefault({}),
});

export type Config = z.infer<typeof schema>;

export const DEFAULT_CONFIG: Config = schema.parse({});

/** Which go before the list prices. */
export function pricesOf({ agents }: Config): Price[] {
  return Object.entries(agents.prices).map(([model, { input, output, cache_read, cache_write }]) => ({
    model,
    input,
    output,
    cacheRead: cache_read,
    cacheWrite: cache_write,
  }));
}

export function loadConfig(path: string): Config {
  let text: string;
  try {
    checkTrusted(path);
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return DEFAULT_CONFIG;
    if (error instanceof SondeError) throw error;
    throw new SondeError("BAD_CONFIG", `${path} cannot be read: ${(error as Error).message}`);
  }
  return parseConfig(text, path);
}

export function parseConfig(text: string, path: string): Config {
  let raw: unknown;
  try {
    raw = parse(text);
  } catch (error) {
    const line = error instanceof TomlError ? error.line : 1;
    throw new SondeError("BAD_CONFIG", `${path}:${line}: ${(error as Error).message.split("\n")[0]}`);
  }
  const result = schema.safeParse(raw);
  const mistake = result.success ? mistakeIn(result.data) : firstIssue(result.error);
  if (result.success && mistake === undefined) return settled(result.data);
  const { keys, what, hint } = mistake ?? { keys: [], what: "wrong" };
  throw new SondeError(
    "BAD_CONFIG",
    `${path}:${lineOfKey(text, keys)}: ${what}`,
    hint === undefined ? {} : { hint },
  );
}

interface Mistake {
  keys: string[];
  what: string;
  hint?: string;
}

function firstIssue(error: z.ZodError): Mistake {
  const issue = error.issues[0];
  const path = (issue?.path ?? []).map(String);
  if (issue?.code !== "unrecognized_keys")
    return { keys: path, what: `${path.join(".")}: ${issue?.message ?? "wrong"}` };
  const unknown = issue.keys[0] ?? "";
  const keys = [...path, unknown];
  const near = closest(unknown, knownKeys(path));
  return {
    keys,
    what: `there is no key ${keys.join(".")}`,
    ...(near === undefined ? {} : { hint: `did you mean ${near}?` }),
  };
}

/** Adapters under their own names, each with one word for where it is. */
function settled(config: Config): Config {
  const adapters = Object.entries(config.adapters).map(([name, { path, ...rest }]) => {
    const command = rest.command ?? path;
    return [known(name)?.name ?? name, { ...rest, ...(command === undefined ? {} : { command }) }];
  });
  return { ...config, adapters: Object.fromEntries(adapters) };
}

function known(name: string): Adapter | undefined {
  return (
    ADAPTERS.find((one) => one.name === name) ??
    ADAPTERS.find((one) => one.alsoCalled?.includes(name.toLowerCase()) === true)
  );
}

function mistakeIn({ adapters, defaults }: Config): Mistake | undefined {
  return mistakeInAdapters(adapters) ?? mistakeInDefault(defaults.adapter, Object.keys(adapters));
}

function mistakeInDefault(name: string | undefined, configured: readonly string[]): Mistake | undefined {
  if (name === undefined || configured.includes(name)) return undefined;
  if (known(name) || ADAPTERS.some((one) => one.languages.includes(name.toLowerCase()))) return undefined;
  const names = [...configured, ...ADAPTERS.map((one) => one.name)];
  const near = closest(name, names);
  return {
    keys: ["defaults", "adapter"],
    what: `defaults.adapter: there is no adapter called ${name}`,
    hint: near === undefined ? `there are: ${names.join(", ")}` : `did you mean ${near}?`,
  };
}

function mistakeInAdapters(adapters: Config["adapters"]): Mistake | undefined {
  for (const [name, settings] of Object.entries(adapters)) {
    const keys = ["adapters", name];
    if (!NAME.test(name))
      return { keys, what: `${name} is not a valid adapter name: use letters, digits, - _ .` };
    const isKnown = known(name) !== undefined;
    if (settings.command !== undefined && settings.path !== undefined)
      return {
        keys: [...keys, "path"],
        what: `adapters.${name}: command and path mean the same; give only one`,
      };
    if (!isKnown && settings.command === undefined && settings.path === undefined)
      return {
        keys,
        what: `adapters.${name}.command is missing`,
        hint: `sonde has no adapter called ${name}, so the file must say what to run; sonde's own are ${ADAPTERS.map((one) => one.name).join(", ")}`,
      };
    const extra = isKnown ? Object.keys(settings).find((key) => !OF_KNOWN.includes(key)) : undefined;
    if (extra !== undefined)
      return {
        keys: [...keys, extra],
        what: `adapters.${name}.${extra}: ${name} is a built-in adapter, so only command (or path), args and open_port can be set`,
        hint: "an adapter with another name can have every setting",
      };
  }
  return undefined;
}

function knownKeys(table: string[]): string[] {
  if (table[0] === "adapters") return Object.keys(adapter.shape);
  const tables: Record<string, object> = DEFAULT_CONFIG;
  return Object.keys(table.length === 0 ? DEFAULT_CONFIG : (tables[table[0] ?? ""] ?? {}));
}

/** Every key with its value, and whether that is the one it has by itself. */
export function settingsOf(config: Config): { key: string; value: unknown; isDefault: boolean }[] {
  const known = new Map(flat(DEFAULT_CONFIG, ""));
  return flat(config, "").map(([key, value]) => ({
    key,
    value,
    isDefault: JSON.stringify(known.get(key)) === JSON.stringify(value),
  }));
}

function flat(table: object, prefix: string): [string, unknown][] {
  return Object.entries(table).flatMap(([name, value]) => {
    const key = prefix === "" ? name : `${prefix}.${name}`;
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? flat(value as object, key)
      : [[key, value] as [string, unknown]];
  });
}
