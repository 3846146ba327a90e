/** Virtual environments: which one is the program's, whether it may be trusted, and what it is, without running it. */
import { existsSync, lstatSync, type Stats, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readSmallFile } from "../../util/small-file.ts";
import type { Where } from "../adapter.ts";
import { isExecutable, list } from "../kit/find.ts";

export interface Environment {
  folder: string;
  python: string;
}

type Around = Pick<Where, "env" | "cwd">;

/** The active one, else the nearest of the project's. */
export function environmentOf({ env, cwd }: Around, program?: string): Environment | undefined {
  const active = env.VIRTUAL_ENV ? environmentIn(resolve(cwd, env.VIRTUAL_ENV)) : undefined;
  if (active) return active;
  const starts = program === undefined ? [cwd] : [dirname(program), cwd];
  for (const start of starts)
    for (const folder of upward(start, env.HOME))
      for (const name of [".venv", "venv"]) {
        const found = environmentIn(join(folder, name));
        if (found) return found;
      }
  return undefined;
}

/** Only a folder that says it is one (a project may have a `venv` of another kind), and that no other user could have put there. */
function environmentIn(folder: string): Environment | undefined {
  const config = join(folder, "pyvenv.cfg");
  if (!existsSync(config)) return undefined;
  const python = [join(folder, "bin", "python"), join(folder, "Scripts", "python.exe")].find(isExecutable);
  if (python === undefined) return undefined;
  // Of the Python only the link: it may lead to whatever the owner of the environment chose.
  const stats = [folder, config, dirname(python)].flatMap((path) => [lstatSync(path), statSync(path)]);
  return [...stats, lstatSync(python)].every(isTrusted) ? { folder, python } : undefined;
}

function isTrusted({ uid }: Stats): boolean {
  const own = process.getuid?.();
  return own === undefined || uid === own || uid === 0;
}

const REPOSITORY = [".git", ".hg", ".svn"];
const PACKAGE = ["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile"];

/**
 * From a folder to the top of its project: the repository's, else the nearest package's (packages of one repository may share an
 * environment). Never above the user's home, nor into a folder that anybody may write to.
 */
export function upward(start: string, home: string | undefined): string[] {
  const chain = [start];
  for (let at = start; at !== home && dirname(at) !== at; at = dirname(at)) {
    if (isOpenToAll(dirname(at))) break;
    chain.push(dirname(at));
  }
  const top = [REPOSITORY, PACKAGE]
    .map((marks) => chain.findIndex((folder) => marks.some((mark) => existsSync(join(folder, mark)))))
    .find((index) => index >= 0);
  return top === undefined ? chain : chain.slice(0, top + 1);
}

function isOpenToAll(folder: string): boolean {
  try {
    return (statSync(folder).mode & 0o002) !== 0;
  } catch {
    return true;
  }
}

/** Its version and package folders, as its files tell them. */
export function describe({ folder, python }: Environment) {
  const settings = configOf(folder);
  const libraries = list(join(folder, "lib")).filter((name) => /^(python|pypy)\d/.test(name));
  const named = /(\d+\.\d+)/.exec(libraries[0] ?? "")?.[1];
  const version =
    /^\d+\.\d+(\.\d+)?/.exec(settings.get("version") ?? settings.get("version_info") ?? "")?.[0] ?? named;
  if (version === undefined) return undefined;
  const own = [...libraries.map((name) => join(folder, "lib", name)), join(folder, "Lib")];
  const folders = own.map((one) => join(one, "site-packages"));
  const home = settings.get("home");
  if (home !== undefined && settings.get("include-system-site-packages") === "true")
    folders.push(...systemFolders(home, version));
  return { path: python, version, folders: folders.filter((one) => existsSync(one)) };
}

/** `home` is the folder of the Python that it was made with. */
function systemFolders(home: string, version: string): string[] {
  const library = join(dirname(home), "lib");
  const minor = version.split(".").slice(0, 2).join(".");
  return [join(library, `python${minor}`, "site-packages"), join(library, "python3", "dist-packages")];
}

function configOf(folder: string): Map<string, string> {
  try {
    const lines = readSmallFile(join(folder, "pyvenv.cfg"), 64_000).split(/\r?\n/);
    return new Map(
      lines.flatMap((line) => {
        const [, key = "", value = ""] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
        return key === "" ? [] : [[key.toLowerCase(), value] as const];
      }),
    );
  } catch {
    return new Map();
  }
}
