/** Go: its own debug information, read by us, and values in dlv's words. dlv itself is not run. */
import { type Language, Unfit } from "../language.ts";
import { Reading } from "./expression.ts";
import { GoInformant } from "./informant.ts";
import { goProgram } from "./run.ts";

export const go: Language = {
  unfit({ points }, launch) {
    if (Object.keys(launch.opening.plan.extra).length > 0) return "extra arguments for dlv are given";
    try {
      for (const { expressions, condition } of points)
        for (const one of [...expressions, ...(condition === undefined ? [] : [condition])])
          new Reading().parse(one);
      return undefined;
    } catch (error) {
      if (error instanceof Unfit) return error.message;
      throw error;
    }
  },
  runnable: goProgram,
  informant: async ({ program }) => new GoInformant(program),
  childrenToo: "hits in child processes are not recorded; the collector delve records them",
};
