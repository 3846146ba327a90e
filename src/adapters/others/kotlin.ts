/** Kotlin by kotlin-debug-adapter, which runs a class that the project's build has compiled. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileOf, plainAdapter } from "../kit/plain-adapter.ts";

export const kotlinAdapter = plainAdapter({
  name: "kotlin",
  title: "kotlin-debug-adapter",
  listens: [
    {
      where: "127.0.0.1, a free port",
      holder: "the JVM, until the adapter has connected to it (by its documentation; not tested here)",
      stops: "one debugger at a time: the first to connect",
    },
  ],
  languages: ["kotlin"],
  describes: [{ name: "kotlin", title: "Kotlin", tools: ["kotlinc"], sources: [".kt"] }],
  configurations: [{ types: ["kotlin"] }],
  fileTypes: [".kt"],
  names: ["kotlin-debug-adapter"],
  files: [
    { path: "adapter/bin/kotlin-debug-adapter" },
    { extension: "fwcd.kotlin", path: "server/bin/kotlin-debug-adapter" },
  ],
  byHand: "unpack a release of github.com/fwcd/kotlin-debug-adapter, and put its bin folder on the PATH",
  launch(plan) {
    const { file } = fileOf(plan, "file.kt");
    return { projectRoot: plan.cwd, mainClass: mainClass(file) };
  },
  attach: ({ cwd, host, port }) => ({
    projectRoot: cwd,
    hostName: host ?? "127.0.0.1",
    port,
    timeout: 10_000,
  }),
});

/** Functions outside classes are in a class named after the file. */
function mainClass(file: string): string {
  const name = basename(file, ".kt");
  const pack = /^\s*package\s+([\w.]+)/m.exec(readFileSync(file, "utf8"))?.[1];
  return `${pack === undefined ? "" : `${pack}.`}${name[0]?.toUpperCase()}${name.slice(1)}Kt`;
}
