/** The guide to what a session runs, where that is a native program whose file is known before it runs. */
import { knownProgram } from "../../adapters/native/runnable.ts";
import type { Session } from "../../session/session.ts";
import type { Plan } from "../plan.ts";
import { type Guide, guideIfAny } from "./guide.ts";

export function guideOfSession(plan: Plan, session: Session): Guide | undefined {
  if (!session.adapter.languages.includes("c")) return undefined;
  const program = knownProgram(session.opening, session.where);
  return program === undefined ? undefined : guideIfAny(program, plan);
}
