/** Which tests fail, from a run without a debugger, and which of them is meant. */
import { advice, blank, option, named as optionNamed } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { Failure, Report } from "../../runners/runner.ts";
import type { Context, PlainEnd } from "../context.ts";
import { reportFiles } from "./report-files.ts";
import type { Known, Request } from "./request.ts";

const MOST_NAMED = 20;

export interface Surveyed {
  report: Report | undefined;
  end: PlainEnd;
  /** Those that are meant, the one to debug first. */
  wanted: Failure[];
}

export async function surveyed(context: Context, request: Request, known: Known): Promise<Surveyed> {
  const { name } = request;
  const first = await run(context, request, known, name);
  if (name === undefined || first.report === undefined)
    return { ...first, wanted: first.report?.failures ?? [] };
  const wanted = meant(first.report, name);
  if (wanted.length > 0) return { ...first, wanted };
  const all = first.isAll ? first : await run(context, request, known, undefined);
  const found = all.report === undefined ? [] : meant(all.report, name);
  if (found.length > 0) return { ...all, wanted: found };
  const isThere = first.isNarrow && first.report.passed > 0 && first.report.failures.length === 0;
  if (!isThere) throw notThere(all.report ?? first.report, name);
  return { ...first, wanted };
}

/** By its name, or a part of it. */
export function meant({ failures }: Report, name: string | undefined): Failure[] {
  if (name === undefined) return failures;
  const exact = failures.filter((one) => one.name === name);
  // A runner may name it more fully when others fail as well.
  const like = failures.filter((one) => one.name.includes(name) || name.endsWith(one.name));
  return exact.length > 0 ? exact : like;
}

async function run(
  context: Context,
  { words, env, timeoutMs, running }: Request,
  { rules, line }: Known,
  name: string | undefined,
): Promise<{ report: Report | undefined; end: PlainEnd; isNarrow: boolean; isAll: boolean }> {
  const survey = rules.survey(line, name);
  const cwd = running.cwd === undefined ? {} : { cwd: running.cwd };
  const since = Date.now();
  const end = await context.runPlain({
    ...{ ...survey, ...cwd, env: { ...env, ...survey.env }, timeoutMs },
    tells: true,
  });
  const files = survey.reports === undefined ? [] : reportFiles(line.cwd, survey.reports, since);
  const report = survey.read({ ...end, files });
  if (end.how === "timeout" && (report?.failures ?? []).length === 0)
    throw new SondeError("TIMEOUT", `${words.join(" ")} did not end within ${timeoutMs / 1000} s`, {
      hint: advice`name fewer tests (a file, or ${option({ name: blank("test") })}), or give it more time: ${option({ timeout: blank("seconds") })}`,
    });
  const whole = rules.survey(line, undefined).command("report").join("\0");
  const isNarrow = survey.command("report").join("\0") !== whole;
  return { report, end, isNarrow, isAll: !isNarrow || survey.complete === true };
}

export function notThere({ failures, passed }: Report, name: string): SondeError {
  if (failures.length > 0)
    return new SondeError("BAD_ARGUMENT", `no failing test is called ${name}`, {
      hint: `these fail: ${failures
        .map((one) => one.name)
        .slice(0, MOST_NAMED)
        .join(", ")}`,
    });
  if (passed > 0)
    return new SondeError("BAD_ARGUMENT", `no failing test is called ${name}: none fails`, {
      hint: advice`without ${optionNamed("name")} the answer says how many there are`,
    });
  return new SondeError("BAD_ARGUMENT", `no test is called ${name}`, {
    hint: advice`without ${optionNamed("name")} the first failing test is debugged and the others are listed`,
  });
}
