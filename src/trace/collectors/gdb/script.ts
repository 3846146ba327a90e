/** The words that make gdb run our script. */
import { dirname } from "node:path";
import { script } from "../lldb/assets.ts";

export function scriptCommand(call: "check" | "run", plan: string): string[] {
  const words = [
    "import sys",
    "sys.dont_write_bytecode = True",
    `sys.path.insert(0, ${JSON.stringify(dirname(script("gdb_trace.py", import.meta.url)))})`,
    "import gdb_trace",
    `gdb_trace.${call}(${JSON.stringify(plan)})`,
  ];
  return ["-ex", `python ${words.join("; ")}`];
}
