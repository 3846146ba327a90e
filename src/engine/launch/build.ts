/**
 * A source file of a compiled language is no program yet: refused with how to build it, or with `--build` compiled into a private
 * folder that lives as long as the launch. And programs that are older than their source.
 */
import { rmSync, statSync } from "node:fs";
import { basename, dirname, extname, join, relative } from "node:path";
import type { Adapter, Build } from "../../adapters/adapter.ts";
import { isMachineCode } from "../../adapters/kit/files.ts";
import { advice, named, option } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { Guard } from "../../session/processes/guard.ts";
import type { Session } from "../../session/session.ts";
import type { GroupEnd } from "../../util/group-run.ts";
import { sweepFolders, temporaryRoot } from "../../util/left-folders.ts";
import { own } from "../../util/own.ts";
import { privateFolder } from "../../util/own-folder.ts";
import { plural } from "../../util/text.ts";
import { runGuarded } from "./guarded-run.ts";
import { buildAdvice, runByProject, type Target } from "./target.ts";

const PREFIX = "sonde-build-";
const MOST_LINES = 15;
const LONGEST_MS = 10 * 60_000;
/** What a cancelled compiler gets to remove its temporary files. */
const GRACE_MS = 1_000;
/** Of what a compiler says. */
const MOST_CHARACTERS = 1 << 20;

export interface Made {
  program?: string;
  command?: string[];
  args: string[];
  workshop?: Workshop;
}

export interface CompiledOptions {
  /** What the command line's first word is, where it is an executable: `ls -l` is that, with arguments. */
  executable: string | undefined;
  build: boolean;
  /** The caller's folder. */
  from: string;
  /** Of the compiler's process. */
  guard: Guard;
}

export function compiled(adapter: Adapter, wanted: Target, options: CompiledOptions): Made {
  const { command, args, cwd, env } = wanted;
  const { executable, from } = options;
  if (command)
    return executable === undefined ? { command, args } : { program: executable, args: command.slice(1) };
  const { program } = wanted;
  if (program === undefined) return { args };
  const type = extname(program).toLowerCase();
  const build = adapter.fileTypes.includes(type) ? undefined : own(adapter.builds, type);
  if (!build) return { program, args };
  if (!options.build) {
    const output = join(dirname(program), basename(program, extname(program)));
    const typed = build.command(relative(from, program), relative(from, output));
    throw new SondeError(
      "BAD_ARGUMENT",
      `${basename(program)} is source code; build it first and debug the executable`,
      {
        hint: advice`${buildAdvice(program, typed, output, from)}; or add ${option({ build: true })}`,
      },
    );
  }
  const byProject = runByProject(program, from, args);
  if (byProject) return { command: byProject, args: [] };
  const workshop = new Workshop({ file: program, build, cwd, env, guard: options.guard });
  return { ...workshop.runs, args, workshop };
}

export interface Source {
  file: string;
  build: Build;
  cwd: string;
  env: Record<string, string>;
  guard: Guard;
}

/** Where one session's program is built, each time it is launched. */
export class Workshop {
  readonly folder: string;
  readonly output: string;
  #source: Source;
  #work: AbortController | undefined;

  constructor(source: Source) {
    this.#source = source;
    // The daemon's pid is in the name, so that what a killed daemon left is known as such.
    const id = Math.random().toString(36).slice(2, 10);
    this.folder = join(temporaryRoot(), `${PREFIX}${process.pid}-${id}`);
    this.output = join(this.folder, basename(source.file, extname(source.file)));
  }

  /** What is launched afterwards. */
  get runs(): { program?: string; command?: string[] } {
    return this.#source.build.runs?.(this.#source.file, this.output) ?? { program: this.output };
  }

