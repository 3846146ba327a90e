/** What a plan means as a command line of java's. A source file is compiled first: java's own way of doing that keeps no names of locals. */

import { execFile } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { advice, blank, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { temporaryFolder } from "../../util/left-folders.ts";
import type { Host, LaunchPlan } from "../adapter.ts";
import { onPath, toolOnPath } from "../kit/find.ts";
import { buildToolCommand } from "./build-tools.ts";

export interface JavaCommand {
  java: string;
  /** Options, the class or jar, and its arguments. */
  args: string[];
  mainClass?: string;
  sourceRoots: string[];
  /** To be removed when the program has ended. */
  scratch?: string;
  /** How the agent's option gets to the JVM: as java's own, where nothing is said. */
  withAgent?(agent: string): string[];
  /** How long the JVM may take to be there, where something else is done first. */
  launchMs?: number;
}

/** Options that are followed by a word of their own. */
const WITH_VALUE =
  /^(-cp|-classpath|--class-path|-p|--module-path|--upgrade-module-path|--add-modules|--add-reads|--add-exports|--add-opens|--limit-modules|--patch-module|--source|-d|--describe-module)$/;

export async function javaCommand(plan: LaunchPlan, host: Host): Promise<JavaCommand> {
  const [first = "java", ...words] = plan.command ?? ["java", plan.program ?? "", ...plan.args];
  const java = onPath(first, host.where);
  if (java === undefined) throw new SondeError("LAUNCH_FAILED", `there is no program ${first}`);
  const building = buildToolCommand(first, java, words, plan.cwd);
  if (building !== undefined) return building;
  const at = mainWord(words);
  const main = words[at];
  const options = words.slice(0, at);
  const args = words.slice(at + 1);
  const roots = usualRoots(plan.cwd);
  if (main === undefined)
    throw new SondeError("BAD_ARGUMENT", "which class should java run?", {
      hint: advice`${call("start", { program: "File.java" })}, or ${call("start", { args: ["java", "-cp", blank("classes"), "Main"] })}`,
    });
  if (main.endsWith(".java"))
    return compiled({ java, options, args, file: resolve(plan.cwd, main) }, plan, host);
  const isClass = options.at(-1) !== "-jar" && !/^(-m|--module)$/.test(options.at(-1) ?? "");
  return {
    java,
    args: words,
    sourceRoots: [...classPath(options).flatMap((one) => sourcesOf(resolve(plan.cwd, one))), ...roots],
    ...(isClass ? { mainClass: main } : {}),
  };
}

/** The index of the class, the jar, the module or the file that is run. */
function mainWord(words: readonly string[]): number {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!word.startsWith("-") && !word.startsWith("@")) return at;
    if (WITH_VALUE.test(word)) at++;
  }
  return words.length;
}

function classPath(options: readonly string[]): string[] {
  const at = options.findLastIndex((word) => /^(-cp|-classpath|--class-path)$/.test(word));
  return at < 0 ? ["."] : (options[at + 1] ?? "").split(delimiter).filter((one) => one !== "");
}

/** Builds leave classes beside or below the sources they were made from. */
function sourcesOf(place: string): string[] {
  const folder = /\.jar$/.test(place) ? dirname(place) : place;
  return [
    folder,
    ...usualRoots(folder),
    ...usualRoots(dirname(folder)),
    ...usualRoots(dirname(dirname(folder))),
  ];
}

export function usualRoots(folder: string): string[] {
  const roots = ["src/main/java", "src/test/java", "src", "."].map((one) => join(folder, one));
  return roots.filter((root) => existsSync(root));
}

interface SourceRun {
  java: string;
  options: string[];
  args: string[];
  file: string;
}

async function compiled(
  { java, options, args, file }: SourceRun,
  plan: LaunchPlan,
  host: Host,
): Promise<JavaCommand> {
  const beside = join(dirname(java), "javac");
  const javac = existsSync(beside) ? beside : toolOnPath("javac", host.where);
  if (javac === undefined)
    throw new SondeError("LAUNCH_FAILED", "there is no javac to compile it with", { hint: "install a JDK" });
  const name = packageOf(file);
  const depth = name === undefined ? 0 : name.split(".").length;
  const root = resolve(dirname(file), ...Array<string>(depth).fill(".."));
  const scratch = temporaryFolder("java");
  const path = options.some((word) => /^(-cp|-classpath|--class-path)$/.test(word)) ? classPath(options) : [];
  const flags = [
    // A file or two: the time is the compiler's own start, which is half as long without its optimiser.
    "-J-XX:TieredStopAtLevel=1",
    "-J-XX:+UseSerialGC",
    "-g",
    "-d",
    scratch,
    "-sourcepath",
    root,
    ...(path.length > 0 ? ["-cp", path.join(delimiter)] : []),
  ];
  try {
    await run(javac, [...flags, file], plan, host);
  } catch (error) {
    rmSync(scratch, { recursive: true, force: true });
    throw error;
  }
  const mainClass = `${name === undefined ? "" : `${name}.`}${mainClassOf(file)}`;
  const own = options.filter((word, index) => !isClassPath(word) && !isClassPath(options[index - 1] ?? ""));
  return {
    java,
    args: [...own, "-cp", [scratch, root, ...path].join(delimiter), mainClass, ...args],
    mainClass,
    sourceRoots: [root, ...usualRoots(plan.cwd)],
    scratch,
  };
}

function isClassPath(word: string): boolean {
  return /^(-cp|-classpath|--class-path)$/.test(word);
}

function packageOf(file: string): string | undefined {
  return /^\s*package\s+([\w.]+)\s*;/m.exec(readFileSync(file, "utf8"))?.[1];
}

/** The class named after the file, or else the first: as java itself chooses. */
function mainClassOf(file: string): string {
  const own = basename(file, ".java");
  const text = readFileSync(file, "utf8");
  const names = [
    ...text.matchAll(/^\s*(?:(?:public|final|abstract)\s+)*(?:class|enum|record|interface)\s+(\w+)/gm),
  ];
  return names.some(([, name]) => name === own) ? own : (names[0]?.[1] ?? own);
}

function run(command: string, args: string[], { cwd, env }: LaunchPlan, host: Host): Promise<void> {
  return new Promise((done, failed) => {
    const { signal } = host;
    const child = execFile(
      command,
      args,
      { cwd, env, ...(signal ? { signal } : {}) },
      (error, stdout, stderr) => {
        const said = `${stdout}${stderr}`.trim();
        if (error) failed(new SondeError("LAUNCH_FAILED", `javac failed:\n${said || error.message}`));
        else {
          if (said !== "") host.say(`${said}\n`);
          done();
        }
      },
    );
    const { pid } = child;
    if (pid === undefined) return;
    host.processes.own(pid, "javac", "adapter");
    child.once("exit", () => host.processes.release(pid));
  });
}
