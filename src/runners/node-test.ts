/** node:test, told by its TAP reporter, which every Node that has the runner has. */
import { regExpText } from "../util/text.ts";
import { among, base, nearPath, parts, without } from "./command-line.ts";
import type { Failure, Line, Report, Runner } from "./runner.ts";
import { scalar } from "./tap/details.ts";
import { type Point, pointsIn } from "./tap/points.ts";
import { comparedIn, scriptPlaces, typed } from "./traces.ts";

const TAKES = among(
  "-r --require --import --loader --experimental-loader -C --conditions --env-file --test-name-pattern --test-skip-pattern --test-reporter --test-reporter-destination --test-concurrency --test-timeout --test-shard --test-isolation",
);
const REPORTING = ["--test-reporter", "--test-reporter-destination"];
const MANY = [...REPORTING, "--test", "--test-concurrency", "--test-isolation", "--test-shard", "--watch"];

export const nodeTest: Runner = {
  name: "node:test",
  recognise: (words) => {
    const at = words.findIndex((word) => /^(node|nodejs|tsx)$/.test(base(word)));
    const rest = words.slice(at + 1);
    const isRun =
      rest.includes("--test") || rest.some((word) => /(\.|_|-)(test|spec)\.[cm]?[jt]sx?$/.test(word));
    return at < 0 || !isRun ? undefined : { head: words.slice(0, at + 1), rest };
  },
  survey: (line, name) => ({
    command: (report) => {
      const { options, others } = parts(line.rest, TAKES);
      const named = name === undefined ? [] : [`--test-name-pattern=${regExpText(leafOf(name))}`];
      const own = ["--test-reporter=tap", `--test-reporter-destination=${report}`, ...named];
      return [...line.head, ...own, ...without(options, REPORTING).flat(), ...others];
    },
    read: ({ report }) => (report?.startsWith("TAP version") ? nodeReport(report) : undefined),
  }),
  /** Node 20 cannot run test files in its own process, but a test file is a program. */
  single: (line, failure) => {
    const { options } = parts(line.rest, TAKES);
    const named = failure.again ?? [];
    const file = failure.file === undefined ? fileOf(line) : nearPath(failure.file, line.cwd);
    return { command: [...line.head, ...named, ...without(options, MANY).flat(), file] };
  },
  together: (line, failure) => nodeTest.single(line, { ...failure, again: [] }),
  traced: "javascript",
  catches: ["all"],
  handed: true,
  hides: ({ name, type }) => name === "this" && /Context$/.test(type ?? ""),
  // As TAP, and as the reporter that newer versions begin with.
  chatter:
    /^$|^TAP version|^\s*# Subtest|^\s*(not )?ok \d+ - |^\s*1\.\.\d+$|^[#ℹ] (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$|^\s*[✔✖﹣] .* \([\d.]+ms\)|^\s*▶ \S|^\s+(---|\.\.\.)$/,
  told: { from: /^\s+duration_ms: [\d.]+$/, to: /^\s+\.\.\.$/ },
};

function fileOf(line: Line): string {
  return parts(line.rest, TAKES).others[0] ?? ".";
}

/** Older versions compare a test's own name, newer ones all names from the outermost suite on. */
function ending(name: string): string {
  return `(^|\\s)${regExpText(leafOf(name))}$`;
}

function leafOf(name: string): string {
  return name.split(" > ").at(-1) ?? name;
}

export function nodeReport(tap: string): Report {
  const points = pointsIn(tap);
  const failures = points.filter(
    ({ ok, skipped, details }) =>
      !ok && !skipped && !/failureType: '(subtestsFailed|cancelled)/.test(details),
  );
  const leaves = points.filter(({ details }) => !/type: 'suite'/.test(details));
  return {
    passed: leaves.filter(({ ok, skipped }) => ok && !skipped).length,
    skipped: leaves.filter(({ skipped }) => skipped).length,
    failures: failures.map(failureOf),
  };
}

/** Code that cannot be read: node names its place only in what it prints. */
const UNREADABLE = /^# (?:file:\/\/)?(\/.+:\d+)\n# (.*)\n#\s+\^+\s*\n(?:#\s*\n)*# (SyntaxError): (.*)$/m;

function unreadable(printed: string): Pick<Failure, "type" | "message"> {
  const [, place, code = "", type, message] = UNREADABLE.exec(printed) ?? [];
  return type === undefined ? { message: "" } : { type, message: `${message}\n${place} | ${code.trim()}` };
}

function failureOf({ path, details, printed }: Point): Failure {
  const location = scalar(details, "location");
  const [, file] = /^(?:file:\/\/)?(.*?)(?::\d+:\d+)?$/.exec(location ?? "") ?? [];
  const message = scalar(details, "error") ?? "";
  const type = scalar(details, "name");
  const [expected, actual] = [scalar(details, "expected"), scalar(details, "actual")];
  const leaf = path.at(-1) ?? "";
  // A file that failed as a whole (it throws while it loads) is reported under its own path.
  const isFile = leaf === file || /\.[cm]?[jt]sx?$/.test(leaf);
  const where = isFile ? leaf : file;
  return {
    name: path.join(" > "),
    ...(where ? { file: where } : {}),
    ...(type === undefined ? {} : { type }),
    ...(isFile ? unreadable(printed) : { message: typed(message).message }),
    places: scriptPlaces(scalar(details, "stack")?.replace(/^(?=\S)/gm, "    at ") ?? ""),
    compared:
      expected === undefined || actual === undefined
        ? comparedIn(message)
        : [
            { label: "expected", value: expected },
            { label: "actual", value: actual },
          ],
    again: isFile ? [] : [`--test-name-pattern=${ending(leaf)}`],
  };
}
