/** A profile as text. Pure. */
import { basename } from "node:path";
import { advice, blank, call, WHOLE } from "../../../advice/advice.ts";
import { amountText, timeText } from "../../../diagnostics/profile/words.ts";
import { type OutputTail, outputEnd } from "../../../session/output/tail.ts";
import { cut, oneLine, plural } from "../../../util/text.ts";
import { fenced, lines, noteLines, shortPath, type TextOptions } from "../../answers/text.ts";
import { fitted } from "../../runs/one-run.ts";
import type { ProfileResult, ProfileRow } from "./shape.ts";

/** Fewer and fewer functions, until the answer is short enough. */
const ROWS = [30, 24, 20, 16, 12, 8];
/** A function with less of its own is shown only if it called much, and is the reader's. */
const LEAST = { self: 0.001, total: 0.01 };
const LIBRARY =
  /^(?!\/)|\/node_modules\/|\/(site|dist)-packages\/|\/lib\/python\d|^\/(usr|lib\d*|opt|build)\//;
const NAME_CHARS = 90;
const TEXT_BYTES = 4096;
/** Of a program that failed. */
const OUTPUT_LINES = 14;

export function profileText(result: ProfileResult, options: TextOptions): string {
  return fitted(ROWS.length, TEXT_BYTES, "the table is too long", (level) =>
    rendered(result, ROWS[level] ?? 8, options),
  );
}

function rendered(result: ProfileResult, most: number, options: TextOptions): string {
  const { id, kind, top, functions } = result;
  const shown = top.filter(isWorthIt).slice(0, most);
  const left = functions - shown.length;
  return lines(
    oneLine(`profile ${id} (${kind}) of ${cut(result.title, 160)}: ${endText(result)}`),
    samplesText(result),
    noteLines(result.notes, options),
    shown.length > 0 && "  self   total  function",
    shown.map((row) => rowText(row, options)),
    left > 0 &&
      (top.length > shown.length
        ? options.say(
            advice`  ${plural(left, "more function")}: ${WHOLE} lists ${top.length}, the files have all`,
          )
        : `  ${plural(left, "more function")} in the files`),
    shown.length === 0 &&
      (result.samples > 0 ? "too few samples to name a function" : `no samples: ${emptyText(result)}`),
    result.output && printedText(result.output),
    `files in ${shortPath(result.folder, options.cwd)}: ${result.files.map(({ kind, path }) => fileText(kind, path)).join(", ")}`,
    shown.length > 0 &&
      options.say(advice`${call("profile diff", { a: blank("other"), b: id })} compares it with another`),
  );
}

function printedText(output: OutputTail): string[] {
  const { lines, earlier, frames } = outputEnd(output, OUTPUT_LINES, () => false);
  const left = [
    ...(earlier > 0 ? [plural(earlier, "earlier line")] : []),
    ...(frames > 0 ? [`${plural(frames, "frame")} of the runtime`] : []),
  ];
  const without = left.length === 0 ? "" : ` (without ${left.join(" and ")})`;
  return lines.length === 0 ? [] : [`program output${without}`, ...lines.map(fenced)];
}

function isWorthIt({ selfShare, totalShare, file }: ProfileRow): boolean {
  if (selfShare >= LEAST.self) return true;
  return totalShare >= LEAST.total && file !== undefined && !LIBRARY.test(file);
}

function endText({ seconds, end }: ProfileResult): string {
  const ran = timeText(seconds * 1e9);
  if (end.how === "time") return ran;
  if (end.how === "early") return `${ran}, ended early`;
  const how =
    end.signal !== undefined
      ? `by ${end.signal}`
      : end.exitCode !== undefined
        ? `with exit code ${end.exitCode}`
        : "";
  return `${ran}, when the program ended${how === "" ? "" : ` ${how}`}`;
}

function samplesText({
  samples,
  idleSamples,
  period,
  unit,
  means,
  busy,
  idle,
  seconds,
}: ProfileResult): string {
  const count = samples + idleSamples;
  const late = unit === "ns" ? latePeriod(busy + idle, count, period) : undefined;
  const asked = amountText(period, unit);
  const every =
    late === undefined
      ? `one every ${asked}`
      : `one every ${timeText(late)} on average (requested: ${asked})`;
  const taken =
    unit === "bytes" && period === 1
      ? `${plural(count, "allocation")}, all of them, by ${means}`
      : `${plural(count, "sample")}, ${every}, by ${means}`;
  if (unit === "bytes") return `${amountText(busy, unit)}; ${taken}`;
  const rest = idle > 0 ? `, idle ${timeText(idle)}` : "";
  return `busy ${timeText(busy)}${rest} in ${timeText(seconds * 1e9)}; ${taken}`;
}

/** A machine that is busy samples less often than it was asked to. */
function latePeriod(amount: number, samples: number, period: number): number | undefined {
  const real = amount / Math.max(1, samples);
  return real > 1.5 * period ? real : undefined;
}

function rowText(
  { name, file, line, mark, selfShare, totalShare }: ProfileRow,
  { cwd }: TextOptions,
): string {
  const place =
    file === undefined
      ? mark === undefined
        ? ""
        : `  (${mark})`
      : `  ${shortPath(file, cwd)}${line === undefined ? "" : `:${line}`}`;
  return oneLine(`${percent(selfShare)} ${percent(totalShare)}  ${cut(name, NAME_CHARS)}`) + place;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`.padStart(7);
}

function emptyText({ idleSamples, end, seconds, unit }: ProfileResult): string {
  if (idleSamples > 0) return "the program was idle all the time: it waited, for an event or for a processor";
  if (unit === "bytes")
    return "nothing that was allocated meanwhile is still in use, or too little to be sampled";
  if (end.how === "program") return `the program ran for ${timeText(seconds * 1e9)}, too short to be sampled`;
  return "the program used no processor time meanwhile";
}

const USES: Record<string, string> = {
  svg: "flame graph, for a browser",
  cpuprofile: "for Chrome's DevTools",
  heapprofile: "for Chrome's DevTools",
  heapsnapshot: "for Chrome's DevTools; holds every string of the program",
  speedscope: "for speedscope",
  pprof: "for go tool pprof",
};

function fileText(kind: string, path: string): string {
  const use = USES[kind];
  return `${basename(path)}${use === undefined ? "" : ` (${use})`}`;
}
