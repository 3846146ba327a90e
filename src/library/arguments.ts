/** From what a caller says to what a command takes. */
import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AttachOptions, LaunchOptions, RunOptions, Stdin } from "./options.ts";

type Arguments = Record<string, unknown>;

/** The common part of everything that runs a program; the rest passes as it is. `cwd` is the call's own. */
export function runArguments(options: RunOptions): Arguments {
  const { command, env, adapterArguments, cwd: _, stdin: __, signal: ___, onText: ____, ...rest } = options;
  return defined({
    ...rest,
    args: command,
    env: env && Object.entries(env).map(([name, value]) => `${name}=${value}`),
    argJson: adapterArguments && JSON.stringify(adapterArguments),
  });
}

export function launchArguments({ breakpoints, args, command, ...options }: LaunchOptions): Arguments {
  return defined({ ...runArguments(options), break: breakpoints, args: command ?? args });
}

export function attachArguments({ breakpoints, port, ...options }: AttachOptions): Arguments {
  return defined({
    ...runArguments(options),
    break: breakpoints,
    port: port === undefined ? undefined : String(port),
  });
}

export function defined(args: Arguments): Arguments {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

/**
 * Commands take standard input as a file. What the caller gave as text or bytes is one while `body` runs; readable by nobody else.
 */
export async function withStdin<Keys extends string, T>(
  inputs: Record<Keys, Stdin | undefined>,
  body: (files: Arguments) => Promise<T>,
): Promise<T> {
  const files: Arguments = {};
  const made: string[] = [];
  try {
    for (const [key, stdin] of Object.entries<Stdin | undefined>(inputs)) {
      if (stdin === undefined) continue;
      if (typeof stdin === "object" && "file" in stdin) {
        files[key] = stdin.file;
        continue;
      }
      const path = join(tmpdir(), `sonde-stdin-${randomBytes(8).toString("hex")}`);
      writeFileSync(path, stdin, { mode: 0o600, flag: "wx" });
      made.push(path);
      files[key] = path;
    }
    return await body(files);
  } finally {
    for (const path of made) rmSync(path, { force: true });
  }
}

/** As one word for a shell: the commands of `diff` are given so. */
export function commandLine(words: readonly string[] | undefined): string | undefined {
  const quoted = (word: string) =>
    /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
  return words?.map(quoted).join(" ");
}
