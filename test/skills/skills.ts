/** The skills as they are in the repository. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "../..");
export const SKILLS = join(ROOT, "skills");

export interface Skill {
  /** Of its folder. */
  name: string;
  file: string;
  text: string;
  /** As it stands between the two lines of dashes. */
  front: string;
  body: string;
}

export function readSkill(name: string): Skill {
  const file = join(SKILLS, name, "SKILL.md");
  const text = readFileSync(file, "utf8");
  const [, front = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  return { name, file, text, front, body };
}

export const skills: Skill[] = readdirSync(SKILLS).map(readSkill);

/** Why a test that needs this row of the contract cannot run here, if it cannot (scripts/test-adapters.mjs). */
export function leftOut(title = ""): string | undefined {
  const file = join(ROOT, ".adapters/skipped.json");
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, "utf8")) as Record<string, string>)[title];
}
