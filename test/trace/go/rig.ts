/** Records of Go programs by one collector or another, and what must be the same in them. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";
import type { Opening } from "../../../src/adapters/adapter.ts";
import type { Plan } from "../../../src/trace/plan.ts";
import { compilerVersion } from "../../support/builds.ts";
import { WITHOUT_PROBES } from "../perf/programs.ts";
import { launching, planOf, type Recorded, recorded } from "../support.ts";
import type { Written } from "./programs.ts";

export const LONG = 90_000;
/** Why probes in Go programs cannot be tried here; nothing where they can. */
export const WITHOUT = compilerVersion("go") === undefined ? "there is no go" : WITHOUT_PROBES;

export function at(
  { source, line }: Written,
  marker: string,
  expressions: string[],
  condition?: string,
): Plan {
  return planOf([
    { path: source, line: line(marker), expressions, ...(condition === undefined ? {} : { condition }) },
  ]);
}

export function by(collector: string, program: Written, plan: Plan, args: string[] = [], stdin = "") {
  return running(collector, launching({ program: program.source, args, cwd: program.folder }), plan, stdin);
}

export function running(collector: string, opening: Opening, plan: Plan, stdin = "") {
  return recorded("delve", opening, plan, { collector, stdin: Buffer.from(stdin) });
}

/** What must be equal whoever collected it. */
export function told({ points, bindings, counts, end, stdout, stderr, notes }: Recorded) {
  return {
    hits: points.map(({ point, hit, thread, values, frames }) => ({ point, hit, thread, values, frames })),
    ...{ bindings, counts, end, stdout, stderr, notes },
  };
}

export async function same(program: Written, plan: Plan, args: string[] = [], stdin = ""): Promise<Recorded> {
  return sameOf(launching({ program: program.source, args, cwd: program.folder }), plan, stdin);
}

export async function sameOf(opening: Opening, plan: Plan, stdin = ""): Promise<Recorded> {
  const plain = await running("stops", opening, plan, stdin);
  const fast = await running("perf", opening, plan, stdin);
  expect(told(fast)).toEqual(told(plain));
  expect(fast.collector).toBe("perf");
  return fast;
}

export function build(
  { source, folder }: Written,
  flags: string[],
  env: Record<string, string> = {},
): string {
  const binary = join(folder, "built");
  execFileSync("go", ["build", ...flags, "-o", binary, source], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  return binary;
}
