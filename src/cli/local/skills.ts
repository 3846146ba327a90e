/** `sonde skills …`: the package's texts for coding agents, and putting them where agents look. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { callerCwd } from "../../client/environment.ts";
import { SondeError } from "../../errors.ts";
import { closest } from "../../util/closest.ts";
import { safeJson } from "../../util/safe-json.ts";
import { print } from "../print.ts";
import { type Installed, installSkill, type WrittenFile } from "./skills-install.ts";
import { AGENTS, projectRoot, type SkillFolder, skillFolders } from "./skills-places.ts";

const USAGE =
  "sonde skills list | show <name> [reference.md] | install [name…] [--user|--project] [--for claude|agents|both] [--to <folder>] [--force]";

interface Skill {
  name: string;
  description: string;
  folder: string;
}

interface Options {
  names: string[];
  json: boolean;
  force: boolean;
  user: boolean;
  project: boolean;
  to?: string;
  /** Whose folder. */
  agent?: string;
}

export async function skillsCommand(words: string[]): Promise<number> {
  const [what, ...rest] = words.filter((word) => word !== "--json");
  const options = { ...parse(rest), json: words.includes("--json") };
  if (what === "list") return list(options);
  if (what === "show") return show(options);
  if (what === "install") return install(options);
  throw wrong(what ? `skills: no such command \`${what}\`` : "skills: which command?");
}

function parse(words: string[]): Options {
  const options: Options = { names: [], json: false, force: false, user: false, project: false };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--force") options.force = true;
    else if (word === "--user") options.user = true;
    else if (word === "--project") options.project = true;
    else if (word === "--to") options.to = words[++at] ?? "";
    else if (word.startsWith("--to=")) options.to = word.slice("--to=".length);
    else if (word === "--for") options.agent = words[++at] ?? "";
    else if (word.startsWith("--for=")) options.agent = word.slice("--for=".length);
    else if (word.startsWith("-")) throw wrong(`skills has no option ${word}`);
    else options.names.push(word);
  }
  if (options.to === "") throw wrong("--to takes a folder");
  if (options.agent !== undefined && !AGENTS.includes(options.agent))
    throw wrong(`--for takes ${AGENTS.join(", ")}`);
  if (options.agent !== undefined && options.to !== undefined)
    throw wrong("--for and --to name different places: give one");
  const places = [options.user, options.project, options.to !== undefined].filter(Boolean);
  if (places.length > 1) throw wrong("--user, --project and --to name different places: give one");
  return options;
}

function wrong(what: string): SondeError {
  return new SondeError("BAD_ARGUMENT", what, { hint: USAGE });
}

/** A skill is a folder with a SKILL.md in it; nothing else lists them. */
function shipped(): Skill[] {
  const root = join(import.meta.dirname, "../skills");
  let names: string[];
  try {
    names = readdirSync(root).filter((name) => existsSync(join(root, name, "SKILL.md")));
  } catch {
    throw new SondeError("INTERNAL", `this installation has no skills: ${root} cannot be read`);
  }
  return names.sort().map((name) => {
    const folder = join(root, name);
    return { name, folder, description: descriptionOf(readFileSync(join(folder, "SKILL.md"), "utf8")) };
  });
}

function descriptionOf(text: string): string {
  return /^description: *(.*)$/m.exec(text)?.[1] ?? "";
}

function chosen(names: string[]): Skill[] {
  const all = shipped();
  if (names.length === 0) return all;
  return names.map((name) => {
    const found = all.find((one) => one.name === name || one.name === `debugger-${name}`);
    if (found) return found;
    const known = all.map((one) => one.name);
    const near = closest(name, known);
    throw new SondeError("BAD_ARGUMENT", `there is no skill \`${name}\``, {
      hint: near ? `did you mean \`${near}\`?` : `there are ${known.join(", ")}`,
    });
  });
}

