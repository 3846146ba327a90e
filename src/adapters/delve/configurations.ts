/** Configurations of VS Code's Go debugger. */
import { dirname } from "node:path";
import type { ConfigurationKind } from "../configuration.ts";

export const goConfigurations: ConfigurationKind = {
  types: ["go"],
  passes: ["stackTraceDepth", "showGlobalVariables", "hideSystemGoroutines", "showRegisters"],
  /** A package or one of its files, built with the configuration's flags; or, by `exec`, what is built already. */
  runs(keys, { program: file, args, folder }) {
    const program = file ?? folder;
    const mode = keys.text("mode");
    const flags = keys.words("buildFlags") ?? [];
    const isFile = program.endsWith(".go");
    if (mode === "exec" || (isFile && mode !== "test" && flags.length === 0)) return { program, args };
    const go = ["go", "-C", isFile ? dirname(program) : program];
    if (mode !== "test") return { command: [...go, "run", ...flags, ".", ...args], args: [] };
    return {
      command: [...go, "test", ...flags, ".", ...(args.length > 0 ? ["-args", ...args] : [])],
      args: [],
    };
  },
};
