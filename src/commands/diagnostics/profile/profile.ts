/** profile cpu, profile heap, profile work: where a program's time goes, and what holds its memory. */
import * as z from "zod";
import { totalsOf } from "../../../diagnostics/profile/profile.ts";
import type { ProfileKind } from "../../../diagnostics/profile/sampler.ts";
import type { StoredProfile } from "../../../diagnostics/profile/store.ts";
import { rowsOf } from "../../../diagnostics/profile/table.ts";
import { markOf } from "../../../diagnostics/profile/words.ts";
import type { Launch } from "../../../session/launch.ts";
import { keptOutput } from "../../../session/output/whole.ts";
import type { Context } from "../../context.ts";
import { command } from "../../define.ts";
import { RUN_SPELLED, RUNS, stdinOf } from "../../runs/running.ts";
import { type ProfileResult, profileShape } from "./shape.ts";
import { chosen, follow, seconds, type Target, target } from "./target.ts";
import { profileText } from "./text.ts";

const TOP = 30;
/** A model that calls a tool waits for it. */
const TOOL_SECONDS = 10;

export const profileCpu = command({
  name: "profile cpu",
  summary: "sample a program, a session or a process and show which functions take the time",
  group: "diagnostics",
  skill: true,
  needs: "nothing",
  effect: "changes",
  interactive: true,
  makes: "profile",
  args: z.object(target),
  result: profileShape,
  cli: { positionals: ["program"], rest: "args" },
  mcp: {
    tool: "diagnose",
    action: "profile_cpu",
    spelled: RUN_SPELLED,
    takes: ["pid", "agent", "url", "seconds", ...RUNS],
    usual: () => ({ seconds: TOOL_SECONDS }),
    watched: "follow",
    ofSession: true,
    brief: "which functions take the time, of command, pid or session.",
  },
  examples: [
    "sonde profile cpu app.js",
    "sonde profile cpu --seconds 10 -- python app.py",
    "sonde profile cpu --pid 4242 --seconds 5",
    "sonde profile cpu --url http://127.0.0.1:6060",
  ],
  run: (context, args) => profiled(context, "cpu", args),
  text: profileText,
});

export const profileHeap = command({
  name: "profile heap",
  summary: "sample what a program allocates and show which functions allocated the memory in use",
  group: "diagnostics",
  needs: "nothing",
  effect: "changes",
  interactive: true,
  makes: "profile",
  args: z.object({
    ...target,
    snapshot: z
      .boolean()
      .optional()
      .describe(
        "also write a heap snapshot after a full garbage collection (Node); it contains every string of the program",
      ),
  }),
  result: profileShape,
  cli: { positionals: ["program"], rest: "args" },
  mcp: {
    tool: "diagnose",
    action: "profile_heap",
    spelled: RUN_SPELLED,
    takes: ["pid", "agent", "url", "seconds", "snapshot", ...RUNS],
    usual: () => ({ seconds: TOOL_SECONDS }),
    watched: "follow",
    ofSession: true,
    brief: "which functions hold memory.",
  },
  examples: ["sonde profile heap app.js", "sonde profile heap --pid 4242 --seconds 5 --snapshot"],
  run: (context, args) => profiled(context, "heap", args, args.snapshot),
  text: profileText,
});

export const profileWork = command({
  name: "profile work",
  summary: "sample Sonde's own daemon and show what it is busy with",
  group: "diagnostics",
  needs: "nothing",
  effect: "changes",
  interactive: true,
  args: z.object({ seconds, follow }),
  result: profileShape,
  mcp: {
    tool: "diagnose",
    action: "profile_work",
    takes: ["seconds"],
    usual: () => ({ seconds: TOOL_SECONDS }),
    watched: "follow",
    brief: "Sonde's daemon itself.",
  },
  run: async (context, args) => {
    const { keep } = await import("../../../diagnostics/profile/take.ts");
    const { sampleOwn } = await import("../../../diagnostics/profile/samplers/own.ts");
    const asked = { kind: "cpu" as const, title: `the daemon (pid ${process.pid})`, ...kept(context) };
    return answered(
      await following(context, args, (watched) => keep(asked, (folder) => sampleOwn({ ...watched, folder }))),
    );
  },
  text: profileText,
});

async function profiled(
  context: Context,
  kind: ProfileKind,
  args: Target,
  snapshot?: boolean,
): Promise<ProfileResult> {
  const { keep, take } = await import("../../../diagnostics/profile/take.ts");
  const what = chosen(context, args);
  const ofAgent = what.kind === "run" && what.agent !== undefined ? { agent: what.agent } : {};
  const asked = { kind, title: what.title, ...ofAgent, ...kept(context) };
  if (what.kind === "url") {
    const { samplePprof } = await import("../../../diagnostics/profile/samplers/pprof-url.ts");
    return answered(
      await following(context, args, (watched) =>
        keep(asked, () => samplePprof(what.url, { ...watched, kind })),
      ),
    );
  }
  const stdin = await stdinOf(context, args);
  const of = async (launch: Launch) =>
    answered(
      await following(context, args, (watched) =>
        take({ ...asked, ...watched, launch, stdin, ...(snapshot === undefined ? {} : { snapshot }) }),
      ),
    );
  if (what.kind !== "run") return of(what.launch);
  return context.once(what.request, async (launch) => {
    const result = await of(launch);
    const { how, exitCode, signal } = result.end;
    const hasFailed = how === "program" && (signal !== undefined || (exitCode ?? 0) !== 0);
    if (!hasFailed) return result;
    const { lines, moreLines } = keptOutput(launch.output);
    const first = Math.max(0, lines.length - context.limits.outputLines);
    return { ...result, output: { lines: lines.slice(first), moreLines: moreLines + first } };
  });
}

function kept({ cwd, places }: Context): { cwd: string; root: string } {
  return { cwd, root: places.profiles };
}

interface Watched {
  seconds: number;
  signal: AbortSignal;
  begun(): void;
}

/** Tells the caller every second how far it is, if that is wanted. */
async function following<T>(
  context: Context,
  { seconds, follow }: { seconds: number; follow?: boolean | undefined },
  body: (watched: Watched) => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const begun = () => {
    if (!follow) return;
    const start = performance.now();
    const tell = () => {
      const passed = Math.round((performance.now() - start) / 1000);
      context.chunk(passed < seconds ? `sampling: ${passed} s of ${seconds} s\n` : "reading the samples\n");
    };
    tell();
    timer = setInterval(tell, 1000);
  };
  try {
    return await body({ seconds, signal: context.signal, begun });
  } finally {
    clearInterval(timer);
  }
}

export function answered(stored: StoredProfile): ProfileResult {
  const { profile, cwd: _, began: __, agent: ___, ...head } = stored;
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
