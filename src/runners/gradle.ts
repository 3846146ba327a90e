/** Gradle: a task of tests runs them in a JVM of their own and writes a report of each class. */
import { among, base, parts } from "./command-line.ts";
import { isJunit } from "./junit-console.ts";
import { readReports } from "./junit-reports.ts";
import type { Line, Runner } from "./runner.ts";

const TAKES = among(
  "-b --build-file -c --settings-file -g --gradle-user-home -p --project-dir -I --init-script -x --exclude-task -D --system-prop -P --project-prop --console --max-workers --tests --include-build --project-cache-dir --configuration-cache-problems --dependency-verification -F --priority --warning-mode --write-locks",
);
/** Tasks that run tests: by their name, or because they depend on those. */
const TESTS = /^(?:.*:)?(?:test|\w+Test)$/;
const ALL = /^(?:.*:)?(?:check|build|buildNeeded|buildDependents)$/;
const REPORT = /(?:^|\/)build\/test-results\/(?:([^/]+)\/)?TEST-[^/]+\.xml$/;
/** One that is kept for later builds would outlive the command. */
const OURS = ["--no-daemon", "--console=plain"];
const NOT_AGAIN = /^(?:--tests|--console|--continue|--(?:no-)?daemon|--parallel|-q|--quiet)(?:=|$)/;

export const gradle: Runner = {
  name: "gradle",
  recognise: (words) => {
    const at = words.findIndex((word) => /^gradlew?$/.test(base(word)));
    const rest = words.slice(at + 1);
    const isRun = parts(rest, TAKES).others.some((word) => TESTS.test(word) || ALL.test(word));
    return at < 0 || !isRun ? undefined : { head: words.slice(0, at + 1), rest };
  },
  survey: (line) => ({
    command: () => [...line.head, ...OURS, "--continue", ...cleaning(line), ...line.rest],
    reports: REPORT,
    read: ({ files = [] }) =>
      readReports(files, ({ className, method, path }) => [
        taskOf(path, line),
        "--tests",
        method === undefined ? className : `${className}.${method}`,
      ]),
  }),
  single: (line, { again = [], name }) => {
    const kept = parts(line.rest, TAKES).options.filter(([word = ""]) => !NOT_AGAIN.test(word));
    return {
      command: [...line.head, ...OURS, ...kept.flat(), ...again],
      ...(isMethod(again.at(-1) ?? "")
        ? {}
        : { note: `${name} has no name of its own for Gradle: its class is run` }),
    };
  },
  traced: "java",
  catches: ["all"],
  owns: isJunit,
  chatter: /^$|^(?:> Task )?:\S+|^(?:FAILURE:|BUILD |\* |> |Run with |\d+ actionable)/,
};

/** Gradle does not run again what has passed before and has not changed. */
function cleaning({ rest }: Line): string[] {
  const { others } = parts(rest, TAKES);
  const tasks = others.flatMap((word) => (TESTS.test(word) ? [word] : ALL.test(word) ? ["test"] : []));
  return [...new Set(tasks)].map((task) => task.replace(/\w+$/, (name) => `clean${capital(name)}`));
}

function capital(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

/** The task that wrote a report, by where it is: a project's folder is its name, unless its settings say otherwise. */
function taskOf(path: string, { rest }: Line): string {
  const folders = path
    .slice(0, path.search(/(?:^|\/)build\/test-results\//))
    .split("/")
    .filter((one) => one !== "");
  const task = REPORT.exec(path)?.[1] ?? "test";
  const asked = parts(rest, TAKES).others.find((word) => TESTS.test(word) && word.split(":").at(-1) === task);
  // Of a project without others below it, what was asked for is it.
  return folders.length === 0 ? (asked ?? task) : [...folders, task].join(":");
}

/** `shop.CartTest.discount`, where `shop.CartTest` is its class. */
function isMethod(test: string): boolean {
  return /\.[\p{Ll}_$][^.]*$/u.test(test);
}
