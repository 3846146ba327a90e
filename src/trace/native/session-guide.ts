/** The guide to what a session runs, where that is a native program whose file is known before it runs. */
import { resolve } from "node:path";
import { onPath } from "../../adapters/kit/find.ts";
import type { Session } from "../../session/session.ts";
import { executableOf } from "../../util/process-facts.ts";
import type { Plan } from "../plan.ts";
import { type Guide, guideIfAny } from "./guide.ts";

export function guideOfSession(plan: Plan, session: Session): Guide | undefined {
  if (!session.adapter.languages.includes("c")) return undefined;
  const program = programOf(session);
  return program === undefined ? undefined : guideIfAny(program, plan);
}

/** Not what cargo or another builder is going to make. */
function programOf({ opening, where }: Session): string | undefined {
  const { plan } = opening;
  if (plan.program !== undefined) return plan.program;
  if (opening.request === "attach")
    return opening.plan.pid === undefined ? undefined : executableOf(opening.plan.pid);
  const [first = ""] = opening.plan.command ?? [];
  const path = /(^|\/)cargo$/.test(first) ? undefined : onPath(first, where);
  return path === undefined ? undefined : resolve(plan.cwd, path);
}
