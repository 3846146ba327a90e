/** What an answer shows of what a traced program printed: of a test run, the program's own words. */
import { resolve } from "node:path";
import { ownWords } from "../../runners/own-words.ts";
import type { Rules } from "../../runners/runner.ts";
import type { Launch } from "../../session/launch.ts";
import { keptFrom, type OutputLine, type OutputTail, outputEnd } from "../../session/output/tail.ts";
import { keptOutput } from "../../session/output/whole.ts";
import { plural } from "../../util/text.ts";
import { fenced, shortPath, type TextOptions } from "../answers/text.ts";
import type { Context } from "../context.ts";
import type { Running } from "../runs/running.ts";
import { testLine } from "../test/line.ts";
import type { TraceResult } from "./shapes.ts";

/** Lines of the program's output; of one that ended well. */
const OUTPUT_LINES = 8;
const GOOD_LINES = 3;
/** Fewer lines of a runner's than this are shorter than to say that they are left out. */
const WORTH = 4;

export interface Printed {
  output: OutputTail;
  runnerLines?: number;
}

/** @param running None where nothing was recorded: then a runner's words may say why. */
export function printedIn(context: Context, launch: Launch, running: Running | undefined): Printed {
  const most = context.limits.outputLines;
  const rules = running && rulesOf(context, running);
  const { lines, moreLines } = keptOutput(launch.output);
  const own = rules === undefined ? lines : ownWords(lines, rules);
  if (lines.length - own.length < WORTH) return { output: lastOf(lines, moreLines, most) };
  return { output: lastOf(own, moreLines, most), runnerLines: lines.length - own.length };
}

function lastOf(lines: readonly OutputLine[], moreLines: number, most: number): OutputTail {
  const first = keptFrom(lines, most);
  return { lines: lines.slice(first), moreLines: moreLines + first };
}

function rulesOf(context: Context, { args = [], cwd = "." }: Running): Rules | undefined {
  try {
    return testLine(args, resolve(context.cwd, cwd), context.env.PATH ?? "").runner?.rules;
  } catch {
    return undefined; // a package.json that cannot be read is no reason to lose the trace
  }
}

export function printedLines(
  { output: tail, runnerLines = 0, outputFile, trace }: TraceResult,
  { cwd }: TextOptions,
): string[] {
  if (tail === undefined) return [];
  const endedWell = trace.end.how === "exited" && trace.end.exitCode === 0;
  const { lines, earlier, frames } = outputEnd(tail, endedWell ? GOOD_LINES : OUTPUT_LINES, isOurs);
  const file = outputFile === undefined ? "not kept" : shortPath(outputFile, cwd);
  const report = runnerLines > 0 && `${plural(runnerLines, "line")} of the test runner's`;
  if (lines.length === 0) return report ? [`program output: apparently only ${report} (${file})`] : [];
  const outer = frames > 0 && `${plural(frames, "frame")} of the runtime`;
  const left = [earlier > 0 && plural(earlier, "earlier line"), outer, report].filter(Boolean);
  const without = left.length === 0 ? "" : ` (${outer || report ? "without " : ""}${listed(left)}: ${file})`;
  return [`program output${without}`, ...lines.map(fenced)];
}

function listed(parts: readonly unknown[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** A frame of what records the program from within: it lies beside this file. */
function isOurs(text: string): boolean {
  return text.includes(`${import.meta.dirname}/`);
}
