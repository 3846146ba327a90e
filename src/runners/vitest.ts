/** vitest. */
import { regExpText } from "../util/text.ts";
import { among, parts, splitAt, without } from "./command-line.ts";
import { jsonReport } from "./json-report.ts";
import type { Line, Runner } from "./runner.ts";

const TAKES = among(
  "-c --config -r --root --dir -t --testNamePattern --project --reporter --outputFile --pool --environment --mode -w --workspace --maxWorkers --minWorkers --shard --retry --bail --testTimeout",
);
const REPORTING = ["--reporter", "--outputFile", "-w", "--watch", "--ui"];
const MANY = [
  ...REPORTING,
  "-t",
  "--testNamePattern",
  "--shard",
  "--retry",
  "--coverage",
  "--fileParallelism",
];
const SUBCOMMANDS = new Set(["run", "watch", "dev", "related"]);

export const vitest: Runner = {
  name: "vitest",
  recognise: (words) => splitAt(words, (name) => /^vitest(\.mjs)?$/.test(name)),
  survey: (line, name) => ({
    complete: true,
    command: (report) => {
      const { options, others } = parts(line.rest, TAKES);
      const named = name === undefined ? [] : ["-t", regExpText(name)];
      const own = ["--run", "--reporter=json", `--outputFile=${report}`, ...named];
      return [...line.head, ...once(others), ...without(options, REPORTING).flat(), ...own];
    },
    read: ({ report }) => jsonReport(report),
  }),
  single: (line, failure) => {
    const { options, others } = parts(line.rest, TAKES);
    const own = ["--run", "--no-file-parallelism", "--no-coverage", "--retry=0", ...(failure.again ?? [])];
    const kept = once(others).filter((word) => SUBCOMMANDS.has(word));
    return { command: [...line.head, ...kept, failure.file ?? "", ...without(options, MANY).flat(), ...own] };
  },
  together: (line, failure) => vitest.single(line, { ...failure, again: [] }),
  traced: "javascript",
  catches: ["all"],
  handed: true,
  hides: ({ name }) => /^__vi(te_ssr)?_/.test(name),
  chatter:
    /^$|\bRUN\b.*v\d|^\s*[❯✓×↓] .*(\d+ ?ms$|\(\d+ tests?\b)|^\s*❯ \S+:\d+:\d+$|^\s+(Test Files|Tests|Start at|Duration|Snapshots) {1,2}\S|^std(out|err) \| \S/,
  told: { from: /^⎯+ (Failed (Tests|Suites)|Unhandled \w+) \d+ ⎯+$/, to: /^\s+Test Files {2}/ },
};

/** `vitest` and `vitest watch` stay and wait for changes. */
function once(others: Line["rest"]): string[] {
  return others.filter((word, at) => at > 0 || (word !== "watch" && word !== "dev"));
}
