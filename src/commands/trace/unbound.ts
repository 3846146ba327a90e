/** Places at which nothing can be recorded. */
import { advice, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { TraceRecord } from "../../trace/record.ts";

/** A place without code was never recorded, which must not look like one that was never reached. */
export function refuseUnbound({ id, plan, bindings, counts }: TraceRecord): void {
  for (const [at, binding] of bindings.entries()) {
    if (binding.state !== "unbound" || (counts[at] ?? 0) > 0) continue;
    const { key } = plan.points[at] ?? { key: "" };
    const nearest = binding.nearest?.length
      ? `lines with code near it: ${binding.nearest.join(", ")}`
      : undefined;
    throw new SondeError("BAD_LOCATION", `${key}: ${binding.reason}`, {
      hint: nearest ?? advice`${call("trace show", { id })} shows what was recorded at the other places`,
    });
  }
}
