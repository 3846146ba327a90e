/** jest. */
import { regExpText } from "../util/text.ts";
import { among, base, parts, splitAt, without } from "./command-line.ts";
import { jsonReport } from "./json-report.ts";
import type { Runner } from "./runner.ts";

const TAKES = among(
  "-c --config --rootDir -t --testNamePattern --testPathPattern --testPathPatterns --selectProjects --reporters --outputFile -w --maxWorkers --env --testEnvironment --shard --testTimeout --setupFilesAfterEnv",
);
const REPORTING = ["--json", "--outputFile", "--watch", "--watchAll", "--reporters"];
const MANY = [
  ...REPORTING,
  ...[
    "-t",
    "--testNamePattern",
    "--testPathPattern",
    "--testPathPatterns",
    "-w",
    "--maxWorkers",
    "-i",
    "--runInBand",
  ],
  ...["--coverage", "--shard", "--bail", "-b", "--onlyChanged", "-o", "--runTestsByPath"],
];

export const jest: Runner = {
  name: "jest",
  recognise: (words) => splitAt(words, (name) => /^jest(\.js)?$/.test(name)),
  survey: (line, name) => ({
    complete: true,
    command: (report) => {
      const { options, others } = parts(line.rest, TAKES);
      const named = name === undefined ? [] : ["-t", regExpText(name)];
      const own = ["--json", `--outputFile=${report}`, "--watchAll=false", ...named];
      return [...line.head, ...without(options, REPORTING).flat(), ...own, ...others];
    },
    read: ({ report }) => jsonReport(report),
  }),
  single: (line, failure) => {
    const { options } = parts(line.rest, TAKES);
    const own = ["--runInBand", "--coverage=false", "--watchAll=false", "--testTimeout=600000"];
    const which = [...(failure.again ?? []), "--runTestsByPath", failure.file ?? ""];
    return { command: [...line.head, ...without(options, MANY).flat(), ...own, ...which] };
  },
  together: (line, failure) => jest.single(line, { ...failure, again: [] }),
  traced: "javascript",
  catches: ["all"],
  handed: true,
  hides: ({ name }) => name === "this",
  chatter: /^$|^(PASS|FAIL) \S|^\s+[✓✕○✎] |^(Test Suites|Tests|Snapshots|Time): |^Ran all test suites/,
  told: { from: /^ {2}● /, to: /^Test Suites: / },
  owns: ({ path }) => path !== undefined && /^jest(\.js)?$/.test(base(path)),
};
