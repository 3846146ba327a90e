/** profile cpu, profile heap: where a program's time goes, and what holds its memory. */
import * as z from "zod";
import { advice, blank, call, named, option } from "../../../advice/advice.ts";
import { totalsOf } from "../../../diagnostics/profile/profile.ts";
import type { ProfileKind } from "../../../diagnostics/profile/sampler.ts";
import type { StoredProfile } from "../../../diagnostics/profile/store.ts";
import { rowsOf } from "../../../diagnostics/profile/table.ts";
import type { Asked } from "../../../diagnostics/profile/take.ts";
import { markOf } from "../../../diagnostics/profile/words.ts";
import { SondeError } from "../../../errors.ts";
import type { Launch } from "../../../session/launch.ts";
import type { Context, RunRequest } from "../../context.ts";
import { command } from "../../define.ts";
import { programRequest } from "../../runs/one-run.ts";
import { RUN_SPELLED, RUNS, running, stdinOf, titleOf } from "../../runs/running.ts";
import { type ProfileResult, profileShape } from "./shape.ts";
import { profileText } from "./text.ts";

const TOP = 30;
const MOST_SECONDS = 3600;

const target = {
  program: z.string().optional().describe("a program file to run; or give a whole command line after --"),
  pid: z.number().int().positive().optional().describe("id of a running process; it is left running"),
  seconds: z
    .number()
    .positive()
    .max(MOST_SECONDS)
    .default(30)
    .describe("how long to look; a program that ends earlier is profiled to its end"),
};

const cpuArgs = z.object({ ...target, ...running });
const heapArgs = z.object({
  ...target,
  snapshot: z
    .boolean()
    .optional()
    .describe(
      "also write the whole heap after a full collection (Node): it holds every string of the program",
    ),
  ...running,
});
type Args = z.infer<typeof heapArgs>;

export const profileCpu = command({
  name: "profile cpu",
  summary: "sample a program, a session or a process and show which functions take the time",
  group: "diagnostics",
  skill: true,
  needs: "nothing",
  effect: "changes",
  args: cpuArgs,
  result: profileShape,
  cli: { positionals: ["program"], rest: "args" },
  mcp: {
    tool: "diagnose",
    action: "profile_cpu",
    spelled: RUN_SPELLED,
    takes: ["pid", "seconds", ...RUNS],
    usual: () => ({ seconds: 10 }),
    brief: "command, pid or session: which functions take the time.",
  },
  examples: [
    "sonde profile cpu app.js",
    "sonde profile cpu --seconds 10 -- python app.py",
    "sonde profile cpu --pid 4242 --seconds 5",
  ],
  run: (context, args) => profiled(context, "cpu", args),
  text: profileText,
});

export const profileHeap = command({
  name: "profile heap",
  summary: "sample what a program allocates and show which functions hold the memory",
  group: "diagnostics",
  needs: "nothing",
  effect: "changes",
  args: heapArgs,
  result: profileShape,
  cli: { positionals: ["program"], rest: "args" },
  mcp: {
    tool: "diagnose",
    action: "profile_heap",
    spelled: RUN_SPELLED,
    takes: ["pid", "seconds", ...RUNS],
    usual: () => ({ seconds: 10 }),
    brief: "which functions hold memory.",
  },
  examples: ["sonde profile heap app.js", "sonde profile heap --pid 4242 --seconds 5 --snapshot"],
  run: (context, args) => profiled(context, "heap", args),
  text: profileText,
});

async function profiled(context: Context, kind: ProfileKind, args: Args): Promise<ProfileResult> {
  const { take } = await import("../../../diagnostics/profile/take.ts");
  const stdin = await stdinOf(context, args);
  const asked = (launch: Launch, title: string): Asked => ({
    ...{ kind, launch, title, stdin, seconds: args.seconds, signal: context.signal },
    ...{ cwd: context.cwd, root: context.places.profiles, begun: () => {} },
    ...(args.snapshot === undefined ? {} : { snapshot: args.snapshot }),
  });
  const request = requestOf(context, args);
  if (request !== undefined) {
    const title = args.pid === undefined ? titleOf(args, args.program) : `pid ${args.pid}`;
    return context.once(request, async (launch) => answered(await take(asked(launch, title))));
  }
  const { launch } = context;
  refuseStill(launch);
  return answered(await take(asked(launch, `session ${launch.name} (pid ${launch.pid ?? "?"})`)));
}

/** Nothing for a session. */
function requestOf(context: Context, args: Args): RunRequest | undefined {
  const { pid, program } = args;
  const isRun = program !== undefined || (args.args ?? []).length > 0;
  if (pid !== undefined && isRun)
    throw new SondeError(
      "BAD_ARGUMENT",
      advice`${named("pid")} is a running process: it goes with no command line`,
    );
  if (pid !== undefined) {
    const adapter = args.adapter === undefined ? {} : { adapter: args.adapter };
    return { request: "attach", plan: { pid, extra: {}, ...adapter } };
  }
  if (isRun) return programRequest(context, args, program);
  if (context.named !== undefined || context.launches.length > 0) return undefined;
  throw new SondeError("BAD_ARGUMENT", "profile what?", {
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

export function answered(stored: StoredProfile): ProfileResult {
  const { profile, cwd: _, began: __, ...head } = stored;
  const { busy, idle, samples, idleSamples } = totalsOf(profile);
  const rows = rowsOf(profile);
  const share = (amount: number) => (busy === 0 ? 0 : amount / busy);
  const folder = stored.files[0]?.path.replace(/[\\/][^\\/]*$/, "") ?? "";
  return {
    ...head,
    ...{ unit: profile.unit, busy, idle, samples, idleSamples, folder, functions: rows.length },
    top: rows.slice(0, TOP).map(({ frame, self, total }) => {
      const mark = markOf(frame);
      return {
        name: frame.name,
        ...(frame.file === undefined ? {} : { file: frame.file }),
        ...(frame.line === undefined ? {} : { line: frame.line }),
        ...(mark === undefined ? {} : { mark }),
        ...{ self, selfShare: share(self), total, totalShare: share(total) },
      };
    }),
  };
}
