/** Stop, look, go on: what any debugger can do, and what every faster way is measured against. */
import type { Launch } from "../../../session/launch.ts";
import type { Collector } from "../../collector.ts";
import type { Plan } from "../../plan.ts";
import { collectEveryLine } from "./every-line.ts";
import { collectLines } from "./lines.ts";
import { collectPoints } from "./points.ts";
import { debugged } from "./program.ts";

export const collector: Collector = {
  name: "stops",
  price: "3 to 30 ms",
  unfit: async ({ lines }: Plan, { opening }: Launch) => {
    if (lines === undefined) return undefined;
    return opening.request === "attach" ? "it steps only through programs it starts" : undefined;
  },
  collect: (plan, run) =>
    plan.lines === undefined
      ? collectPoints(plan, debugged(run))
      : plan.lines.functions.length === 0
        ? collectEveryLine(plan, plan.lines, debugged(run))
        : collectLines(plan, plan.lines, debugged(run)),
};
