/** `cargo run`, `cargo test`, `cargo build`: the build first, with cargo's own words, then the executable it made. */
import { dirname } from "node:path";
import { SondeError } from "../../errors.ts";
import { runGroup } from "../../util/group-run.ts";
import type { Host } from "../adapter.ts";

/** A first build fetches and compiles everything it depends on. */
const LONGEST_MS = 10 * 60_000;
const GRACE_MS = 1_000;
/** Of a failed build, for the reader. */
const LAST_WORDS = 3_000;

interface Around {
  cwd: string;
  env: Record<string, string>;
}

interface Artifact {
  executable: string;
  target: { name: string; kind: string[] };
  manifest: string;
  packageId: string;
  test: boolean;
}

/** Subcommands that run something, and how to only build it. */
const BUILDS: Record<string, string[]> = {
  run: ["build"],
  r: ["build"],
  test: ["test", "--no-run"],
  t: ["test", "--no-run"],
  bench: ["bench", "--no-run"],
  build: ["build"],
  b: ["build"],
};

export async function runCargo(cargo: string, words: string[], { cwd, env }: Around, host: Host) {
  const { toolchain, subcommand, options, args } = parse(words);
  const build = Object.hasOwn(BUILDS, subcommand) ? BUILDS[subcommand] : undefined;
  if (!build)
    throw new SondeError("BAD_ARGUMENT", `cargo ${subcommand} does not run a program to debug`, {
      hint: "cargo run, cargo test, cargo bench and cargo build can be debugged",
    });
  const command = [...toolchain, ...build, ...options, "--message-format=json-render-diagnostics"];
  const artifacts = await built(cargo, command, { cwd, env }, host);
  const chosen = choose(artifacts, subcommand);
  const folder = dirname(chosen.manifest);
  return {
    program: chosen.executable,
    args,
    // As cargo does it: tests run in their package's folder, programs where the caller is.
    cwd: chosen.test ? folder : cwd,
    env: { ...env, CARGO: cargo, CARGO_MANIFEST_DIR: folder, ...packageVariables(chosen) },
  };
}

/** `+nightly run --bin x -- a b`. */
function parse(words: string[]) {
  const end = words.indexOf("--");
  const own = end < 0 ? words : words.slice(0, end);
  const args = end < 0 ? [] : words.slice(end + 1);
  const at = own.findIndex((word) => Object.hasOwn(BUILDS, word));
  const first = own.find((word) => !/^[-+]/.test(word)) ?? "";
  if (at < 0) return { toolchain: [], subcommand: first, options: [], args };
  const subcommand = own[at] ?? "";
  const { options, others } = apart(own.slice(at + 1), /^r(un)?$/.test(subcommand));
  // The name of a test is the test program's own argument; so is all that follows the first word of `cargo run`.
  return { toolchain: own.slice(0, at), subcommand, options, args: [...others, ...args] };
}

/** Options that take the next word. */
const TAKES = new Set(
  "-p --package --exclude --bin --test --example --bench -F --features -j --jobs --profile --target --target-dir --manifest-path --color --config -Z --message-format --lockfile-path".split(
    " ",
  ),
);

/** Cargo's options, and the words among them that are none. */
function apart(words: readonly string[], toEnd: boolean): { options: string[]; others: string[] } {
  const options: string[] = [];
  const others: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (toEnd && others.length > 0) others.push(word);
    else if (!word.startsWith("-")) others.push(word);
    else {
      options.push(word);
      const value = words[at + 1];
      if (TAKES.has(word) && value !== undefined) {
        options.push(value);
        at++;
      }
    }
  }
  return { options, others };
}

async function built(
  cargo: string,
  command: string[],
  { cwd, env }: Around,
  host: Host,
): Promise<Artifact[]> {
  const artifacts: Artifact[] = [];
  let line = "";
  let said = "";
  const ended = await runGroup(cargo, command, {
    ...{ cwd, env, signal: host.signal, timeoutMs: LONGEST_MS, graceMs: GRACE_MS },
    owner: {
      watch: (pid) => host.processes.own(pid, "cargo", "adapter"),
      forget: (pid) => host.processes.release(pid),
    },
    heard: (text, stream) => {
      if (stream === "stderr") {
        said = `${said}${text}`.slice(-LAST_WORDS);
        host.say(text);
        return;
      }
      const lines = `${line}${text}`.split("\n");
      line = lines.pop() ?? "";
      artifacts.push(...lines.flatMap(artifact));
    },
  });
  switch (ended.how) {
    case "aborted":
      throw new SondeError("CANCELLED", `${shown(command)} was cancelled`);
    case "timeout":
      throw new SondeError("TIMEOUT", `${shown(command)} was ended after ${LONGEST_MS / 60_000} minutes`);
    case "failed":
      throw failed(command, ended.error.message);
  }
  if (ended.code !== 0)
    throw failed(command, said.trim() || `it ended with ${ended.signal ?? `code ${ended.code}`}`);
  return [...artifacts, ...artifact(line)];
}

function failed(command: string[], words: string): SondeError {
  return new SondeError("LAUNCH_FAILED", `${shown(command)} failed:\n${words}`);
}

function shown(command: string[]): string {
  return ["cargo", ...command.filter((word) => !word.startsWith("--message-format"))].join(" ");
}

/** What a build script or a wrapper around the compiler prints stands between cargo's own messages. */
function artifact(line: string): Artifact[] {
  const message = record(line);
  if (message?.reason !== "compiler-artifact" || typeof message.executable !== "string") return [];
  const { executable, target, manifest_path, package_id, profile } = message;
  return [
    {
      executable,
      target: target as Artifact["target"],
      manifest: String(manifest_path),
      packageId: String(package_id),
      test: (profile as { test?: boolean } | undefined)?.test === true,
    },
  ];
}

function record(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function choose(artifacts: Artifact[], subcommand: string): Artifact {
  const [only, ...others] = artifacts;
  if (!only)
    throw new SondeError("LAUNCH_FAILED", `cargo ${subcommand} builds no executable here`, {
      hint: "a library has only tests: cargo test",
    });
  if (others.length === 0) return only;
  const flags = artifacts.map(flagFor);
  throw new SondeError("BAD_ARGUMENT", `cargo ${subcommand} builds ${artifacts.length} executables`, {
    hint: `choose one: ${[...new Set(flags)].join(", ")}`,
  });
}

function flagFor({ target, test }: Artifact): string {
  const [kind = "bin"] = target.kind;
  if (kind === "test" || kind === "bench" || kind === "example") return `--${kind} ${target.name}`;
  if (kind === "bin") return `--bin ${target.name}`;
  return test ? "--lib" : `--bin ${target.name}`;
}

/** `path+file:///home/me/thing#name@0.1.0`, or `…/name#0.1.0`; older: `name 0.1.0 (path+…)`. */
function packageVariables({ packageId, manifest }: Artifact): Record<string, string> {
  const old = /^(\S+) (\d\S*) \(/.exec(packageId);
  const version = old?.[2] ?? /(?:#|@)(\d[^#@]*)$/.exec(packageId)?.[1];
  const name = old?.[1] ?? /#([^@#]+)@/.exec(packageId)?.[1] ?? /\/([^/#]+)#/.exec(packageId)?.[1];
  return {
    CARGO_MANIFEST_PATH: manifest,
    ...(name === undefined ? {} : { CARGO_PKG_NAME: name }),
    ...(version === undefined ? {} : { CARGO_PKG_VERSION: version }),
  };
}
