/** `go test`. A test fails by a call of its `T`'s methods, which no debugger takes for an exception, or by a panic. */
import { regExpText } from "../util/text.ts";
import { among, base, parts, without } from "./command-line.ts";
import type { Failure, Line, Place, Report, Runner } from "./runner.ts";

const TAKES = among(
  "-C -p -asmflags -buildmode -compiler -covermode -coverpkg -gcflags -ldflags -mod -modfile -overlay -tags -toolexec -bench -benchtime -count -coverprofile -cpu -cpuprofile -fuzz -fuzztime -list -memprofile -parallel -run -shuffle -skip -timeout -trace -vet -exec -o",
);
const MANY = [
  "-run",
  "-json",
  "-v",
  "-count",
  "-parallel",
  "-failfast",
  "-bench",
  "-cover",
  "-coverprofile",
  "-shuffle",
];

export const goTest: Runner = {
  name: "go test",
  recognise: (words) => {
    const at = words.findIndex((word, index) => word === "test" && words.slice(0, index).some(isGo));
    const first = words.findIndex(isGo);
    const between = words.slice(first + 1, at);
    if (at < 0 || (between.length > 0 && !between[0]?.startsWith("-C"))) return undefined;
    return { head: words.slice(0, at + 1), rest: words.slice(at + 1) };
  },
  survey: (line, name) => ({
    command: () => {
      const { options, packages, own } = taken(line);
      const kept = name === undefined ? options : without(options, ["-run", "--run"]);
      return [
        ...line.head,
        "-json",
        ...kept.flat(),
        ...(name === undefined ? [] : ["-run", parted(name.replace(/^\S+: /, ""))]),
        ...packages,
        ...own,
      ];
    },
    read: ({ stdout, stderr }) => reportOf(stdout, stderr),
  }),
  single: (line, failure) => {
    const { options, own } = taken(line);
    const plain = options.map(([word = "", ...rest]) => [word.replace(/^--/, "-"), ...rest]);
    const flags = ["-count=1", "-parallel=1"];
    return {
      command: [...line.head, ...without(plain, MANY).flat(), ...flags, ...(failure.again ?? []), ...own],
    };
  },
  together: (line, failure) => goTest.single(line, { ...failure, again: failure.again?.slice(-1) ?? [] }),
  traced: "go",
  catches: ["uncaught"],
  functions: ["testing.(*common).Fail"],
  hides: ({ name, type }) => /^\*testing\.[TBF]$/.test(type ?? "") || name.startsWith("~r"),
  chatter:
    /^$|^=== (RUN|PAUSE|CONT|NAME)|^\s*--- (FAIL|PASS|SKIP): |^(FAIL|PASS)$|^(FAIL|ok)\s+\S+\s+[\d.(]|^exit status \d+$/,
};

function isGo(word: string): boolean {
  return /^go(\d+(\.\d+)*)?$/.test(base(word));
}

/** What follows `-args` is the test binary's own. */
function taken({ rest }: Line) {
  const end = rest.findIndex((word) => /^--?args$/.test(word));
  const mine = end < 0 ? rest : rest.slice(0, end);
  const { options, others } = parts(mine, (word) => TAKES(word.replace(/^--/, "-")));
  return { options, packages: others, own: end < 0 ? [] : rest.slice(end) };
}

function pattern(name: string): string {
  return name
    .split("/")
    .map((part) => `^${regExpText(part)}$`)
    .join("/");
}

/** What contains these, level by level. */
function parted(name: string): string {
  return name.split("/").map(regExpText).join("/");
}

interface Event {
  Action?: string;
  Package?: string;
  ImportPath?: string;
  Test?: string;
  Output?: string;
}

interface Heard {
  test: string;
  pkg: string;
  ended: "pass" | "fail" | "skip" | undefined;
  output: string;
}

function reportOf(stdout: string, stderr: string): Report | undefined {
  const heard = new Map<string, Heard>();
  for (const event of eventsIn(stdout)) {
    const { Action: action, Package: pkg = "", Test: test = "", Output: output = "" } = event;
    const key = `${pkg}\n${test}`;
    const one = heard.get(key) ?? { test, pkg, ended: undefined, output: "" };
    heard.set(key, one);
    if (action === "output") one.output += output;
    if (action === "pass" || action === "fail" || action === "skip") one.ended = action;
  }
  const all = [...heard.values()];
  // Nothing ran: it does not compile, and what go says about that is the answer.
  if (!all.some(({ test }) => test !== "") && (stderr !== "" || !all.some(({ ended }) => ended === "pass")))
    return undefined;
  const isOuter = (one: Heard) =>
    all.some(({ test, pkg, ended }) => pkg === one.pkg && ended === "fail" && inside(test, one.test));
  const failed = all.filter((one) => one.ended === "fail" && !isOuter(one));
  const leaves = all.filter(
    ({ test, pkg }) => test !== "" && !all.some((one) => one.pkg === pkg && inside(one.test, test)),
  );
  const packages = new Set(failed.map(({ pkg }) => pkg));
  return {
    passed: leaves.filter(({ ended }) => ended === "pass").length,
    skipped: leaves.filter(({ ended }) => ended === "skip").length,
    failures: failed.map((one) => failureOf(one, packages.size > 1)),
  };
}

/** A package contains its tests, a test its subtests. */
function inside(test: string, outer: string): boolean {
  return outer === "" ? test !== "" : test.startsWith(`${outer}/`);
}

function eventsIn(stdout: string): Event[] {
  return stdout.split("\n").flatMap((line) => {
    if (!line.startsWith("{")) return [];
    try {
      return [JSON.parse(line) as Event];
    } catch {
      return []; // cut off, or a program's own words
    }
  });
}

function failureOf({ test, pkg, output }: Heard, several: boolean): Failure {
  const panic = /^panic: (.*?)(?: \[recovered[^\]]*\])?$/m.exec(output)?.[1];
  const logged = [...output.matchAll(/^ {4,}(\S+\.go):(\d+): ?(.*(?:\n {8,}.*)*)/gm)];
  const places: Place[] = [...logged, ...output.matchAll(/^\t(\/\S+\.go):(\d+)/gm)].map(
    ([, file = "", line]) => ({
      file,
      line: Number(line),
    }),
  );
  const message = panic ?? logged.map(([, , , words = ""]) => words.replace(/\n {8,}/g, "\n")).join("\n");
  const [, actual, expected] =
    /\b(?:got|actual)[:=]? *(.+?)[,;]? +(?:want|wanted|expected)[:=]? *(.+)$/m.exec(message) ?? [];
  return {
    name: test === "" ? pkg : several ? `${pkg}: ${test}` : test,
    ...(panic === undefined ? {} : { type: "panic" }),
    message,
    places,
    compared:
      actual === undefined || expected === undefined || panic !== undefined
        ? []
        : [
            { label: "got", value: actual },
            { label: "want", value: expected },
          ],
    again: test === "" ? [pkg] : ["-run", pattern(test), pkg],
  };
}
