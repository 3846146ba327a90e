/** prove: programs that print TAP, in Perl where nothing else is said. Each is debugged as the program it is. */
import { among, parts, splitAt, without } from "../command-line.ts";
import type { Failure, Report, Runner } from "../runner.ts";
import { type TapReport, tapReport } from "./report.ts";
import { tapRules } from "./rules.ts";

const TAKES = among(
  "-I -P -M -e --exec --ext --harness --formatter --source -a --archive -j --jobs --state --statefile --rc",
);
const REPORTING = [
  "-q",
  "--quiet",
  "-Q",
  "--QUIET",
  "--formatter",
  "-j",
  "--jobs",
  "-f",
  "--failures",
  "--verbose",
  "-v",
  "-m",
  "--merge",
  "--timer",
];

export const prove: Runner = {
  name: "prove",
  recognise: (words) => splitAt(words, (name) => name === "prove"),
  survey: (line) => ({
    command: () => {
      const { options, others } = parts(line.rest, TAKES);
      // What tests say of a failure goes to stderr: merged, it stands below its `not ok`.
      return [
        ...line.head,
        "--verbose",
        "--merge",
        "--nocolor",
        ...without(options, REPORTING).flat(),
        ...others,
      ];
    },
    read: ({ stdout }) => reportOf(stdout),
  }),
  single: (line, failure) => {
    const { options } = parts(line.rest, TAKES);
    const [exec] = options.filter(([word]) => word === "-e" || word === "--exec");
    const includes = options.flatMap(([word = "", value = ""]) =>
      word === "-I"
        ? [`-I${value}`]
        : /^-I./.test(word)
          ? [word]
          : word === "-l" || word === "--lib"
            ? ["-Ilib"]
            : word === "-b" || word === "--blib"
              ? ["-Mblib"]
              : [],
    );
    const program = exec === undefined ? ["perl", ...includes] : (exec[1] ?? "").split(" ").filter(Boolean);
    return { command: [...program, failure.file ?? ""] };
  },
  ...tapRules,
};

/** `t/cart.t .. ` stands above what each file prints. */
function reportOf(stdout: string): Report | undefined {
  // prove keeps that line to itself, and no file is run after it.
  const [, reason] = /^Bailout called\.\s+Further testing stopped:(.*)$/m.exec(stdout) ?? [];
  const bailed = reason === undefined ? "" : `\nBail out! ${reason.trim()}\n`;
  const parts = stdout.split(/^(\S.*?) \.\.+ ?$/m);
  const all: Report = { passed: 0, skipped: 0, failures: [] };
  let isReport = false;
  for (let at = 1; at < parts.length; at += 2) {
    const [file = "", text = ""] = parts.slice(at, at + 2);
    const isLast = at + 2 >= parts.length;
    const report = fileReport(text, isLast ? bailed : "");
    const isDubious = /^Dubious,/m.test(text);
    isReport ||= report !== undefined;
    all.passed += report?.passed ?? 0;
    all.skipped += report?.skipped ?? 0;
    const { failures = [], unfinished } = report ?? {};
    // Where the program died, that is why the plan is broken.
    const isAll = failures.length === (unfinished === "plan" ? 1 : 0);
    if (isDubious && isAll) all.failures.push(dubious(file, text));
    else all.failures.push(...failures.map((one) => ({ ...one, name: `${file} > ${one.name}`, file })));
  }
  return isReport || all.failures.length > 0 ? all : undefined;
}

/** What one file printed, without what prove says of it. */
function fileReport(text: string, bailed: string): TapReport | undefined {
  const [said = ""] = text.split(/^Test Summary Report$/m);
  const isBad = /^(?:Dubious,|Failed \d+\/\d+ subtests|No subtests run)/m.test(said);
  const own = isBad ? said : said.replace(/^ok$(?![\s\S]*^ok$)/m, "");
  // Whoever bails out at once has printed nothing else, and it is TAP all the same.
  const tap = bailed === "" ? own : `1..0\n${own}${bailed}`;
  return tapReport(tap, isBad ? own : undefined);
}

/** A file that failed without a failed point: what it said of that. */
function dubious(file: string, text: string): Failure {
  const [before = "", after = ""] = text.split(/^(?=Dubious,)/m);
  const said = before.split("\n").filter((line) => !tapRules.chatter?.test(line));
  const message = said.length > 0 ? said.join("\n") : (after.split("\n")[0] ?? "");
  const [, place = "", line] = /\bat (\S.*?) line (\d+)\.?$/m.exec(message) ?? [];
  return {
    name: file,
    file,
    message: message.trim(),
    places: line === undefined ? [] : [{ file: place, line: Number(line) }],
    compared: [],
  };
}
