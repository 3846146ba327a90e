/** What the program's own Python says of a plan before the run: expressions that are no code, and lines that have none. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";
import { text } from "node:stream/consumers";
import { SondeError } from "../../../errors.ts";
import type { Run } from "../../collector.ts";
import type { Plan, Point } from "../../plan.ts";
import type { Binding } from "../../record.ts";
import { recorderFile } from "./assets.ts";
import type { Program } from "./program.ts";

interface Answer {
  /** By the expressions asked for: what is wrong with one. */
  expressions: (string | null)[];
  files: ({ lines: number[] } | { problem: string })[];
}

/** The points that can be reached; of the others the sink is told. None if the run was cancelled meanwhile. */
export async function check(
  plan: Plan,
  program: Pick<Program, "python" | "cwd" | "env" | "optimize">,
  { sink, signal }: Pick<Run, "sink" | "signal">,
): Promise<number[] | undefined> {
  if (plan.points.length === 0) return [];
  const expressions = [...new Set(plan.points.flatMap(wordsOf))];
  const files = [...new Set(plan.points.map(({ path }) => path))];
  const answer = await ask(program, { expressions, files, optimize: program.optimize }, signal);
  if (answer === undefined) return undefined;
  answer.expressions.forEach((problem, index) => {
    if (problem === null) return;
    throw new SondeError("BAD_ARGUMENT", `not a Python expression: ${expressions[index]}: ${problem}`);
  });
  return plan.points.flatMap((point, index) => {
    const binding = unboundness(point, answer.files[files.indexOf(point.path)]);
    if (binding !== undefined) sink.bind(index, binding);
    return binding === undefined ? [index] : [];
  });
}

/** As they are compiled: debugpy too takes blanks around an expression away. */
export function wordsOf({ expressions, condition }: Point): string[] {
  return [...expressions, ...(condition === undefined ? [] : [condition])].map((one) => one.trim());
}

function unboundness({ path, line }: Point, file: Answer["files"][number] | undefined): Binding | undefined {
  if (file === undefined) return undefined;
  if ("problem" in file) return { state: "unbound", reason: `${basename(path)}: ${file.problem}` };
  if (file.lines.includes(line)) return undefined;
  const nearest = [file.lines.findLast((one) => one < line), file.lines.find((one) => one > line)];
  return {
    state: "unbound",
    reason: `no code on line ${line} of ${basename(path)}`,
    nearest: nearest.filter((one) => one !== undefined),
  };
}

async function ask(
  { python, cwd, env }: Pick<Program, "python" | "cwd" | "env">,
  question: object,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  // -I: files in the program's folder must not be taken for modules of Python's own.
  const args = ["-I", recorderFile("check.py")];
  const child = spawn(python.path, args, { cwd, env, stdio: "pipe", signal, killSignal: "SIGKILL" });
  child.stdin.on("error", () => {}); // it may end without having read; its words on stderr say why
  child.stdin.end(JSON.stringify(question));
  const said = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const [answer, complaint] = await said.catch((cause: unknown) => {
    if (signal.aborted) return [];
    throw failed(python.path, cause instanceof Error ? cause.message : String(cause));
  });
  if (signal.aborted || answer === undefined) return undefined;
  if (child.exitCode !== 0) throw failed(python.path, complaint?.trim().split("\n").at(-1) || "no answer");
  return JSON.parse(answer) as Answer;
}

function failed(path: string, why: string): SondeError {
  return new SondeError("LAUNCH_FAILED", `${path} cannot be run: ${why}`);
}
