/** Lets a target go that was held before its first line. */
import { wait } from "../../../util/wait.ts";
import type { Target } from "../target.ts";

/** How long a target that nobody debugs may take to obey, before we leave it to itself. */
const RELEASE_MS = 2000;

export async function run({ cdp }: Pick<Target, "cdp">): Promise<void> {
  await cdp.send("Runtime.runIfWaitingForDebugger");
}

/** Runs it, undebugged. It may be gone already, which is as good. */
export async function letRun(target: Target): Promise<void> {
  const ran = run(target).catch(() => {});
  await wait(ran, { timeoutMs: RELEASE_MS });
}
