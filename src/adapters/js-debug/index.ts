/** JavaScript by js-debug, the debugger of VS Code; the built-in adapter comes before it. */
import type { Dialect } from "../kit/dialect.ts";
import { fileOf, plainAdapter } from "../kit/plain-adapter.ts";

export const jsDebugAdapter = plainAdapter({
  name: "js-debug",
  title: "js-debug",
  listens: [
    {
      where: "127.0.0.1, a free port",
      holder: "js-debug, as long as the session lives; the program's inspector on another",
      stops: "nothing, so it is refused unless `[adapters.js-debug] open_port = true` allows it",
    },
  ],
  languages: ["javascript", "typescript"],
  fileTypes: [".js", ".mjs", ".cjs", ".ts"],
  commands: ["node"],
  catches: { uncaught: ["uncaught"], all: ["all"], throw: ["all"] },
  defaultCatches: ["uncaught"],
  files: [{ path: "js-debug/src/dapDebugServer.js" }, { path: "src/dapDebugServer.js" }],
  args: ["{port}", "127.0.0.1"],
  transport: "tcp",
  byHand:
    "unpack a js-debug-dap release of github.com/microsoft/vscode-js-debug, and name it in adapters.js-debug.command",
  launch(plan) {
    const { file, args } = fileOf(plan, "file.js");
    const { cwd, env, stopOnEntry } = plan;
    return {
      type: "pwa-node",
      program: file,
      args,
      cwd,
      env,
      stopOnEntry,
      console: "internalConsole",
      outputCapture: "std",
    };
  },
  attach: ({ host, port, cwd }) => ({ type: "pwa-node", address: host ?? "127.0.0.1", port, cwd }),
  dialect: exitCodes,
});

/** The code is told in words only. */
function exitCodes(): Dialect {
  return {
    events: {
      output: (body, wire) => {
        const code = /^Process exited with code (\d+)\s*$/.exec(String(body.output ?? ""))?.[1];
        if (code === undefined) return body;
        wire.emit("exited", { exitCode: Number(code) });
        return undefined;
      },
    },
  };
}
