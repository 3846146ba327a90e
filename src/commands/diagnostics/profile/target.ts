/** What is profiled: a program, a process, a session, an agent's own process, or an address. */
import * as z from "zod";
import { advice, blank, call, named, option } from "../../../advice/advice.ts";
import { findSession } from "../../../agent/store/sessions.ts";
import { SondeError } from "../../../errors.ts";
import type { Launch } from "../../../session/launch.ts";
import { executableName, processIds, statOf } from "../../../util/process-facts.ts";
import type { Context, RunRequest } from "../../context.ts";
import { programRequest } from "../../runs/one-run.ts";
import { running, titleOf } from "../../runs/running.ts";

const MOST_SECONDS = 3600;

export const seconds = z
  .number()
  .positive()
  .max(MOST_SECONDS)
  .default(30)
  .describe("how long to sample, at most: a program that ends earlier is profiled to its end");

export const follow = z.boolean().optional().describe("report the progress while it samples");

export const target = {
  program: z.string().optional().describe("a program file to run; or give a whole command line after --"),
  pid: z.number().int().positive().optional().describe("id of a running process; it is left running"),
  agent: z.string().optional().describe("a run of an agent: the agent's own process"),
  url: z.string().optional().describe("a Go program's own profiles (net/http/pprof): http://127.0.0.1:6060"),
  seconds,
  follow,
  ...running,
};
export type Target = z.infer<z.ZodObject<typeof target>>;

export type Chosen =
  | { kind: "run"; request: RunRequest; title: string; agent?: string }
  | { kind: "session"; launch: Launch; title: string }
  | { kind: "url"; url: string; title: string };

export function chosen(context: Context, args: Target): Chosen {
  const { pid, program, agent, url } = args;
  const isRun = program !== undefined || (args.args ?? []).length > 0;
  const given = [pid !== undefined, agent !== undefined, url !== undefined, isRun].filter(Boolean).length;
  if (given > 1)
    throw new SondeError(
      "BAD_ARGUMENT",
      advice`one of a command line, ${named("pid")}, ${named("agent")} and ${named("url")}`,
    );
  if (url !== undefined) return { kind: "url", url, title: url };
  if (pid !== undefined) return { kind: "run", request: attachTo(pid, args), title: `pid ${pid}` };
  if (agent !== undefined) {
    const { pid, title, id } = agentProcess(context, agent);
    return { kind: "run", request: attachTo(pid, args), title, agent: id };
  }
  if (isRun)
    return { kind: "run", request: programRequest(context, args, program), title: titleOf(args, program) };
  if (context.named === undefined && context.launches.length === 0) throw nothing();
  const { launch } = context;
  refuseStill(launch);
  return { kind: "session", launch, title: `session ${launch.name} (pid ${launch.pid ?? "?"})` };
}

function attachTo(pid: number, { adapter }: Target): RunRequest {
  return { request: "attach", plan: { pid, extra: {}, ...(adapter === undefined ? {} : { adapter }) } };
}

function nothing(): SondeError {
  return new SondeError("BAD_ARGUMENT", "profile what?", {
    hint: advice`a command line: ${option({ args: blank("command") })}; a running process: ${option({ pid: blank("pid") })}; or a session`,
  });
}

function refuseStill(launch: Launch): void {
  if (launch.core !== undefined)
    throw new SondeError("UNSUPPORTED", `${launch.name} is a core file: nothing runs in it`);
  if (launch.stateName === "terminated") throw new SondeError("SESSION_ENDED", `${launch.name} has ended`);
  if (launch.stateName !== "stopped") return;
  throw new SondeError("NOT_RUNNING", `${launch.name} is stopped, so there is nothing to measure`, {
    hint: advice`${call("continue", { noWait: true }, launch.name)} lets it run`,
  });
}

/** Of an agent with our bridge in it that is the process itself, of one that we run our child. */
function agentProcess({ agents }: Context, named: string): { pid: number; title: string; id: string } {
  const row = findSession(agents.root, named);
  if (!row.alive) throw new SondeError("SESSION_ENDED", `agent session ${row.id} has ended`);
  if (row.route === "library") return { pid: row.pid, title: `agent ${row.id} (pid ${row.pid})`, id: row.id };
  // The other child is the shell that watches over it.
  const [pid] = processIds().filter(
    (one) => statOf(one)?.parent === row.pid && !/^(sh|dash|bash)$/.test(executableName(one) ?? "sh"),
  );
  if (pid === undefined)
    throw new SondeError("UNSUPPORTED", `the process of agent session ${row.id} could not be found`, {
      hint: advice`give it as ${option({ pid: blank("pid") })}`,
    });
  return { pid, title: `agent ${row.id} (pid ${pid})`, id: row.id };
}
