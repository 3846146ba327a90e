/** The guide to what a launch runs, where that is a native program whose file is known before it runs. */
import { knownProgram } from "../../adapters/native/runnable.ts";
import type { Launch } from "../../session/launch.ts";
import type { Plan } from "../plan.ts";
import { type Guide, guideIfAny } from "./guide.ts";

export function guideOfLaunch(plan: Plan, launch: Launch): Guide | undefined {
  if (!launch.adapter.languages.includes("c")) return undefined;
  const program = knownProgram(launch.opening, launch.where);
  return program === undefined ? undefined : guideIfAny(program, plan);
}
