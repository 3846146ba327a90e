/** The JSON report that jest defined and vitest writes too. */
import { regExpText } from "../util/text.ts";
import { withoutColours } from "./colours.ts";
import type { Failure, Report } from "./runner.ts";
import { comparedIn, scriptPlaces, typed } from "./traces.ts";

interface Told {
  testResults?: {
    name?: string;
    message?: string;
    status?: string;
    assertionResults?: { fullName?: string; status?: string; failureMessages?: string[] }[];
  }[];
}

export function jsonReport(text: string | undefined): Report | undefined {
  const told = parsed(text);
  if (told?.testResults === undefined) return undefined;
  const tests = told.testResults.flatMap(({ name = "", assertionResults = [] }) =>
    assertionResults.map((one) => ({ ...one, file: name })),
  );
  const loading = told.testResults.filter(
    ({ status, assertionResults = [] }) =>
      status === "failed" && !assertionResults.some((one) => one.status === "failed"),
  );
  return {
    passed: tests.filter(({ status }) => status === "passed").length,
    skipped: tests.filter(({ status }) => /^(pending|skipped|todo|disabled)$/.test(status ?? "")).length,
    failures: [
      ...tests
        .filter(({ status }) => status === "failed")
        .map(({ fullName = "", failureMessages = [], file }) => ({
          ...failureOf(failureMessages[0] ?? "", file),
          name: fullName,
          again: ["-t", `^${regExpText(fullName)}$`],
        })),
      // A file that could not be loaded has no tests to name.
      ...loading.map(({ name = "", message = "" }) => ({ ...failureOf(message, name), name, again: [] })),
    ],
  };
}

function parsed(text: string | undefined): Told | undefined {
  try {
    return JSON.parse(text ?? "") as Told;
  } catch {
    return undefined; // it was ended before it wrote its report, or there is none
  }
}

function failureOf(raw: string, file: string): Omit<Failure, "name"> {
  const text = withoutColours(raw).trim();
  const stack = text.search(/^\s+at /m);
  const said = stack < 0 ? text : text.slice(0, stack).trim();
  const { type, message } = typed(said);
  return {
    file,
    ...(type === undefined ? {} : { type }),
    message,
    places: scriptPlaces(stack < 0 ? "" : text.slice(stack)),
    compared: comparedIn(message),
  };
}
