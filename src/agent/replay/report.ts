/** What a tape has done: told while it runs, and counted. */
import type { Difference } from "./compare-requests.ts";

export type Served =
  /** From the recording. `kinds`: what was passed over because it differs in every run. */
  | {
      from: "tape";
      req: number;
      agent: string;
      grade: "exact" | "minor";
      kinds: readonly string[];
      again: boolean;
    }
  /** Not recorded: a title, a token count; answered by a plain default. */
  | { from: "default"; what: string }
  /** To the real provider. `body`: what was sent, if it is not what the agent wrote. `call`: its number in the run that is going on. */
  | {
      from: "upstream";
      req: number | undefined;
      agent: string;
      body: string | undefined;
      call: number | undefined;
    };

/** Where a run leaves the recording. */
export interface Divergence {
  kind: "different" | "end" | "unanswered" | "no_bytes" | "failed";
  /** The recorded call that was due. */
  req: number | undefined;
  agent: string;
  message: string;
  difference?: Difference | undefined;
  /** Further places that differ. */
  more: number;
}

export interface TapeReport {
  session: string;
  calls: number;
  exact: number;
  minor: number;
  /** What was passed over, and in how many calls. */
  passedOver: Record<string, number>;
  /** The same request again, answered again. */
  again: number;
  defaults: number;
  forwarded: number;
  /** Recorded calls that nobody asked for. */
  left: number;
  /** Of a fork: what could not be kept in later requests. */
  lost: readonly string[];
  divergence: Divergence | undefined;
}

export function countServed(report: TapeReport, served: Served): void {
  if (served.from === "default") report.defaults += 1;
  else if (served.from === "upstream") report.forwarded += 1;
  else if (served.again) report.again += 1;
  else {
    report[served.grade] += 1;
    for (const kind of served.kinds) report.passedOver[kind] = (report.passedOver[kind] ?? 0) + 1;
  }
}

/** One line that says what came of it. */
export function reportText(report: TapeReport): string {
  const passed = Object.entries(report.passedOver).map(([kind, count]) => `${kind} in ${count}`);
  const parts = [
    `${report.exact + report.minor} of ${report.calls} recorded calls answered from the recording`,
    report.minor === 0 ? "" : `${report.minor} with small differences (${passed.join(", ")})`,
    report.again === 0 ? "" : `${report.again} asked again`,
    report.defaults === 0 ? "" : `${report.defaults} auxiliary, not recorded, answered by a default`,
    report.forwarded === 0 ? "" : `${report.forwarded} sent to the provider`,
    report.left === 0 ? "" : `${report.left} never asked for`,
    report.lost.length === 0 ? "" : `lost on the way: ${report.lost.join(", ")}`,
    report.divergence === undefined ? "" : `stopped: ${report.divergence.message}`,
  ];
  return parts.filter((part) => part !== "").join(" · ");
}
