/** Python as a language, and how its folders are started. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Language } from "../language.ts";
import { inEnvironment } from "./environments.ts";
import { statements } from "./statements.ts";

export const python: Language = {
  name: "python",
  title: "Python",
  tools: ["python3", "python"],
  sources: [".py", ".pyw"],
  statements,
  defined: (name, text) => (new RegExp(`^\\s*(?:async )?def ${name}\\(`, "m").test(text) ? name : undefined),
  projects: [
    { file: "pyproject.toml", interpreted: true, shared: true },
    { file: "setup.py", interpreted: true, shared: true },
  ],
  interpreter: { name: /^(python|pythonw|pypy)[\d.]*$/, plain: /^-[bBdEiIOPqsSuvx]+$/ },
  folder: {
    start(folder, args) {
      const main = join(folder, "__main__.py");
      return existsSync(main) ? { program: main, args } : undefined;
    },
    mains: ["main.py", "app.py", "manage.py", "src/main.py"],
  },
  environment: inEnvironment,
};
