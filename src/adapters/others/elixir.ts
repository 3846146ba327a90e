/** Elixir by the debugger of ElixirLS, which runs mix tasks. */
import { plainAdapter } from "../kit/plain-adapter.ts";

export const elixirAdapter = plainAdapter({
  name: "elixir",
  title: "ElixirLS debug adapter",
  languages: ["elixir"],
  describes: [{ name: "elixir", title: "Elixir", tools: ["elixir"], sources: [".ex", ".exs"] }],
  configurations: [{ types: ["mix_task"] }],
  fileTypes: [".exs"],
  commands: ["mix"],
  names: ["elixir-ls-debugger", "elixir-debug-adapter"],
  files: [
    { extension: "jakebecker.elixir-ls", path: "elixir-ls-release/debug_adapter.sh" },
    { path: "debug_adapter.sh" },
  ],
  byHand:
    "unpack a release of github.com/elixir-lsp/elixir-ls, and put its debug_adapter.sh on the PATH as elixir-debug-adapter",
  launch({ program, args, command, cwd, env }) {
    const [, task = "run", ...rest] = command ?? [];
    const taskArgs = program === undefined ? rest : [program, ...args];
    return { task, taskArgs, projectDir: cwd, env, startApps: task === "phx.server", requireFiles: [] };
  },
});
