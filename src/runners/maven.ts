/** Maven: surefire (and failsafe) run the tests in a JVM of their own and write a report of each class. */
import { dirname, join, relative, resolve } from "node:path";
import { among, base, parts, without } from "./command-line.ts";
import { isJunit } from "./junit-console.ts";
import { type FailedCase, readReports } from "./junit-reports.ts";
import type { Line, Runner } from "./runner.ts";

const TAKES = among(
  "-f --file -pl --projects -P --activate-profiles -s --settings -gs --global-settings -t --toolchains -gt --global-toolchains -T --threads -l --log-file -b --builder -rf --resume-from -D --define -ep --encrypt-password -emp --encrypt-master-password -c",
);
/** Phases that run unit tests, and those that also run integration tests. */
const PHASES =
  /^(?:test|prepare-package|package|pre-integration-test|integration-test|post-integration-test|verify|install|deploy)$/;
const GOAL =
  /(?:^|:)(?:surefire|failsafe|maven-surefire-plugin(?::[^:]+)?|maven-failsafe-plugin(?::[^:]+)?):/;
const MANY = [
  ...[
    "-pl",
    "--projects",
    "-am",
    "--also-make",
    "-rf",
    "--resume-from",
    "-T",
    "--threads",
    "-l",
    "--log-file",
  ],
  ...["-q", "--quiet", "-fae", "--fail-at-end", "-fn", "--fail-never", "-ff", "--fail-fast"],
];

export const maven: Runner = {
  name: "maven",
  recognise: (words) => {
    const at = words.findIndex((word) => /^mvnw?$/.test(base(word)));
    const rest = words.slice(at + 1);
    const { others } = parts(rest, TAKES);
    const isRun = others.some((word) => PHASES.test(word) || GOAL.test(word));
    return at < 0 || !isRun ? undefined : { head: words.slice(0, at + 1), rest };
  },
  survey: (line) => ({
    command: () => [...line.head, "--batch-mode", "--fail-at-end", ...line.rest],
    reports: /(?:^|\/)target\/(?:surefire|failsafe)-reports\/TEST-[^/]+\.xml$/,
    read: ({ files = [] }) => readReports(files, (failed) => againOf(failed, line)),
  }),
  single: (line, { again = [], name }) => {
    const { options, others } = parts(line.rest, TAKES);
    const kept = without(options, MANY).filter(
      ([first = "", second = ""]) =>
        !/^(?:test|it\.test|maven\.(?:surefire|failsafe)\.debug|skipTests)\b/.test(
          first === "-D" || first === "--define" ? second : first.replace(/^-D|^--define=/, ""),
        ),
    );
    const goals = others.filter((word) => !PHASES.test(word) && word !== "clean");
    const isIntegration = again.some((word) => word.startsWith("-Dit.test="));
    const phase = others.some((word) => PHASES.test(word)) ? [isIntegration ? "verify" : "test"] : [];
    return {
      command: [...line.head, "--batch-mode", ...kept.flat(), ...again, ...goals, ...phase],
      ...(again.some((word) => word.includes("#"))
        ? {}
        : { note: `${name} has no name of its own for Maven: its class is run` }),
    };
  },
  traced: "java",
  catches: ["all"],
  owns: isJunit,
  chatter: /^$|^\[(?:INFO|ERROR|WARNING)\]/,
};

function againOf({ className, method, path }: FailedCase, line: Line): string[] {
  const folder = path.slice(0, path.search(/\/?target\/(?:surefire|failsafe)-reports\//));
  const isIntegration = path.includes("failsafe-reports/");
  const test = `${className}${method === undefined ? "" : `#${method}`}`;
  return [
    // A name that matches no unit test leaves the integration tests alone.
    ...(isIntegration ? [`-Dit.test=${test}`, "-Dtest=none"] : [`-Dtest=${test}`]),
    ...[
      "-Dsurefire.failIfNoSpecifiedTests=false",
      "-DfailIfNoTests=false",
      "-Dfailsafe.failIfNoSpecifiedTests=false",
    ],
    ...selected(folder, line),
  ];
}

/** A module is named by its folder as seen from the project that Maven was given; that project itself needs no name. */
function selected(folder: string, line: Line): string[] {
  const module = relative(resolve(line.cwd, projectOf(line)), resolve(line.cwd, folder));
  return module === "" || module.startsWith("..") ? [] : ["-pl", module, "-am"];
}

/** `-f` takes a folder, or a file in it. */
function projectOf({ rest, exists }: Line): string {
  const { options } = parts(rest, TAKES);
  const [word = "", value] = options.findLast(([one = ""]) => /^(?:-f|--file)(?:=|$)/.test(one)) ?? [];
  const given = value ?? word.replace(/^[^=]*=?/, "");
  return given === "" || exists(join(given, "pom.xml")) ? given : dirname(given);
}
