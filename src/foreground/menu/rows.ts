/** What the menu offers. Each row is plain commands that can be typed as well; its text begins with their names. */
import { splitLines, splitWords } from "../../util/shell-words.ts";
import type { Desk } from "./desk.ts";

export interface Row {
  name: string;
  about: string;
  run(desk: Desk): Promise<void>;
}

export const ROWS: readonly Row[] = [
  {
    name: "open artifacts",
    about: "open the folder where everything is kept",
    run: (desk) => desk.openArtifacts(),
  },
  { name: "performance", about: "profile cpu, then report", run: performanceReport },
  { name: "work", about: "profile work: what Sonde's own daemon does", run: one("profile", "work") },
  {
    name: "dump",
    about: "report: collect what a maintainer needs into one file",
    run: (desk) => confirmed(desk, ["report"], "write this report?"),
  },
  { name: "memory", about: "profile heap --snapshot, then report", run: memoryReport },
  { name: "logs", about: "logs: what Sonde's processes logged", run: one("logs") },
  { name: "system", about: "system: machine, versions, adapters", run: one("system") },
  {
    name: "raw stream",
    about: "agent sse: what the agent's provider sent, byte by byte",
    run: one("agent", "sse"),
  },
  {
    name: "transcript",
    about: "agent transcript: the agent's run as a conversation",
    run: one("agent", "transcript"),
  },
  { name: "clear cache", about: "clear-cache: remove what is old", run: clearCache },
];

function one(...words: string[]): Row["run"] {
  return async (desk) => void (await desk.line(words));
}

const ASK_TARGET = "profile what? a process id, a command line, or nothing for the session:";

async function performanceReport(desk: Desk): Promise<void> {
  const target = await targetOf(desk);
  if (target === undefined || !(await desk.line(["profile", "cpu", ...target]))) return;
  await confirmed(desk, ["report"], "write this report?");
}

async function memoryReport(desk: Desk): Promise<void> {
  const target = await targetOf(desk);
  // The snapshot is what is wanted: the program may not live for long.
  const words = ["profile", "heap", "--snapshot", "--seconds", "1"];
  if (target === undefined || !(await desk.line([...words, ...target]))) return;
  const file = snapshotIn(await desk.data(["profile", "show"]));
  const named = file === undefined ? [] : ["--heap-snapshot", file];
  await confirmed(desk, ["report", ...named], "write this report?");
}

async function clearCache(desk: Desk): Promise<void> {
  const { count } = await desk.data(["clear-cache"]);
  if (count === 0) await desk.line(["clear-cache"]);
  else await confirmed(desk, ["clear-cache"], "remove it?");
}

/** Shown first, done if it is wanted. */
async function confirmed(desk: Desk, words: string[], question: string): Promise<void> {
  if (!(await desk.preview(words))) return;
  const answer = await desk.ask(`${question} [y/N]`);
  if (/^y(es)?$/i.test(answer?.trim() ?? "")) await desk.line([...words, "--yes"]);
  else desk.say("nothing was done");
}

/** Undefined for what cannot be understood: that has been said. */
async function targetOf(desk: Desk): Promise<string[] | undefined> {
  const answer = (await desk.ask(ASK_TARGET))?.trim() ?? "";
  if (answer === "") return [];
  if (/^\d+$/.test(answer)) return ["--pid", answer];
  if (splitLines(answer) !== undefined) return ["--", ...splitWords(answer)];
  desk.say("a quote is not closed");
  return undefined;
}

function snapshotIn({ files }: Record<string, unknown>): string | undefined {
  const all = Array.isArray(files) ? (files as { kind: string; path: string }[]) : [];
  return all.find(({ kind }) => kind === "heapsnapshot")?.path;
}
