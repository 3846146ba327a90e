/** Whether a text is an ES module, and what it imports, by es-module-lexer in its form that needs no waiting. TypeScript will do. */
import { parse } from "es-module-lexer/js";

/** Specifiers of static imports. */
export function importsOf(text: string): string[] {
  const [imports = []] = lexed(text) ?? [];
  return imports.flatMap(({ n, d }) => (d === -1 && n !== undefined ? [n] : []));
}

export function hasModuleSyntax(text: string): boolean {
  return lexed(text)?.[3] ?? false;
}

function lexed(text: string): ReturnType<typeof parse> | undefined {
  try {
    return parse(text);
  } catch {
    return undefined; // nothing that Node could run
  }
}
