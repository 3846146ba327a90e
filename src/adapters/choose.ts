/**
 * Which adapters a program, command line or process is for, best first; the first of them that is installed is used. Never a
 * fall-back to an unrelated one.
 */

import { basename, dirname, extname } from "node:path";
import { advice, blank, call, named, option, type Told } from "../advice/advice.ts";
import { closest } from "../util/closest.ts";
import { own } from "../util/own.ts";
import type { Adapter, Where } from "./adapter.ts";
import { fileHead } from "./kit/files.ts";
import { onPath } from "./kit/find.ts";
import { projectAbove } from "./projects.ts";

export type Choice =
  | {
      ok: true;
      adapters: [Adapter, ...Adapter[]];
      /** The executable or script that the command line's first word is, where it is to be run as a program. */
      program?: string;
    }
  /** What was typed names nothing there is, or nothing that any adapter debugs. */
  | { ok: false; code: "BAD_ARGUMENT" | "ADAPTER_MISSING"; why: string; hint: Told };

export interface ChooseRequest {
  /** `--adapter`: a name or a language. */
  named?: string | undefined;
  /** The configured default: goes first among several, and takes what nothing else does. */
  preferred?: string | undefined;
  program?: string | undefined;
  command?: readonly string[] | undefined;
  pid?: number | undefined;
  where: Pick<Where, "env" | "cwd">;
}

export function choose(adapters: readonly Adapter[], request: ChooseRequest): Choice {
  const { named, preferred } = request;
  if (named !== undefined) return withProgram(byName(adapters, named), request);
  const choice = unnamed(adapters, request);
  if (preferred === undefined) return choice;
  if (!choice.ok) {
    const fallback = byName(adapters, preferred);
    return fallback.ok ? withProgram(fallback, request) : choice;
  }
  const first = choice.adapters.filter((one) => isCalled(one, preferred));
  const rest = choice.adapters.filter((one) => !first.includes(one));
  return { ...choice, adapters: [...first, ...rest] as typeof choice.adapters };
}

function unnamed(adapters: readonly Adapter[], { program, command, pid, where }: ChooseRequest): Choice {
  if (command) return byCommand(adapters, command, where);
  if (program !== undefined) return byFile(adapters, program);
  if (pid !== undefined) {
    const found = related(adapters, pid);
    return isSome(found)
      ? { ok: true, adapters: found }
      : none(adapters, `process ${pid} does not run a language that sonde knows`);
  }
  return none(adapters, "nothing to run");
}

/** An interpreter is machine code as well, but its program is in the language of the first that knows it. */
function related(adapters: readonly Adapter[], pid: number): Adapter[] {
  const [first, ...rest] = adapters.filter((one) => one.claims?.(pid) === true);
  if (first === undefined) return [];
  return [first, ...rest.filter((one) => one.languages.some((name) => first.languages.includes(name)))];
}

export function isCalled(adapter: Adapter, name: string): boolean {
  const wanted = name.toLowerCase();
  return (
    adapter.name === wanted ||
    adapter.languages.includes(wanted) ||
    adapter.alsoCalled?.includes(wanted) === true
  );
}

function byName(adapters: readonly Adapter[], named: string): Choice {
  const matching = adapters.filter((one) => isCalled(one, named));
  if (isSome(matching)) return { ok: true, adapters: matching };
  const near = closest(
    named,
    adapters.flatMap((one) => [one.name, ...one.languages]),
  );
  const names = adapters.map((one) => one.name).join(", ");
  return {
    ok: false,
    code: "BAD_ARGUMENT",
    why: `no adapter called ${named}`,
    hint: near ? `did you mean ${near}?` : `there are: ${names}`,
  };
}

/** A named adapter is told of the executable as it would be if it had been chosen by it. */
function withProgram(choice: Choice, { command, where }: ChooseRequest): Choice {
  if (!choice.ok || !command) return choice;
  const path = onPath(command[0] ?? "", where);
  const first = choice.adapters[0];
  if (path === undefined || speaks(first, path) || first.executables?.(path) !== true) return choice;
  return { ...choice, program: path };
}

