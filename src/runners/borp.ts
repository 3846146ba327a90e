/** borp: node:test with files found by patterns and coverage around it. */
import { among, parts, splitAt, without } from "./command-line.ts";
import { nodeReport, nodeTest } from "./node-test.ts";
import type { Runner } from "./runner.ts";

const TAKES = among(
  "-p --pattern -c --concurrency -t --timeout -X --coverage-exclude -i --ignore -r --reporter --lines --branches --functions --statements",
);
const REPORTING = ["-r", "--reporter", "-w", "--watch", "-C", "--coverage"];

export const borp: Runner = {
  ...nodeTest,
  name: "borp",
  recognise: (words) => splitAt(words, (name) => /^borp(\.js)?$/.test(name)),
  survey: (line) => ({
    command: (report) => {
      const { options, others } = parts(line.rest, TAKES);
      return [...line.head, `--reporter=tap:${report}`, ...without(options, REPORTING).flat(), ...others];
    },
    read: ({ report }) => (report?.startsWith("TAP version") ? nodeReport(report) : undefined),
  }),
  /** It runs each file in a process of its own, as `node` would. */
  single: (line, failure) => nodeTest.single({ ...line, head: ["node"], rest: [] }, failure),
  together: (line, failure) => borp.single(line, { ...failure, again: [] }),
};
