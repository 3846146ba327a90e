/** JUnit's reports, a file for each class, as the tools write them that build Java projects. */
import { type Case, junitCases } from "./junit.ts";
import { javaPlaces, javaThrown } from "./junit-console.ts";
import type { Failure, Report, ReportFile } from "./runner.ts";

export interface FailedCase {
  className: string;
  /** Undefined where the test's name is none of a method's: it was given one to be read. */
  method: string | undefined;
  /** Of its report. */
  path: string;
}

/** `again`: the tool's own words to run that test alone. */
export function readReports(
  files: readonly ReportFile[],
  again: (failed: FailedCase) => readonly string[],
): Report {
  const cases = files.flatMap(({ path, text }) => junitCases(text).map((one) => ({ ...one, path })));
  const count = (state: Case["state"]) => cases.filter((one) => one.state === state).length;
  return {
    passed: count("passed"),
    skipped: count("skipped"),
    failures: cases.filter(({ state }) => state === "failed").map((one) => failureOf(one, again)),
  };
}

function failureOf(
  { name, className, text, message, path }: Case & { path: string },
  again: (failed: FailedCase) => readonly string[],
): Failure {
  const [, method] = /^([\p{L}_$][\p{L}\p{N}_$]*)(?:[([{ ]|$)/u.exec(name) ?? [];
  const thrown = javaThrown(text);
  return {
    name: `${className}.${name.replace(/\(\)$/, "")}`,
    ...thrown,
    ...(thrown.message === undefined && message !== "" ? { message } : {}),
    places: javaPlaces(text),
    compared: thrown.compared,
    again: again({ className, method, path }),
  };
}
