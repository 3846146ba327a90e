/** Claude Code takes one `--settings`, a file or JSON text. If the user gave one, ours is merged with it. */
import { resolve } from "node:path";
import { SondeError } from "../../errors.ts";
import type { Surroundings } from "./profiles/profile.ts";

/** Only what we look at. */
export interface Settings {
  env?: Record<string, unknown>;
  hooks?: Record<string, unknown>;
  /** Of Claude Code's own state. */
  projects?: Record<string, { hasTrustDialogAccepted?: unknown } | null>;
  [key: string]: unknown;
}

const OPTION = "--settings";

/** The settings on the command line, and the command line without them. */
export function takeSettings({ argv, at, cwd, read }: Surroundings): {
  argv: readonly string[];
  settings: Settings | undefined;
} {
  const end = argv.indexOf("--", at + 1);
  const words = argv.slice(0, end === -1 ? argv.length : end);
  // The last one counts.
  const index = words.findLastIndex(
    (word, i) => i > at && (word === OPTION || word.startsWith(`${OPTION}=`)),
  );
  if (index === -1) return { argv, settings: undefined };
  const joined = words[index]?.startsWith(`${OPTION}=`) === true;
  const value = joined ? words[index]?.slice(OPTION.length + 1) : words[index + 1];
  if (value === undefined) return { argv, settings: undefined }; // Claude Code says what is missing
  const settings = readSettings(value, (path) => read(resolve(cwd, path)));
  return { argv: argv.toSpliced(index, joined ? 1 : 2), settings };
}

function readSettings(value: string, read: (path: string) => string | undefined): Settings {
  const isText = value.trimStart().startsWith("{");
  const text = isText ? value : read(value);
  if (text === undefined) throw refused(`there is no file ${value}`);
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed as Settings;
  } catch (thrown) {
    throw refused(thrown instanceof Error ? thrown.message : String(thrown));
  }
  throw refused("it is not a JSON object");
}

function refused(why: string): SondeError {
  return new SondeError("BAD_ARGUMENT", `the settings given to Claude Code cannot be read: ${why}`, {
    hint: "--settings takes a file or JSON text; Sonde adds its own to it",
  });
}

/** Ours win in the environment; of hooks, all run. */
export function mergeSettings(user: Settings | undefined, ours: Settings): Settings {
  if (user === undefined) return ours;
  const hooks: Record<string, unknown> = { ...user.hooks };
  for (const [event, groups] of Object.entries(ours.hooks ?? {}))
    hooks[event] = [...asList(hooks[event]), ...asList(groups)];
  return {
    ...user,
    ...ours,
    env: { ...user.env, ...ours.env },
    ...(Object.keys(hooks).length === 0 ? {} : { hooks }),
  };
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
