/** C, C++ and Rust by CodeLLDB, which most people have as an editor's extension only. */
import { onPath } from "../kit/find.ts";
import { isNativeCode } from "../kit/go-code.ts";
import { plainAdapter } from "../kit/plain-adapter.ts";
import { nativeBuilds } from "../native/builds.ts";
import { correctFrame } from "../native/frames.ts";
import { nativePid } from "../native/process.ts";
import { NATIVE_SAMPLE } from "../native/runnable.ts";

/** What it says of itself at every start and end. */
const OWN_WORDS = /^(Console is in|Executing script:|Launching:|Launched process|Process exited with code)/;

export const codelldbAdapter = plainAdapter({
  name: "codelldb",
  title: "CodeLLDB",
  alsoCalled: ["vscode-lldb"],
  languages: ["c", "c++", "cpp", "rust"],
  executables: isNativeCode,
  claims: nativePid,
  builds: nativeBuilds,
  sample: NATIVE_SAMPLE,
  catches: { throw: ["cpp_throw"], all: ["cpp_throw"] },
  names: ["codelldb"],
  files: [
    { extension: "vadimcn.vscode-lldb", path: "adapter/codelldb" },
    { path: "extension/adapter/codelldb" },
  ],
  byHand: "install the CodeLLDB extension (vadimcn.vscode-lldb) in an editor",
  launch(plan, { where }) {
    const [first = "", ...rest] = plan.command ?? [];
    return {
      program: plan.program ?? onPath(first, where) ?? first,
      args: plan.program === undefined ? rest : plan.args,
      cwd: plan.cwd,
      env: plan.env,
      terminal: "console",
      expressions: "native",
      // Its own stopOnEntry is in the loader, before there is anything of the program's to see.
      preRunCommands: plan.stopOnEntry ? ["breakpoint set --one-shot true --name main"] : [],
    };
  },
  attach: ({ pid, program }) => ({ pid, program }),
  dialect: () => ({
    events: {
      // The program's words come through a terminal, both streams in one.
      output: (body, wire) => {
        const output = String(body.output ?? "").replaceAll("\r\n", "\n");
        const pid = /^Launched process (\d+) /.exec(output)?.[1];
        if (pid !== undefined) wire.emit("process", { name: "program", systemProcessId: Number(pid) });
        return body.category === "console" && OWN_WORDS.test(output) ? undefined : { ...body, output };
      },
    },
    responses: {
      stackTrace: (body) => ({ ...body, stackFrames: (body.stackFrames ?? []).map(correctFrame) }),
    },
  }),
});
