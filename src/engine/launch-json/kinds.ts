/**
 * Which adapter a configuration's `type` means, and which of its keys that adapter takes as they are. A list of what is let
 * through, not of what is kept out: the file comes with a project, and some keys (debugger commands, paths of debuggers) run code.
 */

export interface Kind {
  /** A name or language for `--adapter`; nothing: by the program. */
  adapter?: string;
  passes: readonly string[];
  /** Which reading of the other keys applies. */
  reads: "node" | "python" | "go" | "native" | "plain";
}

const NODE: Kind = { adapter: "javascript", reads: "node", passes: ["runtimeArgs"] };
const PYTHON: Kind = {
  adapter: "python",
  reads: "python",
  passes: [
    ...["justMyCode", "subProcess", "django", "jinja", "gevent", "pyramid", "redirectOutput"],
    ...["showReturnValue", "pathMappings", "pythonArgs"],
  ],
};
const GO: Kind = {
  adapter: "go",
  reads: "go",
  passes: ["stackTraceDepth", "showGlobalVariables", "hideSystemGoroutines", "showRegisters"],
};
/** By the program, because C, Rust and Go executables are all started by it. */
const LLDB: Kind = { reads: "native", passes: [] };
const OTHER_NATIVE: Kind = { reads: "native", passes: [] };

export const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...["node", "pwa-node", "node2", "node-terminal"].map((type) => [type, NODE] as const),
  ...["python", "debugpy"].map((type) => [type, PYTHON] as const),
  ["go", GO],
  ...["lldb", "lldb-dap", "lldb-vscode", "codelldb"].map((type) => [type, LLDB] as const),
  ...["cppdbg", "cppvsdbg", "gdb", "gdb-dap", "rust", "swift", "swift-lldb"].map(
    (type) => [type, OTHER_NATIVE] as const,
  ),
  ...Object.entries({
    java: "java",
    kotlin: "kotlin",
    php: "php",
    ruby: "ruby",
    rdbg: "ruby",
    coreclr: "csharp",
    dart: "dart",
    mix_task: "elixir",
    bashdb: "bash",
    lua: "lua",
    perl: "perl",
  }).map(([type, adapter]) => [type, { adapter, reads: "plain" as const, passes: [] }] as const),
]);

/** Keys that are the editor's own affair: where windows open, how the list is sorted. */
export const OF_THE_EDITOR: ReadonlySet<string> = new Set([
  ...["name", "type", "request", "presentation", "console", "internalConsoleOptions", "serverReadyAction"],
  ...["debugServer", "postDebugTask", "preLaunchTask", "windows", "linux", "osx", "externalConsole"],
  ...["consoleTitle", "autoAttachChildProcesses", "skipFiles", "outFiles", "smartStep", "sourceMaps"],
  ...["resolveSourceMapLocations", "restart", "timeout", "trace", "showAsyncStacks", "outputCapture"],
  ...["logging", "purpose", "debugOptions", "sourceLanguages", "runInTerminal"],
]);
