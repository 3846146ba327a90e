/** `step --into name`: which of the calls on the current line to enter. */
import { advice, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { Session } from "../session.ts";

export async function stepTarget(session: Session, name: string): Promise<number> {
  const { debuggee, stack } = await session.focus.place();
  if (!debuggee.capabilities.supportsStepInTargetsRequest) {
    throw new SondeError(
      "UNSUPPORTED",
      `the ${session.adapter.name} adapter cannot choose which call to step into`,
      {
        hint: advice`${call("breakpoint add", { function: name, once: true })}, then ${call("continue")}`,
      },
    );
  }
  const top = stack.frames[0];
  const { targets } = await debuggee.client.request("stepInTargets", { frameId: top?.adapterId ?? 0 });
  const found = targets.find((one) => one.label === name) ?? targets.find((one) => one.label.includes(name));
  if (found) return found.id;
  throw new SondeError("BAD_ARGUMENT", `no call to ${name} on this line`, {
    hint:
      targets.length > 0
        ? `calls here: ${targets.map((one) => one.label).join(", ")}`
        : "there are no calls on it",
  });
}
