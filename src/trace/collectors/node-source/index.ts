/**
 * Node programs, rewritten as they load: calls of a recorder stand where the plan asks for values, and no debugger is in the way.
 * What runs inside the program is in runtime/; it writes to a FIFO, which is read here.
 */
import { join } from "node:path";
import type { LaunchPlan } from "../../../adapters/adapter.ts";
import { LaunchArguments, parseArguments } from "../../../adapters/node/process/arguments.ts";
import { preloading } from "../../../adapters/node/process/boot-file.ts";
import {
  type Command,
  type CommandLine,
  type Exit,
  startCommand,
} from "../../../adapters/node/process/command.ts";
import { prepareCommand } from "../../../adapters/node/process/command-line.ts";
import { findExecutable } from "../../../adapters/node/process/find-executable.ts";
import { SondeError } from "../../../errors.ts";
import type { Launch } from "../../../session/launch.ts";
import { ownFile } from "../../../util/own-file.ts";
import { isAlive } from "../../../util/process-facts.ts";
import { wait } from "../../../util/wait.ts";
import type { Collector, Run } from "../../collector.ts";
import type { Plan } from "../../plan.ts";
import type { RunEnd } from "../../record.ts";
import { Channel } from "./channel.ts";
import { asWritten } from "./excerpts.ts";
import { layOut } from "./layout.ts";
import { Messages } from "./messages.ts";
import { withStackRoom } from "./stack-room.ts";

/** Between asking and killing. */
const GRACE_MS = 500;

export const collector: Collector = {
  name: "node-source",
  counts: true,
  async unfit(_plan: Plan, launch: Launch) {
    if (launch.opening.request === "attach") return "it cannot attach: it must start the program";
    if (process.platform === "win32") return "it needs FIFOs, which Windows does not have";
    return undefined;
  },
  collect,
};

async function collect(plan: Plan, run: Run): Promise<RunEnd> {
  const { opening } = run.launch;
  if (opening.request !== "launch")
    throw new SondeError("UNSUPPORTED", "it records only programs that it starts");
  const program = await prepared(opening.plan);
  const real = layOut(plan, run.folder);
  const began = performance.timeOrigin + performance.now();
  const messages = new Messages(real, run.sink, began);
  const channel = await Channel.create(join(run.folder, "records"), (pid, thread, line) => {
    try {
      messages.take(pid, thread, line);
    } catch {
      run.sink.lost(1); // torn: its process was killed as it wrote, and another has its number
    }
  });
  try {
    const command = await start(program, run);
    const ended = await wait(command.drained, { signal: run.signal });
    if (!ended.done) await command.end(GRACE_MS);
    await channel.drain();
    return ended.done ? endOf(ended.value, messages, run) : { how: "stopped" };
  } finally {
    channel.close();
  }
}

type Prepared = CommandLine & { title: string };

/** The same command as the debugger would start. */
async function prepared({ program, command, args, cwd, env, extra }: LaunchPlan): Promise<Prepared> {
  const what = command === undefined ? { program, args } : { command };
  try {
    const launch = parseArguments(LaunchArguments, "launch", { ...what, cwd, env, ...extra });
    const line = withStackRoom(await prepareCommand(launch, launch.env));
    const file = line.file === "node" ? findExecutable("node", launch.cwd, launch.env) : line.file;
    return { ...line, file, cwd: launch.cwd, env: launch.env };
  } catch (error) {
    throw new SondeError("LAUNCH_FAILED", error instanceof Error ? error.message : String(error));
  }
}

async function start({ title, ...program }: Prepared, run: Run): Promise<Command> {
  const { launch, stdin } = run;
  const line = { ...program, env: environment(launch.processes.marked(program.env), run.folder) };
  const command = await startCommand(line, (category, text) =>
    launch.output.append(category, asWritten(text)),
  ).catch((error: unknown) => {
    throw new SondeError("LAUNCH_FAILED", error instanceof Error ? error.message : String(error));
  });
  launch.processes.own(command.pid, title);
  void command.exit.then(() => {
    // What it left running in its group is still the session's to end.
    if (!isAlive(-command.pid)) launch.processes.release(command.pid);
  });
  const written = stdin === undefined ? Promise.resolve() : command.write(stdin);
  // A program that does not read its input has no use for its end.
  void written.then(() => command.endInput()).catch(() => {});
  return command;
}

function environment(env: Record<string, string>, folder: string): Record<string, string> {
  const preload = ownFile("trace/collectors/node-source/runtime/preload.entry.cjs");
  return { ...preloading(env, preload), SONDE_TRACE: folder };
}

function endOf({ code, signal }: Exit, { heard, uncaught }: Messages, { sink }: Run): RunEnd {
  if (!heard) sink.note("nothing was recorded: no Node process of the command loaded the recorder");
  return {
    how: "exited",
    exitCode: code,
    ...(signal === undefined ? {} : { signal }),
    ...(uncaught === undefined || code === 0 ? {} : { why: `uncaught ${uncaught.text}` }),
  };
}
