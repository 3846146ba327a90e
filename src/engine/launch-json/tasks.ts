/** `preLaunchTask`: named in the answer with its command line; run only when asked for by `--run-tasks`. */

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import * as z from "zod";
import { advice, named, option, type Told } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { shellWord } from "../../util/shell-words.ts";
import { plural } from "../../util/text.ts";
import { readChecked } from "./read.ts";

const text = z.union([z.string(), z.looseObject({ value: z.string() }).transform((one) => one.value)]);
const Options = z.looseObject({
  cwd: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const Task = z.looseObject({
  label: z.string().optional(),
  taskName: z.string().optional(),
  type: z.string().default("shell"),
  command: text.optional(),
  args: z.array(text).default([]),
  script: z.string().optional(),
  path: z.string().optional(),
  options: Options.optional(),
  isBackground: z.boolean().default(false),
  dependsOn: z.union([z.string(), z.array(z.string())]).optional(),
  group: z.unknown().optional(),
});
type Task = z.infer<typeof Task>;
const TasksJson = z.looseObject({ tasks: z.array(Task).default([]), options: Options.optional() });

const MOST_LINES = 15;

/** One process to start. */
interface Work {
  label: string;
  /** For people and models to type. */
  line: string;
  command: string[];
  cwd: string;
  env: Record<string, string>;
  background: boolean;
}

export interface TaskOptions {
  launchJson: string;
  folder: string;
  env: Record<string, string>;
  substitute(text: string): string;
}

/** What the task and those it depends on would run, in order. Throws where that cannot be said. */
function workOf(label: string, options: TaskOptions, seen: readonly string[] = []): Work[] {
  if (seen.includes(label)) throw new SondeError("BAD_CONFIG", `tasks.json: ${label} depends on itself`);
  const file = join(dirname(options.launchJson), "tasks.json");
  const all = existsSync(file) ? readChecked(file, TasksJson) : undefined;
  const task = all?.tasks.find((one) => isCalled(one, label));
  if (!task) {
    const script = /^npm: (\S+)/.exec(label)?.[1];
    if (script === undefined)
      throw new SondeError("BAD_CONFIG", `no task ${label} in ${all ? file : dirname(file)}`);
    return [work(label, ["npm", "run", script], options, {})];
  }
  const before = task.dependsOn === undefined ? [] : [task.dependsOn].flat();
  return [
    ...before.flatMap((one) => workOf(one, options, [...seen, label])),
    ...own(task, label, options, { ...all?.options, ...task.options }),
  ];
}

function isCalled(task: Task, label: string): boolean {
  const { group } = task;
  const isDefault = typeof group === "object" && group !== null && "isDefault" in group && group.isDefault;
  return (
    [task.label, task.taskName].includes(label) || (label === "${defaultBuildTask}" && Boolean(isDefault))
  );
}

function own(task: Task, label: string, options: TaskOptions, where: z.infer<typeof Options>): Work[] {
  const set = options.substitute;
  const args = task.args.map(set);
  if (task.type === "npm" && task.script !== undefined) {
    const at = task.path === undefined ? {} : { cwd: task.path };
    return [work(label, ["npm", "run", task.script], options, { ...at, ...where })];
  }
  if (task.command === undefined) {
    if (task.dependsOn !== undefined) return [];
    throw new SondeError(
      "UNSUPPORTED",
      `task ${label} is of type ${task.type}, which only an editor can run`,
    );
  }
  const command = set(task.command);
  const made = work(label, [command, ...args], options, where);
  const shell = task.type === "shell" || task.type === "cppbuild";
  const line = [command, ...args.map(shellWord)].join(" ");
  return [
    {
      ...made,
      line: shell ? line : made.line,
      command: shell ? ["/bin/sh", "-c", line] : made.command,
      background: task.isBackground,
    },
  ];
}

function work(label: string, command: string[], options: TaskOptions, where: z.infer<typeof Options>): Work {
  const env = Object.entries(where.env ?? {}).map(
    ([key, value]) => [key, options.substitute(value)] as const,
  );
  return {
    label,
    line: command.map(shellWord).join(" "),
    command,
    cwd: resolve(options.folder, options.substitute(where.cwd ?? ".")),
    env: { ...options.env, ...Object.fromEntries(env) },
    background: false,
  };
}

/** For the answer: what was not run, and how to run it. */
export function taskNote(label: string, options: TaskOptions): Told {
  const unrun = `preLaunchTask ${label} was not run`;
  try {
    const lines = workOf(label, options).map((one) => one.line);
    return advice`${unrun}: \`${lines.join("` and `")}\` (${option({ runTasks: true })} runs it)`;
  } catch (error) {
    return `${unrun}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

export async function runTask(label: string, options: TaskOptions, signal: AbortSignal): Promise<string> {
  const all = workOf(label, options);
  const endless = all.find((one) => one.background);
  if (endless)
    throw new SondeError("UNSUPPORTED", `task ${endless.label} runs in the background and never ends`, {
      hint: advice`start it yourself, then start without ${named("runTasks")}; its command line is in .vscode/tasks.json`,
    });
  for (const one of all) await run(one, signal);
  return `ran preLaunchTask ${label}: \`${all.map((one) => one.line).join("` and `")}\``;
}

/** In a group of its own, so that a cancelled task takes along what it started. */
function run({ label, line, command, cwd, env }: Work, signal: AbortSignal): Promise<void> {
  const [file = "", ...args] = command;
  return new Promise((done, fail) => {
    const child = spawn(file, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    let said = "";
    const hear = (chunk: Buffer) => {
      said = (said + chunk.toString("utf8")).slice(-64_000);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    const end = () => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    };
    signal.addEventListener("abort", end, { once: true });
    child.on("error", (error) => fail(new SondeError("LAUNCH_FAILED", `task ${label}: ${error.message}`)));
    child.on("close", (code, killed) => {
      signal.removeEventListener("abort", end);
      if (signal.aborted) return fail(new SondeError("CANCELLED", `task ${label} was cancelled`));
      if (code === 0) return done();
      const lines = said.trimEnd().split("\n");
      const more = lines.length - MOST_LINES;
      const shown = more > 0 ? [`(${plural(more, "earlier line")})`, ...lines.slice(-MOST_LINES)] : lines;
      const how = code === null ? `killed by ${killed}` : `exit code ${code}`;
      fail(new SondeError("LAUNCH_FAILED", [`task ${label} failed (${how}): ${line}`, ...shown].join("\n")));
    });
  });
}
