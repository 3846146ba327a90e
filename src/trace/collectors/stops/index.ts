/** Stop, look, go on: what any debugger can do, and what every faster way is measured against. */
import type { Session } from "../../../session/session.ts";
import type { Collector } from "../../collector.ts";
import type { Plan } from "../../plan.ts";
import { collectLines } from "./lines.ts";
import { collectPoints } from "./points.ts";

export const collector: Collector = {
  name: "stops",
  unfit: async ({ lines }: Plan, session: Session) => {
    if (lines === undefined) return undefined;
    if (lines.functions.length === 0)
      return "it steps through functions that are named, not through whole files";
    return session.opening.request === "attach" ? "it steps only through programs it starts" : undefined;
  },
  collect: (plan, run) =>
    plan.lines === undefined ? collectPoints(plan, run) : collectLines(plan, plan.lines, run),
};
