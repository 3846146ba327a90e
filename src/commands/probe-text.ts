/** What a probe found, as text. Pure. */
import { oneLine, plural } from "../util/text.ts";
import type { ProbeResult } from "./probe-shape.ts";
import type { BreakpointRow } from "./shapes.ts";
import { endingText, evaluationsText, outputLines, snapshotText } from "./snapshot-text.ts";
import { lines, type TextOptions } from "./text.ts";

export function probeText(result: ProbeResult, options: TextOptions): string {
  const { found, wanted, hit, ended, places } = result;
  const more = `\`${oneLine(result.again)}\` stays there`;
  const unreached = places.filter((row) => row.hits === 0).map(unreachedLine);
  if (found.state === "stopped") {
    const early = hit < wanted && found.snapshot.reason !== "exception";
    const head = lines(
      early &&
        `reached ${plural(hit, "time")}, not ${wanted}: ${ended ? endingText(ended) : "it still ran"}; this is the last`,
      !early && hit < wanted && places.length > 0 && `an exception came before hit ${hit + 1}`,
    );
    const tail = lines(evaluationsText(found.evaluations).trimEnd() || undefined, unreached);
    const left = options.limits.snapshotBytes - Buffer.byteLength(head) - Buffer.byteLength(tail);
    const limits = { ...options.limits, snapshotBytes: Math.max(1024, left) };
    const { unbound: _, ...shot } = found.snapshot;
    return head + snapshotText({ ...shot, unbound: [] }, { ...options, limits, more }) + tail;
  }
  return lines(
    found.state === "running"
      ? `still running after ${found.waitedSecs} s: ended by sonde`
      : endingText(found),
    unreached,
    found.notes.map((note) => `note: ${oneLine(note)}`),
    outputLines(found.output, more),
    found.state === "running" &&
      "next: --timeout <seconds> gives it longer; `sonde hang` shows where it stays",
  );
}

function unreachedLine({ state, at, message, condition }: BreakpointRow): string {
  const place = `${oneLine(at)}${condition ? ` if ${oneLine(condition)}` : ""}`;
  if (state === "bound") return `never reached: ${place}`;
  return `never reached: ${place}: ${oneLine(message ?? "its file was never loaded")}`;
}
