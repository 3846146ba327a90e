/** The words that make gdb run our script. */
import { dirname } from "node:path";
import { ownFile } from "../../../util/own-file.ts";

export function scriptCommand(call: "check" | "run", plan: string): string[] {
  const words = [
    "import sys",
    "sys.dont_write_bytecode = True",
    `sys.path.insert(0, ${JSON.stringify(dirname(ownFile("trace/collectors/gdb/gdb_trace.py")))})`,
    "import gdb_trace",
    `gdb_trace.${call}(${JSON.stringify(plan)})`,
  ];
  return ["-ex", `python ${words.join("; ")}`];
}
