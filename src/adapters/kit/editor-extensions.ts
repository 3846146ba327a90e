/** Adapters that people have only as part of an editor's extension. */
import { join } from "node:path";
import type { Where } from "../adapter.ts";
import { list } from "./find.ts";

const EDITORS = [".vscode", ".vscode-server", ".vscode-insiders", ".vscode-oss", ".cursor", ".windsurf"];

export interface Extension {
  folder: string;
  version: string;
}

/** All versions of an extension, in any editor, the newest first. */
export function extensions(id: string, { env }: Pick<Where, "env">): Extension[] {
  const home = env.HOME;
  if (home === undefined) return [];
  return EDITORS.map((editor) => join(home, editor, "extensions"))
    .flatMap((folder) =>
      list(folder)
        .filter((name) => name.toLowerCase().startsWith(`${id.toLowerCase()}-`))
        .map((name) => ({
          folder: join(folder, name),
          version: /-(\d+(?:\.\d+)*)/.exec(name.slice(id.length))?.[1] ?? "unknown",
        })),
    )
    .sort((a, b) => b.version.localeCompare(a.version, undefined, { numeric: true }));
}
