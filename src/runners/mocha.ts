/** mocha. */
import { regExpText } from "../util/text.ts";
import { among, parts, splitAt, without } from "./command-line.ts";
import type { Failure, Report, Runner } from "./runner.ts";
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
    command: (report) => {
      const { options, others } = parts(line.rest, TAKES);
      const own = ["--reporter", "json", "--reporter-option", `output=${report}`];
      const named = name === undefined ? [] : ["--fgrep", name];
      return [...line.head, ...without(options, REPORTING).flat(), ...own, ...named, ...others];
    },
    read: ({ report }) => reportOf(report),
  }),
  single: (line, failure) => {
    const { options, others } = parts(line.rest, TAKES);
    const own = ["--timeout", "0", "--no-parallel", ...(failure.again ?? [])];
    const files = failure.file === undefined ? others : [failure.file];
    return { command: [...line.head, ...without(options, MANY).flat(), ...own, ...files] };
  },
  together: (line, failure) => mocha.single(line, { ...failure, again: [] }),
  catches: ["all"],
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
}

function reportOf(text: string | undefined): Report | undefined {
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
      failureOf(fullTitle, file, err),
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
    again: isHook ? [] : ["--grep", `^${regExpText(title)}$`],
  };
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}
