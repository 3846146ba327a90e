/** Bash by the vscode-bash-debug extension, which brings bashdb. */
import { dirname, join } from "node:path";
import { toolOnPath } from "../kit/find.ts";
import { fileOf, plainAdapter } from "../kit/plain-adapter.ts";

export const bashAdapter = plainAdapter({
  name: "bash",
  title: "vscode-bash-debug",
  languages: ["bash"],
  describes: [{ name: "bash", title: "Bash", tools: ["bash"], sources: [".sh", ".bash"] }],
  configurations: [{ types: ["bashdb"] }],
  fileTypes: [".sh", ".bash"],
  commands: ["bash"],
  files: [{ extension: "rogalmic.bash-debug", path: "out/bashDebug.js" }],
  byHand: "install the Bash Debug extension (rogalmic.bash-debug) in an editor",
  launch(plan, { found, where }) {
    const { file, args } = fileOf(plan, "file.sh");
    const bashdb = join(dirname(dirname(found.path)), "bashdb_dir");
    const tool = (name: string) => toolOnPath(name, where) ?? name;
    return {
      program: file,
      args,
      cwd: plan.cwd,
      env: plan.env,
      pathBash: tool("bash"),
      pathBashdb: join(bashdb, "bashdb"),
      pathBashdbLib: bashdb,
      pathCat: tool("cat"),
      pathMkfifo: tool("mkfifo"),
      pathPkill: tool("pkill"),
      terminalKind: "integrated",
    };
  },
});
