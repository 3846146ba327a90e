/** C#, F# and Visual Basic by netcoredbg. It runs what `dotnet build` made: a .dll. */
import { executableName } from "../../util/process-facts.ts";
import { fileOf, plainAdapter } from "../kit/plain-adapter.ts";

export const netcoredbgAdapter = plainAdapter({
  name: "netcoredbg",
  title: "netcoredbg",
  languages: ["csharp", "fsharp", "dotnet"],
  describes: [
    { name: "csharp", title: "C#", alsoCalled: ["c#"], tools: ["dotnet"], sources: [".cs"] },
    { name: "fsharp", title: "F#", tools: ["dotnet"], sources: [".fs"] },
    { name: "dotnet", title: ".NET", tools: ["dotnet"], sources: [] },
  ],
  configurations: [{ types: ["coreclr"] }],
  fileTypes: [".dll"],
  commands: ["dotnet"],
  catches: { uncaught: ["user-unhandled"], all: ["all"], throw: ["all"] },
  defaultCatches: ["user-unhandled"],
  names: ["netcoredbg"],
  version: ["--version"],
  files: [{ path: "netcoredbg/netcoredbg" }],
  args: ["--interpreter=vscode"],
  byHand: "unpack a release of github.com/Samsung/netcoredbg into a folder on the PATH",
  claims: (pid) => executableName(pid) === "dotnet",
  launch(plan) {
    const { file, args } = fileOf(plan, "file.dll");
    return {
      program: file,
      args,
      cwd: plan.cwd,
      env: plan.env,
      stopAtEntry: plan.stopOnEntry,
      justMyCode: true,
    };
  },
  attach: ({ pid }) => ({ processId: pid }),
});
