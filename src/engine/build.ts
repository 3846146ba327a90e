/** `--build`: a source file compiled into a private folder that lives as long as the launch; and programs older than their source. */
import { execFile } from "node:child_process";
import { mkdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import type { Build } from "../adapters/adapter.ts";
import { isMachineCode } from "../adapters/kit/files.ts";
import { SondeError } from "../errors.ts";
import type { Session } from "../session/session.ts";
import { sweepFolders } from "../util/left-folders.ts";
import { plural } from "../util/text.ts";

const PREFIX = "sonde-build-";
const MOST_LINES = 15;
const LONGEST_MS = 10 * 60_000;

export interface Source {
  file: string;
  build: Build;
  cwd: string;
  env: Record<string, string>;
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
    this.folder = join(tmpdir(), `${PREFIX}${process.pid}-${id}`);
    this.output = join(this.folder, basename(source.file, extname(source.file)));
  }

  /** What is launched afterwards. */
  get runs(): { program?: string; command?: string[] } {
    return this.#source.build.runs?.(this.#source.file, this.output) ?? { program: this.output };
  }

  async begin(say: (note: string) => void, signal?: AbortSignal): Promise<void> {
    sweepFolders(PREFIX);
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    this.#work = new AbortController();
    const { file, build, cwd, env } = this.#source;
    const [compiler = "", ...args] = build.command(file, this.output);
    const all = signal ? AbortSignal.any([signal, this.#work.signal]) : this.#work.signal;
    const { failed, said } = await run(compiler, args, { cwd, env, signal: all });
    if (failed !== undefined) throw failure(basename(file), compiler, failed, said);
    const warnings = said.split("\n").filter((line) => /\bwarning\b.*:/i.test(line)).length;
    say(
      `built ${basename(file)} with \`${[compiler, ...flags(args, file)].join(" ")}\`${warnings > 0 ? ` (${plural(warnings, "warning")})` : ""}; \`sonde restart\` builds it again`,
    );
  }

  finish(): void {
    this.#work?.abort();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function run(
  command: string,
  args: string[],
  options: { cwd: string; env: Record<string, string>; signal: AbortSignal },
): Promise<{ failed?: Error; said: string }> {
  return new Promise((done) => {
    const limits = { timeout: LONGEST_MS, maxBuffer: 16 << 20 };
    const child = execFile(command, args, { ...options, ...limits }, (error, stdout, stderr) =>
      done({ ...(error ? { failed: error } : {}), said: `${stderr}${stdout}` }),
    );
    child.stdin?.end();
  });
}

function failure(source: string, compiler: string, error: Error, said: string): SondeError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT")
    return new SondeError("LAUNCH_FAILED", `${source} was not built: no ${compiler} on the PATH`, {
      hint: `install ${compiler}, or build the program another way and start the executable`,
    });
  if (error.name === "AbortError") return new SondeError("CANCELLED", `the build of ${source} was cancelled`);
  const lines = said.trimEnd().split("\n");
  const first = Math.max(
    0,
    lines.findIndex((line) => /\berror\b/i.test(line)),
  );
  const shown = lines.slice(first, first + MOST_LINES);
  const more = lines.length - first - shown.length;
  return new SondeError(
    "LAUNCH_FAILED",
    [
      `${source} was not built: ${compiler} failed`,
      ...shown,
      ...(more > 0 ? [`(+${plural(more, "line")})`] : []),
    ].join("\n"),
    { hint: "correct the source, or build it yourself and start the executable" },
  );
}

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
