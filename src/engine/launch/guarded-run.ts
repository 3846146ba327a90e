/**
 * A compiler or an installer that does not outlive us, from its first moment on: the guard knows its mark before it is started,
 * and its number only when the system has given it one.
 */
import type { Guard } from "../../session/processes/guard.ts";
import { LaunchMark } from "../../session/processes/launch-mark.ts";
import { type GroupEnd, type GroupRun, runGroup } from "../../util/group-run.ts";

type GuardedRun = Omit<GroupRun, "owner" | "env"> & { env: Record<string, string> };

export async function runGuarded(
  guard: Guard,
  file: string,
  args: readonly string[],
  run: GuardedRun,
): Promise<GroupEnd> {
  const mark = new LaunchMark();
  guard.watchMark(mark.value);
  try {
    return await runGroup(file, args, { ...run, env: mark.on(run.env), owner: guard });
  } finally {
    guard.forgetMark(mark.value);
  }
}
