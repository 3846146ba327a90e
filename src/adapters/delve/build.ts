/**
 * Building what is to be debugged: by go itself, without optimisation, into a folder that is gone when the session is, whatever
 * ends it.
 */

import { execFile, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import { advice, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { temporaryFolder } from "../../util/left-folders.ts";
import type { Host, LaunchPlan } from "../adapter.ts";
import { isMachineCode } from "../kit/files.ts";
import { startOwned } from "../kit/process.ts";
import { onText } from "./connection.ts";
import { requireGo } from "./find.ts";
import type { GoCommand } from "./go-command.ts";

export interface Built {
  program: string;
  /** Where `go test` would run it: in its package's folder. */
  folder: string;
  /** Functions a reader would call the beginning. */
  entries: string[];
  remove(): void;
}

const UNOPTIMISED = "-gcflags=all=-N -l";
const MOST_WORDS = 4000;

export async function build(
  go: GoCommand,
  name: string,
  { env, cwd: from }: Pick<LaunchPlan, "env" | "cwd">,
  host: Host,
  { optimised = false }: { optimised?: boolean } = {},
): Promise<Built> {
  const compiler = requireGo(host.where);
  const folder = go.verb === "test" ? await testedFolder(compiler, go, env) : go.cwd;
  const holder = scratchFolder();
  const program = join(holder.path, name);
  const verb = go.verb === "test" ? ["test", "-c"] : ["build"];
  const args = [...verb, ...(optimised ? [] : [UNOPTIMISED]), ...go.buildFlags, "-o", program, ...go.what];
  for (const note of go.notes) host.say(`sonde: ${note}\n`);
  try {
    await compile(host, { command: compiler, args, cwd: go.cwd, env });
    // Of any other package go makes an archive.
    if (go.verb === "run" && !isMachineCode(program))
      throw new SondeError(
        "LAUNCH_FAILED",
        `${go.what[0] === "." ? go.cwd : go.what.join(" ")} is not package main, so it cannot run`,
      );
  } catch (error) {
    holder.remove();
    throw go.verb === "run" ? withTests(error, go, from) : error;
  }
  const entries = go.verb === "test" ? testFunctions(folder) : ["main.main"];
  return { program, folder, entries, remove: holder.remove };
}

/** A package that is no program may be run by its tests. */
function withTests(error: unknown, go: GoCommand, from: string): unknown {
  const [what = "."] = go.what;
  if (!(error instanceof SondeError) || !NO_PROGRAM.test(error.message) || what.endsWith(".go")) return error;
  const tested = resolve(go.cwd, what);
  if (!existsSync(tested) || !readdirSync(tested).some((one) => one.endsWith("_test.go"))) return error;
  const folder = relative(from, tested);
  const inside = !/^\.\.(\/|$)/.test(folder) && !existsSync(join(tested, "go.mod"));
  const args = inside || folder === "" ? ["go", "test", `./${folder}`] : ["go", "-C", tested, "test"];
  return new SondeError(error.code, error.message, {
    hint: advice`run its tests: ${call("start", { args })}`,
  });
}

const NO_PROGRAM = /no non-test Go files|is not package main/;

async function compile(
  host: Host,
  command: { command: string; args: string[]; cwd: string; env: Record<string, string> },
): Promise<void> {
  const process = await startOwned(host, command, "go build");
  const { child } = process;
  child.stdin?.end();
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    onText(stream, (text) => {
      if (said.length < MOST_WORDS) said += text;
    });
  const cancel = () => void child.kill("SIGKILL");
  host.signal?.addEventListener("abort", cancel, { once: true });
  if (host.signal?.aborted) cancel();
  await process.ended;
  host.signal?.removeEventListener("abort", cancel);
  if (host.signal?.aborted) throw new SondeError("CANCELLED", "cancelled during the Go build");
  const words = said.slice(0, MOST_WORDS).trimEnd();
  if (child.exitCode !== 0)
    throw new SondeError("LAUNCH_FAILED", `go could not build it:\n${words || "(it printed nothing)"}`);
  if (/no test files/.test(words)) throw new SondeError("LAUNCH_FAILED", words);
}

/** One package at a time: each has a binary of its own. */
async function testedFolder(compiler: string, go: GoCommand, env: Record<string, string>): Promise<string> {
  const [first = "."] = go.what;
  if (go.what.every((one) => one.endsWith(".go"))) return resolve(go.cwd, first, "..");
  const plain =
    go.what.length === 1 && !first.includes("...") && (/^\.{1,2}(\/|$)/.test(first) || isAbsolute(first));
  if (plain) return resolve(go.cwd, first);
  const listed = await list(
    compiler,
    ["-f", "{{.Dir}}\t{{len .TestGoFiles}}{{len .XTestGoFiles}}\t{{.ImportPath}}", ...go.what],
    go.cwd,
    env,
  );
  const packages = listed
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));
  const tested = packages.filter(([, count]) => count !== "00");
  const [one, ...more] = tested.length > 0 ? tested : packages;
  if (one === undefined || more.length > 0)
    throw new SondeError("BAD_ARGUMENT", `${go.what.join(" ")} is ${tested.length} packages with tests`, {
      hint: `debug one at a time: ${tested
        .slice(0, 5)
        .map(([, , path]) => path)
        .join(", ")}`,
    });
  go.what = [one[2] ?? first];
  return one[0] ?? go.cwd;
}

function list(compiler: string, args: string[], cwd: string, env: Record<string, string>): Promise<string> {
  return new Promise((done, failed) => {
    const child = execFile(compiler, ["list", ...args], { cwd, env }, (error, stdout, stderr) =>
      error ? failed(new SondeError("LAUNCH_FAILED", stderr.trim() || error.message)) : done(stdout),
    );
    child.stdin?.end();
  });
}

const TEST_FUNCTION = /^func\s+((?:Test|Benchmark|Fuzz|Example)\w*)\s*\(/gm;

function testFunctions(folder: string): string[] {
  const files = readdirSync(folder).filter((one) => one.endsWith("_test.go"));
  const names = files.flatMap((one) =>
    [...readFileSync(join(folder, one), "utf8").matchAll(TEST_FUNCTION)].map((match) => match[1] ?? ""),
  );
  return names.filter((name) => name !== "TestMain");
}

/** A shell that reads end-of-file when we let go of it, or die, and removes the folder then. */
function scratchFolder(): { path: string; remove(): void } {
  const path = temporaryFolder("go");
  const remover = spawn("/bin/sh", ["-c", 'read -r _; rm -rf -- "$0"', path], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    cwd: "/",
  });
  remover.on("error", () => {});
  remover.stdin?.on("error", () => {});
  remover.unref();
  return { path, remove: () => void remover.stdin?.end() };
}
