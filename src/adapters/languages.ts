/** Every language of the adapters. */
import { extname } from "node:path";
import type { Where } from "./adapter.ts";
import { toolOnPath } from "./kit/find.ts";
import type { Around, InEnvironment, Language } from "./language.ts";
import { ADAPTERS } from "./registry.ts";

export const LANGUAGES: readonly Language[] = ADAPTERS.flatMap(({ describes = [] }) => describes);

/** By its name or another that people type. */
export function languageCalled(name: string): Language | undefined {
  return LANGUAGES.find((one) => one.name === name || one.alsoCalled?.includes(name) === true);
}

export function isSourceOf({ sources }: Pick<Language, "sources">, path: string): boolean {
  return sources.includes(extname(path).toLowerCase());
}

/** Its compilers and interpreters that are there. */
export function toolsOf(language: string, where: Pick<Where, "env" | "cwd">): string[] {
  return (languageCalled(language)?.tools ?? []).flatMap((name) => toolOnPath(name, where) ?? []);
}

/** Of a tool of any language that runs a command in an environment of its own. */
export async function inEnvironment(
  command: readonly string[],
  around: Around,
): Promise<InEnvironment | undefined> {
  for (const { environment } of LANGUAGES) {
    const inside = await environment?.(command, around);
    if (inside !== undefined) return inside;
  }
  return undefined;
}
