/** The configuration file: TOML, every key with a default, an unknown or wrong one an error that names file, line and key. */
import { readFileSync } from "node:fs";
import { parse, TomlError } from "smol-toml";
import * as z from "zod";
import { SondeError } from "../errors.ts";
import { closest } from "../util/closest.ts";

const positive = () => z.number().positive();
const count = () => z.number().int().positive();

const schema = z.strictObject({
  daemon: z
    .strictObject({
      idle_timeout_minutes: positive().default(30),
      session_idle_minutes: positive().default(60),
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
});

export type Config = z.infer<typeof schema>;

export const DEFAULT_CONFIG: Config = schema.parse({});

export function loadConfig(path: string): Config {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return DEFAULT_CONFIG;
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
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const keys =
    issue?.code === "unrecognized_keys" ? [...issue.path, issue.keys[0] ?? ""] : (issue?.path ?? []);
  const key = keys.map(String).join(".");
  const where = `${path}:${lineOf(text, keys.map(String))}`;
  if (issue?.code !== "unrecognized_keys")
    throw new SondeError("BAD_CONFIG", `${where}: ${key}: ${issue?.message ?? "wrong"}`);
  const near = closest(keys.map(String).at(-1) ?? "", knownKeys(keys.map(String).slice(0, -1)));
  throw new SondeError(
    "BAD_CONFIG",
    `${where}: there is no key ${key}`,
    near ? { hint: `did you mean ${near}?` } : {},
  );
}

function knownKeys(table: string[]): string[] {
  const tables: Record<string, object> = DEFAULT_CONFIG;
  return Object.keys(table.length === 0 ? DEFAULT_CONFIG : (tables[table[0] ?? ""] ?? {}));
}

/** The line of `[a]` or of `b =` inside it; good enough to point at. */
function lineOf(text: string, keys: string[]): number {
  const lines = text.split("\n");
  const [table = "", key] = keys;
  const header = lines.findIndex((line) =>
    new RegExp(`^\\s*\\[\\s*${escapeRegExp(table)}\\s*\\]`).test(line),
  );
  if (key === undefined) {
    const top = lines.findIndex((line) => new RegExp(`^\\s*${escapeRegExp(table)}\\s*=`).test(line));
    return Math.max(header, top, 0) + 1;
  }
  const inside = lines.findIndex(
    (line, index) => index > header && new RegExp(`^\\s*${escapeRegExp(key)}\\s*=`).test(line),
  );
  return Math.max(inside, header, 0) + 1;
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
