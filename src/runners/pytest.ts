/** pytest. Its JUnit report in the older family names the file of each test, from which the node id is made. */
import { dirname, join, relative, resolve } from "node:path";
import { among, base, parts, splitAt, without } from "./command-line.ts";
import { type Case, junitCases } from "./junit.ts";
import type { Failure, Line, Runner } from "./runner.ts";
import { sides, typed } from "./traces.ts";

const TAKES = among(
  "-k -m -c -n -o -p -r -W --tb --rootdir --confcutdir --ignore --ignore-glob --deselect --basetemp --maxfail --durations --durations-min --junitxml --junit-xml --log-level --log-file --capture --import-mode --cov-config --cov-report --timeout --dist --numprocesses --color --override-ini --verbosity --lfnf --last-failed-no-failures",
);
/** Many processes, or a stop of their own at the failure, or no more than one failure. */
const UNWANTED = ["-n", "--numprocesses", "--dist", "--pdb", "--trace", "--maxfail", "-x", "--exitfirst"];

export const pytest: Runner = {
  name: "pytest",
  recognise: (words) => splitAt(words, (name) => /^(pytest|py\.test)(-3)?$/.test(name)),
  survey: (line, name) => ({
    command: (report) => [
      ...line.head,
      ...(name === undefined ? line.rest : narrowed(line, name)),
      ...["-o", "junit_family=xunit1", `--junitxml=${report}`, "--color=no"],
    ],
    read: ({ report, stdout }) => {
      if (report === undefined) return undefined;
      const again = aloneWith(stdout);
      const cases = ended(junitCases(report), stdout);
      const below = rootsBelow(line, stdout);
      return {
        passed: cases.filter(({ state }) => state === "passed").length,
        skipped: cases.filter(({ state }) => state === "skipped").length,
        failures: cases
          .filter(({ state }) => state === "failed")
          .map((one) => ({ ...failureOf(one, line, below), again })),
      };
    },
  }),
  single: (line, failure) => ({
    command: [...line.head, ...ownOptions(line), ...(failure.again ?? []), failure.name],
  }),
  together: (line, failure) => {
    const { options, others } = parts(line.rest, TAKES);
    const own = [...without(options, UNWANTED).flat(), ...(failure.again ?? [])];
    return { command: [...line.head, ...own, ...others] };
  },
  traced: "python",
  catches: ["userUnhandled"],
  taken: ["raised"],
  owns: ({ path = "" }) =>
    /\/(bin|Scripts)\/(pytest|py\.test|coverage)[^/]*$|\/(_pytest|pytest|pluggy)\//.test(path),
  hides: ({ name, type }) => /^@py/.test(name) || type === "module",
  chatter:
    /^$|^={3,} (test session starts|FAILURES|ERRORS|PASSES|warnings summary|short test summary info|.* in [\d.]+s.*) ={3,}$|^platform \S+ -- Python|^(rootdir|configfile|cachedir|plugins|testpaths|asyncio): \S|^(collected|collecting) (\d+ items?|\.\.\.)|^\S+\.py(::\S+)? *[.FEsx]* *(\[ *\d+%\])?$|^[.FEsx]+ *(\[ *\d+%\])?$|^(FAILED|ERROR) \S+\.py(::| |$)|^\d+ (passed|failed).* in [\d.]+s/,
  told: {
    from: /^=+ (FAILURES|ERRORS) =+$/,
    to: /^=+ short test summary info =+$|^(=+ )?\d+ (failed|error).* in [\d.]+s/,
    printed: { from: /^-+ Captured (stdout|stderr|log) \w+ -+$/, to: /^(_{3,}|-{3,}|={3,}) .* \1$/ },
  },
};

/** Without the one in which it was interrupted: of that there is nothing but that it was begun, as of one that passed. */
function ended(cases: Case[], stdout: string): Case[] {
  const isCut = /^!+ (\S*\.)?KeyboardInterrupt !+$/m.test(stdout);
  return isCut && cases.at(-1)?.state === "passed" ? cases.slice(0, -1) : cases;
}

