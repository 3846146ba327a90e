/** Lua by the local-lua-debugger extension. */
import { dirname } from "node:path";
import { toolOnPath } from "../kit/find.ts";
import { fileOf, plainAdapter } from "../kit/plain-adapter.ts";

export const luaAdapter = plainAdapter({
  name: "lua",
  title: "local-lua-debugger",
  languages: ["lua"],
  describes: [{ name: "lua", title: "Lua", tools: ["lua", "luajit"], sources: [".lua"] }],
  configurations: [{ types: ["lua"] }],
  fileTypes: [".lua"],
  commands: ["lua", "luajit"],
  files: [{ extension: "tomblind.local-lua-debugger-vscode", path: "extension/debugAdapter.js" }],
  byHand: "install the Local Lua Debugger extension (tomblind.local-lua-debugger-vscode) in an editor",
  launch(plan, { found, where }) {
    const { file, args } = fileOf(plan, "file.lua");
    const lua = plan.command?.[0] ?? ["lua", "luajit"].find((name) => toolOnPath(name, where)) ?? "lua";
    return {
      program: { lua, file, communication: "stdio" },
      args,
      cwd: plan.cwd,
      env: plan.env,
      stopOnEntry: plan.stopOnEntry,
      extensionPath: dirname(dirname(found.path)),
    };
  },
});
