/** ctest: tests are commands, so the one that fails is debugged as the program it is. */
import { regExpText } from "../util/text.ts";
import { BARE_ENV, bare } from "./bare.ts";
import { among, parts, splitAt, without } from "./command-line.ts";
import type { Failure, Report, Runner } from "./runner.ts";

const TAKES = among(
  "-R --tests-regex -E --exclude-regex -L --label-regex -LE --label-exclude -j --parallel --test-dir -C --build-config --timeout --output-junit -O --output-log --repeat --preset -I --tests-information",
);
const WHICH = [
  "-R",
  "--tests-regex",
  "-E",
  "--exclude-regex",
  "-L",
  "--label-regex",
  "-LE",
  "-I",
  "--tests-information",
  "-j",
  "--parallel",
];

export const ctest: Runner = {
  name: "ctest",
  recognise: (words) => splitAt(words, (name) => name === "ctest"),
  survey: (line, name) => ({
    complete: true,
    command: () => [...line.head, ...line.rest, ...(name === undefined ? [] : ["-R", regExpText(name)])],
    read: ({ stdout }) => reportOf(stdout),
  }),
  single: (line, { name }) => {
    const { options } = parts(line.rest, TAKES);
    const which = ["--show-only=json-v1", "-R", `^${regExpText(name)}$`];
    return {
      command: [...line.head, ...without(options, WHICH).flat(), ...which],
      read: (said) => testIn(said, name),
    };
  },
  traced: "c++",
  ...bare,
};

function reportOf(stdout: string): Report | undefined {
  const [, all] = /^\d+% tests passed, \d+ tests? failed out of (\d+)/m.exec(stdout) ?? [];
  if (all === undefined) return undefined;
  const lines = [...stdout.matchAll(/^\s*\d+\/\d+ Test +#\d+: (.+?) \.+ *(.*?) +[\d.]+ sec/gm)];
  const ended = lines.map(([, name = "", how = ""]) => ({ name, how: how.replace(/^\.+\s*/, "") }));
  const skipped = ended.filter(({ how }) => /\*\*\*Skipped/.test(how)).length;
  const failures = ended.filter(({ how }) => /\*\*\*/.test(how) && !/\*\*\*Skipped/.test(how)).map(failureOf);
  return { passed: Math.max(0, Number(all) - failures.length - skipped), skipped, failures };
}

function failureOf({ name }: { name: string }): Failure {
  return { name, places: [], compared: [] };
}

interface Told {
  tests?: { name?: string; command?: string[]; properties?: { name?: string; value?: unknown }[] }[];
}

function testIn(said: string, name: string) {
  let told: Told;
  try {
    told = JSON.parse(said) as Told;
  } catch {
    return undefined; // a ctest before 3.14 does not list its tests this way
  }
  const test = told.tests?.find((one) => one.name === name);
  if (test?.command === undefined) return undefined;
  const property = (wanted: string) => test.properties?.find((one) => one.name === wanted)?.value;
  const [folder, variables] = [property("WORKING_DIRECTORY"), property("ENVIRONMENT")];
  const pairs = (Array.isArray(variables) ? variables : []).map((pair) =>
    String(pair).split(/=(.*)/s).slice(0, 2),
  );
  return {
    command: test.command,
    env: { ...BARE_ENV, ...(Object.fromEntries(pairs) as Record<string, string>) },
    ...(typeof folder === "string" ? { cwd: folder } : {}),
  };
}
