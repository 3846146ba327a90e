/** Whether a file that is not on this machine is one that the program was compiled from. */
import { resolve } from "node:path";
import { executableOf } from "../../util/process-facts.ts";
import type { Opening } from "../adapter.ts";
import { onPath } from "../kit/find.ts";
import { BuiltFrom } from "./built-from.ts";

export function hasSource({ request, plan }: Opening, path: string): boolean {
  const { cwd, env, pathMap } = plan;
  const [first] = request === "launch" ? (plan.command ?? []) : [];
  const pid = request === "attach" ? plan.pid : undefined;
  const found = first === undefined ? undefined : onPath(first, { cwd, env });
  const program = plan.program ?? found ?? (pid === undefined ? undefined : executableOf(pid));
  return program !== undefined && new BuiltFrom(resolve(cwd, program), pathMap).has(path);
}
