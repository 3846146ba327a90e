/** Ruby by its debug gem, where both are installed. */
import { spawnSync } from "node:child_process";
import type { AdapterUnderTest } from "../adapter.ts";

function row(version: string): AdapterUnderTest {
  return {
    name: `rdbg ${version}`,
    title: "Ruby (rdbg)",
    adapter: "rdbg",
    fixtures: "ruby",
    file: (program) => `${program}.rb`,
    start: (program) => [`${program}.rb`],
    run: (program) => ({ command: "ruby", args: [`${program}.rb`] }),
    uncaught: {
      type: "RangeError",
      message: "cannot read 9 characters",
      cause: "JSON::ParserError",
      exitCode: 1,
    },
    assign: (name, value) => `${name} = ${value}`,
    skip: {
      "attach, stop, detach: the process runs on":
        "the debug gem is loaded when Ruby starts; it cannot be put into a process that runs",
      "a step that ends at a breakpoint is its hit, once, and the next move goes on":
        "the debug gem stops twice there: for the step, and for the breakpoint when it goes on",
    },
  };
}

function versions(): string[] {
  const look = 'puts Gem::Specification.find_by_name("debug").version';
  const { stdout, status } = spawnSync("ruby", ["-e", look], { encoding: "utf8" });
  return status === 0 ? [stdout.trim()] : [];
}

export const rubyRows: AdapterUnderTest[] = versions().map(row);
