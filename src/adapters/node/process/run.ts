/**
 * Lets a target go that was held before its first line.
 *
 * boot.cjs reports its process just before it begins to wait, so a fast debugger can be there first, and an order to run
 * that V8 handles before the wait has begun is lost. So look afterwards whether the boot file is still on the stack, and
 * repeat the order while it is.
 */
import { wait } from "../../../util/wait.ts";
import type { Cdp, Target } from "../target.ts";
import { findBootFile } from "./boot-file.ts";

const INSIST_MS = 5000;
/** How long a target that nobody debugs may take to obey, before we leave it to itself. */
const RELEASE_MS = 2000;

export async function run({ cdp }: Pick<Target, "cdp">): Promise<void> {
  await cdp.send("Runtime.runIfWaitingForDebugger");
}

/** Resolves when the program is past the boot file. A program that blocks in native code answers only later. */
export async function insistOnRunning({ cdp, kind }: Target): Promise<void> {
  if (kind === "worker") return;
  const boot = findBootFile();
  const deadline = performance.now() + INSIST_MS;
  while (performance.now() < deadline && (await stack(cdp)).includes(boot)) await run({ cdp });
}

/** Runs it, undebugged. It may be gone already, which is as good. */
export async function letRun(target: Target): Promise<void> {
  const ran = run(target)
    .then(() => insistOnRunning(target))
    .catch(() => {});
  await wait(ran, { timeoutMs: RELEASE_MS });
}

async function stack(cdp: Cdp): Promise<string> {
  const { result } = await cdp.send("Runtime.evaluate", {
    expression: "new Error().stack",
    returnByValue: true,
    silent: true,
  });
  return String(result.value);
}
