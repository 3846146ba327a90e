/**
 * Which adapters a program, command line or process is for, best first; the first of them that is installed is used. Never a
 * fall-back to an unrelated one.
 */
import { basename, extname } from "node:path";
import type { Adapter, Build, Where } from "./adapter.ts";
import { fileHead } from "./kit/files.ts";
import { onPath } from "./kit/find.ts";

export type Choice =
  | { ok: true; adapters: [Adapter, ...Adapter[]]; build?: Build }
  | { ok: false; why: string; hint: string };

export interface ChooseRequest {
  /** `--adapter` or the configured default. */
  named?: string | undefined;
  program?: string | undefined;
  command?: readonly string[] | undefined;
  pid?: number | undefined;
  where: Pick<Where, "env" | "cwd">;
}

export function choose(adapters: readonly Adapter[], request: ChooseRequest): Choice {
  const { named, program, command, pid, where } = request;
  if (named !== undefined) return byName(adapters, named, program);
  if (command) return byCommand(adapters, command, where);
  if (program !== undefined) return byFile(adapters, program);
  if (pid !== undefined) {
    return some(adapters, (one) => one.claims?.(pid) === true, `no known language runs in process ${pid}`);
  }
  return none(adapters, "nothing to run");
}

function byName(adapters: readonly Adapter[], named: string, program: string | undefined): Choice {
  const matching = adapters.filter((one) => one.name === named || one.languages.includes(named));
  if (matching.length === 0) {
    const names = adapters.map((one) => one.name).join(", ");
    return { ok: false, why: `no adapter called ${named}`, hint: `there are: ${names}` };
  }
  const type = program === undefined ? "" : extname(program).toLowerCase();
  const build = matching[0]?.builds?.[type];
  return { ok: true, adapters: matching as [Adapter, ...Adapter[]], ...(build ? { build } : {}) };
}

function byCommand(
  adapters: readonly Adapter[],
  command: readonly string[],
  where: ChooseRequest["where"],
): Choice {
  const [first = ""] = command;
  const word = basename(first).replace(/\.(exe|cmd)$/i, "");
  const unversioned = word.replace(/-?\d+(\.\d+)*$/, "");
  const found = adapters.filter((one) => one.commands.includes(word) || one.commands.includes(unversioned));
  if (isSome(found)) return { ok: true, adapters: found };
  const path = onPath(first, where);
  if (path !== undefined) return byFile(adapters, path);
  return first.includes("/") || extname(first) !== ""
    ? byFile(adapters, first)
    : none(adapters, `\`${first}\` is not a command of a known language`);
}

function byFile(adapters: readonly Adapter[], program: string): Choice {
  const type = extname(program).toLowerCase();
  const byType = adapters.filter((one) => one.fileTypes.includes(type));
  if (isSome(byType)) return { ok: true, adapters: byType };
  const builders = adapters.filter((one) => one.builds?.[type] !== undefined);
  const build = builders[0]?.builds?.[type];
  if (isSome(builders) && build) return { ok: true, adapters: builders, build };
  const interpreter = shebang(program);
  const byShebang = adapters.filter(
    (one) =>
      interpreter !== undefined &&
      [interpreter, interpreter.replace(/-?\d+(\.\d+)*$/, "")].some((name) => one.commands.includes(name)),
  );
  if (isSome(byShebang)) return { ok: true, adapters: byShebang };
  return some(
    adapters,
    (one) => one.executables?.(program) === true,
    type === ""
      ? `${basename(program)} has no file type, no #! line of a known language and is no executable of this system`
      : `no adapter for ${type} files`,
  );
}

function some(adapters: readonly Adapter[], test: (adapter: Adapter) => boolean, why: string): Choice {
  const found = adapters.filter(test);
  return isSome(found) ? { ok: true, adapters: found } : none(adapters, why);
}

function isSome(found: Adapter[]): found is [Adapter, ...Adapter[]] {
  return found.length > 0;
}

function none(adapters: readonly Adapter[], why: string): Choice {
  const known = adapters.map((one) => `${one.name} (${one.languages.join(", ")})`).join(", ");
  return {
    ok: false,
    why,
    hint: `adapters: ${known}; --adapter <name> forces one, for whatever programs of it the command starts`,
  };
}

/** `node` of `#!/usr/bin/env -S node --flag`. */
function shebang(path: string): string | undefined {
  const words = /^#!\s*(.+)/.exec(fileHead(path, 256))?.[1]?.trim().split(/\s+/);
  return words?.map((word) => basename(word)).find((word) => word !== "env" && !word.startsWith("-"));
}
