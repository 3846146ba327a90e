/** Which adapter a program or command line is for. Never a fall-back to an unrelated one. */
import { closeSync, openSync, readSync } from "node:fs";
import { basename, extname } from "node:path";
import type { Adapter } from "./adapter.ts";

export type Choice = { ok: true; adapter: Adapter } | { ok: false; why: string; hint: string };

export interface ChooseRequest {
  /** `--adapter` or the configured default. */
  named?: string | undefined;
  program?: string | undefined;
  command?: readonly string[] | undefined;
}

export function choose(adapters: readonly Adapter[], request: ChooseRequest): Choice {
  const { named, program, command } = request;
  if (named !== undefined) {
    const adapter = adapters.find((one) => one.name === named);
    return adapter
      ? { ok: true, adapter }
      : { ok: false, why: `no adapter called ${named}`, hint: `there are: ${names(adapters)}` };
  }
  if (command) return byCommand(adapters, command);
  return program === undefined ? none(adapters, "nothing to run") : byFile(adapters, program);
}

function byCommand(adapters: readonly Adapter[], command: readonly string[]): Choice {
  const [first = ""] = command;
  const word = basename(first).replace(/\.(exe|cmd)$/i, "");
  const adapter = adapters.find((one) => one.commands.includes(word));
  if (adapter) return { ok: true, adapter };
  return first.includes("/") || extname(first) !== ""
    ? byFile(adapters, first)
    : none(adapters, `\`${first}\` is not a command of a known language`);
}

function byFile(adapters: readonly Adapter[], program: string): Choice {
  const type = extname(program).toLowerCase();
  const adapter = adapters.find((one) => one.fileTypes.includes(type));
  if (adapter) return { ok: true, adapter };
  const interpreter = shebang(program);
  const byShebang =
    interpreter === undefined ? undefined : adapters.find((one) => one.commands.includes(interpreter));
  if (byShebang) return { ok: true, adapter: byShebang };
  return none(
    adapters,
    type === ""
      ? `${basename(program)} has no file type and no #! line of a known language`
      : `no adapter for ${type} files`,
  );
}

function none(adapters: readonly Adapter[], why: string): Choice {
  const known = adapters.map((one) => `${one.name} (${one.languages.join(", ")})`).join(", ");
  return {
    ok: false,
    why,
    hint: `adapters: ${known}; --adapter <name> forces one, for whatever programs of it the command starts`,
  };
}

function names(adapters: readonly Adapter[]): string {
  return adapters.map((one) => one.name).join(", ");
}

/** `node` of `#!/usr/bin/env -S node --flag`. */
function shebang(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const buffer = Buffer.alloc(256);
    const head = buffer.toString("latin1", 0, readSync(file, buffer, 0, 256, 0));
    const words = /^#!\s*(.+)/.exec(head)?.[1]?.trim().split(/\s+/);
    return words?.map((word) => basename(word)).find((word) => word !== "env" && !word.startsWith("-"));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
