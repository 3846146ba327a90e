/** What a launch is about: a binary that is there, or one that go has to build first. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { advice, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { LaunchPlan } from "../adapter.ts";
import { type GoCommand, parseGoCommand, testArguments } from "./go-command.ts";

export type Target =
  | { kind: "binary"; program: string; args: string[] }
  | { kind: "build"; go: GoCommand; name: string; runsIn?: string };

export function targetOf(plan: LaunchPlan): Target {
  const { program, command, args, cwd } = plan;
  if (command !== undefined) {
    if (/^go(\d+(\.\d+)*)?(\.exe)?$/.test(basename(command[0] ?? ""))) {
      const go = parseGoCommand(command, cwd);
      return { kind: "build", go, name: nameOf(go), runsIn: cwd };
    }
    const [binary = "", ...rest] = command;
    return { kind: "binary", program: binary, args: rest };
  }
  if (program === undefined) throw new SondeError("BAD_ARGUMENT", "nothing to run");
  return program.endsWith(".go") ? ofSource(program, args, cwd) : { kind: "binary", program, args };
}

/** A file stands for its package, as it does to an editor; but not where each file is a program of its own. */
function ofSource(program: string, args: string[], runsIn: string): Target {
  const folder = dirname(program);
  const base = { cwd: folder, buildFlags: [], notes: [] };
  const file = basename(program);
  if (file.endsWith("_test.go")) {
    const go: GoCommand = { ...base, verb: "test", what: ["."], args: testArguments(args) };
    return { kind: "build", go, name: `${basename(folder)}.test` };
  }
  const source = readFileSync(program, "utf8");
  if (packageOf(source) !== "main")
    throw new SondeError("BAD_ARGUMENT", `${file} is package ${packageOf(source)}, not a program`, {
      hint: advice`start its test file, or ${call("start", { args: ["go", "test", folder] })}`,
    });
  const siblings = readdirSync(folder).filter((one) => one.endsWith(".go") && !one.endsWith("_test.go"));
  const sources = siblings.map((one) => ({ one, text: readFileSync(join(folder, one), "utf8") }));
  const same = sources.filter(({ text }) => packageOf(text) === "main");
  const alone = same.length === 1 || same.filter(({ text }) => hasMain(text)).length > 1;
  const what = alone ? [file] : inModule(folder) ? ["."] : same.map(({ one }) => one);
  return {
    kind: "build",
    go: { ...base, verb: "run", what, args },
    name: file.replace(/\.go$/, ""),
    runsIn,
  };
}

function packageOf(source: string): string {
  return /^package\s+(\w+)/m.exec(source)?.[1] ?? "main";
}

function hasMain(source: string): boolean {
  return /^func\s+main\s*\(/m.test(source);
}

function inModule(folder: string): boolean {
  const parent = dirname(folder);
  return existsSync(join(folder, "go.mod")) || (parent !== folder && inModule(parent));
}

/** As `go run` would call the binary. */
function nameOf({ what, cwd, verb }: GoCommand): string {
  const [first = "."] = what;
  const plain = first.replace(/@.*$/, "").replace(/\/(\.\.\.)?$/, "");
  const name = /^(\.{1,2}(\/\.\.)*|\.\.\.)?$/.test(plain)
    ? basename(join(cwd, plain || "."))
    : basename(plain, ".go");
  return verb === "test" ? `${name}.test` : name;
}
