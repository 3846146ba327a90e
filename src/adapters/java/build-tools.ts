/** Tests that Maven or Gradle runs: in a JVM that it starts for them, which takes the option with which it calls us. The tool's own JVM is not debugged. */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { ownFile } from "../../util/own-file.ts";
import { moduleRoots } from "./module-roots.ts";

/** It compiles first, and may download what it needs. */
const LAUNCH_MS = 600_000;

interface BuildTool {
  commands: RegExp;
  /** Whether other modules may be below this folder. */
  isModule(folder: string): boolean;
  /** How the agent's option gets to the JVM of the tests. */
  withAgent(agent: string): string[];
}

const TOOLS: readonly BuildTool[] = [
  {
    commands: /^mvnw?$/,
    isModule: (folder) => existsSync(join(folder, "pom.xml")),
    withAgent: (agent) => [`-Dmaven.surefire.debug=${agent}`, `-Dmaven.failsafe.debug=${agent}`],
  },
  {
    commands: /^gradlew?$/,
    // Folders between a project and those in it need no file of their own.
    isModule: () => true,
    withAgent: (agent) => [
      "--init-script",
      ownFile("adapters/java/gradle/tests.gradle"),
      `-Dsonde.agent=${agent}`,
    ],
  },
];

export function buildToolCommand(command: string, path: string, args: string[], cwd: string) {
  const tool = TOOLS.find(({ commands }) => commands.test(basename(command)));
  if (tool === undefined) return undefined;
  const { isModule, withAgent } = tool;
  return { java: path, args, sourceRoots: moduleRoots(cwd, isModule), launchMs: LAUNCH_MS, withAgent };
}
