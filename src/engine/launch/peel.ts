/**
 * Words in front of the program on a command line: assignments and wrappers. What they set is kept, what only wraps is left out,
 * because the debugger starts the program itself; what cannot be debugged through is refused with what to type instead.
 */

import { basename, resolve } from "node:path";
import { advice, blank, call, named, option, type Told } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { splitWords } from "../../util/shell-words.ts";

export interface Peeled {
  command: string[];
  env: Record<string, string>;
  cwd: string;
  /** Wrappers that were left out, as typed. */
  left: string[];
}

interface Wrapper {
  /** Options that take the next word. */
  takes: string[];
  /** Words of its own before the command: `timeout 5`. */
  own?: number;
}

const WRAPPERS = new Map<string, Wrapper>(
  Object.entries({
    time: { takes: ["-f", "--format", "-o", "--output"] },
    nice: { takes: ["-n", "--adjustment"] },
    ionice: { takes: ["-c", "-n", "--class", "--classdata"] },
    nohup: { takes: [] },
    setsid: { takes: [] },
    timeout: { takes: ["-s", "--signal", "-k", "--kill-after"], own: 1 },
    gtimeout: { takes: ["-s", "--signal", "-k", "--kill-after"], own: 1 },
    stdbuf: { takes: ["-i", "-o", "-e", "--input", "--output", "--error"] },
    unbuffer: { takes: [] },
    exec: { takes: ["-a"] },
    command: { takes: [] },
    builtin: { takes: [] },
    caffeinate: { takes: ["-t", "-w"] },
  }),
);

const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ksh", "fish"]);
const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;
/** Anything that makes a line more than one command with plain words. */
const SHELL_SYNTAX = /[;&|<>$`(){}*?[\]\n~#!]/;

/** A system tool by its name or its usual place; `./time` is a program of the user's. */
function toolName(word: string): string {
  return /^(\/usr(\/local)?)?\/s?bin\/[^/]+$/.test(word) ? basename(word) : word;
}

export interface PeelOptions {
  env: Record<string, string>;
  cwd: string;
  /** An adapter was named: it may find the program behind a shell or a build tool. */
  named: boolean;
}

export function peel(command: readonly string[], { env, cwd, named }: PeelOptions): Peeled {
  const peeled: Peeled = { command: [...command], env: { ...env }, cwd, left: [] };
  for (;;) {
    const [first] = peeled.command;
    if (first === undefined) throw nothingLeft(command);
    const word = toolName(first);
    const wrapper = WRAPPERS.get(word);
    if (ASSIGNMENT.test(first)) takeAssignments(peeled);
    else if (word === "env") takeEnv(peeled);
    else if (wrapper) leaveOut(peeled, wrapper);
    else if (SHELLS.has(word) && !named && takeShell(peeled)) continue;
    else break;
  }
  refuse(peeled.command, named);
  return peeled;
}

function takeAssignments(peeled: Peeled): void {
  for (
    let match = ASSIGNMENT.exec(peeled.command[0] ?? "");
    match;
    match = ASSIGNMENT.exec(peeled.command[0] ?? "")
  ) {
    peeled.env[match[1] ?? ""] = match[2] ?? "";
    peeled.command.shift();
  }
}

function takeEnv(peeled: Peeled): void {
  const { command, env } = peeled;
  command.shift();
  takeAssignments(peeled);
  while (command[0]?.startsWith("-")) {
    const [name, inline] = splitOption(command.shift() ?? "", ["-u", "-C", "-S"]);
    const value = () => inline ?? command.shift() ?? "";
    if (name === "-i" || name === "-" || name === "--ignore-environment")
      for (const key of Object.keys(env)) delete env[key];
    else if (name === "-u" || name === "--unset") delete env[value()];
    else if (name === "-C" || name === "--chdir") peeled.cwd = resolve(peeled.cwd, value());
    else if (name === "-S" || name === "--split-string") command.unshift(...splitWords(value()));
    else if (name !== "--")
      throw new SondeError("BAD_ARGUMENT", `env ${name} is not supported`, {
        hint: advice`give the variables by ${option({ env: { KEY: "VALUE" } })} and the program's own command line after \`--\``,
      });
    takeAssignments(peeled);
  }
}

