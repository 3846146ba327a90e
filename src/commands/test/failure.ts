/** A reported failure under the debugger: as it leaves the user's code, or else where it was raised or made. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Failure } from "../../runners/runner.ts";
import type { Context } from "../context.ts";
import { debugged } from "./debug.ts";
import type { Debugged, DebugRun } from "./debug-run.ts";

export async function failureOf(
  context: Context,
  run: DebugRun & { cwd: string; failure: Failure },
): Promise<Debugged> {
  const made = run.rules.handed ? madeAt(run) : undefined;
  if (run.failure.silent) return made === undefined ? unseen() : debugged(context, { ...run, at: made });
  const first = await debugged(context, run);
  if (first.shot !== undefined || first.ending?.exitCode === 0) return first;
  const { taken } = run.rules;
  if (taken !== undefined) {
    const rules = { ...run.rules, catches: taken };
    const second = await debugged(context, { ...run, rules, exact: true });
    if (second.shot !== undefined) return { ...second, goesOn: true };
  }
  if (made === undefined) return first;
  const second = await debugged(context, { ...run, at: made });
  return second.shot === undefined ? first : second;
}

function unseen(): Debugged {
  return {
    output: [],
    notes: ["nothing was thrown and no line is named: the runner's report is all there is"],
  };
}

/** The line that made the error: the innermost of its stack. */
function madeAt({ failure, cwd }: { failure: Failure; cwd: string }): DebugRun["at"] {
  const here = failure.places.map((one) => ({ ...one, file: resolve(cwd, one.file) }));
  return here.slice(0, failure.silent ? undefined : 1).find(({ file }) => existsSync(file));
}
