/** What is run of a Go program: built as for the debugger, or a binary that is there. */
import { resolve } from "node:path";
import { build } from "../../../../adapters/delve/build.ts";
import { targetOf } from "../../../../adapters/delve/target.ts";
import { onPath } from "../../../../adapters/kit/find.ts";
import type { Launch } from "../../../../session/launch.ts";
import { executableOf } from "../../../../util/process-facts.ts";
import type { Runnable } from "../language.ts";

export async function goProgram({ opening, where, found, processes, output }: Launch): Promise<Runnable> {
  const { cwd, env } = opening.plan;
  if (opening.request === "attach") {
    const { pid } = opening.plan;
    return { program: (pid === undefined ? undefined : executableOf(pid)) ?? "", args: [], cwd, env };
  }
  const target = targetOf(opening.plan);
  if (target.kind === "binary")
    return {
      ...{ args: target.args, cwd, env },
      program: resolve(cwd, onPath(target.program, where) ?? target.program),
    };
  const host = { found, where, processes, timeoutMs: 0, log: () => {} };
  const built = await build(target.go, target.name, opening.plan, {
    ...host,
    say: (text) => output.append("console", text),
  });
  return {
    ...{ program: built.program, args: target.go.args, env, remove: () => built.remove() },
    cwd: target.go.verb === "test" ? built.folder : (target.runsIn ?? built.folder),
  };
}