function leaveOut(peeled: Peeled, { takes, own = 0 }: Wrapper): void {
  const { command } = peeled;
  const words = command.splice(0, 1);
  while (command[0]?.startsWith("-")) {
    const word = command.shift() ?? "";
    words.push(word);
    if (word === "--") break;
    if (takes.includes(word) && command.length > 0) words.push(command.shift() ?? "");
  }
  words.push(...command.splice(0, own));
  peeled.left.push(words.join(" "));
}

/** `-uNAME`, `--unset=NAME` */
function splitOption(word: string, joined: readonly string[]): [string, string | undefined] {
  const at = word.indexOf("=");
  if (word.startsWith("--")) return at > 0 ? [word.slice(0, at), word.slice(at + 1)] : [word, undefined];
  return joined.includes(word.slice(0, 2)) && word.length > 2
    ? [word.slice(0, 2), word.slice(2)]
    : [word, undefined];
}

/** `bash -c 'python app.py'` is that command; anything a shell must interpret is not. */
function takeShell(peeled: Peeled): boolean {
  const [shell = "", ...rest] = peeled.command;
  const at = rest.findIndex((word) => /^-[a-z]*c$/.test(word));
  if (at < 0 || !rest.slice(0, at).every((word) => word.startsWith("-"))) return false;
  const line = rest[at + 1] ?? "";
  const words = splitWords(line);
  if (SHELL_SYNTAX.test(line) || words.length === 0) {
    throw new SondeError("BAD_ARGUMENT", `${basename(shell)} -c runs a shell, which cannot be debugged`, {
      hint: advice`${OWN_LINE}; pipes and redirections: ${option({ stdin: blank("file") })}; cd: ${named("cwd")}; variables: ${named("env")}`,
    });
  }
  peeled.left.push(`${basename(shell)} ${rest.slice(0, at + 1).join(" ")}`);
  peeled.command = words;
  return true;
}

const OWN_LINE = advice`give the program's own command line: ${option({ args: [blank("program"), blank("arguments")] })}`;

interface Refusal {
  why: string;
  hint: Told;
  /** Also when an adapter was named. */
  always?: true;
}

const AS_ROOT: Refusal = {
  why: "starts the program as another user, where the debugger cannot reach it",
  hint: advice`run sonde itself as that user, or start the program and use ${call("attach", { pid: blank("pid") })}`,
  always: true,
};
const ELSEWHERE: Refusal = {
  why: "runs the program on another machine or in a container",
  hint: advice`start it there with a debug server, publish its port, and use ${call("attach", { port: blank("host:port") })}`,
};
const DEBUGGER: Refusal = {
  why: "traces the program itself, and two debuggers cannot share it",
  hint: OWN_LINE,
};

const REFUSED = new Map<string, Refusal>([
  ...["sudo", "doas", "su", "runuser", "pkexec"].map((name) => [name, AS_ROOT] as const),
  ...["docker", "podman", "kubectl", "ssh", "nerdctl"].map((name) => [name, ELSEWHERE] as const),
  ...["strace", "ltrace", "valgrind", "gdb", "lldb", "rr", "perf"].map((name) => [name, DEBUGGER] as const),
]);

function refuse(command: readonly string[], named: boolean): void {
  const word = toolName(command[0] ?? "");
  const refusal = REFUSED.get(word);
  if (!refusal || (named && !refusal.always)) return;
  throw new SondeError("BAD_ARGUMENT", `${word} ${refusal.why}`, { hint: refusal.hint });
}

function nothingLeft(command: readonly string[]): SondeError {
  return new SondeError("BAD_ARGUMENT", `\`${command.join(" ")}\` names no program`, {
    hint: OWN_LINE,
  });
}
