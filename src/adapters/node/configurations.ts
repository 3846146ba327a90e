/** Configurations of VS Code's JavaScript debugger. */
import { splitWords } from "../../util/shell-words.ts";
import type { ConfigurationKind } from "../configuration.ts";

export const nodeConfigurations: ConfigurationKind = {
  types: ["node", "pwa-node", "node2", "node-terminal"],
  passes: ["runtimeArgs"],
  /** `runtimeExecutable` names what to run (npm, tsx, another node), which is what starting it by name asks for. */
  runs(keys, { program, args }) {
    const terminal = keys.text("command");
    if (terminal !== undefined) return { command: splitWords(terminal), args: [] };
    const runtime = keys.text("runtimeExecutable");
    if (runtime !== undefined) {
      const own = keys.words("runtimeArgs") ?? [];
      return { command: [runtime, ...own, ...(program === undefined ? [] : [program]), ...args], args: [] };
    }
    if (program !== undefined) return undefined;
    // `--test` and the like need no program.
    const own = keys.words("runtimeArgs");
    return own === undefined ? undefined : { command: ["node", ...own, ...args], args: [] };
  },
};