function list({ json, names }: Options): Promise<number> {
  const skills = chosen(names);
  const text = skills.map(({ name, description }) => `${name}\n  ${description}\n`).join("");
  return say(json, { skills }, `${text}\`sonde skills install\` puts them where agents look\n`);
}

function show({ json, names }: Options): Promise<number> {
  if (names.length === 0) {
    const known = shipped().map(({ name }) => name);
    throw new SondeError("BAD_ARGUMENT", "show needs the name of a skill", {
      hint: `sonde skills show ${known.join(" | ")}`,
    });
  }
  const skills = wantedFiles(names).map(({ skill: { name, folder }, file }) => ({
    name,
    text: readFileSync(join(folder, file), "utf8"),
  }));
  return say(json, { skills }, skills.map(({ text }) => text).join("\n"));
}

const MAIN = "SKILL.md";

/** `python`, or a file beside its text, as the text links to it: `python reference.md`, `python/reference.md`. */
function wantedFiles(names: string[]): { skill: Skill; file: string }[] {
  const wanted: { skill: Skill; file: string }[] = [];
  for (const word of names) {
    const before = wanted.at(-1);
    const [, owner, file] = /^(.+)\/([^/]+\.md)$/.exec(word) ?? [];
    if (owner !== undefined && file !== undefined)
      wanted.push(...chosen([owner]).map((skill) => ({ skill, file })));
    else if (!word.endsWith(".md") || before === undefined)
      wanted.push(...chosen([word]).map((skill) => ({ skill, file: MAIN })));
    else if (before.file === MAIN) before.file = word;
    else wanted.push({ skill: before.skill, file: word });
  }
  for (const { skill, file } of wanted) {
    const there = readdirSync(skill.folder).filter((name) => name.endsWith(".md"));
    if (!there.includes(file))
      throw new SondeError("BAD_ARGUMENT", `the skill ${skill.name} has no ${file}`, {
        hint: `it has ${there.sort().join(", ")}`,
      });
  }
  return wanted;
}

async function install({ json, names, force, user, to, agent }: Options): Promise<number> {
  const cwd = callerCwd();
  const places = skillFolders({ to, agent, cwd, base: user ? homedir() : projectRoot(cwd) });
  const skills = chosen(names);
  const within = places.map(({ folder }) => folder);
  const installed = within.flatMap((place) =>
    skills.map(({ folder, name }) =>
      installSkill({ from: folder, folder: join(place, name), force, within }),
    ),
  );
  const kept = installed
    .flatMap(({ files }) => files)
    .filter(({ outcome }) => outcome === "kept" || outcome === "linked");
  await say(json, { installed, places }, installText(installed, kept, to === undefined ? places : []));
  return kept.length > 0 ? 1 : 0;
}

function installText(installed: Installed[], kept: WrittenFile[], places: SkillFolder[]): string {
  const lines = installed.map(({ folder, files }) => `${outcome(files).padEnd(9)}  ${folder}`);
  for (const { folder, why } of places) lines.push(`${folder}: ${why}`);
  for (const { path, leadsTo } of kept)
    lines.push(
      leadsTo === undefined
        ? `you changed it, so it was not replaced: ${path}`
        : `a link to ${leadsTo}, outside the skills folder, so it was not replaced: ${path}`,
    );
  if (kept.some(({ outcome }) => outcome === "kept")) lines.push("`--force` replaces what you changed");
  if (kept.some(({ outcome }) => outcome === "linked"))
    lines.push("remove the link to install the skill there");
  return `${lines.join("\n")}\n`;
}

/** Of a folder: the same word as its files', if all have the same. */
function outcome(files: WrittenFile[]): string {
  const all = new Set(files.map((file) => file.outcome));
  if (all.has("kept") || all.has("linked")) return "kept";
  if (all.size === 1 && all.has("written")) return "written";
  return all.size === 1 && all.has("same") ? "same" : "updated";
}

async function say(json: boolean, data: unknown, text: string): Promise<number> {
  await print(1, json ? `${safeJson({ ok: true, data })}\n` : text);
  return 0;
}
