/** Configurations of VS Code's Python debugger. */
import type { ConfigurationKind, Keys } from "../configuration.ts";

export const pythonConfigurations: ConfigurationKind = {
  types: ["python", "debugpy"],
  passes: [
    ...["justMyCode", "subProcess", "django", "jinja", "gevent", "pyramid", "redirectOutput"],
    ...["showReturnValue", "pathMappings", "pythonArgs"],
  ],
  runs(keys, { program, args }) {
    const python = interpreter(keys);
    const module = keys.text("module");
    if (module !== undefined) return { command: [python ?? "python3", "-m", module, ...args], args: [] };
    return program === undefined || python === undefined
      ? undefined
      : { command: [python, program, ...args], args: [] };
  },
};

/** The editor's choice of interpreter is its own; then the one on the PATH, or the project's, is used. */
function interpreter(keys: Keys): string | undefined {
  for (const key of ["python", "pythonPath"]) {
    try {
      const value = keys.any(key);
      const first = Array.isArray(value) ? value[0] : value;
      if (typeof first === "string" && first !== "") return first;
    } catch {
      // ${command:python.interpreterPath}
    }
  }
  return undefined;
}
