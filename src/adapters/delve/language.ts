/** Go as a language, and how its packages are started. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { list } from "../kit/find.ts";
import type { Language } from "../language.ts";
import { returned } from "./returned.ts";

export const go: Language = {
  name: "go",
  title: "Go",
  tools: ["go"],
  sources: [".go"],
  defined(name, text) {
    if (new RegExp(`^func ${name}[[(]`, "m").test(text)) return name;
    const [, type] =
      new RegExp(`^func \\((?:\\w+ )?\\*?(\\w+)(?:\\[[^\\]]*\\])?\\) ${name}\\(`, "m").exec(text) ?? [];
    return type === undefined ? undefined : `${type}.${name}`;
  },
  returned,
  projects: [{ file: "go.mod", build: "go build -gcflags='all=-N -l' ." }],
  folder: {
    start(folder, args) {
      const isPackage =
        existsSync(join(folder, "go.mod")) || list(folder).some((name) => name.endsWith(".go"));
      return isPackage ? { command: ["go", "-C", folder, "run", ".", ...args], args: [] } : undefined;
    },
  },
};
