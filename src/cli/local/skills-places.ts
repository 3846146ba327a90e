/**
 * Where coding agents look for skills. Two folders serve nearly all of them: `.claude/skills`, and `.agents/skills`, which the
 * others have agreed on. The same names hold in a project and in a home.
 */
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** `signs`: what shows that an agent which reads this folder is in use there. */
const PLACES = [
  { folder: ".claude/skills", signs: [".claude", "CLAUDE.md"] },
  {
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

/** The folders to put skills into: those with a sign of use; all, if there is no sign at all. */
export function skillFolders(where: { to: string | undefined; cwd: string; base: string }): string[] {
  if (where.to !== undefined) return [resolve(where.cwd, where.to)];
  const used = PLACES.filter(({ signs }) => signs.some((sign) => existsSync(join(where.base, sign))));
  const folders = (used.length > 0 ? used : PLACES).map(({ folder }) => join(where.base, folder));
  // One is often a link to the other.
  return [...new Map(folders.map((folder) => [real(folder), folder])).values()];
}

/** The nearest folder upwards that is under version control; without one, the folder itself. */
export function projectRoot(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(real(parent), path.slice(parent.length));
  }
}