  async begin(say: (note: string) => void, signal?: AbortSignal): Promise<void> {
    sweepFolders(temporaryRoot());
    privateFolder(this.folder);
    const work = new AbortController();
    this.#work = work;
    const { file, build } = this.#source;
    const [compiler = "", ...args] = build.command(file, this.output);
    const all = signal ? AbortSignal.any([signal, work.signal]) : work.signal;
    const { ended, said } = await run(compiler, args, this.#source, all);
    // It was told to go while the compiler still wrote into it.
    if (work.signal.aborted) this.#remove();
    if (ended.how !== "exited" || ended.code !== 0) throw failure(file, [compiler, ...args], ended, said);
    const warnings = said.split("\n").filter((line) => /\bwarning\b.*:/i.test(line)).length;
    say(
      `built ${basename(file)} with \`${[compiler, ...flags(args, file)].join(" ")}\`${warnings > 0 ? ` (${plural(warnings, "warning")})` : ""}; a restart rebuilds it`,
    );
  }

  finish(): void {
    this.#work?.abort();
    this.#remove();
  }

  #remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** In a group of its own that does not outlive the caller's patience, nor us. */
async function run(
  command: string,
  args: string[],
  { cwd, env, guard }: Source,
  signal: AbortSignal,
): Promise<{ ended: GroupEnd; said: string }> {
  let said = "";
  const ended = await runGuarded(guard, command, args, {
    ...{ cwd, env, signal, timeoutMs: LONGEST_MS, graceMs: GRACE_MS },
    heard: (text) => {
      if (said.length < MOST_CHARACTERS) said += text;
    },
  });
  return { ended, said };
}

function failure(
  file: string,
  [compiler = "", ...args]: string[],
  ended: GroupEnd,
  said: string,
): SondeError {
  const source = basename(file);
  if (ended.how === "failed") {
    const missing = ended.error.code === "ENOENT";
    const why = missing ? `no ${compiler} on the PATH` : ended.error.message;
    return new SondeError("LAUNCH_FAILED", `${source} was not built: ${why}`, {
      hint: `install ${compiler}, or build the program another way and start the executable`,
    });
  }
  if (ended.how === "aborted") return new SondeError("CANCELLED", `the build of ${source} was cancelled`);
  if (ended.how === "timeout")
    return new SondeError(
      "TIMEOUT",
      `${source} was not built: ${compiler} was ended after ${LONGEST_MS / 60_000} minutes`,
    );
  const lines = said.trimEnd().split("\n");
  const first = Math.max(
    0,
    lines.findIndex((line) => /\berror\b/i.test(line) || UNDEFINED.test(line)),
  );
  const missing = [...new Set(lines.flatMap((line) => UNDEFINED.exec(line)?.[1] ?? []))];
  const shown = lines.slice(first, first + MOST_LINES);
  const more = lines.length - first - shown.length;
  return new SondeError(
    "LAUNCH_FAILED",
    [
      `${source} was not built: ${compiler} failed`,
      ...shown,
      ...(more > 0 ? [`(+${plural(more, "line")})`] : []),
    ].join("\n"),
    {
      hint:
        missing.length === 0
          ? "fix the source, or build it yourself and start the executable"
          : advice`${named("build")} compiles only this file, and ${missing.slice(0, 3).join(", ")} ${missing.length === 1 ? "is" : "are"} defined elsewhere: build it yourself, \`${[compiler, ...flags(args, file), source].join(" ")} <the other files> -o ${basename(file, extname(file))}\`, and start that`,
    },
  );
}

/** What a linker says of a name that no file defines. */
const UNDEFINED = /undefined (?:reference to|symbol:) [`'"]?([^`'"\s]+)/;

/** Sources with breakpoints that were written after the executable was: what runs is not what is read. */
export function outdated(session: Session): string[] {
  const { request, plan } = session.opening;
  const { program } = plan;
  if (request !== "launch" || program === undefined || !isMachineCode(program)) return [];
  const built = modified(program);
  const newer = session.breakpoints
    .list()
    .flatMap((one) => (one.path !== undefined && modified(one.path) > built ? [basename(one.path)] : []));
  return [...new Set(newer)].map(
    (name) => `${name} is newer than ${basename(program)}: rebuild it, or lines will be off`,
  );
}

function modified(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

/** How it was compiled, without the names of what and where to. */
function flags(args: readonly string[], file: string): string[] {
  const at = args.indexOf("-o");
  return args.filter((word, index) => word !== file && (at < 0 || (index !== at && index !== at + 1)));
}
