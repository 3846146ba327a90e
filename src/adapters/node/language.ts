/** JavaScript and TypeScript as languages, and how Node's projects are started. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { advice, blank, call } from "../../advice/advice.ts";
import type { Language } from "../language.ts";

const common = {
  tools: ["node"],
  sources: [".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"],
} satisfies Partial<Language>;

export const javascript: Language = {
  ...common,
  name: "javascript",
  title: "JavaScript",
  defined(name, text) {
    const plain = name.replaceAll("$", "\\$");
    const forms = [
      `\\bfunction\\*?\\s+${plain}\\s*[<(]`,
      `\\b(?:const|let|var)\\s+${plain}\\b[^=\\n]*=\\s*(?:async\\s*)?(?:function\\b|\\([^)]*\\)[^=\\n]*=>|[\\w$]+\\s*=>)`,
      // A method: its name, its parameters and its body begin a line, or end it.
      `^\\s*(?:(?:public|private|protected|static|async|override)\\s+)*\\*?${plain}\\s*(?:<[^>\\n]*>)?\\([^;\\n]*\\)\\s*(?::[^{;\\n]+)?\\{\\s*$`,
    ];
    return new RegExp(forms.join("|"), "m").test(text) ? name : undefined;
  },
  projects: [{ file: "package.json", interpreted: true, shared: true }],
  interpreter: { name: /^node$/, plain: /^--[\w-]+=/ },
  folder: {
    shared: true,
    start(folder, args) {
      const main = existsSync(join(folder, "package.json")) ? mainOf(folder) : undefined;
      return main === undefined ? undefined : { program: main, args };
    },
    mains: ["main.js", "app.js", "server.js"],
    advice(folder, cwd) {
      const scripts = packageJson(folder).scripts.slice(0, 5);
      const line = call("start", { cwd, args: ["npm", "run", blank("script")] });
      return scripts.length === 0
        ? undefined
        : advice`package.json has no main; its scripts run by ${line}: ${scripts.join(", ")}`;
    },
  },
};

export const typescript: Language = { ...common, name: "typescript", title: "TypeScript" };

/** As `node <folder>` finds it. */
function mainOf(folder: string): string | undefined {
  const { main } = packageJson(folder);
  const candidates = [
    ...(main === undefined ? [] : [main, `${main}.js`, join(main, "index.js")]),
    "index.js",
  ];
  return candidates
    .map((name) => resolve(folder, name))
    .find((path) => existsSync(path) && statSync(path).isFile());
}

function packageJson(folder: string): { main?: string; scripts: string[] } {
  try {
    const { main, scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return {
      ...(typeof main === "string" ? { main } : {}),
      scripts: typeof scripts === "object" && scripts !== null ? Object.keys(scripts) : [],
    };
  } catch {
    return { scripts: [] };
  }
}
