/** Where Sonde keeps things. An environment in, paths out; nothing is created or checked here. */
import { realpathSync } from "node:fs";
import { userInfo } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";

export type Env = Record<string, string | undefined>;

export interface Places {
  /** Socket and locks; must be private to the user (runtime-dir.ts). */
  runtime: string;
  config: string;
  logs: string;
  traces: string;
  reports: string;
  profiles: string;
  agents: string;
  /** Adapters that Sonde installed. */
  adapters: string;
}

export const SOCKET_NAME = "daemon.sock";

/** sun_path holds 108 bytes on Linux, 104 on macOS; the daemon binds under a name two bytes longer. */
const LONGEST_SOCKET_PATH = 100;

export function runtimeFolder(env: Env): string {
  if (env.SONDE_HOME) return shortEnough(join(resolve(env.SONDE_HOME), "run"));
  const run = absolute(env.XDG_RUNTIME_DIR);
  return shortEnough(join(run ? join(run, "sonde") : fallbackRuntime(), ...apart(env)));
}

export function places(env: Env = process.env): Places {
  const runtime = runtimeFolder(env);
  if (env.SONDE_HOME) {
    const all = resolve(env.SONDE_HOME);
    return spread(runtime, join(all, "config.toml"), join(all, "state"), join(all, "share"));
  }
  const [config, state, data] = folders(env);
  return spread(runtime, join(config, "config.toml"), state, data);
}

/** Of settings, of state and of data. */
function folders(env: Env): [string, string, string] {
  // One that is relative would be another in every folder, and to the daemon, which runs in none of them.
  const home = absolute(env.HOME) ?? absolute(accountHome()) ?? "/";
  return [
    join(absolute(env.XDG_CONFIG_HOME) ?? join(home, ".config"), "sonde"),
    join(absolute(env.XDG_STATE_HOME) ?? join(home, ".local", "state"), "sonde"),
    join(absolute(env.XDG_DATA_HOME) ?? join(home, ".local", "share"), "sonde"),
  ];
}

/** A daemon reads one set of folders and writes to it: whoever has others than the account's own gets a daemon for those. */
function apart(env: Env): string[] {
  if (process.platform === "win32") return [];
  const [own, usual] = [folders(env), folders({})];
  if (own.join("\0") === usual.join("\0")) return []; // the common case, which fast.pl knows too
  const real = own.map(realPath).join("\0");
  return real === usual.map(realPath).join("\0") ? [] : [hash(real)];
}

/** A folder by its one name, whatever links lead to it, and whether or not the last parts of it are there yet. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPath(above), basename(path));
  }
}

/** Not HOME, which may be any. */
function accountHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined; // a user without an entry, as in some containers
  }
}

function spread(runtime: string, config: string, state: string, data: string): Places {
  return {
    runtime,
    config,
    logs: join(state, "logs"),
    traces: join(state, "traces"),
    reports: join(state, "reports"),
    profiles: join(state, "profiles"),
    agents: join(state, "agents"),
    adapters: join(data, "adapters"),
  };
}

/** The XDG specification: a relative path is invalid and must be ignored. */
function absolute(path: string | undefined): string | undefined {
  return path && isAbsolute(path) ? path : undefined;
}

function fallbackRuntime(): string {
  return `/tmp/sonde-${process.getuid?.() ?? 0}`;
}

/** Client and daemon derive the same short folder from the same long one. */
function shortEnough(runtime: string): string {
  if (process.platform === "win32") return runtime;
  if (Buffer.byteLength(join(runtime, SOCKET_NAME)) <= LONGEST_SOCKET_PATH) return runtime;
  return join(fallbackRuntime(), hash(runtime));
}

/** 64-bit FNV-1a. Not node:crypto: this runs before every command, and only has to tell folders apart. */
export function hash(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text))
    value = ((value ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return value.toString(16).padStart(16, "0");
}
