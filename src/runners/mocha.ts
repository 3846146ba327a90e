/** mocha. */
import { regExpText } from "../util/text.ts";
import { among, parts, splitAt, without } from "./command-line.ts";
import type { Failure, Line, Report, Runner } from "./runner.ts";
import { comparedIn, scriptPlaces, typed } from "./traces.ts";

const TAKES = among(
  "-r --require --import -g --grep -f --fgrep -R --reporter -O --reporter-option --reporter-options --config --package --spec -t --timeout -s --slow -u --ui --extension --ignore --file -j --jobs --retries --loader",
);
const REPORTING = ["-R", "--reporter", "-O", "--reporter-option", "--reporter-options", "-w", "--watch"];
const MANY = [
  ...REPORTING,
  ...[
    "-g",
    "--grep",
    "-f",
    "--fgrep",
    "-t",
    "--timeout",
    "-p",
    "--parallel",
    "-j",
    "--jobs",
    "--retries",
    "--spec",
  ],
];

export const mocha: Runner = {
  name: "mocha",
  recognise: (words) => splitAt(words, (name) => /^_?mocha(\.js)?$/.test(name)),
  survey: (line, name) => ({
    complete: true,
    command: (report) => {
      const { options, others } = parts(line.rest, TAKES);
      const own = ["--reporter", "json", "--reporter-options", `output=${report}`];
      const named = name === undefined ? [] : ["--fgrep", name];
      return [...line.head, ...without(options, REPORTING).flat(), ...own, ...named, ...others];
    },
    read: ({ report, stdout }) => reportOf(report, false) ?? reportOf(printedReport(stdout), true),
  }),
  single: (line, failure) => {
    const { options, others } = parts(line.rest, TAKES);
    const own = ["--timeout", "0", ...(failure.again ?? [])];
    const file = failure.file ?? outermost(line, others, failure);
    const files = file === undefined ? others : [file];
    return { command: [...line.head, ...without(options, MANY).flat(), ...own, ...files] };
  },
  together: (line, failure) =>
    mocha.single(line, {
      ...failure,
      places: [],
      again: (failure.again ?? []).filter((word) => word === ONE_PROCESS),
    }),
  traced: "javascript",
  catches: ["all"],
  handed: true,
  hides: ({ name, type }) => name === "this" && type === "Context",
  chatter: /^$|^\s+([✓✔]|\d+\)) /,
  told: { from: /^ {2}\d+ (passing|failing|pending)\b/ },
};

interface Told {
  stats?: { passes?: number; pending?: number };
  failures?: { fullTitle?: string; file?: string; err?: Fault }[];
}

interface Fault {
  message?: string;
  name?: string;
  stack?: string;
  expected?: unknown;
  actual?: unknown;
  /** Reported by a version that names no files. */
  isOld?: boolean;
}

/**
 * Versions that do not name a test's file may name it in the stack of its error: all that one need not load is time. Only what lies
 * below the folders of tests: otherwise the stack does not begin in a test.
 */
function outermost({ exists }: Line, tests: readonly string[], { places }: Failure): string | undefined {
  const last = places.at(-1)?.file;
  if (last === undefined || !exists(last)) return undefined;
  const folders = (tests.length > 0 ? tests : ["test"]).map((one) =>
    one.replace(/^\.\//, "").replace(/\/$/, ""),
  );
  return folders.some((one) => last.startsWith(`${one}/`)) ? last : undefined;
}

/** Versions before 8 have one process only, and refuse the option. */
const ONE_PROCESS = "--no-parallel";

/** Versions before 9.2 write no file: theirs stands among what the tests print. */
function printedReport(stdout: string): string | undefined {
  const [whole] = /^\{\n {2}"stats": \{\n[\s\S]*^\}$/m.exec(stdout) ?? [];
  return whole;
}

function reportOf(text: string | undefined, isPrinted: boolean): Report | undefined {
  let told: Told;
  try {
    told = JSON.parse(text ?? "") as Told;
  } catch {
    return undefined; // it was ended before it wrote its report, or a file could not be loaded
  }
  if (told.stats === undefined) return undefined;
  return {
    passed: told.stats.passes ?? 0,
    skipped: told.stats.pending ?? 0,
    failures: (told.failures ?? []).map(({ fullTitle = "", file, err = {} }) =>
      failureOf(fullTitle, file, { ...err, isOld: isPrinted && file === undefined }),
    ),
  };
}

function failureOf(title: string, file: string | undefined, fault: Fault): Failure {
  const { stack = "", expected, actual } = fault;
  const { type, message } = typed(stack.split(/\n\s+at /)[0] ?? "");
  const said = fault.message ?? message;
  const isHook = /"(before|after)( each| all)?" hook\b/.test(title);
  const named = type ?? fault.name;
  return {
    name: title,
    ...(file === undefined ? {} : { file }),
    ...(named === undefined ? {} : { type: named }),
    message: said,
    places: scriptPlaces(stack),
    compared:
      expected === undefined || actual === undefined
        ? comparedIn(said)
        : [
            { label: "expected", value: shown(expected) },
            { label: "actual", value: shown(actual) },
          ],
    again: [...(fault.isOld ? [] : [ONE_PROCESS]), ...(isHook ? [] : ["--grep", `^${regExpText(title)}$`])],
  };
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}