/** Workers, and coverage's use of what the debugger lives on, are turned off by options that are there only if the plug-ins are. */
function aloneWith(stdout: string): string[] {
  const has = (plugin: string) => new RegExp(`^plugins:.*\\b${plugin}-`, "m").test(stdout);
  const isSpread = has("xdist") || /^bringing up nodes|^\d+ workers? \[/m.test(stdout);
  return [...(isSpread ? ["-n0"] : ["-p", "no:xdist"]), ...(has("cov") ? ["--no-cov"] : [])];
}

/** The node id of one test, or an expression for `-k`. */
function narrowed(line: Line, name: string): string[] {
  if (line.exists(name.replace(/::.*$/s, ""))) return [...ownOptions(line), name];
  const last = name.replace(/^.*::/s, "").replace(/\[.*$/s, "");
  return /^\w+$/.test(last) ? [...line.rest, "-k", last] : line.rest;
}

/** Without the paths, and without what has no place in a run of one test. */
function ownOptions(line: Line): string[] {
  const { options, others } = parts(line.rest, TAKES);
  const kept = others.filter((word) => !line.exists(word.replace(/::.*$/s, "")));
  return [...without(options, UNWANTED).flat(), ...kept];
}

function failureOf(one: Case, line: Line, below: readonly string[]): Failure {
  const { name, message } = one;
  const text = lastOf(one.text);
  const { path, inside } = placeOf(one, line, below);
  const isCollection = message === "collection failure";
  const id = isCollection ? [path] : [path, ...inside, name];
  const said = saidBy(text, message);
  const [, left, right] = /(?:^|\n)assert ([^\n]+?) == ([^\n]+)(?:\n|$)/.exec(said.whole) ?? [];
  return {
    name: id.join("::"),
    file: path,
    ...(said.type === undefined ? {} : { type: said.type }),
    message: said.message,
    places: [...text.matchAll(/^(\S[^\n:]*\.py):(\d+): /gm)].map(([, place = "", number]) => ({
      file: place,
      line: Number(number),
    })),
    compared: left === undefined || right === undefined ? [] : sides(left, right),
  };
}

/** Of exceptions that came one of the other, the one that left the test. */
function lastOf(text: string): string {
  return text.split(CHAINED).at(-1) ?? text;
}

const CHAINED =
  /^(?:The above exception was the direct cause of the following exception|During handling of the above exception, another exception occurred):$/m;

/** The lines pytest marks with E are the exception's own; `file.py:3: TypeError` at the end names its class. */
function saidBy(text: string, message: string): { type?: string; message: string; whole: string } {
  const after = [...text.matchAll(/^E(.*)$/gm)].map(([, words = ""]) => words);
  const indent = Math.min(...after.filter((words) => words.trim() !== "").map((words) => words.search(/\S/)));
  const marked = after.map((words) => words.slice(indent));
  const whole = marked.length > 0 ? marked.join("\n") : message;
  const [, last] = /^\S+\.py:\d+: (\w+)\s*$/m.exec(text.slice(text.lastIndexOf("\n\n"))) ?? [];
  const { type, message: rest } = typed(whole);
  return { ...((type ?? last) === undefined ? {} : { type: type ?? last ?? "" }), message: rest, whole };
}

/** The file is where the test's function is written; the class name begins with the file that the test belongs to, which may be another. */
function placeOf({ file = "", className }: Case, line: Line, below: readonly string[]) {
  const module = moduleOf(file);
  const inside = (from: number) =>
    className
      .slice(from)
      .split(".")
      .filter((part) => part !== "");
  if (className === module || className.startsWith(`${module}.`))
    return { path: fromHere(file, line, below), inside: inside(module.length) };
  const parts = className.split(".");
  for (let length = parts.length; length > 0; length--) {
    const path = fromHere(`${parts.slice(0, length).join("/")}.py`, line, below);
    if (line.exists(path)) return { path, inside: parts.slice(length) };
  }
  return { path: fromHere(file, line, below), inside: [] };
}

function moduleOf(file: string): string {
  return file.replace(/\.py$/, "").replaceAll("/", ".");
}

/** Where pytest's root folder may be below the caller's: as it says itself, or at or above the paths that it was given. */
function rootsBelow({ cwd, rest }: Line, stdout: string): string[] {
  const said = /^rootdir: (.+?)(?:, (?:configfile|inifile|testpaths): .*)?$/m.exec(stdout)?.[1];
  const { options, others } = parts(rest, TAKES);
  const chosen = options.flatMap(([name = "", value]) =>
    name === "--rootdir"
      ? [value ?? ""]
      : name.startsWith("--rootdir=")
        ? [name.slice("--rootdir=".length)]
        : [],
  );
  const given = others.flatMap((word) => {
    const folders: string[] = [];
    for (let one = resolve(cwd, word.replace(/::.*$/s, "")); one.startsWith(`${cwd}/`); one = dirname(one))
      folders.push(one);
    return folders;
  });
  return [...(said === undefined ? [] : [said]), ...chosen.map((one) => resolve(cwd, one)), ...given];
}

/** pytest's paths are relative to its root folder, which is the caller's, one above it, or one below it. */
function fromHere(file: string, { cwd, exists }: Line, below: readonly string[]): string {
  for (const folder of below) {
    const path = relative(cwd, join(folder, file));
    if (exists(path)) return path;
  }
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = relative(cwd, join(folder, file));
    if (exists(path)) return path;
    if (dirname(folder) === folder) return base(file) === "" ? "." : file;
  }
}
