/** Java, by the JDK that is there. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { TEST_ADAPTERS } from "../../support/sonde.ts";
import type { AdapterUnderTest } from "../adapter.ts";

/** The threads' work is in the program's own file. */
const FILES: Record<string, string> = { worker: "threads.java" };
const AGENT = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0";
const NO_CHILDREN = "a JVM that the program starts is a process of its own, without the agent";

function row(version: string): AdapterUnderTest {
  return {
    name: `java ${version}`,
    title: "Java",
    adapter: "java",
    fixtures: "java",
    file: (program) => FILES[program] ?? `${program}.java`,
    start: (program) => [`${program}.java`],
    run: (program) => ({ command: "java", args: [AGENT, `${program}.java`] }),
    uncaught: {
      type: "IllegalStateException",
      message: "cannot read 9 characters",
      cause: "NumberFormatException",
      exitCode: 1,
    },
    assign: (name, value) => `${name} = ${value}`,
    skip: {
      "a breakpoint in a child process": NO_CHILDREN,
      "stop leaves nothing but the daemon": NO_CHILDREN,
    },
  };
}

/** None where there is no JDK, or the bridge has not been compiled. */
function versions(): string[] {
  const { status, stderr } = spawnSync("java", ["-version"], { encoding: "utf8" });
  if (status !== 0 || !installed()) return [];
  return [/"(\d+)/.exec(stderr)?.[1] ?? "unknown"];
}

function installed(): boolean {
  try {
    return readdirSync(join(TEST_ADAPTERS, "java")).length > 0;
  } catch {
    return false;
  }
}

export const javaRows: AdapterUnderTest[] = versions().map(row);
