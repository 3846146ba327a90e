/** node-tap. Its test files are programs; a failed assertion prints `not ok` and throws nothing. */
import { regExpText } from "../../util/text.ts";
import { among, parts, splitAt, without } from "../command-line.ts";
import type { Failure, Report, Runner } from "../runner.ts";
import { isTap, type Point, pointsIn } from "./points.ts";
import { commandIn, failed, failureOf } from "./report.ts";

const TAKES = among(
  "-R --reporter -r --reporter-file -j --jobs -J -t --timeout -g --grep -a --test-arg --node-arg --test-env --test-file --include --exclude --coverage-report --coverage-map --before --after --plugin --output-file -o --output-dir -d --changed-filter",
);
const REPORTING = ["-R", "--reporter", "--reporter-file", "-w", "--watch", "-i", "--repl"];

export const nodeTap: Runner = {
  name: "tap",
  /** A program of one's own may have that name too. */
  recognise: (words) => {
    const found = splitAt(words, (name) => /^(tap|run)(\.[cm]?js)?$/.test(name));
    const word = found?.head.at(-1) ?? "";
    return word === "tap" || /\/node_modules\/(?:\.bin\/tap|@?tap\w*\/.*)$/.test(`/${word}`)
      ? found
      : undefined;
  },
  survey: (line) => ({
    command: () => {
      const { options, others } = parts(line.rest, TAKES);
      return [...line.head, "--reporter=tap", ...without(options, REPORTING).flat(), ...others];
    },
    read: ({ stdout }) => (isTap(stdout) ? reportOf(stdout) : undefined),
  }),
  single: (line, failure) => {
    const [path = "", ...command] = failure.again ?? [];
    return {
      command:
        command.length > 0 ? command : ["node", failure.file ?? parts(line.rest, TAKES).others[0] ?? "."],
      endsAtFailure: true,
      // To the first failure and no further: the line that failed is then the last of its visits.
      env: { TAP: "1", TAP_BAIL: "1", ...(path === "" ? {} : { TAP_GREP: path }) },
    };
  },
  traced: "javascript",
  catches: ["all"],
  handed: true,
  hides: ({ name, type }) => /^(this|t|tap)$/.test(name) && /^(Test|TAP|Object)$/.test(type ?? ""),
  chatter:
    /^$|^TAP version|^\s*# Subtest|^\s*(not )?ok \d+|^\s*1\.\.\d+|^\s*Bail out!|^\s*# (time=|\{ total:)|^\s+(---|\.\.\.)$/,
  told: { from: /^\s+---$/, to: /^\s+\.\.\.$/ },
};

/** The outermost points are files; the others are tests, and those without inner ones mostly assertions. */
function reportOf(tap: string): Report {
  const points = pointsIn(tap);
  const files = new Map(
    points.filter(({ path }) => path.length === 1).map((one) => [one.path[0] ?? "", one]),
  );
  const tests = points.filter(({ inner, path }) => path.length > 1 && inner.length > 0);
  const leaves = points.filter(({ inner, path }) => inner.length === 0 && path.length > 1);
  const bad = byTest(failed(points));
  return {
    passed: (tests.length > 0 ? tests : leaves).filter(({ ok, skipped }) => ok && !skipped).length,
    skipped: leaves.filter(({ skipped }) => skipped).length,
    failures: bad.map((point) => testOf(point, files.get(point.path[0] ?? ""))),
  };
}

/** The first failed assertion of each test. */
function byTest(points: readonly Point[]): Point[] {
  const testOf = ({ path }: Point) => path.slice(0, -1).join("\0");
  return points.filter(
    (point, at) => point.path.length < 2 || points.findIndex((one) => testOf(one) === testOf(point)) === at,
  );
}

function testOf(point: Point, outer: Point | undefined): Failure {
  const [file = "", ...names] = point.path;
  const told = failureOf(point);
  const around = names.slice(0, -1);
  const grep = around.map((name) => `/^${regExpText(name).replaceAll("/", "\\/")}$/`).join("\n");
  return {
    ...told,
    name: [file, ...around].join(" > "),
    file,
    again: [grep, ...(commandIn(outer?.details ?? "") ?? [])],
  };
}
