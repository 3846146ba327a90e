/**
 * Calls of a recorder make the frames of a program larger, so recursion that ends well alone would not when it is recorded. V8 takes
 * far less of a thread's stack than there is: it is given more, as far as the system has it.
 */
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { basename } from "node:path";
import type { CommandLine } from "../../../adapters/node/process/command.ts";

/** Four times V8's own measure. */
const WANTED_KB = 3936;

/** The line with Node's option for it; as it was, where Node is not what starts first. */
export function withStackRoom<T extends Pick<CommandLine, "file" | "args">>(line: T): T {
  const room = Math.min(WANTED_KB, Math.floor(stackKb() / 2));
  // Less than V8 takes by itself is no help.
  if (room < 1000 || line.args.some((one) => /^--stack[-_]size/.test(one))) return line;
  const option = `--stack-size=${room}`;
  if (/^node(?:js)?$/.test(basename(line.file))) return { ...line, args: [option, ...line.args] };
  const node = interpreterOf(line.file);
  return node === undefined ? line : { ...line, file: node, args: [option, line.file, ...line.args] };
}

/** Of a process that we start. */
function stackKb(): number {
  try {
    const [, soft] = /^Max stack size\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === "unlimited" ? WANTED_KB * 2 : Number(soft ?? 0) / 1024;
  } catch {
    return 0; // no such file: nothing is known of it
  }
}

/** Of a script that begins with `#!/usr/bin/env node`: what that runs. */
function interpreterOf(file: string): string | undefined {
  try {
    const head = Buffer.alloc(64);
    const open = openSync(file, "r");
    try {
      readSync(open, head, 0, head.length, 0);
    } finally {
      closeSync(open);
    }
    return /^#!\s*\/usr\/bin\/env\s+node\s*\n/.test(head.toString("latin1")) ? "node" : undefined;
  } catch {
    return undefined; // not to be read: then it is not a script that could run
  }
}
