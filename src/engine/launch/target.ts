/** What `start` is to run: the file, folder or command line as typed, made into a program or a command for an adapter. */
import { existsSync, statSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, relative, resolve } from "node:path";
import type { Around, Runs } from "../../adapters/language.ts";
import { inEnvironment, LANGUAGES } from "../../adapters/languages.ts";
import { builtIn, type Project, projectAbove, projectAt } from "../../adapters/projects.ts";
import { advice, blank, call, joined, type Told } from "../../advice/advice.ts";
import { nearFile } from "../../commands/breakpoints/location.ts";
import { SondeError } from "../../errors.ts";
import { refuseMissingScript } from "./missing-script.ts";
import { peel } from "./peel.ts";

export interface Target {
  program?: string;
  command?: string[];
  args: string[];
  cwd: string;
  env: Record<string, string>;
  notes: string[];
}

export interface Typed {
  program?: string;
  command?: string[];
  args: string[];
  /** `--adapter`, if any. */
  adapter?: string;
}

/** `from` is the caller's folder, which paths are relative to; `cwd` where the program runs. */
export async function target(typed: Typed, from: string, around: Around): Promise<Target> {
  const { args } = typed;
  const { cwd, env } = around;
  if (typed.command) return fromCommand(typed.command, around, typed.adapter !== undefined);
  const path = resolve(from, typed.program ?? "");
  const plain = { args, cwd, env, notes: [] };
  if (existsSync(path) && statSync(path).isDirectory())
    return { ...plain, ...fromFolder(path, args, from, typed.program ?? "") };
  return { ...plain, program: findProgram(typed.program ?? "", from) };
}

async function fromCommand(typed: readonly string[], around: Around, named: boolean): Promise<Target> {
  const peeled = peel(typed, { ...around, named });
  const { cwd } = peeled;
  if (!named) refuseBuildTool(peeled.command, cwd);
  const inside = await inEnvironment(peeled.command, { ...around, ...peeled });
  const { command, env } = inside ?? peeled;
  refuseMissingScript(command, cwd);
  const left = [...peeled.left, ...(inside?.left ?? [])];
  const notes =
    left.length === 0
      ? []
      : [
          `ignored: ${left.map((one) => `\`${one}\``).join(", ")}; the debugger starts \`${command.join(" ")}\` itself`,
        ];
  const [first = "", ...args] = command;
  const path = isAbsolute(first) ? first : resolve(cwd, first);
  // `start -- app.py 1` means the file; a command's name is never taken for a file of the folder.
  const isFile = extname(first) !== "" && existsSync(path) && statSync(path).isFile();
  const what = isFile && !isRunnable(path) ? { program: path, args } : { command, args: [] };
  return { ...what, cwd, env, notes };
}

function isRunnable(path: string): boolean {
  return (statSync(path).mode & 0o111) !== 0;
}

const BUILD_TOOLS = new Set(["make", "gmake", "ninja", "cmake", "meson", "scons", "bazel", "just", "task"]);

function refuseBuildTool(command: readonly string[], cwd: string): void {
  const tool = basename(command[0] ?? "");
  if (!BUILD_TOOLS.has(tool)) return;
  throw new SondeError(
    "BAD_ARGUMENT",
    `${tool} starts the program itself, where the debugger cannot reach it`,
    {
      hint: advice`start what it builds: ${startLines(cwd, cwd)}`,
    },
  );
}

/** `sonde start ./build/app` for what is there, or how it looks. */
function startLines(folder: string, from: string): Told {
  const built = builtIn(folder).map((path) => call("start", { program: runnable(path, from) }));
  const like = call("start", { program: blank("executable"), args: [blank("args")] });
  return joined(built.length > 0 ? built : [like], " or ");
}

function shown(path: string, from: string): string {
  const short = relative(from, path);
  return short.startsWith("..") ? path : short || ".";
}

/** As a shell takes it for a file. */
function runnable(path: string, from: string): string {
  const short = shown(path, from);
  return short.includes("/") ? short : `./${short}`;
}

/** What others have too is asked last. */
const BY_FOLDER = [...LANGUAGES].sort(
  (a, b) => Number(a.folder?.shared ?? false) - Number(b.folder?.shared ?? false),
);

function fromFolder(folder: string, args: string[], from: string, typed: string): Runs {
  const project = projectAt(folder);
  const command = project?.run?.({ folder, from }, args);
  if (command !== undefined) return { command, args: [] };
  for (const { folder: rule } of BY_FOLDER) {
    const runs = rule?.start?.(folder, args);
    if (runs !== undefined) return runs;
  }
  throw new SondeError("BAD_ARGUMENT", `${typed} is a folder`, { hint: folderHint(folder, project, from) });
}

function folderHint(folder: string, project: Project | undefined, from: string): Told {
  const mains = BY_FOLDER.flatMap((one) => one.folder?.mains ?? []);
  const there = mains.filter((name) => existsSync(join(folder, name)));
  if (there.length > 0)
    return advice`name the file: ${joined(
      there.map((name) => call("start", { program: shown(join(folder, name), from) })),
      " or ",
    )}`;
  if (project?.build !== undefined)
    return advice`build it (\`${inFolder(project.build, folder, from)}\`), then ${startLines(folder, from)}`;
  const cwd = folder === from ? undefined : shown(folder, from);
  for (const { folder: rule } of BY_FOLDER) {
    const found = rule?.advice?.(folder, cwd);
    if (found !== undefined) return found;
  }
  return advice`name the file to run: ${call("start", { program: blank("file") })}`;
}

export function inFolder(command: string, folder: string, from: string): string {
  return resolve(from) === folder ? command : `cd ${shown(folder, from)} && ${command}`;
}

function findProgram(typed: string, cwd: string): string {
  const path = resolve(cwd, typed);
  if (existsSync(path) && statSync(path).isFile()) return path;
  const near = nearFile(typed, cwd);
  const command = typed.includes(" ") || !/[./]/.test(typed);
  throw new SondeError(
    "BAD_ARGUMENT",
    existsSync(path) ? `${typed} is not a file` : `no file ${typed} in ${cwd}`,
    {
      hint: near
        ? `did you mean ${near}?`
        : command
          ? advice`to run a command line: ${call("start", { args: [...typed.split(" "), ...(typed.includes(" ") ? [] : [blank("arguments")])] })}`
          : "paths are relative to your folder",
      folder: cwd,
    },
  );
}

/** How to get from a source file to something to debug, in the words of the project it is in. */
export function buildAdvice(source: string, command: readonly string[], output: string, from: string): Told {
  const project = projectAbove(dirname(source));
  const run = project?.run?.({ folder: project.folder, from }, []);
  if (run !== undefined) return advice`${call("start", { args: run })}`;
  if (project?.build !== undefined)
    return advice`build it (\`${inFolder(project.build, project.folder, from)}\`), then ${startLines(project.folder, from)}`;
  const start = call("start", { program: runnable(resolve(from, output), from) });
  return advice`build it (\`${command.join(" ")}\`), then ${start}`;
}

/** A source file that its project builds and runs, knowing its dependencies. */
export function runByProject(source: string, from: string, args: readonly string[]): string[] | undefined {
  const project = projectAbove(dirname(source));
  return project?.run?.({ folder: project.folder, from, source }, args);
}
