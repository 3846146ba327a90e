/** What a probe found, as text. Pure. */
import { advice, blank, call, option } from "../../advice/advice.ts";
import { oneLine, plural } from "../../util/text.ts";
import type { BreakpointRow } from "../answers/shapes.ts";
import { endingText, evaluationsText, snapshotText } from "../answers/snapshot-text.ts";
import { lines, noteLines, shortPath, type TextOptions } from "../answers/text.ts";
import { lastOutput } from "./one-run.ts";
import type { ProbeResult } from "./probe-shape.ts";

export function probeText(result: ProbeResult, options: TextOptions): string {
  const { found, places, conditionFailed: failed = false } = result;
  if (found.state === "stopped") return stoppedText(result, found, options);
  const unreached = places.filter((row) => row.hits === 0);
  return lines(
    found.state === "running"
      ? `still running after ${found.waitedSecs} s: ended by sonde`
      : endingText(found),
    unreached.map((row) => unreachedLine(row, failed, options)),
    noteLines(found.notes, options),
    lastOutput(found.output, options.limits.outputLines, options),
    found.state === "running" &&
      options.say(
        advice`next: ${option({ timeout: blank("seconds") })} gives it more time; ${call("hang")} shows where it hangs`,
      ),
    result.ran !== undefined &&
      found.state === "exited" &&
      unreached.some((row) => row.state === "bound" && !row.condition) &&
      options.say(
        advice`ran ${shortPath(result.ran, options.cwd)} itself; if another program reaches this line, give its command line: ${option({ args: blank("command") })}`,
      ),
  );
}

type Stopped = Extract<ProbeResult["found"], { state: "stopped" }>;

/** A signal is no exception to a reader of C. */
function cameBefore(type: string | undefined, hit: number, [first]: ProbeResult["places"]): string {
  if (type === undefined || !/^SIG[A-Z]+$/.test(type)) return `an exception came before hit ${hit + 1}`;
  const place = hit > 0 || first === undefined ? `hit ${hit + 1}` : `it reached ${first.at}`;
  return `the program received ${type} before it reached ${place}`;
}

function stoppedText(result: ProbeResult, found: Stopped, options: TextOptions): string {
  const { wanted, hit, ended, places, conditionFailed: failed = false } = result;
  const { unbound: _, output, ...shot } = found.snapshot;
  const early = hit < wanted && shot.reason !== "exception";
  const head = lines(
    early &&
      `reached ${plural(hit, "time")}, not ${wanted}: ${ended ? endingText(ended) : "it was still running"}; this is the last`,
    !early && hit < wanted && places.length > 0 && cameBefore(shot.exception?.type, hit, places),
    failed &&
      places.some((row) => row.hits > 0 && row.condition) &&
      "its condition failed, so it stopped here anyway",
    // Some debuggers say so themselves, in a note.
    places
      .filter((row) => row.hits > 0 && !row.message && row.boundLine !== undefined)
      .map((row) => `no code on line ${row.line}: stopped at ${row.boundLine}`),
  );
  const tail = lines(
    evaluationsText(found.evaluations, options).trimEnd() || undefined,
    places.filter((row) => row.hits === 0).map((row) => unreachedLine(row, failed, options)),
  );
  const left = options.limits.snapshotBytes - Buffer.byteLength(head) - Buffer.byteLength(tail);
  const limits = { ...options.limits, snapshotBytes: Math.max(1024, left) };
  const kept = output.lines.slice(-options.limits.outputLines);
  const moreLines = output.moreLines + output.lines.length - kept.length;
  const more = oneLine(options.say(advice`${result.again} stays there`));
  return (
    head +
    snapshotText({ ...shot, output: { lines: kept, moreLines }, unbound: [] }, { ...options, limits, more }) +
    tail
  );
}

function unreachedLine(row: BreakpointRow, failed: boolean, { say }: TextOptions): string {
  const { state, at, condition, boundLine } = row;
  const message = row.message && say(row.message);
  const moved = boundLine === undefined ? "" : ` (code on line ${boundLine})`;
  const place = `${oneLine(at)}${moved}${condition ? ` if ${oneLine(condition)}` : ""}`;
  if (row.refused !== undefined) return `not set: ${place}: ${oneLine(message ?? "the debugger refused it")}`;
  if (state !== "bound") return `never reached: ${place}: ${oneLine(message ?? "its file was never loaded")}`;
  if (!condition) return `never reached: ${place}`;
  return failed
    ? `never stopped at: ${place}: its condition failed`
    : `never stopped at: ${place}: not reached, or the condition was false`;
}
