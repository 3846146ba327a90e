/**
 * Where coding agents look for skills. Two folders serve nearly all of them: `.claude/skills`, and `.agents/skills`, which the
 * others have agreed on. The same names hold in a project and in a home.
 */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { landing } from "../../util/landing.ts";

/** `signs`: what shows that an agent which reads this folder is in use there. */
const PLACES = [
  { name: "claude", who: "Claude Code", folder: ".claude/skills", signs: [".claude", "CLAUDE.md"] },
  {
    name: "agents",
    who: "Codex, Cursor, Gemini, Copilot, opencode",
    folder: ".agents/skills",
    signs: [
      ".agents",
      "AGENTS.md",
      "GEMINI.md",
      ".codex",
      ".cursor",
      ".gemini",
      ".copilot",
      ".github/copilot-instructions.md",
      ".opencode",
      "opencode.json",
      ".config/opencode",
    ],
  },
];

export const AGENTS = [...PLACES.map(({ name }) => name), "both"];

export interface SkillFolder {
  folder: string;
  /** Who looks there, and how it is known that they do. */
  why: string;
}

/** The folders to put skills into: those that were asked for; else those with a sign of use; all, if there is no sign at all. */
export function skillFolders(where: {
  to: string | undefined;
  agent: string | undefined;
  cwd: string;
  base: string;
}): SkillFolder[] {
  if (where.to !== undefined) return [{ folder: resolve(where.cwd, where.to), why: "--to" }];
  const known = PLACES.map((place) => ({
    ...place,
    sign: place.signs.find((sign) => existsSync(join(where.base, sign))),
  }));
  const asked = known.filter(({ name }) => where.agent === "both" || where.agent === name);
  const used = known.filter(({ sign }) => sign !== undefined);
  const folders = (asked.length > 0 ? asked : used.length > 0 ? used : known).map(
    ({ folder, who, name, sign }) => ({
      folder: join(where.base, folder),
      why: `${who} look${who.includes(",") ? "" : "s"} there; ${reason(where.agent, sign, name)}`,
    }),
  );
  // One is often a link to the other.
  return [...new Map(folders.map((one) => [landing(one.folder), one])).values()];
}

function reason(asked: string | undefined, sign: string | undefined, name: string): string {
  if (asked !== undefined) return "you asked for it";
  return sign === undefined
    ? `nothing in this folder shows which agent you use (\`--for ${name}\` writes only this one)`
    : `there is ${sign} here`;
}

/** The nearest folder upwards that is under version control; without one, the folder itself. */
export function projectRoot(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}
