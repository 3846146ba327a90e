/** JUnit's console launcher, which Gradle does without: `java -jar junit-platform-console-standalone.jar execute …`. */
import { among, parts } from "./command-line.ts";
import type { Failure, Place, Report, Runner, Seen } from "./runner.ts";

const LAUNCHER =
  /(?:^|\/)junit-platform-console-standalone[^/]*\.jar$|^org\.junit\.platform\.console\.ConsoleLauncher$/;
const TAKES = among(
  "-cp --cp --class-path --classpath -f --select-file -u --select-uri -d --select-directory -o --select-module -p --select-package -c --select-class -m --select-method -r --select-resource -i --select-iteration --uid --select-unique-id -n --include-classname -N --exclude-classname --include-package --exclude-package --include-methodname --exclude-methodname -t --include-tag -T --exclude-tag -e --include-engine -E --exclude-engine --config --config-resource --reports-dir --details --details-theme",
);
/** What says which tests to run, and how to tell of them. */
const WHICH =
  /^(?:-f|-u|-d|-o|-p|-c|-m|-r|-i|-n|-N|-t|-T|--uid|--select-[a-z-]+|--(?:in|ex)clude-(?:classname|package|methodname|tag)|--scan-[a-z-]+|--details(?:-theme)?)(?:=|$)/;
const QUIETLY = ["--disable-banner", "--disable-ansi-colors"];

export const junitConsole: Runner = {
  name: "junit",
  recognise(words) {
    if (!/(?:^|\/)java$/.test(words[0] ?? "")) return undefined;
    const at = words.findIndex((word) => LAUNCHER.test(word));
    if (at < 0) return undefined;
    const rest = words.slice(at + 1);
    return {
      head: [...words.slice(0, at + 1), "execute"],
      rest: rest[0] === "execute" ? rest.slice(1) : rest,
    };
  },
  survey: ({ head, rest }) => ({
    command: () => [
      ...head,
      ...rest.filter((word) => !/^--details(?:=|$)/.test(word)),
      ...QUIETLY,
      "--details=none",
    ],
    read: ({ stdout }) => reportOf(stdout),
  }),
  single({ head, rest }, { again = [] }) {
    const kept = parts(rest, TAKES).options.filter(([option = ""]) => !WHICH.test(option));
    return { command: [...head, ...kept.flat(), ...again, ...QUIETLY, "--details=none"] };
  },
  catches: ["all"],
  owns: isJunit,
  traced: "java",
};

function reportOf(stdout: string): Report | undefined {
  const count = (what: string) =>
    Number(new RegExp(`^\\[ +(\\d+) tests ${what} +\\]$`, "m").exec(stdout)?.[1] ?? 0);
  if (!/^\[ +\d+ tests found +\]$/m.test(stdout)) return undefined;
  const [, told = ""] = /^Failures \(\d+\):\n([\s\S]*?)\n\nTest run finished/m.exec(stdout) ?? [];
  const failures = told.split(/\n(?= {2}\S)/).flatMap((one) => failureOf(one) ?? []);
  return { passed: count("successful"), skipped: count("skipped") + count("aborted"), failures };
}

function failureOf(told: string): Failure | undefined {
  const [, className, method, types = ""] =
    /MethodSource \[className = '([^']+)', methodName = '([^']+)', methodParameterTypes = '([^']*)'\]/.exec(
      told,
    ) ?? [];
  if (className === undefined || method === undefined) return undefined;
  const [, thrown = ""] = /^ +=> ([\s\S]*)$/m.exec(told) ?? [];
  return {
    name: `${className}.${method}`,
    places: javaPlaces(told),
    ...javaThrown(thrown),
    again: ["--select-method", `${className}#${method}(${types})`],
  };
}

/** Frames of JUnit, of what runs it and of libraries of assertions. */
export function isJunit({ name }: Seen): boolean {
  return /^(?:org\.junit|junit\.framework|org\.opentest4j|org\.apache\.maven|org\.gradle|org\.testng|org\.hamcrest|org\.assertj)\b/.test(
    name,
  );
}

/** `org.opentest4j.AssertionFailedError: expected: <30> but was: <25>`, above its stack. */
export function javaThrown(text: string): Pick<Failure, "type" | "message" | "compared"> {
  const [, type = "", message = ""] =
    /^([\w.$]+)(?:: ([\s\S]*?))?(?=\n\s+(?:at )?\S+\(|\s*$)/.exec(text.trimStart()) ?? [];
  const [, expected, actual] = /expected: ?<(.*?)> but was: ?<(.*?)>/s.exec(message) ?? [];
  return {
    ...(type === "" ? {} : { type: type.replace(/^.*\./, "") }),
    ...(message === "" ? {} : { message }),
    compared:
      expected === undefined || actual === undefined
        ? []
        : [
            { label: "expected", value: expected },
            { label: "but was", value: actual },
          ],
  };
}

/** Class files name their source, but not its folder. */
export function javaPlaces(told: string): Place[] {
  return [...told.matchAll(/^\s+(?:at )?(\S+)\((\w+\.(?:java|kt|groovy)):(\d+)\)$/gm)]
    .filter(([, name = ""]) => !/^(?:java\.|jdk\.|java\.base\/)/.test(name) && !isJunit({ name, line: 0 }))
    .map(([, , file = "", line]) => ({ file, line: Number(line) }));
}