/** The command's name is one of its own: it knows what `cargo run` means. */
function speaks(adapter: Adapter, path: string): boolean {
  return commandNames(path).some((name) => adapter.commands.includes(name));
}

/** `python3.12` is also `python`, `clang-19` also `clang`. */
function commandNames(path: string): string[] {
  const word = basename(path).replace(/\.(exe|cmd)$/i, "");
  return [word, word.replace(/-?\d+(\.\d+)*$/, "")];
}

function byCommand(
  adapters: readonly Adapter[],
  command: readonly string[],
  where: ChooseRequest["where"],
): Choice {
  const [first = ""] = command;
  const found = adapters.filter((one) => speaks(one, first));
  if (isSome(found)) return { ok: true, adapters: found };
  const path = onPath(first, where);
  if (path === undefined) return notFound(first, where);
  const choice = byFile(adapters, path);
  if (!choice.ok) return choice;
  return choice.adapters[0].executables?.(path) === true ? { ...choice, program: path } : choice;
}

function notFound(word: string, { cwd }: ChooseRequest["where"]): Choice {
  const inPath = word.includes("/") ? `in ${cwd}` : "on the PATH";
  return {
    ok: false,
    code: "BAD_ARGUMENT",
    why: `no command \`${word}\` ${inPath}`,
    hint: /\s/.test(word)
      ? advice`without the quotes: ${call("start", { args: word.split(/\s+/) })}`
      : advice`${named("args")} is what you would type in a shell; write a file of this folder as ./name`,
  };
}

function byFile(adapters: readonly Adapter[], program: string): Choice {
  const type = extname(program).toLowerCase();
  const byType = adapters.filter(
    (one) => one.fileTypes.includes(type) || own(one.builds, type) !== undefined,
  );
  if (isSome(byType)) return { ok: true, adapters: byType };
  const interpreter = shebang(program);
  if (interpreter !== undefined) {
    return some(
      adapters,
      (one) => speaks(one, interpreter),
      `${basename(program)} is run by ${interpreter} (its #! line), which no adapter debugs`,
    );
  }
  const byCode = adapters.filter((one) => one.executables?.(program) === true);
  if (isSome(byCode)) return { ok: true, adapters: byCode };
  if (type !== "") return none(adapters, `no adapter for ${type} files`);
  const byProject = isText(program) ? byLanguageAbove(adapters, program) : [];
  if (isSome(byProject)) return { ok: true, adapters: byProject };
  return none(
    adapters,
    `${basename(program)} has no file type, no #! line of a known language, and is not an executable of this system`,
  );
}

/** A script that says nothing of itself is in the language of the project it is in. */
function byLanguageAbove(adapters: readonly Adapter[], program: string): Adapter[] {
  const project = projectAbove(dirname(program));
  return project?.interpreted ? adapters.filter((one) => one.languages.includes(project.language)) : [];
}

function isText(path: string): boolean {
  const head = fileHead(path, 512);
  return head !== "" && !head.includes("\0");
}

function some(adapters: readonly Adapter[], test: (adapter: Adapter) => boolean, why: string): Choice {
  const found = adapters.filter(test);
  return isSome(found) ? { ok: true, adapters: found } : none(adapters, why);
}

function isSome(found: Adapter[]): found is [Adapter, ...Adapter[]] {
  return found.length > 0;
}

function none(adapters: readonly Adapter[], why: string): Choice {
  return {
    ok: false,
    code: "ADAPTER_MISSING",
    why,
    hint: advice`${option({ adapter: blank("name") })} selects one, for the programs of its language that the command starts: ${adapters.map((one) => one.name).join(", ")}`,
  };
}

/** `node` of `#!/usr/bin/env -S A=b node --flag`. */
function shebang(path: string): string | undefined {
  const words = /^#!\s*(.+)/.exec(fileHead(path, 256))?.[1]?.trim().split(/\s+/);
  return words
    ?.map((word) => basename(word))
    .find((word) => word !== "env" && !word.startsWith("-") && !word.includes("="));
}
