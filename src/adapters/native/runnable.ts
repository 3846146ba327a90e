/** What is run of a native program, however it was asked for. */
import { resolve } from "node:path";
import { SondeError } from "../../errors.ts";
import { executableOf } from "../../util/process-facts.ts";
import type { Host, LaunchPlan, Opening, Sample, Where } from "../adapter.ts";
import { onPath } from "../kit/find.ts";
import { runCargo } from "./cargo.ts";

export interface Runnable {
  program: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

/** A package is built first. */
export async function runnableOf(plan: LaunchPlan, host: Host): Promise<Runnable> {
  const { program, command, args, cwd, env } = plan;
  if (program !== undefined) return { program, args, cwd, env };
  const [first = "", ...rest] = command ?? [];
  const path = onPath(first, { env, cwd });
  if (path === undefined) throw new SondeError("LAUNCH_FAILED", `there is no program ${first}`);
  if (isCargo(first)) return runCargo(path, rest, { cwd, env }, host);
  return { program: resolve(cwd, path), args: rest, cwd, env };
}

/** The file of a program, if it is known before it runs: not what cargo or another builder is going to make. */
export function knownProgram({ request, plan }: Opening, where: Where): string | undefined {
  if (plan.program !== undefined) return plan.program;
  if (request === "attach") return plan.pid === undefined ? undefined : executableOf(plan.pid);
  const [first = ""] = plan.command ?? [];
  const path = isCargo(first) ? undefined : onPath(first, where);
  return path === undefined ? undefined : resolve(plan.cwd, path);
}

function isCargo(word: string): boolean {
  return /(^|\/)cargo$/.test(word);
}

export const NATIVE_SAMPLE: Sample = {
  file: "sample.c",
  text: '#include <stdio.h>\nint main(void) {\n  int answer = 6 * 7;\n  printf("%d\\n", answer);\n  return 0;\n}\n',
  line: 4,
  shows: { name: "answer", value: "42" },
};
