/** Which adapter a configuration's `type` means, as the adapters say. */
import type { ConfigurationKind } from "../../adapters/configuration.ts";
import { ADAPTERS } from "../../adapters/registry.ts";

export interface Kind extends Omit<ConfigurationKind, "types" | "byProgram"> {
  /** A name or language for `--adapter`; nothing: by the program. */
  adapter?: string;
}

export const KINDS: ReadonlyMap<string, Kind> = new Map(
  ADAPTERS.flatMap(({ name, languages: [language = name], configurations = [] }) =>
    configurations.flatMap(({ types, byProgram, ...kind }) =>
      types.map((type): [string, Kind] => [type, byProgram ? kind : { ...kind, adapter: language }]),
    ),
  ),
);

/** Keys that are the editor's own affair: where windows open, how the list is sorted. */
export const OF_THE_EDITOR: ReadonlySet<string> = new Set([
  ...["name", "type", "request", "presentation", "console", "internalConsoleOptions", "serverReadyAction"],
  ...["debugServer", "postDebugTask", "preLaunchTask", "windows", "linux", "osx", "externalConsole"],
  ...["consoleTitle", "autoAttachChildProcesses", "skipFiles", "outFiles", "smartStep", "sourceMaps"],
  ...["resolveSourceMapLocations", "restart", "timeout", "trace", "showAsyncStacks", "outputCapture"],
  ...["logging", "purpose", "debugOptions", "sourceLanguages", "runInTerminal"],
]);
