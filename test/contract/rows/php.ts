/** PHP by Xdebug, where both are installed. */
import { spawnSync } from "node:child_process";
import type { AdapterUnderTest } from "../adapter.ts";

const NO_PAUSE = "Xdebug does not listen while PHP runs, so a running program cannot be paused";

function row(version: string): AdapterUnderTest {
  return {
    name: `xdebug ${version}`,
    title: "PHP (Xdebug)",
    adapter: "xdebug",
    fixtures: "php",
    file: (program) => `${program}.php`,
    start: (program) => [`${program}.php`],
    run: (program) => ({ command: "php", args: [`${program}.php`] }),
    code: (expression) => expression.replace(/(?<![.\w$])[a-z]\w*/g, "$$$&"),
    uncaught: { type: "RangeException", message: "cannot read 9 characters", exitCode: 255 },
    assign: (name, value) => `$${name} = ${value}`,
    skip: {
      "pause stops a busy program, twice": NO_PAUSE,
      "two threads stop each, and are told apart": "PHP has no threads",
      "attach, stop, detach: the process runs on":
        "Xdebug calls its debugger when PHP starts; a running process cannot be attached to",
    },
  };
}

function versions(): string[] {
  const look = 'if (!phpversion("xdebug")) exit(1); echo phpversion("xdebug");';
  const { stdout, status } = spawnSync("php", ["-r", look], { encoding: "utf8" });
  return status === 0 ? [stdout] : [];
}

export const phpRows: AdapterUnderTest[] = versions().map(row);
