/** What an answer shows of what a traced program printed: of a test run, the program's own words. */
import { resolve } from "node:path";
import { ownWords } from "../runners/own-words.ts";
import type { Rules } from "../runners/runner.ts";
import type { OutputTail } from "../session/output-tail.ts";
import type { Session } from "../session/session.ts";
import { keptOutput, wholeTail } from "../session/whole-output.ts";
import { plural } from "../util/text.ts";
import type { Context } from "./context.ts";
import type { Running } from "./one-shot.ts";
import { outputLines } from "./snapshot-text.ts";
import { testLine } from "./test-line.ts";
import { fenced, shortPath, type TextOptions } from "./text.ts";
import type { TraceResult } from "./trace-shapes.ts";

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
export function printedIn(context: Context, session: Session, running: Running | undefined): Printed {
  const most = context.limits.outputLines;
  const rules = running && rulesOf(context, running);
  if (rules === undefined) return { output: wholeTail(session.output, most) };
  const { lines, moreLines } = keptOutput(session.output);
  const own = ownWords(lines, rules);
  if (lines.length - own.length < WORTH) return { output: wholeTail(session.output, most) };
  const shown = own.slice(-most);
  return {
    output: { lines: shown, moreLines: moreLines + own.length - shown.length },
    runnerLines: lines.length - own.length,
  };
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
  const lines = tail.lines.slice(endedWell ? -GOOD_LINES : -OUTPUT_LINES);
  const moreLines = tail.moreLines + tail.lines.length - lines.length;
  const file = outputFile === undefined ? "not kept" : shortPath(outputFile, cwd);
  if (runnerLines === 0) return outputLines({ lines, moreLines }, file);
  const report = `${plural(runnerLines, "line")} of the test runner's`;
  if (lines.length === 0) return [`program output: only ${report} (${file})`];
  const before = moreLines === 0 ? "" : `${plural(moreLines, "earlier line")} and `;
  return [`program output (without ${before}${report}: ${file})`, ...lines.map(fenced)];
}
