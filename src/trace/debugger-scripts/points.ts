/** A plan's points as the scripts inside debuggers read them. */
import type { Plan } from "../plan.ts";

export function pointsOf({ points }: Plan) {
  return points.map(({ path, line, expressions, condition }, index) => ({
    ...{ index, path, line, expressions },
    ...(condition === undefined ? {} : { condition }),
  }));
}
