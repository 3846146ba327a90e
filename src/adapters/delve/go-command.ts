/** `go run` and `go test` command lines, taken apart: what is built, how, and what the program is given. */

import { resolve } from "node:path";
import { advice, blank, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";

export interface GoCommand {
  verb: "run" | "test";
  /** `-C`, or where it was typed. */
  cwd: string;
  buildFlags: string[];
  /** A package, or files of one. */
  what: string[];
  args: string[];
  /** What was left out, and why. */
  notes: string[];
}

/** Flags of `go build` that take a value. */
const BUILD_VALUES = words(
  "p asmflags buildmode compiler covermode coverpkg gccgoflags gcflags installsuffix ldflags mod modfile overlay pgo pkgdir tags toolexec",
);
const BUILD_SWITCHES = words(
  "a race msan asan cover v work x linkshared modcacherw trimpath buildvcs json n",
);
/** Flags that a test binary knows, as `-test.run`. */
const TEST_VALUES = words(
  "bench benchtime blockprofile blockprofilerate count coverprofile cpu cpuprofile fuzz fuzztime fuzzminimizetime list memprofile memprofilerate mutexprofile mutexprofilefraction outputdir parallel run shuffle skip timeout trace",
);
const TEST_SWITCHES = words("v short failfast fullpath benchmem artifacts");
/** They only concern `go test` itself. */
const DROPPED_VALUES = words("exec o");
const DROPPED_SWITCHES = words("json");
/** Then nothing is run. */
const NOT_RUNNING = words("c n i");

function words(text: string): Set<string> {
  return new Set(text.split(" "));
}

export function parseGoCommand(command: readonly string[], cwd: string): GoCommand {
  const [, ...rest] = command;
  let folder = cwd;
  const change = /^--?C(?:=(.*))?$/.exec(rest[0] ?? "");
  if (change) {
    folder = resolve(cwd, change[1] ?? rest[1] ?? ".");
    rest.splice(0, change[1] === undefined ? 2 : 1);
  }
  const [verb, ...typed] = rest;
  if (verb === "run") return parseRun(typed, folder);
  if (verb === "test") return parseTest(typed, folder);
  throw new SondeError("BAD_ARGUMENT", `\`go ${verb ?? ""}\` does not run a program to debug`, {
    hint: advice`${call("start", { args: ["go", "run", blank("package")] })}, ${call("start", { args: ["go", "test", blank("package")] })}, or ${call("start", { program: blank("binary") })}`,
  });
}

function parseRun(typed: string[], cwd: string): GoCommand {
  const parsed: GoCommand = { verb: "run", cwd, buildFlags: [], what: [], args: [], notes: [] };
  const left = [...typed];
  while (left[0]?.startsWith("-")) {
    const flag = takeFlag(left, (name) => BUILD_VALUES.has(name) || name === "C" || name === "exec");
    if (flag.name === "C") parsed.cwd = resolve(cwd, flag.value ?? ".");
    else if (flag.name === "exec") throw notWithExec();
    else addBuildFlag(parsed, flag);
  }
  const files = left.findIndex((word) => !word.endsWith(".go"));
  const count = left[0]?.endsWith(".go") ? (files < 0 ? left.length : files) : 1;
  parsed.what = left.slice(0, count);
  parsed.args = left.slice(count);
  return parsed;
}

function parseTest(typed: string[], cwd: string): GoCommand {
  const parsed: GoCommand = { verb: "test", cwd, buildFlags: [], what: [], args: [], notes: [] };
  const own = typed.findIndex((word) => /^--?args$/.test(word));
  const left = own < 0 ? [...typed] : typed.slice(0, own);
  const after = own < 0 ? [] : typed.slice(own + 1);
  let packages: "open" | "closed" = "open";
  while (left.length > 0) {
    if (!left[0]?.startsWith("-")) {
      const word = left.shift() ?? "";
      // What follows a flag that is the test's own, after the packages, is the test's too.
      if (packages === "open") parsed.what.push(word);
      else parsed.args.push(word);
      continue;
    }
    if (parsed.what.length > 0) packages = "closed";
    const flag = takeFlag(
      left,
      (name) =>
        [BUILD_VALUES, TEST_VALUES, DROPPED_VALUES].some((set) => set.has(name)) ||
        ["C", "vet"].includes(name),
    );
    addTestFlag(parsed, flag, cwd);
  }
  if (parsed.what.length === 0) parsed.what = ["."];
  parsed.args.push(...after);
  return parsed;
}

interface Flag {
  name: string;
  value?: string;
  typed: string[];
}

function takeFlag(left: string[], takesValue: (name: string) => boolean): Flag {
  const word = left.shift() ?? "";
  const [, name = "", value] = /^--?([^=]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
  if (value !== undefined) return { name, value, typed: [word] };
  const next = takesValue(name.replace(/^test\./, "")) ? left.shift() : undefined;
  return next === undefined ? { name, typed: [word] } : { name, value: next, typed: [word, next] };
}

function addTestFlag(parsed: GoCommand, flag: Flag, cwd: string): void {
  const { value, typed } = flag;
  const name = flag.name.replace(/^test\./, "");
  if (name === "C") parsed.cwd = resolve(cwd, value ?? ".");
  else if (NOT_RUNNING.has(name))
    throw new SondeError("BAD_ARGUMENT", `\`go test -${name}\` does not run tests`, {
      hint: `leave -${name} out`,
    });
  else if (name === "exec") throw notWithExec();
  else if (TEST_VALUES.has(name) || TEST_SWITCHES.has(name)) {
    parsed.args.push(`-test.${name}${value === undefined ? "" : `=${value}`}`);
    if (name === "coverprofile" && !parsed.buildFlags.includes("-cover")) parsed.buildFlags.push("-cover");
  } else if (DROPPED_VALUES.has(name) || DROPPED_SWITCHES.has(name))
    parsed.notes.push(`-${name} is ignored: it is for go test itself`);
  // Building a test looks at it as well, and may refuse it.
  else if (name === "vet") parsed.buildFlags.push(`-vet=${value ?? ""}`);
  else if (BUILD_VALUES.has(name) || BUILD_SWITCHES.has(name)) addBuildFlag(parsed, flag);
  else parsed.args.push(...typed); // a flag that the tests themselves define
}

/** Those that take from the debugger what it lives on are changed, and that is said. */
function addBuildFlag({ buildFlags, notes }: GoCommand, { name, value, typed }: Flag): void {
  if (name === "trimpath") {
    notes.push("-trimpath is ignored: with it the debugger could not find the source");
  } else if (name === "ldflags" && value !== undefined && /(^|\s)-[sw](?=\s|$)/.test(value)) {
    notes.push("-s and -w are removed from -ldflags: they strip the debug information");
    buildFlags.push(`-ldflags=${value.replace(/(^|\s)-[sw](?=\s|$)/g, "").trim()}`);
  } else buildFlags.push(...typed);
}

function notWithExec(): SondeError {
  return new SondeError("BAD_ARGUMENT", "a program that runs under -exec cannot be debugged", {
    hint: "omit -exec",
  });
}

/** For a test binary: `-run X` becomes `-test.run=X`, and so on. */
export function testArguments(args: readonly string[]): string[] {
  const parsed = parseTest([".", ...args], ".");
  return parsed.args;
}
